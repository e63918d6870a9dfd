"""The fixed columns of Tournament Report Files, and what a line that misses them is shifted by."""

from __future__ import annotations

from collections.abc import Callable, Collection

from arena.core.errors import ParseError
from arena.core.text.printable import printable_line

_IN_COLUMNS = ("001", "162", "240", "250", "260", "299", "XXA")
"""Records whose fields stand in fixed columns."""
_NAME = range(14, 47)
"""The columns of a player's name, counted from 0."""
_BLANKS = (3, 8, 13, 47, 52, 56, 68, 79, 84, 89)
"""The blank before each field of a player's record, counted from 0."""
_FIRST_ROUND, _ROUND, _ROUNDS = 89, 10, 50
"""The begin of the first round, the columns of a round, and the rounds that may be shifted."""


def check_start(line: str, codes: Collection[str]) -> None:
    """Raises ``ParseError`` for a record that is not in the first column, or has tabs for blanks.

    Args:
        codes: The codes of the records that count.
    """
    code = line.split(maxsplit=1)[0]
    if line[0].isspace() and code in codes:
        begins = len(line) - len(line.lstrip()) + 1
        raise ParseError(f"record {code} begins in column {begins}; its place is column 1")
    if code in ("01", "1") and f"00{int(code)}" in codes:
        raise ParseError(
            f"begins with {code!r}: record 001 has lost its first columns; "
            "it is shifted to the left, its place is column 1"
        )
    if line[:3] in _IN_COLUMNS and "\t" in line:
        tabs = [at for at, letter in enumerate(line) if letter == "\t"]
        wrong = [at for at in tabs if line[:3] != "001" or at not in _NAME]
        if wrong:
            raise ParseError(
                f"has a tab in column {wrong[0] + 1}; the fields of {line[:3]} stand in fixed "
                "columns, with blanks between them"
            )


def field(line: str, first: int, last: int, name: str) -> str:
    """Returns the text of a field by its columns, from 1; one that is cut raises ``ParseError``.

    The zeros of "no opponent" may be cut: they mean the same.
    """
    for end in (first - 1, last):
        if not line[end - 1 : end].strip() or not line[end : end + 1].strip():
            continue
        word = line[:end].split()[-1] + line[end:].split()[0]
        if not word.strip("0"):
            continue
        side = "begins before" if end < first else "ends behind"
        raise ParseError(f"{name} {printable_line(word, 20)!r} {side} its columns")
    return line[first - 1 : last]


def shift_of(line: str, readable: Callable[[str], bool]) -> tuple[str, str]:
    """Says how a player's record is shifted, if that is why it cannot be read; else empty.

    Returns:
        That, and the record as it should be.
    """
    if readable(line):
        return "", line  # its columns are right: what is wrong is what stands in other lines
    rounds = range(_FIRST_ROUND, min(len(line), _FIRST_ROUND + _ROUNDS * _ROUND), _ROUND)
    inside = (start + offset for start in rounds for offset in (0, 6, 8))
    for by in (1, -1, 2, -2):
        for at in sorted({*_BLANKS, *inside}, reverse=True):
            if at >= len(line) or (by > 0 and line[at : at + by].strip()):
                continue
            moved = line[at + by :] if by > 0 else " " * -by + line[at:]
            if readable(line[:at] + moved):
                side, back = ("right", "left") if by > 0 else ("left", "right")
                says = (
                    f"; shifted by {abs(by)} to the {side}: what begins in column "
                    f"{at + 1 + max(by, 0)} belongs {abs(by)} further to the {back}"
                )
                return says, line[:at] + moved
    return "", line
