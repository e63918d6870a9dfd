"""Pairs a Swiss of more rounds than a field has opponents: in cycles, each without repeats.

A cycle ends when everybody has met everybody. Meetings and byes of earlier cycles are forgotten
(C1, C2); scores, colours and floats are not. The Dutch system looks no further than the next round,
and can leave meetings that no further rounds can hold. So the meetings that a round leaves must
split into rounds (``factors``). Arena takes the first pairing of these for which they do:

1. the pairing by the rules,
2. the pairing by the rules as if one pair of it were forbidden, the last board first,
3. the pairing with the nearest scores, whatever the colours,
4. the rounds into which what is left of the cycle is split, the nearest scores first.

After withdrawals and late entries, and with forbidden pairs, some have more opponents left than
others. Then Arena looks at the next round only. Where no round without repeats is left although
some have not met, rounds have as few repeats as possible (``repair``) until they have.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from itertools import combinations
from math import gcd
from typing import TypeAlias

import msgspec

from arena_tournaments.pairing.factors import Pair, rounds_left
from arena_tournaments.pairing.repair import NOBODY, nearest_scores, score_gaps
from arena_tournaments.trf.report import Player, Report

Rules: TypeAlias = Callable[[int, Pair | None], Sequence[Pair] | None]
"""Returns the pairing by the rules in board order, or ``None``. Arguments: the number of rounds to
forget, and one more forbidden pair."""


class Found(msgspec.Struct, frozen=True):
    """The pairs of a round.

    Attributes:
        by_rules: Whether they are in board order, with the first seat first.
    """

    pairs: Sequence[Pair]
    by_rules: bool


class Cycle(msgspec.Struct, frozen=True):
    """The cycle to which the next round belongs; players by place in the order of numbers.

    Attributes:
        begin: Number of the rounds before it.
        met: Its meetings, and byes as meetings with ``NOBODY``.
        rested: Who may not rest in it.
    """

    begin: int
    met: Set[Pair]
    rested: Set[int]


def pair_in_cycle(
    report: Report, present: Sequence[int], apart: Collection[Pair], rules: Rules, *, last: bool
) -> Found | None:
    """Pairs the round after those of a report without repeats in its cycle.

    ``None`` if there is no such pairing. Players are places in the order of numbers.

    Args:
        present: Who is paired.
        apart: Forbidden pairs.
        last: Whether no round follows.
    """
    cycle = cycle_of_next(report, present, apart)
    rounds, players = report.played_rounds, _in_order(report)
    tenths = {
        place: sum(report.scores(players[place], rounds)) + report.bonus(players[place])
        for place in present
    }
    unit = gcd(report.unit, *tenths.values())
    scores = {place: points // unit for place, points in tenths.items()}
    left = _left(present, cycle.met | {*apart}, cycle.rested)
    nearest = nearest_scores(left, scores)
    if not nearest:
        return None
    candidates = _candidates(cycle.begin, nearest, rules)
    return next(candidates) if last else _completable(candidates, left, scores)


def cycle_of_next(report: Report, present: Sequence[int], apart: Collection[Pair]) -> Cycle:
    """Returns the cycle of the round after those of a report; arguments as of ``pair_in_cycle``."""
    begin = 0
    met: set[Pair] = set()
    rested: set[int] = set()
    players, played = _in_order(report), report.played_rounds
    place = {player.number: index for index, player in enumerate(players)}
    cells = [report.cells(player, played) for player in players]
    scores = [report.scores(player, played) for player in players]
    for round in range(played + 1):
        here = [index for index, mine in enumerate(cells) if round < played and mine[round].paired]
        if all(pair in met or pair in apart for pair in combinations(here or sorted(present), 2)):
            begin, met, rested = round, set(), set()
        for index in here:
            cell = cells[index][round]
            if cell.result == "U":
                met.add((NOBODY, index))
            elif cell.played:
                met.add(_pair(index, place[cell.opponent]))
        for index, mine in enumerate(cells if round < played else ()):
            if mine[round].free_win(scores[index][round], report.points["WW"]):
                rested.add(index)
    return Cycle(begin, met, rested)


def _in_order(report: Report) -> list[Player]:
    return sorted(report.players, key=lambda player: player.number)


def _left(present: Sequence[int], met: Collection[Pair], rested: Collection[int]) -> set[Pair]:
    left = {pair for pair in map(_sorted, combinations(present, 2)) if pair not in met}
    if len(present) % 2:
        left |= {_pair(NOBODY, index) for index in present if index not in rested}
        left -= {*met}
    return left


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def _sorted(pair: Pair) -> Pair:
    return _pair(*pair)


def _candidates(forgotten: int, nearest: Sequence[Pair], rules: Rules) -> Iterator[Found]:
    """Yields pairings of the round, the one by the rules first."""
    found = rules(forgotten, None)
    if found is not None:
        yield Found(found, by_rules=True)
        for pair in reversed(found):
            if NOBODY not in pair and (other := rules(forgotten, pair)) is not None:
                yield Found(other, by_rules=True)
    yield Found(nearest, by_rules=False)


def _completable(
    candidates: Iterator[Found], left: Collection[Pair], scores: Mapping[int, int]
) -> Found:
    """Returns the first pairing that leaves meetings which split into rounds.

    If they do not split before it, that is just the first.
    """
    split = rounds_left(left)
    if not split:
        return next(candidates)
    for found in candidates:
        if _splits(left, found.pairs):
            return found
    split.sort(key=lambda pairs: (score_gaps(pairs, scores), pairs))
    pairs = next((each for each in split if _splits(left, each)), split[0])
    return Found(pairs, by_rules=False)


def _splits(left: Collection[Pair], pairs: Sequence[Pair]) -> bool:
    return rounds_left({*left}.difference(map(_sorted, pairs))) is not None
