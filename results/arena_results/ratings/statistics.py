"""Computes the result block of engine testing: two players at tables of two, for one side.

The formulas are those of fastchess (``elo_wdl.cpp`` and ``elo_pentanomial.cpp``), where every
error is half a 95 % interval. With mirrored matches the pair is the unit: its two matches share
their luck, so its score has five outcomes (the pentanomial); else a match has three.
Normalized Elo: M. Van den Bergh, Comments on Normalized Elo (2021).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import erf, log, log10, sqrt

import msgspec

from arena.core.errors import BadInput
from arena.core.rating import Duels, Unit

_Z95 = 1.959963984540054
_NELO = 800.0 / log(10)


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
        estimate: From the pairs if there are any (a leg without its twin is then left out), else
            from the matches.
    """

    games: int
    won: int
    lost: int
    drawn: int
    pairs: tuple[int, int, int, int, int] | None
    estimate: Estimate


def result_block(units: Sequence[Unit], side: int) -> ResultBlock:
    """Returns the result block of the matches that one side played.

    Args:
        units: At least one unit; ``side`` plays in all of them.
        side: Index of the player from whose point of view it is.

    Raises:
        BadInput: A match has more than two seats.
    """
    return result_block_of(
        Counter(tuple(_score_of(match, side) for match in unit) for unit in units)
    )


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
    return ResultBlock(
        games=singles.total(),
        won=won,
        lost=lost,
        drawn=drawn,
        pairs=pairs,
        estimate=pentanomial(pairs) if pairs else trinomial(won, drawn, lost),
    )


def trinomial(won: int, drawn: int, lost: int) -> Estimate:
    """Estimates strength from independent matches; at least one."""
    return _estimate((lost, drawn, won), games=1)


def pentanomial(pairs: Sequence[int]) -> Estimate:
    """Estimates strength from the numbers of mirrored pairs with 0, 1/2, 1, 3/2, 2 points."""
    return _estimate(pairs, games=2)


def _estimate(counts: Sequence[int], games: int) -> Estimate:
    """Estimates from units of ``games`` matches, counted by mean score in equal steps of 0..1."""
    total, top = sum(counts), len(counts) - 1
    score = sum(count * step for step, count in enumerate(counts)) / (top * total)
    variance = sum(count * (step / top - score) ** 2 for step, count in enumerate(counts)) / total
    if not variance:
        return Estimate(score, _elo(score), None, None, None, None)
    error = sqrt(variance / total)
    low, high = _elo(score - _Z95 * error), _elo(score + _Z95 * error)
    scale = _NELO / sqrt(games * variance)
    return Estimate(
        score=score,
        elo=_elo(score),
        elo_error=None if low is None or high is None else (high - low) / 2,
        nelo=(score - 0.5) * scale,
        nelo_error=_Z95 * error * scale,
        los=(1 + erf((score - 0.5) / (error * sqrt(2)))) / 2,
    )


def _elo(score: float) -> float | None:
    """Returns the rating difference with this expected score; ``None`` if there is none."""
    return 400.0 * log10(score / (1.0 - score)) if 0.0 < score < 1.0 else None


def _score_of(match: Duels, side: int) -> float:
    if len(match.players) != 2:
        raise BadInput(f"a result block is of two seats; a match has {len(match.players)}")
    (score,) = match.scores
    return score if match.players[0] == side else 1.0 - score
