"""Draws tables that are values: columns and cells of pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from arena.core.table import Cell, Column, Estimate, Table
from arena.pages import tables
from arena.pages.charts import Axis, spot
from arena.pages.page import Link
from arena.service.charts.charts import Interval


def drawn(
    table: Table, link: Callable[[str], str], least: float = 0
) -> tuple[list[tables.Column], Sequence[tables.Row]]:
    """Returns the columns of a table for a page, and its rows of cells.

    Args:
        link: Gives the address of a bot; empty for none.
        least: The span of an axis on which estimates are drawn, at least.
    """
    columns, rows = table.drawn()
    axes = {each.key: axis_of([row[each.key] for row in rows], least) for each in columns}
    keys = {each.key: each.sort or each.key for each in columns}
    cells = [
        {
            keys[each.key]: _cell(row[each.key], axes[each.key], link if each.bot else None)
            for each in columns
        }
        for row in rows
    ]
    return [_column(each, axes[each.key]) for each in columns], cells


def drawn_table(
    table: Table, links: Mapping[str, str] | None = None, least: float = 0
) -> tables.Table:
    """Returns a whole table for a page.

    Args:
        links: Addresses of bots by name.
        least: As for ``drawn``.
    """
    columns, cells = drawn(table, lambda name: (links or {}).get(name, ""), least)
    return tables.Table(caption=table.title, columns=tuple(columns), rows=cells)


def axis_of(cells: Sequence[Cell], least: float) -> Axis | None:
    """Returns the axis of those cells that are estimates; ``None`` if none is."""
    found = [each for each in cells if isinstance(each, Estimate)]
    ends = [end for each in found for end in (each.value, each.low, each.high) if end is not None]
    return Axis((min(ends), max(ends)), least=least) if ends else None


def drawn_estimate(axis: Axis, cell: Estimate) -> tables.Spot:
    """Returns an estimate with its interval, drawn on an axis."""
    return spot(axis, Interval(label="", value=cell.value, low=cell.low, high=cell.high))


def _column(column: Column, axis: Axis | None) -> tables.Column:
    return tables.Column(
        key=column.sort or column.key,
        head=column.head,
        hint=column.hint,
        number=column.right and axis is None,
        digits=column.digits,
        heading=column.bot,
        prose=column.prose,
        drawn=axis is not None,
        ticks=axis.ticks if axis else (),
    )


def _cell(cell: Cell, axis: Axis | None, link: Callable[[str], str] | None) -> tables.Cell:
    if isinstance(cell, Estimate):
        assert axis is not None
        return drawn_estimate(axis, cell)
    if isinstance(cell, str):
        address = link(cell) if link else ""
        return Link(cell, address) if address else cell
    return cell if cell is None or isinstance(cell, int | float) else ", ".join(cell)
