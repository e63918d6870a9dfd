"""Decodes the text files that people write: with or without a byte order mark, from any system."""

from __future__ import annotations

from collections.abc import Callable

from arena.core.errors import ParseError

BOM_UTF8 = "\N{ZERO WIDTH NO-BREAK SPACE}".encode()
"""The mark with which some programs begin a text in UTF-8."""

_MARK = BOM_UTF8.decode()
_MARKS = {  # UTF-32 before UTF-16, with whose mark it begins
    _MARK.encode(f"{name}-{order}"): name for name in ("UTF-32", "UTF-16") for order in ("LE", "BE")
}
_LOOKED_AT = 1_000
"""Bytes by which UTF-16 without a mark is recognised: every other one is zero."""


def wide_encoding(data: bytes) -> str:
    """Returns ``"UTF-16"`` or ``"UTF-32"`` for text in that encoding, else an empty string."""
    for mark, name in _MARKS.items():
        if data.startswith(mark):
            return name
    start = data[:_LOOKED_AT]
    by_place = [start[place::2].count(0) for place in (0, 1)]
    # ASCII letters leave half of the bytes zero, and all of these at even or all at odd places.
    few = len(start) < 4 or min(by_place) > 0 or max(by_place) * 4 <= len(start)
    return "" if few else "UTF-16"


def decode_text(
    data: bytes,
    *,
    wide: bool = False,
    otherwise: str = "",
    warn: Callable[[str], object] | None = None,
) -> str:
    r"""Returns the text of a file without its byte order mark; every line ends with ``\n``.

    Args:
        wide: Whether UTF-16 and UTF-32 with a mark are read, too. They are not where the format
            demands UTF-8 (TOML, JSON, source code).
        otherwise: The encoding of single bytes that is assumed for lines that are not UTF-8.
        warn: Is given a line if only some of the lines beyond ASCII are UTF-8; it fits after the
            file's name.

    Raises:
        ParseError: It is in another encoding, which the message names; it fits after the file's
            name.
    """
    try:
        text = data.decode(_encoding(data, wide=wide))
    except UnicodeDecodeError as error:
        single = error.encoding.startswith("utf-8")
        if not (single and otherwise):
            what = "is not UTF-8 text" if single else "is damaged text"
            raise ParseError(f"{what} (byte {error.start}); save it as UTF-8") from None
        text = _by_line(data, otherwise, warn)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _by_line(data: bytes, otherwise: str, warn: Callable[[str], object] | None) -> str:
    """Decodes each line that is not UTF-8 by another encoding."""
    lines, others = [], []
    any_utf_8 = data.startswith(BOM_UTF8)
    for number, line in enumerate(data.removeprefix(BOM_UTF8).splitlines(keepends=True), 1):
        try:
            lines.append(line.decode())
            any_utf_8 = any_utf_8 or not line.isascii()
        except UnicodeDecodeError:
            lines.append(line.decode(otherwise, "replace"))
            others.append(number)
    if any_utf_8 and warn:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        warn(
            f"mixes two encodings: line {others[0]}{more} read as {otherwise}, the others as UTF-8"
        )
    return "".join(lines)


def _encoding(data: bytes, *, wide: bool) -> str:
    if data.startswith(BOM_UTF8):
        return "utf-8-sig"
    found = wide_encoding(data)
    if found and not (wide and data.startswith(tuple(_MARKS))):
        raise ParseError(f"is {found} text; save it as UTF-8")
    return found.lower() or "utf-8"
