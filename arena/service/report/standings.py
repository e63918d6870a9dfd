"""The standings of a tournament as a table, for documents and for people."""

from __future__ import annotations

from collections.abc import Iterator

from arena_tournaments.scoring.ranking import tie_break
from msgspec.structs import replace

from arena.core.parts.value import LESS_LUCK, LUCK_ADJUSTED
from arena.core.table import Column, Table
from arena.core.tournaments.rating import BALANCE, balance_text
from arena.service.report.documents import standing_rows
from arena.service.report.report import Report, StageReport, part_of

ADJUSTED = ("adjusted", "adjusted_error")
"""Keys of scores less luck."""


def standing_table(report: Report) -> Table:
    """The standings, the best first; each tie-break that anybody needed has a column."""
    rows = []
    for row in standing_rows(report):
        ties = row["tie_breaks"]
        assert isinstance(ties, dict)
        rows.append(row | {_tie_break(name): ties.get(name) for name in report.scoring.tie_breaks})
    return Table(title="Standings", columns=(*_columns(report),), rows=rows)


def stage_standings(report: Report, stage: StageReport) -> Table:
    """The standings of one stage; a bracket ranks by the round reached.

    There a score may stand below a lower one, so that it has no column.
    """
    table = standing_table(part_of(report, stage))
    columns = [each for each in table.columns if not stage.bracket or each.key != "score"]
    return replace(table, columns=tuple(columns))


def _columns(report: Report) -> Iterator[Column]:
    digits = 2 if report.seats > 2 else None
    yield Column("rank", "#", right=True)
    yield Column("name", "bot", drop=0, names="bot")
    if report.stages:  # each has its own scores
        yield Column("stage", "stage")
    elif not (report.means and report.scoring.by_mean):
        yield Column("score", "score", right=True, digits=digits, drop=0)
    if report.means:
        yield Column("mean_amount", f"{report.unit}/match", right=True, digits=3, drop=0)
        yield Column("mean_amount_error", "± 95 %", right=True, digits=3, drop=0)
    if report.adjusted and not report.means and not report.stages:
        mean = f"mean {LESS_LUCK}"
        half = f"half the 95 % interval of the {LUCK_ADJUSTED} score"
        yield Column("adjusted", LUCK_ADJUSTED, right=True, digits=3, drop=5, hint=mean)
        yield Column("adjusted_error", "± 95 %", right=True, digits=3, drop=5, hint=half)
    if not report.stages:
        yield from _tie_breaks(report, digits)
    yield from _outcomes(report)
    if report.credits:
        yield Column("credits", "credits", right=True)


def _tie_breaks(report: Report, digits: int | None) -> Iterator[Column]:
    """Yields the columns of tie-breaks that were needed by anybody, in order."""
    for name in report.scoring.tie_breaks:
        needed = any(name in line.tie_breaks for line in report.table)
        if needed and not (report.means and name == "AMT"):  # it has a column of its own
            decimals = 3 if name == "AMT" else digits
            hint = tie_break(name, without="ratings").summary
            yield Column(_tie_break(name), name, right=True, digits=decimals, drop=3, hint=hint)


def _outcomes(report: Report) -> Iterator[Column]:
    if report.seats > 2:
        place, amount = "mean place at a table", "sum over all matches"
        yield Column("won", "1st", right=True, drop=2, hint="matches finished alone on top")
        yield Column("average_place", "place", right=True, digits=2, hint=place)
        yield Column("amount", "amount", right=True, drop=2, hint=amount)
    else:
        yield from map(Column, ("won", "drawn", "lost"))
        yield Column(
            "balance", BALANCE, right=True, drop=2, cell=balance_text, sort="won", derived=True
        )


def _tie_break(name: str) -> str:
    return f"tie_breaks.{name}"
