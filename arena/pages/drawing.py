"""Draws tables that are values: columns and cells of pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec.structs import asdict

from arena.core.table import Cell, Change, Column, Estimate, Row, Table
from arena.pages import tables
from arena.pages.charts import Axis, spot
from arena.pages.page import Link
from arena.pages.tables import Badge, Cells, Head
from arena.service.charts.charts import Interval, Scale

Addresses: TypeAlias = Callable[[Column, Row], str]
"""Gives the address of what a column names in a row; empty for none."""


def unlinked(_column: Column, _row: Row) -> str:
    """Returns no address."""
    return ""


class Drawing:
    """Draws a table, row by row.

    Args:
        addresses: Leads to what the table names.
        least: The span of an axis on which estimates are drawn, at least.

    Attributes:
        heads: Its columns.
    """

    def __init__(self, table: Table, addresses: Addresses = unlinked, least: float = 0) -> None:
        self._addresses = addresses
        self._columns, rows = table.drawn()
        known = next((each.key for each in self._columns if each.names), "")
        self._axes = {
            each.key: axis
            for each in self._columns
            if (axis := axis_of([row[each.key] for row in rows], least))
        }
        self.heads = tuple([self._head(each, row=each.key == known) for each in self._columns])

    def cells(self, row: Row) -> Cells:
        """Returns the cells of a row."""
        return {each.sort or each.key: self._cell(each, row) for each in self._columns}

    def _head(self, column: Column, *, row: bool) -> Head:
        axis = self._axes.get(column.key)
        ticks = axis.ticks if axis else ()
        own = asdict(column) | {"key": column.sort or column.key}
        return Head(**own, row=row, drawn=axis is not None, ticks=ticks)

    def _cell(self, column: Column, row: Row) -> tables.Cell:
        cell = column.of(row)
        if isinstance(cell, Estimate):
            return drawn_estimate(self._axes[column.key], cell)
        if isinstance(cell, Change):
            return drawn_change(column.text(cell))
        if cell is not None and column.names and (address := self._addresses(column, row)):
            return Link(column.text(cell), address)
        if cell and column.tone:
            return Badge(column.text(cell), column.tone(row))
        return cell if cell is None or isinstance(cell, str | int | float) else ", ".join(cell)


def drawn_table(table: Table, addresses: Addresses = unlinked, least: float = 0) -> tables.Table:
    """Returns a whole table for a page.

    Args:
        table: Its rows are a list.
        addresses: As for ``Drawing``; also ``least``.
    """
    drawing = Drawing(table, addresses, least)
    rows = [*map(drawing.cells, table.rows)]
    return tables.Table(caption=table.title, columns=drawing.heads, rows=rows)


def axis_of(cells: Sequence[Cell], least: float) -> Axis | None:
    """Returns the axis of those cells that are estimates; ``None`` if none is."""
    found = [each for each in cells if isinstance(each, Estimate)]
    ends = [end for each in found for end in (each.value, each.low, each.high) if end is not None]
    return Axis(Scale((min(ends), max(ends)), least=least)) if ends else None


def drawn_estimate(axis: Axis, cell: Estimate) -> tables.Spot:
    """Returns an estimate with its interval, drawn on an axis."""
    return spot(axis, Interval(label="", value=cell.value, low=cell.low, high=cell.high))


def drawn_change(text: str) -> tables.Change:
    """Returns a change, from its text with a sign."""
    return tables.Change(
        text.lstrip("+-"), "up" if text.startswith("+") else "down" if text.startswith("-") else ""
    )
