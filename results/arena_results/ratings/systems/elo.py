"""Computes Elo ratings, updated match by match in schedule order.

Source: A. E. Elo, The Rating of Chessplayers, Past and Present (1978): new rating = old +
K (score - expected score), here with the logistic curve of 400 points as the expectation.

At a table of n a player's score is the mean of his scores in his n - 1 duels, and his expected
score the mean of theirs: both stay within 0..1, as for two. That is K / (n - 1) a duel. At the
whole K a duel a table of six would weigh like five matches, though the luck was that of one. All
expectations come from the ratings before the match, so that no order of seats or duels matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log

from arena.core.tournaments.rating import Duels, pairs

START = 1500.0
"""Rating of a player without results."""

K = 16.0
"""Most points that one match can move a player: small, for one card match is mostly luck."""

SCALE = 400.0
"""Points that multiply the odds by ten."""


_TEN = log(10.0)


def expected(rating: float, opponent: float) -> float:
    """Returns the expected score, 0..1, of a player against an opponent, from their ratings."""
    return 1.0 / (1.0 + exp((opponent - rating) * _TEN / SCALE))


def gains(match: Duels, before: Sequence[float], k: float = K) -> list[float]:
    """Returns the points that each seat of a match gains; their sum is 0.

    Args:
        before: The rating of each seat's player before the match.
        k: The most that one match can move a player.
    """
    if len(before) == 2:  # as below, without its loop
        gain = k * (match.scores[0] - expected(before[0], before[1]))
        return [gain, -gain]
    gained, k = [0.0] * len(before), k * match.share
    for (one, other), score in zip(pairs(len(before)), match.scores, strict=True):
        gain = k * (score - expected(before[one], before[other]))
        gained[one] += gain
        gained[other] -= gain
    return gained


def play(ratings: list[float], matches: Iterable[Duels], k: float = K, *, at_once: bool) -> None:
    """Changes ratings, in place, by matches in their order.

    Args:
        at_once: Whether all of them count from the ratings before the first.
    """
    before = [*ratings] if at_once else ratings
    for match in matches:
        seated = match.players
        gained = gains(match, [before[player] for player in seated], k)
        for player, gain in zip(seated, gained, strict=True):
            ratings[player] += gain
