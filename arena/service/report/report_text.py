"""Parts of a tournament's report in words, for the terminal and for pages alike."""

from __future__ import annotations

from collections.abc import Sequence

from arena_results.schema.rows import TournamentSummary
from arena_tournaments.formats.ties import Tie
from arena_tournaments.scoring.crosstable import Meeting, meetings_by_round
from arena_tournaments.scoring.scoring import summary_of

from arena.core.text.printable import joined
from arena.core.tournaments.format import Bout, Scoring
from arena.service.report.report import Report, decided_by, played_off, shown_key, taken_of


def scoring_text(scoring: Scoring, source: str) -> str:
    """Describes by what a scoring ranks, with the source of its tie-breaks."""
    order = ", ".join(scoring.tie_breaks)
    return summary_of(scoring) + (f"; then by {order} ({source})" if order else "")


_NOTHING = "-"
"""The round of an entrant that it leaves out, or in which it scores nothing."""


def meeting_texts(report: Report) -> list[list[str]]:
    """For a Swiss: each line's rounds as ``opponent's line, seat, score``, e.g. ``3w1``."""
    rows = meetings_by_round(report.table, report.played, report.scoring)
    bye = report.scoring.of_bye()

    def text(meetings: Sequence[Meeting]) -> str:
        return " ".join([_meeting(each, bye) for each in meetings]) or _NOTHING

    return [[*map(text, row)] for row in rows]


def _meeting(meeting: Meeting, bye: float) -> str:
    if meeting.opponent is None:
        return (
            "bye" if meeting.score == bye else f"{meeting.score:g}" if meeting.score else _NOTHING
        )
    return f"{meeting.opponent}{'w' if meeting.first else 'b'}{meeting.score:g}"


def seating_texts(report: Report) -> list[list[str]]:
    """For tables: each line's rounds as ``table:points``, e.g. ``2:13.5``; ``rest`` for a rest."""
    rows: dict[int, list[str]] = {line.index: [] for line in report.table}
    for past in report.played:
        cells: dict[int, list[str]] = {index: [] for index in rows}
        for number, result in enumerate(past.results, 1):
            for index, points in zip(result.pairing.seats, result.points, strict=True):
                cells[index].append(f"{number}:{points:.4g}")
        for index in past.round.byes:
            cells[index].append("rest")
        for index, texts in cells.items():
            rows[index].append(" ".join(texts) or _NOTHING)
    return list(rows.values())


def decision_text(names: Sequence[str], bout: Bout) -> str:
    """Says why somebody won a bout who has no more points than the other one; else empty."""
    why = decided_by(bout)
    if not why or bout.points is None or bout.winner is None:
        return ""
    points = "-".join(f"{each:g}" for each in bout.points)
    if why == "seed":
        how = "Forfeited by both," if bout.forfeited else "Drawn"
        return f"{how} {bout.name}, {points}: to {names[bout.winner]} as the higher seed"
    loser = names[bout.forfeited[0]]
    return f"Forfeited by {loser}, {bout.name}, {points}: to {names[bout.winner]}"


def short_decision(names: Sequence[str], bout: Bout, more: int = 0) -> str:
    """Says the same in a few words, and that a drawn pairing was played off.

    Args:
        more: Matches that the pairing played after a draw.
    """
    why = decided_by(bout)
    if bout.winner is None:
        return ""
    winner = names[bout.winner]
    if why == "forfeit":
        return f"forfeited by {names[bout.forfeited[0]]}"
    if why == "seed":
        both = "forfeited by both: " if bout.forfeited else ""
        return f"{both}{winner} as the higher seed"
    return f"{winner} by a play-off of {more} games" if more else ""


def cut_texts(report: Report, number: int) -> list[str]:
    """Says of each tie at the cut after a stage who continues, and why.

    Args:
        number: The stage, from 1.
    """
    return [_tie_text(report, number, tie) for tie in report.stages[number - 1].ties]


def _tie_text(report: Report, number: int, tie: Tie) -> str:
    stage, going = report.stages[number - 1], taken_of(report, number, tie)
    level, taken = (joined([report.names[index] for index in each]) for each in (tie.level, going))
    seeds = "the initial order" if number == 1 else f"the seeding of stage {number}"
    enters = "enters" if len(going) == 1 else "enter"
    are = f"{level} are level{f' in {tie.section}' if tie.section else ''} after all tie-breaks. "
    takes = f"stage {number + 1} takes {stage.takes}"
    if tie.by == "share":
        return f"Tie at the cut: {are}All of them enter, so that {takes}."
    text = f"Tie at the cut: {takes}, and {are}"
    if tie.by == "order":
        return f"{text}By {seeds} {taken} {enters}."
    rounds = _rounds_text([past.round.number for past in played_off(stage, tie)])
    if not taken:
        return f"{text}They play off{rounds}."
    text += f"By a play-off{rounds} {taken} {enters}."
    if tie.unresolved:
        still = joined([report.names[index] for index in tie.unresolved])
        text += f" In it {still} stayed level: {seeds} decides between them."
    return text


def _rounds_text(numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    first, last = numbers[0], numbers[-1]
    return f" (round {first})" if first == last else f" (rounds {first} to {last})"


def ending_text(report: Report) -> str:
    """Says that a tournament ended before its last round, and why; else empty."""
    if not report.ending:
        return ""
    rounds = report.stored.summary.rounds
    return f"Ended early, after {report.finished} of {rounds} rounds: {report.ending}."


def seeds_text(tournament: TournamentSummary) -> str:
    """The seed or the key in words; a key has its digits once the tournament is finished."""
    seeds, key = tournament.seeds, shown_key(tournament)
    if seeds.seed is not None:
        return f"open seed {seeds.seed}"
    return f"{seeds.origin} {key}" if key else str(seeds.origin)
