"""The standings of a tournament as a table, for documents and for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from arena_tournaments.play.rulings import disqualified
from arena_tournaments.scoring.ranking import tie_break
from arena_tournaments.scoring.sections import RankedSection
from msgspec.structs import replace

from arena.core.parts.value import LESS_LUCK, LUCK_ADJUSTED
from arena.core.table import INTERVAL_HEAD, MINUS, Column, Estimate, Row, Table, known_values
from arena.core.tournaments.rating import BALANCE, balance_text
from arena.service.answers.rows import rows_of
from arena.service.report.report import Report, StageReport, part_of
from arena.service.report.sums.running import so_far
from arena.service.report.tables.documents import standing_rows

ADJUSTED = ("adjusted", "adjusted_error")
"""Keys of scores less luck."""


class Rated(msgspec.Struct, frozen=True):
    """A rating of a row: its text, and its value with the interval."""

    text: str
    interval: Estimate


class Ratings(msgspec.Struct, frozen=True):
    """Ratings that a face shows in standings.

    Attributes:
        axis: The meaning of the values, with their unit.
        rated: By the names of the standings; those without a rating are missing.
    """

    axis: str
    rated: Mapping[str, Rated]


def standing_table(report: Report, ratings: Ratings | None = None) -> Table:
    """Returns the standings, the best first, with the columns of people and of documents.

    Args:
        ratings: By the tournament only, for people; versions are shown beside them.
    """
    rows = rows_of(standing_rows(report))
    if ratings:
        for row in rows:
            rated = ratings.rated.get(row["name"])
            row |= {"rated": rated, "rating": rated.interval.value if rated else None}
    return Table(title="Standings", columns=(*_columns(report, rows, ratings),), rows=rows)


OVERVIEW = (
    *("rank", "name", "stage", "score", "mean_amount", "mean_amount_error", "this_round"),
    *("left", "balance", "won", "average_place", "rating", "interval"),
)
"""Keys of the columns of standings at first sight: no tie-breaks, and no proofs."""


def short_table(table: Table) -> Table:
    """Returns standings with the columns that are read first; points are called so."""
    columns = [
        replace(each, head="points" if each.key == "score" and each.head else each.head)
        for key in OVERVIEW
        for each in table.columns
        if each.key == key
    ]
    return replace(table, columns=tuple(columns))


def with_running(report: Report) -> Report:
    """Returns a report in which standings have the points of the round that is being played."""
    running, stages = report.running, report.stages
    if running is None:
        return report
    last = disqualified(report.stored.rulings)
    if stages:
        now = replace(stages[-1], table=so_far(stages[-1].table, running, last))
        return replace(report, stages=(*stages[:-1], now))
    if report.scoring.reached:
        return report
    sections = [replace(each, lines=so_far(each.lines, running, last)) for each in report.sections]
    table = so_far(report.table, running, last)
    return replace(report, table=table, sections=tuple(sections))


def signed_points(points: float | None) -> str | None:
    """Returns points with their sign, a half as a fraction: ``+1``, ``+½``, ``+1½``, ``+0.33``."""
    if points is None:
        return None
    whole, part = divmod(abs(points), 1)
    text = f"{round(abs(points), 2):g}"
    if part == 0.5:
        text = f"{whole:.0f}½" if whole else "½"
    return f"{MINUS if points < 0 else '+'}{text}"


def stage_standings(report: Report, stage: StageReport) -> Table:
    """The standings of one stage; a bracket ranks by the round reached.

    There a score may stand below a lower one, so that it has no column. Luck-adjusted scores are
    of all stages together, and so have none.
    """
    table = standing_table(part_of(report, stage))
    without = {*ADJUSTED, *(("score",) if stage.bracket else ())}
    columns = [each for each in table.columns if each.key not in without]
    return replace(table, columns=tuple(columns))


def section_tables(report: Report) -> list[Table]:
    """Returns the parts that the standings have as well, such as groups, each as a table."""
    return [
        replace(each.table, title=each.title) if each.table else _section(report, each)
        for each in report.sections
    ]


def plain(table: Table) -> Table:
    """Returns standings without the columns of tie-breaks: few people know their codes."""
    columns = [each for each in table.columns if not each.key.startswith("tie_breaks.")]
    return replace(table, columns=tuple(columns))


def all_standings(report: Report) -> list[Table]:
    """Returns the standings and their sections, then the same for each stage."""
    tables = [standing_table(report), *section_tables(report)]
    for number, stage in enumerate(report.stages, 1):
        own = replace(stage_standings(report, stage), title=f"Stage {number}: {stage.format}")
        tables += [own, *section_tables(part_of(report, stage))]
    return tables


def _section(report: Report, section: RankedSection) -> Table:
    """Returns the standings of a section's members, but no adjusted scores or credits."""
    table = standing_table(replace(report, table=section.lines, sections=(), stages=()))
    columns = [each for each in table.columns if each.key not in (*ADJUSTED, "credits")]
    return replace(table, title=section.title, columns=tuple(columns))


