"""Ranks tied participants by their scores against each other: direct encounter (C.07, 6)."""

from __future__ import annotations

from collections.abc import Sequence

from arena_tournaments.scoring.scoring import History, tidy


def direct_encounter(history: History, tied: Sequence[int]) -> list[float]:
    """Returns for each of the tied the number of them behind it by direct encounters."""
    behind: dict[int, float] = {}
    left = len(tied)
    for group in _ranked(history, tuple(tied)):
        left -= len(group)
        behind |= dict.fromkeys(group, float(left))
    return [behind[index] for index in tied]


def _ranked(history: History, tied: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Splits the tied into groups, best first, by their encounters (6.1-6.3)."""
    if len(tied) == 1:
        return [tied]
    scores, missing = _encounters(history, tied)
    if any(missing.values()):
        return _when_some_have_not_met(history, tied, scores, missing)
    levels = sorted(set(scores.values()), reverse=True)
    if len(levels) == 1:
        return [tied]
    groups = [tuple(who for who in tied if scores[who] == level) for level in levels]
    return [part for group in groups for part in _ranked(history, group)]


def _when_some_have_not_met(
    history: History, tied: tuple[int, ...], scores: dict[int, float], missing: dict[int, int]
) -> list[tuple[int, ...]]:
    """Ranks first whoever leads with any result of the missing encounters, and so on (6.2)."""
    win = max((turn.worth for turns in history.turns for turn in turns), default=0.0)
    best = {who: scores[who] + missing[who] * win for who in tied}
    waiting = sorted(tied, key=lambda who: (-scores[who], -best[who]))
    leaders: list[tuple[int, ...]] = []
    while len(waiting) > 1 and scores[waiting[0]] > max(best[who] for who in waiting[1:]):
        leaders.append((waiting.pop(0),))
    rest = tuple(sorted(waiting))
    return [*leaders, *(_ranked(history, rest) if leaders else [rest])]


def _encounters(history: History, tied: tuple[int, ...]) -> tuple[dict[int, float], dict[int, int]]:
    """Returns each one's score against the others, and the number of them that it never met.

    Who met several times counts with the average of those encounters (6.1.2); forfeits are no
    encounters. At a table everybody encounters everybody else.
    """
    rivals = set(tied)
    scores: dict[int, float] = {}
    missing: dict[int, int] = {}
    for who in tied:
        against: dict[int, list[float]] = {}
        for turn in history.turns[who]:
            for opponent, score in turn.encounters():
                if opponent in rivals and turn.played:
                    against.setdefault(opponent, []).append(score)
        scores[who] = tidy(sum(sum(each) / len(each) for each in against.values()))
        missing[who] = len(tied) - 1 - len(against)
    return scores, missing
