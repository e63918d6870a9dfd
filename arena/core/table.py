"""Tables as values: what is listed, made once, for documents and for everything that draws it.

A column gives of a row a value for documents (JSON, CSV, Parquet, the API), a cell for people, or
both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from arena.core.text.printable import printable_text

# Which type a value has depends on its key: a union would make every reader check for all types.
Row: TypeAlias = Mapping[str, Any]
"""A row of documents: its keys are those of docs/reference/json.md."""
ColumnType: TypeAlias = Literal["text", "integer", "number", "truth"]
"""Type of a column's values, ``None`` among them; a ``number`` may have a fraction."""


Names: TypeAlias = Literal[
    "", "bot", "leaderboard", "match", "place", "submission", "tournament", "version"
]
"""Kind of thing that the values of a column name."""


class Estimate(msgspec.Struct, frozen=True):
    """A cell with a value and its interval; the terminal shows the ends, pages draw it.

    Attributes:
        low: Lower end; ``None`` where too little is known, as the upper end is then.
        between: What stands between the ends in text.
    """

    value: float
    low: float | None
    high: float | None
    between: str = "-"

    def text(self, digits: int | None) -> str:
        """Returns both ends with that many decimals."""
        if self.low is None or self.high is None:
            return "?"
        return f"{self.low:.{digits or 0}f}{self.between}{self.high:.{digits or 0}f}"


class Change(msgspec.Struct, frozen=True):
    """A cell that says by how much a value has grown; pages draw its direction, too."""

    value: float

    def text(self, digits: int | None) -> str:
        """Returns it with its sign and that many decimals; nothing grown has none."""
        shown = f"{self.value:+z.{digits or 0}f}"
        return shown if float(shown) else shown[1:]


MINUS = "−"
"""The sign of negative numbers, for people."""
_HYPHEN_OF_A_NUMBER = re.compile(r"(?<![\w.=-])-(?=\d)")


def minus(text: str) -> str:
    """Returns a text in which the minus of numbers is one; names with hyphens stay."""
    return _HYPHEN_OF_A_NUMBER.sub(MINUS, text)


INTERVAL_HEAD = "low-high"
"""Heading of intervals."""
Cell: TypeAlias = str | int | float | bool | Sequence[str] | Estimate | Change | None
"""A value of a row as people see it."""


