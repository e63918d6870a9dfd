"""Numbers in the fields of Tournament Report Files; the error of a wrong one names the field."""

from __future__ import annotations

import re

from arena.core.errors import ParseError
from arena.core.text.printable import printable_line
from arena_tournaments.trf.columns import field

_DIGITS = re.compile(r"\d{1,4}")
_POINTS = re.compile(r"(-?)(\d{1,4})(?:[.,](\d))?")


def span_in(line: str, first: int, last: int, code: str, most: int) -> tuple[int, int]:
    """Returns a first and a last round; their fields begin in these columns."""
    start = number_in(line, first, first + 2, f"{code}, first round", 1, most)
    end = number_in(line, last, last + 2, f"{code}, last round", 1, most)
    if end < start:
        raise ParseError(f"{code}: the last round, {end}, is before the first, {start}")
    return start, end


def whole(text: str, name: str, least: int, most: int, empty: int | None = None) -> int:
    """Returns a whole number between two limits; ``empty`` for blanks."""
    word = text.strip()
    if not word and empty is not None:
        return empty
    if not (word.isascii() and _DIGITS.fullmatch(word)) or not least <= int(word) <= most:
        raise ParseError(f"{name} {shown(word)}: expected a number from {least} to {most}")
    return int(word)


def number_in(
    line: str, first: int, last: int, name: str, least: int, most: int, empty: int | None = None
) -> int:
    """Returns the whole number in these columns, from 1."""
    try:
        return whole(field(line, first, last, name), name, least, most, empty)
    except ParseError as error:
        raise ParseError(f"{error} (columns {first}-{last})") from None


def tenths_in(line: str, first: int, last: int, name: str) -> int:
    """Returns the points in these columns, from 1, in tenths."""
    try:
        return points_of(field(line, first, last, name), name)
    except ParseError as error:
        raise ParseError(f"{error} (columns {first}-{last})") from None


def points_of(text: str, name: str) -> int:
    """Returns points in tenths."""
    word = text.strip()
    found = _POINTS.fullmatch(word) if word.isascii() else None
    if found is None:
        raise ParseError(f"{name} {shown(word)}: expected a number of points such as 1.5")
    return int(f"{found[1]}{found[2]}{found[3] or 0}")


def shown(text: str) -> str:
    """Returns a word of the file as a message quotes it."""
    return repr(printable_line(text, 20))
