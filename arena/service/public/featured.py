"""Chooses the match of a tournament that is shown first."""

from __future__ import annotations

from arena_results.schema.rows import Ending

from arena.core.record import MatchKey
from arena.service.report.report import Report
from arena.service.report.tables.podium import final, last_bouts


def featured_match(report: Report) -> MatchKey | None:
    """Returns the closest match of the final, or of the newest pairings that are over.

    Matches of pairings that are still played are left out where there are others; ``None`` without
    a match without a fault.
    """
    stored = report.stored
    ended = [each for each in stored.endings if not each[1].faults]
    if not ended:
        return None
    going = set[tuple[int, int]]()
    if report.running:
        number = report.running.round.number
        going = {(number, each.number) for each in report.running.pairings if not each.over}
    over = [each for each in ended if (each[0].round, each[0].pairing) not in going] or ended
    last = max(key.round for key, _ in over)
    wanted = [each for each in over if each[0].round == last]
    decisive = final(last_bouts(report))
    if decisive is not None:
        of_final = [each for each in wanted if {*each[1].seats} == {*decisive.entrants}]
        wanted = of_final or wanted
    return min(wanted, key=lambda each: (_margin(each[1]), each[0]))[0]


def _margin(ending: Ending) -> float:
    best, second, *_ = sorted(ending.scores, reverse=True)
    return (best - second) / ending.count