class Column(msgspec.Struct, frozen=True):
    """A column of a list.

    Attributes:
        key: Key of the value in a row, and its name in documents.
        head: Heading for people; empty leaves the column to documents.
        right: Whether its cells stand at the right, as numbers do.
        digits: Decimals shown to people.
        unit: Unit of its values. With ``"%"`` they are shares of 1, which people see in percent;
            any other one stands in the heading.
        most: Characters shown to people; all of them by default.
        drop: Where there is no room columns are left out, those with the greatest number first,
            of equals the last. One with 0 is always shown, and so is the first of a table.
        prose: Whether the values are sentences, which may continue in the next line.
        type: Type of its values in Parquet; ``None`` where the values say it.
        hint: What the heading stands for, in full.
        cell: Gives what people see of a row; by default its value.
        sort: Key of the values by which people sort a table of pages; by default its own.
        when: Says of all rows whether people need the column; by default they do.
        names: Kind of thing that the values name, to which pages link; the first column with a kind
            says what a row is about.
        tone: Gives the colour of the value on a page: ``"good"``, ``"bad"``, ``"warn"`` or none.
        derived: Whether it follows from other columns; documents leave it out.
        provisional: Whether its values may still change; pages draw them slanted.
    """

    key: str
    head: str = ""
    right: bool = False
    digits: int | None = None
    unit: str = ""
    most: int | None = None
    drop: int = 1
    prose: bool = False
    type: ColumnType | None = None
    hint: str = ""
    cell: Callable[[Row], Cell] | None = None
    sort: str = ""
    when: Callable[[Sequence[Row]], bool] | None = None
    names: Names = ""
    tone: Callable[[Row], str] | None = None
    derived: bool = False
    provisional: bool = False

    @property
    def heading(self) -> str:
        """The heading with the unit."""
        return f"{self.head} ({self.unit})" if self.unit not in ("", "%") else self.head

    def of(self, row: Row) -> Cell:
        """Returns what people see of a row."""
        found: Cell = self.cell(row) if self.cell else row[self.key]
        return found

    def text(self, value: object) -> str:
        """Returns a value as text for people."""
        if value is None:
            return "-"
        if isinstance(value, Estimate | Change):
            return value.text(self.digits)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int | float) and self.unit == "%":
            return f"{value * 100:.{1 if self.digits is None else self.digits}f}%"
        if isinstance(value, float) and self.digits is not None:
            return f"{value:z.{self.digits}f}"
        if isinstance(value, float) and value.is_integer():
            return str(int(value))
        if isinstance(value, float):
            return f"{value:g}"
        text = spaced(value)[: self.most]
        # Several lines are right here: tables break cells of their own.
        return printable_text(text, len(text))


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Rows with all their columns.

    Attributes:
        title: What it lists, and what is the same for all rows.
        rows: Of long lists they are made as they are asked for, once.
    """

    title: str = ""
    columns: tuple[Column, ...]
    rows: Iterable[Row]

    @property
    def written(self) -> tuple[Column, ...]:
        """The columns of documents."""
        return tuple([each for each in self.columns if not each.derived])

    @property
    def written_rows(self) -> list[dict[str, Any]]:
        """The rows of documents."""
        keys = [each.key for each in self.written]
        return [{key: row[key] for key in keys} for row in self.rows]

    def drawn(self) -> tuple[tuple[Column, ...], list[dict[str, Cell]]]:
        """Returns the columns that people need with these rows, and the rows of their cells."""
        rows = [*self.rows]
        headed = [each for each in self.columns if each.head]
        columns = tuple([each for each in headed if each.when is None or each.when(rows)])
        return columns, [{each.key: each.of(row) for each in columns} for row in rows]


def fitted(
    columns: Sequence[Column],
    rows: Sequence[Mapping[str, object]],
    width: int,
    length: Callable[[str], int] = len,
) -> tuple[list[Column], list[Column]]:
    """Chooses the columns that fit side by side without folding a value.

    Args:
        length: Gives the room that a line of text takes.

    Returns:
        These, and those that are left out, in their order.
    """
    headed = [column for column in columns if column.head]
    kept = [*headed]
    while needed(kept, rows, length) > width and (
        spare := [each for each in kept[1:] if each.drop]
    ):
        kept.remove(max(reversed(spare), key=lambda column: column.drop))
    return kept, [column for column in headed if column not in kept]


MIN_PROSE = 24
"""Characters of a line of prose that a column must have."""


def needed(
    columns: Sequence[Column],
    rows: Sequence[Mapping[str, object]],
    length: Callable[[str], int] = len,
) -> int:
    """Returns the room that columns take side by side."""
    total = 0
    for column in columns:
        texts = [column.heading, *(column.text(row[column.key]) for row in rows)]
        widest = max(length(line) for text in texts for line in text.split("\n"))
        total += 2 + (min(widest, MIN_PROSE) if column.prose else widest)
    return total


def spaced(value: object) -> str:
    """Returns a value as text; the values of a list have a space between."""
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def known_values(key: str) -> Callable[[Sequence[Row]], bool]:
    """Returns whether any row has a value of this key, as ``Column.when``."""
    return lambda rows: any(row[key] not in (None, "") for row in rows)


def several_values(key: str) -> Callable[[Sequence[Row]], bool]:
    """Returns whether rows have different values of this key, as ``Column.when``."""
    return lambda rows: len({row[key] for row in rows}) > 1


def percent(chance: float | None) -> str | None:
    """Returns a chance in percent, never a whole 0 or 100: ``99.9%``."""
    if chance is None:
        return None
    return ">99.9%" if chance > 0.999 else "<0.1%" if chance < 0.001 else f"{chance:.1%}"
