"""Reads untrusted TOML: size, depth and numbers have limits, and every error is one line."""

from __future__ import annotations

import tomllib

from arena.core.errors import ParseError
from arena.core.text.decoding import decode_text
from arena.core.text.printable import printable_line

MAX_LENGTH = 500_000
"""Bytes of a file."""
_MAX_DOTS = 500
"""Dots of a line: Python's reader takes time by the square of a dotted key's parts."""
_MAX_NUMBER = 2**63


def read_toml(data: bytes) -> dict[str, object]:
    """Reads a TOML document.

    Raises ``ParseError`` if it is not one, or past a limit; the message fits after the file's name.
    """
    if len(data) > MAX_LENGTH:
        raise ParseError(f"is longer than {MAX_LENGTH} bytes")
    text = decode_text(data)
    if any(line.count(".") > _MAX_DOTS for line in text.split("\n")):
        raise ParseError(f"has a line with more than {_MAX_DOTS} dots")
    try:
        table = tomllib.loads(text)
        _check_numbers(table)
    except (RecursionError, MemoryError):
        raise ParseError("is nested too deeply to be read") from None
    except ParseError:
        raise
    except ValueError as error:  # not TOML, or a number of thousands of digits
        what = printable_line(str(error))
        if "integer string" in what:
            what = "a number has too many digits"
        raise ParseError(f"expected TOML: {what}") from None
    return table


def _check_numbers(value: object) -> None:
    """Refuses whole numbers beyond TOML's 64 bits, which Python reads and cannot print."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            _check_numbers(part)
    elif isinstance(value, int) and not -_MAX_NUMBER <= value < _MAX_NUMBER:
        raise ParseError("holds a number outside the 64-bit integers")
