"""Decodes the text files that people write: with or without a byte order mark, from any system."""

from __future__ import annotations

from arena.core.errors import ParseError

_MARK = "\ufeff"
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


def decode_text(data: bytes, *, wide: bool = False, otherwise: str = "") -> str:
    r"""Returns the text of a file without its byte order mark; every line ends with ``\n``.

    Args:
        wide: Whether UTF-16 and UTF-32 with a mark are read, too. They are not where the format
            demands UTF-8 (TOML, JSON, source code).
        otherwise: The encoding of single bytes that is assumed for what is not UTF-8.

    Raises:
        ParseError: It is in another encoding, which the message names; it fits after the file's
            name.
    """
    try:
        text = data.decode(_encoding(data, wide=wide))
    except UnicodeDecodeError as error:
        if not otherwise:
            what = "is not UTF-8 text" if error.encoding.startswith("utf-8") else "is damaged text"
            raise ParseError(f"{what} (byte {error.start}); save it as UTF-8") from None
        text = data.decode(otherwise, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _encoding(data: bytes, *, wide: bool) -> str:
    if data.startswith(_MARK.encode()):
        return "utf-8-sig"
    found = wide_encoding(data)
    if found and not (wide and data.startswith(tuple(_MARKS))):
        raise ParseError(f"is {found} text; save it as UTF-8")
    return found.lower() or "utf-8"
