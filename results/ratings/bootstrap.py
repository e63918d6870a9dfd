"""How far chance alone could have moved the ratings: a bootstrap over units of luck.

Source: B. Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7 (1979);
percentile intervals: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
The unit is drawn whole (a mirrored pair, not its matches): the two legs are not independent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from results.ratings.duels import Duel, Unit
from results.ratings.elo import SCALE, START, K

REPLAYS = 500
"""Number of bootstrap replays."""

TAILS = (2.5, 97.5)
"""Percentiles of the replays between which the interval lies."""

_NATURAL = log(10) / SCALE
_BLOCK = 1024


def elo_intervals(
    units: Sequence[Unit], players: int, seed: int, replays: int = REPLAYS
) -> list[tuple[float, float]]:
    """The 2.5-97.5 % range of each player's Elo over bootstrap replays.

    A replay draws as many units as there are, with replacement, and plays them in schedule order.

    Args:
        units: All units in schedule order; at least one.
        players: Number of players.
        seed: Where the draws come from, 0 .. 2**63-1; equal arguments give equal intervals.
        replays: Number of replays.

    Returns:
        Low and high end in points, one pair a player.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    # In natural units above START; the last row is nobody, who meets himself where a replay
    # has nothing left to play in a block.
    ratings = np.zeros((players + 1, replays))
    for start, drawn in _draws(rng, len(units), replays):
        _play(ratings, units[start : start + _BLOCK], drawn)
    low, high = np.percentile(ratings[:players], TAILS, axis=1) / _NATURAL + START
    return list(zip(low.tolist(), high.tolist(), strict=True))


def _draws(
    rng: np.random.Generator, units: int, replays: int
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """What every replay drew, one block of units after the other, to bound the memory.

    Yields:
        The block's first unit, and an array (steps, replays) of positions within the block,
        ascending down each column; the block's size stands for nothing.
    """
    starts = np.arange(0, units, _BLOCK)
    sizes = np.minimum(units - starts, _BLOCK)
    counts = rng.multinomial(units, sizes / units, size=replays)
    for start, size, count in zip(starts.tolist(), sizes.tolist(), counts.T, strict=True):
        steps = np.arange(count.max())
        drawn = rng.integers(size, size=(replays, len(steps)))
        drawn[steps >= count[:, None]] = size
        drawn.sort(axis=1)
        yield start, drawn.T


def _play(ratings: NDArray[np.float64], block: Sequence[Unit], drawn: NDArray[np.int64]) -> None:
    """Plays the drawn units of a block in all replays in lock-step, changing the ratings."""
    nobody, replays = len(ratings) - 1, ratings.shape[1]
    rest = Duel(nobody, nobody, 0.5)
    flat, columns, k = ratings.reshape(-1), np.arange(replays), K * _NATURAL
    legs = []
    for leg in range(max(map(len, block))):
        duels = [unit[leg] if leg < len(unit) else rest for unit in (*block, ())]
        first = np.array([duel.first for duel in duels]) * replays
        second = np.array([duel.second for duel in duels]) * replays
        score = np.array([duel.score for duel in duels])
        legs.append((first[drawn] + columns, second[drawn] + columns, score[drawn]))
    for step in range(len(drawn)):
        for firsts, seconds, scores in legs:
            first, second = firsts[step], seconds[step]
            held, against = flat[first], flat[second]
            gain = k * (scores[step] - 1.0 / (1.0 + np.exp(against - held)))
            flat[first] = held + gain
            flat[second] = against - gain
