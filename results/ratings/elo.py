"""Live ratings: Elo's, updated match by match in schedule order.

Source: A. E. Elo, The Rating of Chessplayers, Past and Present (1978): new rating = old +
K (score - expected score), here with the logistic curve of 400 points as the expectation.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log

from results.ratings.duels import Duel

START = 1500.0
"""Rating of a player without results."""

K = 16.0
"""Most points that one match can move: small, for one card match is mostly luck."""

SCALE = 400.0
"""Points that multiply the odds by ten."""


def expected(rating: float, opponent: float) -> float:
    """Expected score, 0..1, of a player against an opponent, from their ratings in points."""
    return 1.0 / (1.0 + exp((opponent - rating) * log(10.0) / SCALE))


def elo(duels: Iterable[Duel], players: int) -> list[float]:
    """Ratings, one a player, after the duels in the order given.

    Args:
        duels: Results in schedule order.
        players: Number of players; duels speak of them by index.
    """
    ratings = [START] * players
    for duel in duels:
        first, second = ratings[duel.first], ratings[duel.second]
        gain = K * (duel.score - expected(first, second))
        ratings[duel.first] = first + gain
        ratings[duel.second] = second - gain
    return ratings
