"""Makes the tables of standings: of a tournament with its ratings drawn, and of its stages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from arena_tournaments.scoring.tiebreaks import TIE_BREAKS

from arena.core.value import LESS_LUCK, LUCK_ADJUSTED
from arena.pages.charts import Axis, interval_text, least_span, linked, spot
from arena.pages.tables import Cell, Column, Row, Table
from arena.service.charts.charts import Interval, Intervals
from arena.service.report.documents import standing_rows
from arena.service.report.report import Report, StageReport

_TWO = (("won", "won"), ("drawn", "drawn"), ("lost", "lost"))
_TABLES = (("won", "first"), ("average_place", "place"), ("amount", "amount"))
"""Keys and titles of the columns of outcomes, at tables of two and of more."""
_MORE = (
    ("credits", "credits", None),
    ("adjusted", LUCK_ADJUSTED, 3),
    ("adjusted_error", "± 95 %", 3),
)
"""Keys, titles and decimals of columns that not every tournament has."""
_HINTS = {
    "adjusted": f"mean {LESS_LUCK}",
    "adjusted_error": "half the 95 % interval of the luck-adjusted score",
    "average_place": "mean place at a table",
    "amount": "sum over all matches",
}


class Line(msgspec.Struct, frozen=True):
    """One line of the standings: its values, by which it can be sorted, and its cells."""

    values: Mapping[str, str | int | float]
    cells: Row


class Standings(msgspec.Struct, frozen=True):
    """The standings of a tournament, the best first."""

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]

    @property
    def table(self) -> Table:
        """Returns all lines as a table."""
        rows = [line.cells for line in self.lines]
        return Table(caption="Standings", columns=self.columns, rows=rows)


def standings(
    report: Report, ratings: Intervals | None, links: Mapping[str, str] | None = None
) -> Standings:
    """Returns the standings of a tournament.

    Args:
        ratings: By the names of the standings; drawn where they are known.
        links: Addresses by name.
    """
    values = [_values(row) for row in standing_rows(report)]
    cells: list[dict[str, Cell]] = [
        {**row, "name": linked(str(row["name"]), links)} for row in values
    ]
    drawn: list[Column] = []
    if ratings:
        axis = Axis(ratings.ends, least=least_span(ratings.digits))
        drawn = [*_rating_columns(report, ratings, axis)]
        rated = {row.label: row for row in ratings.rows}
        for line, row, own in zip(report.table, values, cells, strict=True):
            if line.name in rated:
                row["rating"] = rated[line.name].value
                own |= _rated(ratings, axis, rated[line.name])
    columns = (*_first_columns(report), *drawn, *_last_columns(report, cells))
    return Standings(columns, (*map(Line, values, cells),))


def stage_table(stage: StageReport, caption: str) -> Table:
    """Returns the standings of one stage; a bracket ranks by the round reached, not by score."""
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
        Column(key="name", head="bot", heading=True),
        *([] if stage.bracket else [Column(key="score", head="score", number=True)]),
        *_tie_breaks(stage.scoring.tie_breaks, rows),
    ]
    return Table(caption=caption, columns=tuple(columns), rows=rows)


def _values(row: Mapping[str, object]) -> dict[str, str | int | float]:
    tie_breaks = row["tie_breaks"]
    assert isinstance(tie_breaks, dict)
    named = {f"tie_breaks.{name}": value for name, value in tie_breaks.items()}
    found = {**row, **named}.items()
    return {key: value for key, value in found if isinstance(value, str | int | float)}


def _rated(ratings: Intervals, axis: Axis, row: Interval) -> dict[str, Cell]:
    return {
        "rating": f"{ratings.text(row.value)}{row.note and ' '}{row.note}",
        "spot": spot(axis, row),
        "interval": interval_text(ratings, row),
    }


def _first_columns(report: Report) -> Iterator[Column]:
    yield Column(key="rank", head="#", number=True)
    yield Column(key="name", head="bot", heading=True)
    if report.stages:  # each has its own scores
        yield Column(key="stage", head="stage")
    elif not (report.means and report.scoring.by_mean):
        yield Column(key="score", head="score", number=True, digits=2 if report.seats > 2 else None)


def _rating_columns(report: Report, ratings: Intervals, axis: Axis) -> Iterator[Column]:
    head = f"{report.unit} a match" if report.unit else "rating"
    yield Column(key="rating", head=head, hint=ratings.axis, number=True)
    yield Column(key="spot", head="95 % interval", drawn=True, ticks=axis.ticks)
    yield Column(key="interval", head="from, to", number=True)


def _last_columns(report: Report, rows: Sequence[Row]) -> Iterator[Column]:
    for key, head in _TABLES if report.seats > 2 else _TWO:
        yield Column(key=key, head=head, number=True, digits=2 if key == "average_place" else None)
    for key, head, digits in _MORE:
        if any(row.get(key) is not None for row in rows):
            hint = _HINTS.get(key, "")
            yield Column(key=key, head=head, hint=hint, number=True, digits=digits)
    if not report.stages:
        yield from _tie_breaks(report.scoring.tie_breaks, rows)
    yield Column(key="version", head="version")


def _tie_breaks(names: Sequence[str], rows: Sequence[Row]) -> Iterator[Column]:
    for name in names:
        key = f"tie_breaks.{name}"
        if any(row.get(key) is not None for row in rows):
            known = TIE_BREAKS.get(name)
            yield Column(key=key, head=name, hint=known.summary if known else "", number=True)
