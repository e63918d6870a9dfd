"""Reads tables in CSV, as people and spreadsheets write them, with errors that name the line."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import inf, isfinite
from typing import TYPE_CHECKING, NoReturn

import msgspec

from arena.core.errors import BadInput

if TYPE_CHECKING:
    from _csv import Reader as CsvReader

BLANK = {"pair"}
"""Columns that may be left blank."""
_BLOCK = 1000
"""Rows that are turned into columns at a time: as many as stay in the cache of the processor."""


class Codes(dict[str, int]):
    """Numbers strings in the order of their first appearance, from 0."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number


class Column(msgspec.Struct, frozen=True):
    """A column of a table.

    Attributes:
        texts: The different strings in it.
        numbers: For each row the index of its text.
    """

    texts: list[str]
    numbers: array[int]


class Table:
    """A CSV file whose first line names its columns; blank lines count for nothing.

    Values are separated by commas, or as spreadsheets do by semicolons or tabs; columns without
    names and values at the end are left out. Names of columns are compared without case and spaces.

    Args:
        forms: The columns that it should have, for errors.
    """

    def __init__(self, text: str, forms: str) -> None:
        self._forms = forms
        self._text, self._before, self._separator = _separated(text)
        self.titles = [name.strip() for row in islice(self._rows(), 1) for name in row]
        self.header = ["".join(name.split()).lower() for name in self.titles]
        while self.header and not self.header[-1]:
            del self.header[-1]
        self.used: set[str] = set()
        if not self.header:
            raise BadInput(f"is empty; it should hold {forms}")

    def columns(self, *groups: Sequence[str]) -> list[Column]:
        """Reads columns; those of a group share their strings.

        Raises:
            BadInput: One is missing, or a line is wrong.
        """
        names = [name for group in groups for name in group]
        for name in names:
            if self.header.count(name) != 1:
                problem = "twice a" if name in self.header else "no"
                raise BadInput(f"line 1: {problem} column {name!r}; a file holds {self._forms}")
        self.used.update(names)
        codes = [own for group in groups for own in (Codes(),) for _ in group]
        numbers = [array("q") for _ in names]
        places = [self.header.index(name) for name in names]
        for block in self._blocks():
            for place, own, found in zip(places, codes, numbers, strict=True):
                found.extend(map(own.__getitem__, block[place]))
        if not numbers[0]:
            raise BadInput("holds no results")
        columns = [_stripped(own, found) for own, found in zip(codes, numbers, strict=True)]
        for name, column in zip(names, columns, strict=True):
            if name not in BLANK and "" in column.texts:
                blank = column.texts.index("")
                if blank in column.numbers:
                    self.fail(column.numbers.index(blank), f"no {name}")
        return columns

    def _blocks(self) -> Iterator[list[tuple[str, ...]]]:
        """The columns of the rows after the header, in blocks of rows.

        Raises:
            BadInput: A row has another length.
        """
        rows, done = self._rows(), 0
        next(rows)
        while block := list(islice(rows, _BLOCK)):
            width = len(self.header)
            if {*map(len, block)} != {width}:
                block = [row if any(row[width:]) else row[:width] for row in block]
                if wrong := next((row for row in block if len(row) != width), None):
                    message = f"{len(wrong)} values for {width} columns"
                    self.fail(done + block.index(wrong), message)
            yield list(zip(*block, strict=True))
            done += len(block)

    def values(
        self, name: str, column: Column, limits: tuple[float, float], meaning: str = ""
    ) -> array[float]:
        """The numbers of a column, row by row.

        Raises:
            BadInput: A text is not a number within the limits.
        """
        found = []
        for number, text in enumerate(column.texts):
            value = _number(text, limits)
            if value is None:
                expected = (
                    "a number" if limits[1] == inf else f"from {limits[0]:g} to {limits[1]:g}"
                )
                more = f" ({meaning})" if meaning else ""
                self.fail(column.numbers.index(number), f"{name} {text!r} is not {expected}{more}")
            found.append(value)
        return array("d", map(found.__getitem__, column.numbers))

    def fail(self, row: int, message: str) -> NoReturn:
        """Raises ``BadInput`` about a row, 0 and up after the header, with its line."""
        reader = self._reader()
        for _ in islice(filter(any, reader), row + 2):
            line = reader.line_num + self._before
        raise BadInput(f"line {line}: {message}")

    def _reader(self) -> CsvReader:
        text = io.StringIO(self._text, newline="")
        # A tab is itself a space, which would be skipped.
        skip = self._separator != "\t"
        return csv.reader(text, delimiter=self._separator, skipinitialspace=skip)

    def _rows(self) -> Iterator[list[str]]:
        reader = self._reader()
        try:
            yield from filter(any, reader)
        except csv.Error as error:
            line = reader.line_num + self._before
            raise BadInput(f"line {line}: {error}") from None


_SEPARATOR_LINE = re.compile(r"\s*\"?sep=(.)\"?[,;\t ]*(?:\n|$)", re.IGNORECASE)
"""Excel's own first line, which is not a row."""


def _separated(text: str) -> tuple[str, int, str]:
    """Returns a table from its header on, the number of lines before it, and its separator.

    That is the one that Excel's first line names, or else the most frequent one in the header.
    """
    named = _SEPARATOR_LINE.match(text)
    start = named.end() if named else 0
    before, text = text.count("\n", 0, start), text[start:]
    if named and named[1] in _SEPARATORS:
        return text, before, named[1]
    header = next(filter(str.strip, io.StringIO(text)), "")
    return text, before, max(_SEPARATORS, key=header.count)


_SEPARATORS = ",;\t"


def _number(text: str, limits: tuple[float, float]) -> float | None:
    """Returns the finite number in a text; ``None`` if it has none within the limits."""
    try:
        value = float(text if "." in text else text.replace(",", ".", 1))
    except ValueError:
        return None
    return value if isfinite(value) and limits[0] <= value <= limits[1] else None


def _stripped(codes: Mapping[str, int], numbers: array[int]) -> Column:
    """Returns a column with strings without space around them."""
    stripped = [*map(str.strip, codes)]
    if [*codes] == stripped:
        return Column(stripped, numbers)
    bare = Codes()
    places = [bare[text] for text in stripped]
    if len(bare) < len(codes):
        numbers = array("q", map(places.__getitem__, numbers))
    return Column(list(bare), numbers)