def _columns(
    report: Report, rows: Sequence[Row], ratings: Ratings | None = None
) -> Iterator[Column]:
    """Yields all columns; those without a heading are for documents only."""
    digits = 2 if report.seats > 2 else None
    yield Column("rank", "#", right=True)
    yield Column("name", "bot", drop=0, names="bot")
    if report.stages:  # each has its own scores
        yield Column("stage", "stage")
    if rows and "section" in rows[0]:
        yield Column("section", "section", drop=4)
    scored = not report.stages and not (report.means and report.scoring.by_mean)
    yield Column("score", "score" if scored else "", right=True, digits=digits, drop=0)
    if rows and "this_round" in rows[0]:
        hint = "points of the round that is being played, as if it ended now"
        yield Column(
            "this_round",
            "this round",
            right=True,
            drop=2,
            cell=lambda row: signed_points(row["this_round"]),
            when=known_values("this_round"),
            hint=hint,
            provisional=True,
        )
    if report.means:
        yield Column("mean_amount", f"{report.unit}/match", right=True, digits=3, drop=0)
        yield Column("mean_amount_error", "± 95 %", right=True, digits=3, drop=0)
    if ratings:
        yield from _ratings(report, ratings)
    if report.adjusted:
        shown = not report.means and not report.stages
        heads = (LUCK_ADJUSTED, "± 95 %") if shown else ("", "")
        mean = f"mean {LESS_LUCK}"
        half = f"half the 95 % interval of the {LUCK_ADJUSTED} score"
        yield Column("adjusted", heads[0], right=True, digits=3, drop=5, hint=mean)
        yield Column("adjusted_error", heads[1], right=True, digits=3, drop=5, hint=half)
    yield from _tie_breaks(report, digits)
    yield from _outcomes(report)
    if rows and "left" in rows[0]:
        yield Column("left", "left", drop=3, tone=lambda row: "bad" if row["left"] else "")
    yield Column("credits", "credits" if report.credits else "", right=True)
    yield Column("version", "version" if ratings else "")
    yield Column("match_points")
    if report.means:
        yield Column("deals")
    causes = ("losses_by_cause.", "wins_by_cause.")
    yield from [Column(key) for key in (rows[0] if rows else ()) if key.startswith(causes)]


def _ratings(report: Report, ratings: Ratings) -> Iterator[Column]:
    """Yields the columns of ratings; mean amounts have theirs, and are drawn here."""

    def text(row: Row) -> str | None:
        rated: Rated | None = row["rated"]
        return rated.text if rated else None

    def interval(row: Row) -> Estimate | None:
        rated: Rated | None = row["rated"]
        return rated.interval if rated else None

    if not report.means:
        yield Column("rating", "rating", right=True, cell=text, hint=ratings.axis)
    hint = "95 % interval"
    yield Column("interval", INTERVAL_HEAD, cell=interval, hint=hint, derived=True)


def _tie_breaks(report: Report, digits: int | None) -> Iterator[Column]:
    """Yields the columns of tie-breaks that were needed by anybody, in order."""
    for name in report.scoring.tie_breaks:
        if any(name in line.tie_breaks for line in report.table):
            decimals = 3 if name == "AMT" else digits
            hint = tie_break(name, without="ratings").summary
            own = report.means and name == "AMT"  # it has a column of its own
            head = "" if own or report.stages else name
            key = f"tie_breaks.{name}"
            yield Column(key, head, right=True, digits=decimals, drop=3, hint=hint)


def _outcomes(report: Report) -> Iterator[Column]:
    if report.seats > 2:
        place, amount = "mean place at a table", "sum over all matches"
        yield Column("won", "1st", right=True, drop=2, hint="matches finished alone on top")
        yield from map(Column, ("drawn", "lost"))
        yield Column("average_place", "place", right=True, digits=2, hint=place)
        yield Column("amount", "amount", right=True, drop=2, hint=amount)
    else:
        yield from map(Column, ("won", "drawn", "lost"))
        yield Column(
            "balance", BALANCE, right=True, drop=2, cell=balance_text, sort="won", derived=True
        )
        yield from map(Column, ("average_place", "amount"))
