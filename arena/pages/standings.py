"""Adds what the site alone knows to standings: ratings by the tournament, and versions."""

from __future__ import annotations

from msgspec.structs import replace

from arena.core.table import Column, Estimate, Row, Table
from arena.service.boards.table import INTERVAL_HEAD
from arena.service.charts.charts import Interval, Intervals
from arena.service.report.report import Report
from arena.service.report.standings import standing_table

_FIRST = ("rank", "name", "stage", "score", "mean_amount", "mean_amount_error")
"""Columns before those of ratings."""


def rated_standings(report: Report, ratings: Intervals | None) -> Table:
    """Returns the standings of a tournament.

    Args:
        ratings: By the names of the standings; drawn where they are known.
    """
    table = standing_table(report)
    rated = {row.label: row for row in ratings.rows} if ratings else {}
    rows = [row | {"rated": rated.get(row["name"])} for row in map(dict, table.rows)]
    for row in rows:
        row["rating"] = row["rated"].value if row["rated"] else None
    first = tuple([each for each in table.columns if each.key in _FIRST])
    own = _rating_columns(report, ratings) if ratings else ()
    columns = (*first, *own, *table.columns[len(first) :], Column("version", "version"))
    return replace(table, columns=columns, rows=rows)


def _rating_columns(report: Report, ratings: Intervals) -> tuple[Column, ...]:
    """Returns the columns of ratings; mean amounts have theirs, and are drawn here."""

    def text(row: Row) -> str | None:
        own: Interval | None = row["rated"]
        return f"{ratings.text(own.value)}{own.note and ' '}{own.note}" if own else None

    def estimate(row: Row) -> Estimate | None:
        own: Interval | None = row["rated"]
        return Estimate(own.value, own.low, own.high) if own else None

    rating = Column("rating", "rating", right=True, cell=text, hint=ratings.axis)
    interval = Column("interval", INTERVAL_HEAD, cell=estimate, hint="95 % interval")
    return (interval,) if report.means else (rating, interval)
