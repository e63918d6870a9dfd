"""Makes the tables of standings: of a tournament with its ratings drawn, and of its stages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arena.pages.charts import Axis, interval_text, linked, spot
from arena.pages.tables import Cell, Column, Row, Table
from arena.service.charts import Interval, Intervals
from arena.service.documents import standing_rows
from arena.service.report import Report, StageReport

_TWO = (("won", "won"), ("drawn_games", "drawn"), ("lost", "lost"))
_TABLES = (("won", "first"), ("average_place", "place"), ("amount", "amount"))
"""Keys and titles of the columns of outcomes, at tables of two and of more."""
_MORE = (
    ("credits", "credits", None),
    ("adjusted", "without luck", 3),
    ("adjusted_error", "± 95 %", 3),
)
"""Keys, titles and decimals of columns that not every tournament has."""


def standings_table(
    report: Report, ratings: Intervals | None, links: Mapping[str, str] | None = None
) -> Table:
    """Returns the standings of a tournament.

    Args:
        ratings: By the names of the standings; drawn where they are known.
        links: Addresses by name.
    """
    rows: list[dict[str, Cell]] = [_cells(row, links) for row in standing_rows(report)]
    drawn: list[Column] = []
    if ratings:
        axis = Axis(ratings.ends)
        drawn = [*_rating_columns(report, ratings, axis)]
        rated = {row.label: row for row in ratings.rows}
        for line, row in zip(report.table, rows, strict=True):
            if line.name in rated:
                row |= _rated(ratings, axis, rated[line.name])
    columns = (*_first_columns(report), *drawn, *_last_columns(report, rows))
    return Table(caption="Standings", columns=columns, rows=rows)


def stage_table(stage: StageReport, caption: str) -> Table:
    """Returns the standings of one stage of a tournament."""
    rows: list[Row] = [
        {
            "rank": line.rank,
            "name": line.name,
            "score": line.score,
            **{f"tie_breaks.{name}": value for name, value in line.tie_breaks.items()},
        }
        for line in stage.table
    ]
    columns = [
        Column(key="rank", head="#", number=True),
        Column(key="name", head="name", heading=True),
        Column(key="score", head="score", number=True),
        *_tie_breaks(stage.scoring.tie_breaks, rows),
    ]
    return Table(caption=caption, columns=tuple(columns), rows=rows)


def _cells(row: Mapping[str, object], links: Mapping[str, str] | None) -> dict[str, Cell]:
    """Returns the cells of one line of the standings, from its document."""
    cells: dict[str, Cell] = {
        key: value for key, value in row.items() if isinstance(value, str | int | float)
    }
    tie_breaks = row["tie_breaks"]
    assert isinstance(tie_breaks, dict)
    cells |= {f"tie_breaks.{name}": value for name, value in tie_breaks.items()}
    cells["drawn_games"] = cells.pop("drawn", None)
    return cells | {"name": linked(str(row["name"]), links)}


def _rated(ratings: Intervals, axis: Axis, row: Interval) -> dict[str, Cell]:
    return {
        "rating": f"{ratings.text(row.value)}{row.note and ' '}{row.note}",
        "drawn": spot(axis, row),
        "interval": interval_text(ratings, row),
    }


def _first_columns(report: Report) -> Iterator[Column]:
    yield Column(key="rank", head="#", number=True)
    yield Column(key="name", head="name", heading=True)
    if report.stages:  # each has its own scores
        yield Column(key="stage", head="stage")
    elif not (report.means and report.scoring.by_mean):
        yield Column(key="score", head="score", number=True, digits=2 if report.seats > 2 else None)


def _rating_columns(report: Report, ratings: Intervals, axis: Axis) -> Iterator[Column]:
    head = f"{report.unit} a match" if report.unit else "rating"
    yield Column(key="rating", head=head, hint=ratings.axis, number=True)
    yield Column(key="drawn", head="with its 95 % interval", drawn=True, ticks=axis.ticks)
    yield Column(key="interval", head="interval", number=True)


def _last_columns(report: Report, rows: Sequence[Row]) -> Iterator[Column]:
    for key, head in _TABLES if report.seats > 2 else _TWO:
        yield Column(key=key, head=head, number=True, digits=2 if key == "average_place" else None)
    for key, head, digits in _MORE:
        if any(row.get(key) is not None for row in rows):
            yield Column(key=key, head=head, number=True, digits=digits)
    if not report.stages:
        yield from _tie_breaks(report.scoring.tie_breaks, rows)
    yield Column(key="version", head="version")


def _tie_breaks(names: Sequence[str], rows: Sequence[Row]) -> Iterator[Column]:
    """Yields the columns of the tie-breaks that anybody needed."""
    for name in names:
        key = f"tie_breaks.{name}"
        if any(row.get(key) is not None for row in rows):
            yield Column(key=key, head=name, number=True)
