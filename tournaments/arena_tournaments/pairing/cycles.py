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

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

import msgspec

from arena.core.tournaments.format import RoundResult
from arena_tournaments.pairing.factors import Pair, rounds_left
from arena_tournaments.pairing.repair import NOBODY, nearest_scores, score_gaps
from arena_tournaments.scoring.scoring import PAIRING, history

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


def pair_in_cycle(
    entrants: int,
    played: Sequence[RoundResult],
    present: Sequence[int],
    apart: Collection[Pair],
    rules: Rules,
    *,
    last: bool,
) -> Found | None:
    """Pairs the next round without repeats in its cycle; ``None`` if none is left.

    Args:
        present: Indices of the entrants to pair.
        apart: Forbidden pairs.
        last: Whether no round follows.
    """
    begin, met, rested = _cycle(entrants, played, present, apart)
    past = history(entrants, played, PAIRING)
    scores = {index: past.score(index) for index in present}
    left = _left(present, met | {*apart}, rested)
    nearest = nearest_scores(left, scores)
    if not nearest:
        return None
    candidates = _candidates(begin, nearest, rules)
    return next(candidates) if last else _completable(candidates, left, scores)


def _cycle(
    entrants: int, played: Sequence[RoundResult], present: Sequence[int], apart: Collection[Pair]
) -> tuple[int, set[Pair], set[int]]:
    """Returns the rounds before the present cycle, its meetings, and who may not rest in it.

    Args:
        present: Indices of the entrants to pair next.
    """
    begin = 0
    met: set[Pair] = set()
    rested: set[int] = set()
    for number in range(len(played) + 1):
        here = _seated(played[number]) if number < len(played) else present
        if all(pair in met or pair in apart for pair in combinations(sorted(here), 2)):
            begin, met, rested = number, set(), set()
        if number < len(played):
            now, free = _meetings(entrants, played[number])
            met |= now
            rested |= free
    return begin, met, rested


def _seated(past: RoundResult) -> set[int]:
    seats = (seat for each in past.round.pairings for seat in each.seats)
    return {*seats, *past.round.byes}


def _meetings(entrants: int, past: RoundResult) -> tuple[set[Pair], set[int]]:
    """Returns who met or had the bye in a round, and who had a win without a game otherwise."""
    met = {_pair(NOBODY, index) for index in past.round.byes}
    free: set[int] = set()
    for index, mine in enumerate(history(entrants, [past], PAIRING).turns):
        for turn in mine:
            if turn.played_against:
                met |= {_pair(index, other) for other in turn.opponents}
            elif turn.score >= turn.worth:
                free.add(index)
    return met, free


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
    candidates: Iterator[Found], left: Collection[Pair], scores: Mapping[int, float]
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
