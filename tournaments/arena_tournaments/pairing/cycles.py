"""Pairs a Swiss of more rounds than a field has opponents: in cycles, each without repeats.

A cycle is through where no round is left in it: everybody has met everybody. In it the rules of
the Dutch system pair, as in a tournament of that length; only meetings and byes of earlier cycles
are forgotten (C1, C2). Those rules look no further than the next round, and can leave a cycle that
nobody can end. So a round must leave one that can be split into rounds (``factors``), as long as
everybody has the same number of opponents left. The first that does so is taken:

1. the pairing by the rules,
2. the pairing by the rules as if one pair of it were forbidden, the last board first,
3. the pairing with the nearest scores, whatever the colours,
4. the rounds into which what is left of the cycle is split, the nearest scores first.

Where some have left, entered late or are kept apart, opponents are not equally many: there only
the next round counts, and a cycle ends a little earlier.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

import msgspec

from arena.core.tournaments.format import RoundResult
from arena_tournaments.pairing.factors import Pair, rounds_left
from arena_tournaments.pairing.repair import NOBODY
from arena_tournaments.scoring.scoring import PAIRING, history

Rules: TypeAlias = Callable[[int, Pair | None], Sequence[Pair] | None]
"""Pairs by the rules, in board order: given the number of rounds whose meetings are forgotten, and
one pair that is forbidden. ``None`` if they allow no pairing."""


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
    """Pairs a round without repeats in its cycle; ``None`` where forbidden pairs leave none.

    Args:
        present: Indices of those who are paired.
        apart: Pairs that are forbidden.
        last: Whether no round follows.
    """
    begin, met, rested = _cycle(entrants, played)
    past = history(entrants, played, PAIRING)
    scores = {index: past.score(index) for index in present}
    for forgotten, left in (
        (begin, _left(present, met | {*apart}, rested)),
        (len(played), _left(present, apart, ())),
    ):
        if nearest := nearest_scores(left, scores):
            candidates = _candidates(forgotten, left, nearest, rules)
            found = next(candidates) if last else _completable(candidates, left, scores)
            return found
    return None


def _cycle(entrants: int, played: Sequence[RoundResult]) -> tuple[int, set[Pair], set[int]]:
    """Returns the rounds before the present cycle, its meetings, and who may not rest in it.

    A cycle begins with the round in which somebody meets or rests again.
    """
    begin = 0
    met: set[Pair] = set()
    rested: set[int] = set()
    for number, past in enumerate(played):
        turns = history(entrants, [past], PAIRING).turns
        now = {_pair(NOBODY, index) for index in past.round.byes}
        free: set[int] = set()
        for index, mine in enumerate(turns):
            for turn in mine:
                if turn.played_against:
                    now |= {_pair(index, other) for other in turn.opponents}
                elif turn.score >= turn.worth:
                    free.add(index)
        if not met.isdisjoint(now):
            begin, met, rested = number, set(), set()
        met |= now
        rested |= free
    return begin, met, rested


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


def nearest_scores(left: Collection[Pair], scores: Mapping[int, float]) -> list[Pair]:
    """Returns the pairing of all whose scores differ least; nothing if there is none.

    Differences count squared; the bye counts as an opponent with the lowest score.
    """
    # Imported here: it brings numpy, which no other verb has to wait for.
    import networkx as nx

    graph = nx.Graph()
    for pair in sorted(left):
        graph.add_edge(*pair, weight=-_gap([pair], scores))
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    everybody = {index for pair in matched for index in pair} >= {*scores}
    return sorted(map(_sorted, matched)) if everybody else []


def _gap(pairs: Sequence[Pair], scores: Mapping[int, float]) -> int:
    lowest = min(scores.values())
    gaps = (scores.get(one, lowest) - scores.get(other, lowest) for one, other in pairs)
    return sum(round(2 * gap) ** 2 for gap in gaps)


def _candidates(
    forgotten: int, left: Collection[Pair], nearest: Sequence[Pair], rules: Rules
) -> Iterator[Found]:
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
    """Returns the first pairing after which what is left of a cycle can be split into rounds.

    If it cannot be split now, or some have more opponents left than others, it is just the first.
    """
    split = rounds_left(left)
    if not split:
        return next(candidates)
    for found in candidates:
        if _splits(left, found.pairs):
            return found
    split.sort(key=lambda pairs: (_gap(pairs, scores), pairs))
    pairs = next((each for each in split if _splits(left, each)), split[0])
    return Found(pairs, by_rules=False)


def _splits(left: Collection[Pair], pairs: Sequence[Pair]) -> bool:
    return rounds_left({*left}.difference(map(_sorted, pairs))) is not None
