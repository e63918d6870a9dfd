"""Decides which neighbours in the order of strength are separated, and what would separate more.

Two entrants are distinguished by the difference of their strengths, as a joint fit estimates it
with its variance. A plain interval may be asked once; asked after every round it errs in 4 of 10
cases. So the interval is that of Robbins' mixture, which holds at all times at once (H. Robbins,
Statistical methods related to the law of the iterated logarithm, 1970; for estimates that are
normal in the limit: I. Waudby-Smith and others, Time-uniform central limit theory, 2021), with the
miss shared among the n - 1 neighbours. That suffices: ranks are separated where everybody above is
distinguished from everybody below. If that is wrong, somebody below is no weaker than somebody
above, and between the two, by true strength, two true neighbours are distinguished wrongly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise
from math import log

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.core.tournaments.format import Neighbours, Strengths

Floats = NDArray[np.float64]

SCALES = (1.0, 8.0, 64.0)
"""Information (inverse variances) for which the mixture is made: each suits a difference, from
170 Elo to 20."""
DIGITS = 6
"""Decimals to which strengths and gains are rounded: equal ones are equal on every machine."""
_STEPS = 60


class Order(msgspec.Struct, frozen=True, eq=False):
    """The order of strength, and how well it is known.

    Attributes:
        members: The entrants, the strongest first.
        values: Their strengths.
        covariance: Of the strengths.
        variances: Of each difference of two.
        spare: Logarithm of the evidence for each difference, less what distinguishes two: 0 and up
            for those who are distinguished.
        miss: Chance that any neighbours are ever called separated wrongly, shared among them.
    """

    members: tuple[int, ...]
    values: Floats
    covariance: Floats
    variances: Floats
    spare: Floats
    miss: float

    @property
    def undecided(self) -> list[int]:
        """The ranks, from 0, that are not separated from the next one."""
        apart = self.spare >= 0
        return [
            rank for rank in range(len(self.members) - 1) if not apart[: rank + 1, rank + 1 :].all()
        ]

    def doubts(self) -> list[tuple[int, int]]:
        """Returns the two, by rank, who are distinguished least across each undecided rank."""
        found = []
        for rank in self.undecided:
            across = self.spare[: rank + 1, rank + 1 :]
            above, below = np.unravel_index(int(across.argmin()), across.shape)
            found.append((int(above), rank + 1 + int(below)))
        return found


def ordered(strengths: Strengths, present: Iterable[int], confidence: float) -> Order:
    """Returns the order of some entrants by strength, of equals the first of the initial order.

    Args:
        confidence: Chance, in percent, that no neighbours are ever called separated wrongly.
    """
    known = [round(value, DIGITS) for value in strengths.values]
    members = tuple(sorted(present, key=lambda index: (-known[index], index)))
    places = np.array(members, np.int64)
    values = np.array(known)[places]
    covariance = np.array(strengths.covariance)[np.ix_(places, places)]
    own = np.diagonal(covariance)
    variances = np.maximum(own[:, None] + own[None, :] - 2 * covariance, 1e-12)
    miss = (1 - confidence / 100) / max(1, len(members) - 1)
    ahead = values[:, None] - values[None, :]
    spare = evidence(ahead**2 / variances, 1 / variances) + log(miss)
    return Order(members, values, covariance, variances, spare, miss)


def evidence(squares: Floats, information: Floats) -> Floats:
    """Returns the logarithm of the evidence against a difference of nothing.

    Args:
        squares: Squared differences in standard errors.
        information: Inverse variances.
    """
    parts = [
        0.5 * np.log(scale / (information + scale))
        + squares * information / (2 * (information + scale))
        for scale in SCALES
    ]
    highest = np.maximum.reduce(parts)
    grown = sum(np.exp(part - highest) for part in parts)
    return np.asarray(highest + np.log(grown / len(SCALES)))


def reach(information: float, miss: float) -> float:
    """Returns half the interval of a difference that holds at any time, missing so rarely."""
    low, high = 0.0, 1.0
    while _log_evidence(high, information) < -log(miss):
        low, high = high, 2 * high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _log_evidence(middle, information) < -log(miss):
            low = middle
        else:
            high = middle
    return high


def _log_evidence(ahead: float, information: float) -> float:
    return float(evidence(np.array([ahead**2 * information]), np.array([information]))[0])


def neighbours(order: Order) -> list[Neighbours]:
    """Returns the neighbours, from the strongest down."""
    undecided, found = {*order.undecided}, []
    for rank, (upper, lower) in enumerate(pairwise(order.members)):
        ahead = float(order.values[rank] - order.values[rank + 1])
        half = reach(1 / float(order.variances[rank, rank + 1]), order.miss)
        found.append(
            Neighbours(upper, lower, ahead, ahead - half, ahead + half, rank not in undecided)
        )
    return found


def gains(
    order: Order, matches: int, differences: Iterable[tuple[int, int]] | None = None
) -> Floats:
    """Returns the information about some differences in a pairing of any two, by rank.

    That is by how much the variances of the differences in doubt would fall, each as a share of
    itself: with covariance C and a difference d, a pairing of information w about the difference e
    takes w (d C e)^2 / (1 + w e C e) off d's variance.

    Args:
        differences: Pairs of ranks; by default those who are distinguished least across the
            undecided ranks.
    """
    size = len(order.members)
    doubts = np.zeros((size, size))
    for above, below in order.doubts() if differences is None else differences:
        share = 1 / order.variances[above, below]
        doubts[above, above] += share
        doubts[below, below] += share
        doubts[above, below] -= share
        doubts[below, above] -= share
    spread = order.covariance @ doubts @ order.covariance
    own = np.diagonal(spread)
    fall = own[:, None] + own[None, :] - 2 * spread
    score = 1 / (1 + np.exp(order.values[None, :] - order.values[:, None]))
    added = matches * score * (1 - score)
    return np.maximum(added * fall / (1 + added * order.variances), 0.0)


def best_matching(
    weights: Floats, pairs: Iterable[tuple[int, int]], first: Collection[int] = ()
) -> list[tuple[int, int]]:
    """Returns those pairs of ranks that weigh most in all, of which no two share a rank.

    The heaviest comes first.

    Args:
        pairs: The pairs that may be chosen, the lower rank first.
        first: Ranks of which as many as can be are chosen, before all else.
    """
    # Imported here: it takes long to load. It is fast enough: a round of 200 takes 0.3 s in all.
    import networkx as nx

    unit, more = float(weights.max(initial=0.0)) or 1.0, len(weights) * 10**DIGITS
    rounded = {  # 1 more, so that no pair that may be chosen weighs nothing
        pair: 1
        + round(float(weights[pair]) / unit * 10**DIGITS)
        + more * sum(rank in first for rank in pair)
        for pair in sorted(set(pairs))
    }
    graph = nx.Graph()
    for pair, weight in rounded.items():
        graph.add_edge(*pair, weight=weight)
    chosen = nx.max_weight_matching(graph)
    return sorted(
        ((min(pair), max(pair)) for pair in chosen), key=lambda pair: (-rounded[pair], pair)
    )
