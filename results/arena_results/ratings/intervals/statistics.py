"""Computes the result block of engine testing: two players at tables of two, for one side.

The formulas are those of fastchess (``elo_wdl.cpp`` and ``elo_pentanomial.cpp``), where every
error is half a 95 % interval. With mirrored matches the pair is the unit: its two matches share
their luck, so its score has five outcomes (the pentanomial); else a match has three.
Normalized Elo: M. Van den Bergh, Comments on Normalized Elo (2021).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import erf, inf, log, log10, sqrt
from statistics import NormalDist

import msgspec

from arena.core.tournaments.rating import Z95
from arena_results.ratings.intervals.binomial import share_interval

NELO = 800.0 / log(10)
"""Points of normalized Elo in a standard deviation of a match's score."""
FEW = 50
"""Units below which the normal interval is too narrow."""
FEWEST = 10
"""Units below which no side is called better: no interval of so few is sure enough."""
TIGHTEST = 500
"""Units at which the interval for any number of looks is tightest, besides that for one."""


class Estimate(msgspec.Struct, frozen=True):
    """An estimate of one side's strength; ``None`` where the results give none.

    Attributes:
        score: Mean score of a match, 0..1.
        elo: Elo difference in points; ``None`` when every match was won, or every one lost.
        elo_error: Half its 95 % interval; ``None`` when the interval is not bounded.
        nelo: Normalized Elo: the difference measured in standard deviations of a match.
        nelo_error: Half its 95 % interval.
        los: Likelihood of superiority, 0..1: the chance that the side is the stronger one.
            This and normalized Elo are ``None`` when all units ended alike.
    """

    score: float
    elo: float | None
    elo_error: float | None
    nelo: float | None
    nelo_error: float | None
    los: float | None


class ResultBlock(msgspec.Struct, frozen=True):
    """The result of the matches between two sides, from the point of view of one.

    Attributes:
        pairs: Number of mirrored pairs in which it took 0, 1/2, 1, 3/2 and 2 points
            (``Ptnml(0-2)``); ``None`` when there are no whole pairs.
        estimate: From the pairs if there are any, else from the matches. A leg without its twin
            then counts in its score only.
    """

    games: int
    won: int
    lost: int
    drawn: int
    pairs: tuple[int, int, int, int, int] | None
    estimate: Estimate


def result_block_of(units: Mapping[tuple[float, ...], int]) -> ResultBlock:
    """Returns the result block of one side.

    Args:
        units: How many units gave it these scores, match by match.
    """
    singles, sums = Counter[float](), Counter[float]()
    for scores, count in units.items():
        for score in scores:
            singles[score] += count
        if len(scores) == 2:
            sums[sum(scores)] += count
    lost, drawn, won = (singles[score] for score in (0.0, 0.5, 1.0))
    zero, half, one, more, two = (sums[points / 2] for points in range(5))
    pairs = (zero, half, one, more, two) if sums else None
    found, games = estimate(pairs or (lost, drawn, won)), singles.total()
    if pairs and games > 2 * sum(pairs):  # legs without their twins
        found = msgspec.structs.replace(found, score=(won + drawn / 2) / games)
    return ResultBlock(games=games, won=won, lost=lost, drawn=drawn, pairs=pairs, estimate=found)


def estimate(counts: Sequence[int]) -> Estimate:
    """Estimates strength from units by their points, at least one.

    Args:
        counts: Numbers of matches lost, drawn and won; or of mirrored pairs with 0, 1/2, 1, 3/2
            and 2 points.
    """
    score, variance = moments(counts)
    if not variance:
        return Estimate(score, elo_of(score), None, None, None, None)
    error = sqrt(variance / sum(counts))
    low, high = elo_of(score - Z95 * error), elo_of(score + Z95 * error)
    scale = NELO / sqrt(matches(counts) * variance)
    return Estimate(
        score=score,
        elo=elo_of(score),
        elo_error=None if low is None or high is None else (high - low) / 2,
        nelo=(score - 0.5) * scale,
        nelo_error=Z95 * error * scale,
        los=(1 + erf((score - 0.5) / (error * sqrt(2)))) / 2,
    )


