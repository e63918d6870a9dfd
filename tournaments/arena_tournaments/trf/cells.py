"""The rounds of a player's record: opponent, colour and result, ten columns each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from arena.core.errors import ParseError
from arena_tournaments.trf.columns import field
from arena_tournaments.trf.fields import shown, whole
from arena_tournaments.trf.report import PLAYED, Cell

MAX_PLAYERS = 9_999
MAX_ROUNDS = 999
UNKNOWN = "?"
"""The result of a game without one; only in reports that are read with flaws."""

_FIRST_CELL, _CELL = 91, 10
_RESULTS = "10=+-WDLHFUZ"
_UNPAIRED = {"+": "U", "-": "Z", "=": "H", "": "Z"}
"""Other names as typed of byes: results without an opponent."""


class Flaw(msgspec.Struct, frozen=True, kw_only=True):
    """A place of a file that cannot be read as it stands.

    Attributes:
        kind: One of the kinds of findings of ``arena_tournaments.checker``.
        line: Line of the file, from 1.
        player: Number of the player; 0 for none.
        round: 0 for none.
        problem: The fault, and the values that are right.
        columns: Where a round stands.
    """

    kind: str
    problem: str
    line: int = 0
    player: int = 0
    round: int = 0
    columns: str = ""

    @property
    def message(self) -> str:
        """The problem with its place, but for the line."""
        if not self.round:
            return self.problem
        where = f"round {self.round}: {self.columns}"
        return f"player {self.player}, round {self.round}: {self.problem} ({where})"


class _BadCell(ParseError):
    """A round that cannot be read; ``cell`` is what is known of it."""

    def __init__(self, kind: str, problem: str, cell: Cell) -> None:
        super().__init__(problem)
        self.kind, self.cell = kind, cell


def cells_of(line: str, number: int, bad: Callable[[Flaw], object]) -> Iterator[Cell]:
    """Returns the rounds of a player's record; blank ones at its end are none.

    Args:
        bad: Is given each round that cannot be read; if it returns, what is known of it counts.
    """
    rounds = -(-(len(line) - _FIRST_CELL) // _CELL)
    if rounds > MAX_ROUNDS:
        raise ParseError(f"more than {MAX_ROUNDS} rounds")
    for round in range(1, rounds + 1):
        start = _FIRST_CELL + (round - 1) * _CELL
        try:
            opponent = field(line, start + 1, start + 4, "opponent")
            cell = _cell(opponent, line[start + 4 : start + 8], number)
        except ParseError as error:
            columns = (
                f"opponent in columns {start + 1}-{start + 4}, colour in {start + 6}, "
                f"result in {start + 8}"
            )
            kind, cell = "record", Cell()
            if isinstance(error, _BadCell):
                kind, cell = error.kind, error.cell
            bad(Flaw(kind=kind, problem=str(error), player=number, round=round, columns=columns))
        yield cell


def _cell(met: str, rest: str, number: int) -> Cell:
    """Reads a round: the opponent; then a blank, the colour, a blank, and the result."""
    opponent = whole(met, "opponent", 0, MAX_PLAYERS, empty=0)
    colour, result = rest[:2].strip().lower() or "-", rest[2:].strip().upper()
    readable = len(result) == 1 and result in _RESULTS
    known = Cell(opponent, colour if colour in ("w", "b") else "-", result if readable else UNKNOWN)
    if colour not in ("w", "b", "-"):
        raise _BadCell("colour", f"colour {shown(colour)}: expected w, b or -", known)
    if result and not readable:
        choices = " ".join(_RESULTS)
        raise _BadCell("result", f"result {shown(result)}: expected one of {choices}", known)
    if not opponent:
        result = _UNPAIRED.get(result, result)
        if result not in "UFHZ":
            raise _BadCell("opponent", f"result {shown(result)} has no opponent", known)
        return Cell(0, "-", result)
    if opponent == number:
        away = Cell(0, known.colour, known.result)
        raise _BadCell("opponent", "the opponent is the player", away)
    if not result:
        raise _BadCell("missing", f"no result against {opponent}", known)
    if result in "UFHZ":
        byes = Cell(0, "-", result)
        raise _BadCell("bye", f"a bye ({result}) has the opponent {opponent}", byes)
    if colour == "-" and result in PLAYED:
        raise _BadCell("colour", f"no colour against {opponent}", known)
    return known
