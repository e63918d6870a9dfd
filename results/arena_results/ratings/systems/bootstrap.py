"""Estimates rating intervals by a bootstrap over units of luck.

Source: B. Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7 (1979);
percentile intervals: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
The unit is drawn whole (a duplicate group, not its matches): matches of one deal are not
independent. Within a match all duels are played at once, as in ``elo``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.core.tournaments.rating import Unit, pairs
from arena_results.ratings.systems.elo import SCALE, START, K

TAILS = (2.5, 97.5)
"""Percentiles of the replays between which the interval lies."""

_NATURAL = log(10) / SCALE
_BLOCK = 1024


def elo_intervals(
    units: Sequence[Unit], first: Sequence[float], seed: int, replays: int, k: float = K
) -> list[tuple[float, float]]:
    """Returns the 2.5-97.5 % range of each player's Elo over bootstrap replays, low and high end.

    A replay draws as many units as there are (in schedule order, at least one), with replacement,
    and plays them in that order. Equal seeds, 0 .. 2**63-1, give equal intervals.

    Args:
        first: The ratings of all players before the first unit.
        k: The most that one match can move a player.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    # In natural units above START; the last row is nobody, who meets himself where a replay
    # has nothing left to play in a block.
    players = len(first)
    ratings = np.zeros((players + 1, replays))
    ratings[:players] = (np.array(first)[:, np.newaxis] - START) * _NATURAL
    for start, drawn in _draws(rng, len(units), replays):
        _play(ratings, units[start : start + _BLOCK], drawn, k * _NATURAL)
    low, high = np.percentile(ratings[:players], TAILS, axis=1) / _NATURAL + START
    return list(zip(low.tolist(), high.tolist(), strict=True))


def _draws(
    rng: np.random.Generator, units: int, replays: int
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yields the draws of all replays, block after block of units, to bound the memory.

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


class _Leg(msgspec.Struct, frozen=True):
    """One leg of every unit of a block, as arrays whose last axis is the position in the block.

    Tables may differ in size: an empty seat is nobody's, and its duels weigh nothing.

    Attributes:
        players: Whose row of the ratings each seat is, (seats, positions).
        scores: Points of the former of each two seats, (pairs, positions).
        weights: Most that each duel can move, in natural units, (pairs, positions).
        former: The former of each two seats, (pairs,).
        latter: The latter of each two seats, (pairs,).
        balance: Adds up each seat's duels: +1 for the former, -1 for the latter, (seats, pairs).
    """

    players: NDArray[np.int64]
    scores: NDArray[np.float64]
    weights: NDArray[np.float64]
    former: NDArray[np.int64]
    latter: NDArray[np.int64]
    balance: NDArray[np.float64]


def _leg(block: Sequence[Unit], leg: int, nobody: int, most: float) -> _Leg:
    """Returns a leg of a block, padded after its last unit."""
    matches = [unit[leg] if leg < len(unit) else None for unit in (*block, ())]
    size = max(len(match.players) for match in matches if match)
    duels = pairs(size)
    players = np.full((len(matches), size), nobody)
    scores, weights = np.zeros((2, len(matches), len(duels)))
    for position, match in enumerate(matches):
        if match:
            seats, count = len(match.players), len(match.scores)
            players[position, :seats] = match.players
            scores[position, :count] = match.scores
            weights[position, :count] = most * match.share
    former, latter = np.array(duels).T
    seat = np.arange(size)[:, None]
    balance = (seat == former).astype(float) - (seat == latter)
    return _Leg(players.T.copy(), scores.T.copy(), weights.T.copy(), former, latter, balance)


def _play(
    ratings: NDArray[np.float64], block: Sequence[Unit], drawn: NDArray[np.int64], most: float
) -> None:
    """Plays the drawn units of a block in all replays in lock-step, changing the ratings."""
    legs = [_leg(block, leg, len(ratings) - 1, most) for leg in range(max(map(len, block)))]
    replays = np.arange(ratings.shape[1])
    for positions in drawn:
        for leg in legs:
            seats = leg.players[:, positions], replays
            held = ratings[seats]
            hopes = 1.0 / (1.0 + np.exp(held[leg.latter] - held[leg.former]))
            gains = leg.weights[:, positions] * (leg.scores[:, positions] - hopes)
            ratings[seats] = held + leg.balance @ gains
