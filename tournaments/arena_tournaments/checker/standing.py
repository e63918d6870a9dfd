"""Checks points and ranks against the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arena.core.errors import BadInput
from arena_tournaments.checker.finding import Finding
from arena_tournaments.scoring.ranking import Chosen, ranking, tie_break
from arena_tournaments.scoring.scoring import History
from arena_tournaments.trf.checking import points_that_differ
from arena_tournaments.trf.history import RULES, history_of_report
from arena_tournaments.trf.report import Player, Report, numbers_of

_BYES = {
    "PAB": "an allocated bye (U)",
    "FPB": "a full-point bye (F)",
    "HPB": "a half-point bye (H)",
}


def points(report: Report, lines: Mapping[int, int], unclear: frozenset[int]) -> Iterator[Finding]:
    """Yields points that the results do not give.

    Args:
        unclear: Numbers of players with results that nobody knows.
    """
    for player, found, earned in points_that_differ(report):
        if player.number in unclear:
            continue
        by_bye = _by_bye(report, player, found - earned)
        text = "points that the results do not give"
        yield Finding(
            kind="bye-points" if by_bye else "points",
            finding=by_bye or text,
            player=player.number,
            expected=f"{earned / 10:.1f}",
            found=f"{found / 10:.1f}",
            line=lines[player.number],
        )


def _by_bye(report: Report, player: Player, more: int) -> str:
    """Says which score of a bye would explain points; empty if none does."""
    given = [cell.kind for cell in report.cells(player, report.played_rounds)]
    values = {report.points[code] for code in ("WW", "WD", "WL")}
    for code, name in _BYES.items():
        for value in sorted(values - {report.points[code]}):
            if given.count(code) and more == given.count(code) * (value - report.points[code]):
                return f"points fit if {name} scores {value / 10:.1f}; in this event it scores " + (
                    f"{report.points[code] / 10:.1f} (162, XXS)"
                )
    return ""


def ranks(report: Report, lines: Mapping[int, int], flawed: frozenset[int]) -> Iterator[Finding]:
    """Yields ranks that the points, and the event's own tie-breaks (212), do not allow.

    Players that these leave equal may share a rank, or stand in any order. Tie-breaks may
    follow the rules of any year. Players without a rank are out of the ranking.

    Args:
        flawed: Numbers of players whose record cannot be read whole.
    """
    held = sorted(player.rank for player in report.players if player.rank)
    if not held or not report.played_rounds or ranks_are_numbers(report):
        return
    by_rules = [_places(history_of_report(report, rules), report) for rules in reversed(RULES)]
    for player in report.players:
        if player.number in flawed or not player.rank:
            continue
        spans = [places[player.number] for places in by_rules]
        shared = held.count(player.rank) > 1
        out = not any(first <= player.rank <= last for first, last in spans)
        if out or (shared and player.rank != held.index(player.rank) + 1):
            first, last = spans[0]
            yield Finding(
                kind="rank",
                finding="a rank that the points do not give",
                player=player.number,
                expected=f"{first}" if first == last else f"{first}-{last}",
                found=str(player.rank),
                line=lines[player.number],
            )


def ranks_are_numbers(report: Report) -> bool:
    """Returns whether the ranks are those before the first round, as some programs write them."""
    return all(player.rank == player.number for player in report.players)


def _places(past: History, report: Report) -> dict[int, tuple[int, int]]:
    """Returns the first and the last rank that each player may have, by number."""
    chosen, players = _own(report), numbers_of(report.players)
    score = [past.score(index, bonus=True) for index in range(len(past.turns))]
    by_points = all(each.row.name != "PTS" for each in chosen)
    lines = ranking(past, chosen, *([score] if by_points else []))
    ranked = {index for index, number in enumerate(past.numbers) if players[number].rank}
    groups: dict[int, list[int]] = {}
    for line in lines:
        if line.index in ranked:
            groups.setdefault(line.rank, []).append(past.numbers[line.index])
    places: dict[int, tuple[int, int]] = {}
    for group in groups.values():
        first = len(places) + 1
        places |= dict.fromkeys(group, (first, first + len(group) - 1))
    return places


def _own(report: Report) -> list[Chosen]:
    """Returns the event's own tie-breaks, to the first that nobody knows."""
    chosen: list[Chosen] = []
    for name in report.tie_breaks:
        try:
            chosen.append(tie_break(name))
        except BadInput:
            break
    return chosen
