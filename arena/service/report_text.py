"""Parts of a tournament's report in words, for the terminal and for pages alike."""

from __future__ import annotations

from arena_results.rows import TournamentSummary
from arena_tournaments.crosstable import Meeting, meetings_by_round

from arena.core.tournament import Scoring
from arena.service.report import Report, shown_key


def scoring_text(scoring: Scoring, source: str) -> str:
    """Describes by what a scoring ranks, with the source of its tie-breaks."""
    order = ", ".join(scoring.tie_breaks)
    return scoring.summary + (f"; then by {order} ({source})" if order else "")


def meeting_texts(report: Report) -> list[list[str]]:
    """For a Swiss: each line's rounds as ``opponent's line, seat, score``, e.g. ``3w1``."""
    rows = meetings_by_round(report.table, report.played, report.scoring)
    return [[_meeting(meeting) for meeting in meetings] for meetings in rows]


def _meeting(meeting: Meeting) -> str:
    if meeting.opponent is None:
        return "bye" if meeting.score == 1 else f"{meeting.score:g}" if meeting.score else "-"
    return f"{meeting.opponent}{'w' if meeting.first else 'b'}{meeting.score:g}"


def seating_texts(report: Report) -> list[list[str]]:
    """For tables: each line's rounds as ``table:points``, e.g. ``2:13.5``; ``rest`` for a rest."""
    rows: dict[int, list[str]] = {line.index: [] for line in report.table}
    for past in report.played:
        for number, result in enumerate(past.results, 1):
            for index, points in zip(result.pairing.seats, result.points, strict=True):
                rows[index].append(f"{number}:{points:.4g}")
        for index in past.round.byes:
            rows[index].append("rest")
        for index in past.round.away.difference(past.round.byes):
            rows[index].append("-")
    return list(rows.values())


def seeds_text(tournament: TournamentSummary) -> str:
    """The seed or the key in words; a key has its digits once the tournament is finished."""
    seeds, key = tournament.seeds, shown_key(tournament)
    if seeds.seed is not None:
        return f"open seed {seeds.seed}"
    return f"{seeds.origin} {key}" if key else str(seeds.origin)
