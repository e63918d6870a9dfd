"""Tables as pages draw them: columns with axes and order, and rows of cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from arena.core.table import Column
from arena.pages.page import Link

MISSING = "–"
"""The text of a cell without a value."""


class Tick(msgspec.Struct, frozen=True):
    """A number on an axis; its place is in percent of the axis."""

    place: float
    text: str


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A cell with an estimate and its interval; places are in percent of its column's axis.

    Attributes:
        text: The same in words, for those who do not see it.
    """

    value: float
    low: float | None = None
    high: float | None = None
    text: str = ""


class Piece(msgspec.Struct, frozen=True):
    """A piece of a bar, in percent of its length; ``tone`` is the number of its colour, from 0."""

    start: float
    length: float
    tone: int


class Bar(msgspec.Struct, frozen=True):
    """A cell with a bar of pieces, side by side."""

    pieces: tuple[Piece, ...]
    text: str = ""


class Heat(msgspec.Struct, frozen=True):
    """A cell of a heat map.

    Attributes:
        level: 0..10, 5 in the middle.
        note: A second line of text.
    """

    level: int
    text: str
    note: str = ""


class Badge(msgspec.Struct, frozen=True):
    """A short text that stands out.

    Attributes:
        tone: ``"good"``, ``"bad"``, ``"warn"``, or empty.
    """

    text: str
    tone: str = ""


class Change(msgspec.Struct, frozen=True):
    """A cell that says by how much a value has grown.

    Attributes:
        way: ``"up"``, ``"down"``, or empty for neither.
    """

    text: str
    way: Literal["up", "down", ""] = ""


Cell: TypeAlias = str | int | float | bool | Link | Badge | Spot | Bar | Heat | Change | None
Cells: TypeAlias = Mapping[str, Cell]


class Head(Column, frozen=True):
    """A column as a page draws it.

    Attributes:
        row: Whether its cells name their rows.
        drawn: Whether its cells are drawn, and want room.
        ticks: Of the axis on which its cells are drawn.
        marks: Values that are marked in all rows, as places with their names.
        piece: The number of the colour of pieces of bars that it explains.
        address: Where its title leads to, such as the same table in another order.
        order: The order of the rows if they are sorted by it.
    """

    row: bool = False
    drawn: bool = False
    ticks: tuple[Tick, ...] = ()
    marks: tuple[Tick, ...] = ()
    piece: int | None = None
    address: str = ""
    order: Literal["", "ascending", "descending"] = ""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table with a caption, which readers of screens hear and others see as a heading above it.

    Attributes:
        kind: A class of the style sheet, such as ``"heat"``.
    """

    caption: str
    columns: tuple[Head, ...]
    rows: Sequence[Cells]
    kind: str = ""


def cell_text(value: Cell, column: Column) -> str:
    """Returns the text of a plain cell."""
    if value is None or value == "":
        return MISSING
    if isinstance(value, int) and abs(value) >= 10_000:
        return f"{value:,}"
    return column.text(value)


def cell_kind(value: Cell) -> str:
    """Returns the name of a drawn cell's macro; empty for a plain cell."""
    drawn = isinstance(value, Link | Badge | Spot | Bar | Heat | Change)
    return type(value).__name__.lower() if drawn else ""
