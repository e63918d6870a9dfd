"""Pairs a round that the Swiss rules cannot pair.

In a small field the Dutch system can run dry before its last round: after three rounds of six
players there is no legal fourth in one case of three. C.04.3, 1.9.3 leaves the matter to the
Chief Arbiter; this file is ours, a fixed rule instead of a judgement.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from arena.core.tournaments.format import Pairing, Round
from arena_tournaments.scoring.scoring import History, Turn

NOBODY = -1
"""The opponent of somebody with a bye."""


def fewest_repeats(
    history: History,
    number: int,
    apart: Collection[tuple[int, int]] = (),
    present: Sequence[int] | None = None,
    unit: float = 0.5,
) -> Round:
    """Finds the pairing with the fewest repeated encounters and byes, then the nearest scores.

    Colours bind nobody here: of two, the one who had the first seat less often has it, then the
    one who had it less recently, then the one with the lower pairing number.

    Args:
        apart: Pairs that are forbidden: fewer of them count before all else.
        present: Those who are paired, in initial order; all by default.
        unit: The points that differences are counted in.
    """
    # Imported here for the same reason as the pairing library, which brings it.
    import networkx as nx

    here = range(len(history.turns)) if present is None else present
    scores = {index: round(history.score(index) / unit) for index in here}
    graph = nx.Graph()
    for pair, cost in _costs(history, scores, apart).items():
        graph.add_edge(*pair, weight=-cost)
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    return seated_round(history, number, [(min(pair), max(pair)) for pair in matched])


def seated_round(
    history: History, number: int, matched: Sequence[tuple[int, int]], *, reverse: bool = False
) -> Round:
    """Returns a round of these pairs, the highest scores first; the bye's pair has -1.

    Args:
        reverse: Whether two who met before exchange their seats, if both had the first equally
            often.
    """
    pairs = sorted(
        matched, key=lambda pair: (-sum(history.score(index) for index in pair if index >= 0), pair)
    )
    pairings = tuple(
        Pairing(_seated(history, *pair, reverse=reverse)) for pair in pairs if pair[0] != NOBODY
    )
    byes = tuple(second for first, second in pairs if first == NOBODY)
    return Round(number, pairings, byes)


def nearest_scores(
    left: Collection[tuple[int, int]], scores: Mapping[int, int]
) -> list[tuple[int, int]]:
    """Returns the pairing of all with the nearest scores; nothing if not all can be paired.

    Differences count squared; the bye counts as an opponent with the lowest score.
    """
    import networkx as nx

    graph = nx.Graph()
    for pair in sorted(left):
        graph.add_edge(*pair, weight=-score_gaps([pair], scores))
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    everybody = {index for pair in matched for index in pair} >= {*scores}
    return sorted((min(pair), max(pair)) for pair in matched) if everybody else []


def score_gaps(pairs: Sequence[tuple[int, int]], scores: Mapping[int, int]) -> int:
    """Returns the sum of the squared differences of scores."""
    lowest = min(scores.values())
    gaps = (scores.get(one, lowest) - scores.get(other, lowest) for one, other in pairs)
    return sum(gap**2 for gap in gaps)


def _costs(
    history: History, scores: Mapping[int, int], apart: Collection[tuple[int, int]]
) -> dict[tuple[int, int], int]:
    """Returns each pair's cost: a repeat costs more than all score differences of any round.

    Differences count squared; a bye counts as an opponent with the lowest score.
    """
    entrants = len(scores)
    lowest = min(scores.values())
    repeat = entrants * (max(scores.values()) - lowest) ** 2 + 1
    forbidden = entrants * repeat * (max(map(len, history.turns), default=0) + 1)
    people = [*scores, *([NOBODY] if entrants % 2 else [])]
    costs: dict[tuple[int, int], int] = {}
    for place, one in enumerate(people[:entrants]):
        met = [who for turn in history.turns[one] for who in turn.opponents or (NOBODY,)]
        for other in people[place + 1 :]:
            score = lowest if other == NOBODY else scores[other]
            gap = scores[one] - score
            costs[one, other] = met.count(other) * repeat + gap * gap
            costs[one, other] += forbidden * ((one, other) in apart)
    return costs


def _seated(history: History, one: int, other: int, *, reverse: bool) -> tuple[int, int]:
    claims = sorted((_claim(history.turns[index]), index) for index in (one, other))
    before = [turn.first for turn in history.turns[one] if other in turn.opponents]
    if reverse and before and claims[0][0][0] == claims[1][0][0]:
        return (other, one) if before[-1] else (one, other)
    return claims[0][1], claims[1][1]


def _claim(turns: Sequence[Turn]) -> tuple[int, list[bool]]:
    """Returns a sort key that is lower for a better claim to the first seat."""
    firsts = [turn.first for turn in reversed(turns) if turn.opponents]
    return 2 * sum(firsts) - len(firsts), firsts