def elo_interval(counts: Sequence[float], miss: float = 0.05) -> tuple[float, float]:
    """Returns an interval of the Elo difference, for one look; infinite where it has no bound.

    It leaves the truth out with a probability of ``miss`` at most. Of matches without draws, and of
    pairs that are won or lost as a whole, it is that of Clopper and Pearson. Draws and divided
    pairs vary less, so they count as more trials: as many as have their variance. For that alone
    two lost and two won units are added, since few units may happen to be alike.
    """
    units = sum(counts)
    if not units:
        return -inf, inf
    mean, variance = moments((counts[0] + 2, *counts[1:-1], counts[-1] + 2))
    trials = units * mean * (1 - mean) / variance
    low, high = share_interval(moments(counts)[0], trials, miss)
    return _elo_bounds(low, high)


def normal_error(units: float, variance: float, miss: float) -> float:
    """Returns half the width of a mean's normal interval, which leaves the truth out so often."""
    return NormalDist().inv_cdf(1 - miss / 2) * sqrt(variance / units)


def elo_sequence(counts: Sequence[float], miss: float = 0.05) -> tuple[float, float]:
    """Returns an interval of the Elo difference that holds however often one looks.

    At every number of units at once the intervals hold the truth in all but a share of ``miss`` of
    the runs, so that a run may be stopped when one excludes a value. Before ``FEW`` units it is
    infinite; then a lost and a won pair (or two matches each) are added, for scores far from 1/2.
    I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas, Time-uniform central limit
    theory and asymptotic confidence sequences (2021), theorem 2.2.
    """
    if sum(counts) < FEW:
        return -inf, inf
    counts = _with_ends(counts)
    units = sum(counts)
    score, variance = moments(counts)
    return elo_bounds(score, sequence_error(units, variance, miss, TIGHTEST))


def sequence_error(units: float, variance: float, miss: float, tightest: float) -> float:
    """Returns half the width of a mean's interval that holds however often one looks.

    Args:
        units: Number of units that the mean is of.
        variance: Of a unit.
        miss: The share of runs in which it leaves out the truth at some time.
        tightest: Units at which it is tightest, besides the interval for one look.
    """
    ratio = (-2 * log(miss) + log(-2 * log(miss) + 1)) / tightest  # rho squared
    spread = units * ratio + 1
    return sqrt(variance * 2 * spread / (units**2 * ratio) * log(sqrt(spread) / miss))


def is_few(counts: Sequence[int]) -> bool:
    """Returns true if so few units, or so much alike, are not shown without a word of caution."""
    return sum(counts) < FEW or max(counts) == sum(counts)


def moments(counts: Sequence[float]) -> tuple[float, float]:
    """Returns mean and variance of a unit's score, in equal steps of 0..1, by weights."""
    total, top = sum(counts), len(counts) - 1
    score = sum(count * step for step, count in enumerate(counts)) / (top * total)
    variance = sum(count * (step / top - score) ** 2 for step, count in enumerate(counts)) / total
    return score, variance


def matches(counts: Sequence[float]) -> int:
    """Returns the number of matches in a unit: of n matches it has 2 n + 1 scores."""
    return (len(counts) - 1) // 2


def _with_ends(counts: Sequence[float]) -> Sequence[float]:
    """Adds two lost and two won matches, or a lost and a won pair; where none is divided, two."""
    added = 1 if any(counts[1:-1]) and len(counts) > 3 else 2
    return (counts[0] + added, *counts[1:-1], counts[-1] + added)


def elo_bounds(score: float, error: float) -> tuple[float, float]:
    """Returns the Elo differences at both ends of an interval of a score; infinite beyond 0..1."""
    return _elo_bounds(score - error, score + error)


def _elo_bounds(least: float, most: float) -> tuple[float, float]:
    low, high = elo_of(least), elo_of(most)
    return (-inf if low is None else low), (inf if high is None else high)


def elo_of(score: float) -> float | None:
    """Returns the rating difference with this expected score; ``None`` without one."""
    return 400.0 * log10(score / (1.0 - score)) if 0.0 < score < 1.0 else None
