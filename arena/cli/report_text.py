"""The report of a tournament as tables for people."""

from __future__ import annotations

from collections.abc import Sequence

from arena.cli.output import Column, show_table, stdout, write
from arena.cli.report import Report, cause_counts, first_place, meeting_texts, standing_rows
from results.ratings.statistics import ResultBlock
from tournaments.crosstable import points_by_pair
from tournaments.scoring import scoring_named

WIDEST_CROSSTABLE = 12
"""Entrants up to which a crosstable by pairs fits a terminal."""


def print_report(report: Report, db: str) -> None:
    """Prints standings, crosstable, causes of losses, result block, and what to do next.

    Args:
        report: What to print.
        db: What the commands to go on with need to find the database.
    """
    console = stdout()
    _show_standings(report)
    tie_breaks = scoring_named(report.scoring).tie_breaks
    if report.scoring == "match" and len(report.table) <= WIDEST_CROSSTABLE:
        _show_pairs(report)
    elif report.scoring != "match":
        _show_rounds(report)
    if report.block is not None:
        console.print(result_text(report.names, report.block), markup=False)
        console.print()
    causes = cause_counts(report.losses, report.names)
    scored = scoring_named(report.scoring).summary
    notes = [
        f"Scoring: {scored}; then by {', '.join(tie_breaks)} (FIDE C.07).",
        f"Adjudicated losses: {causes or 'none'}.",
    ]
    write(console, "\n".join(notes), style="dim")
    write(console, "\n".join(_next_steps(report, db)))


def standing_columns(report: Report) -> list[Column]:
    """The columns of the standings."""
    tie_breaks = [Column(f"tie_breaks.{name}", name, True) for name in _shown(report)]
    credits = [Column("credits", "credits", True)] if report.credits else []
    return [
        Column("rank", "#", True),
        Column("name", "name"),
        Column("score", "score", True),
        *tie_breaks,
        Column("won", "won", True),
        Column("drawn", "drawn", True),
        Column("lost", "lost", True),
        *credits,
    ]


def _shown(report: Report) -> list[str]:
    """Tie-breaks that were needed by anybody, in order."""
    return [
        name
        for name in scoring_named(report.scoring).tie_breaks
        if any(name in line.tie_breaks for line in report.table)
    ]


def _show_standings(report: Report) -> None:
    rows = []
    for row in standing_rows(report):
        values = row["tie_breaks"]
        assert isinstance(values, dict)
        rows.append(row | {f"tie_breaks.{name}": values.get(name) for name in _shown(report)})
    summary = report.stored.summary
    title = (
        f"Tournament {summary.id}{f' {summary.name!r}' if summary.name else ''}: {summary.game} "
        f"{summary.ruleset}, {summary.format}, {report.finished} of {summary.rounds} rounds, "
        f"{summary.games} games a pairing, seed {summary.seed}"
    )
    show_table(title, standing_columns(report), rows)


def _show_pairs(report: Report) -> None:
    """Match points of each line (row) against each other line (column)."""
    numbers = [str(number) for number in range(1, len(report.table) + 1)]
    columns = [
        Column("rank", "#", True),
        Column("name", "name"),
        *(Column(number, number, True) for number in numbers),
    ]
    rows: list[dict[str, object]] = []
    for line, points in zip(report.table, points_by_pair(report.table, report.played), strict=True):
        cells = dict(zip(numbers, points, strict=True))
        rows.append({"rank": len(rows) + 1, "name": line.name, **cells})
    show_table("Crosstable: match points of the row against the column", columns, rows)


def _show_rounds(report: Report) -> None:
    rounds = [str(number) for number in range(1, len(report.played) + 1)]
    columns = [
        Column("rank", "#", True),
        Column("name", "name"),
        *(Column(number, f"R{number}", True) for number in rounds),
    ]
    rows = [
        {"rank": number, "name": line.name, **dict(zip(rounds, cells, strict=True))}
        for number, (line, cells) in enumerate(
            zip(report.table, meeting_texts(report), strict=True), 1
        )
    ]
    title = "Rounds: opponent's line, first (w) or second (b) seat, score"
    show_table(title, columns, rows)


def result_text(names: Sequence[str], block: ResultBlock) -> str:
    """The block that engine testers know, from the first one's point of view."""
    one, other = names
    estimate = block.estimate
    lines = [
        f"Results of {one} against {other} ({one}'s point of view):",
        f"Elo: {_pm(estimate.elo, estimate.elo_error)}, "
        f"nElo: {_pm(estimate.nelo, estimate.nelo_error)}",
        f"LOS: {_percent(estimate.los)}, score: {_percent(estimate.score)}",
        f"Games: {block.games}, Wins: {block.won}, Losses: {block.lost}, Draws: {block.drawn}",
    ]
    if block.pairs is not None:
        lines.append(f"Ptnml(0-2): {list(block.pairs)}")
    return "\n".join(lines)


def _pm(value: float | None, error: float | None) -> str:
    if value is None:
        return "not bounded"
    return f"{value:+.2f} ± " + ("not bounded" if error is None else f"{error:.2f}")


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.2%}"


def _next_steps(report: Report, db: str) -> list[str]:
    summary = report.stored.summary
    place = first_place(report.stored)
    steps = [] if place is None else [f"Replay a match: arena replay {summary.id}.{place}{db}"]
    steps.append(f"Ratings: arena leaderboard --game {summary.game}{db}")
    return steps
