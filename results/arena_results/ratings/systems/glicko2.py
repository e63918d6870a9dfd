"""Computes Glicko-2 ratings, period by period.

Source: M. E. Glickman, Example of the Glicko-2 system (2013, revised 2022), whose steps and symbols
these are; the volatility is found by its Illinois algorithm. With a volatility of 0, which stays
0, it is his first system (The Glicko system, 1995) without growth of deviations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import exp, hypot, log, pi, sqrt

import msgspec

START, DEVIATION, VOLATILITY, TAU = 1500.0, 350.0, 0.06, 0.5
"""Of a player without results; and the constant that limits changes of the volatility."""
SCALE = 173.7178
"""Points of one natural unit, as the source rounds it."""
_EXACT = 1e-9


class Glicko(msgspec.Struct, frozen=True, gc=False):
    """A player's rating, its standard deviation in points, and its volatility."""

    rating: float = START
    deviation: float = DEVIATION
    volatility: float = VOLATILITY


def expected(rating: float, opponent: float, deviation: float) -> float:
    """Returns the expected score against an opponent whose rating has this deviation, 0..1."""
    return _score(_weight(deviation / SCALE), rating, opponent)


def _score(weight: float, rating: float, opponent: float) -> float:
    return 1 / (1 + exp(-weight * (rating - opponent) / SCALE))


def after_period(
    player: Glicko, results: Sequence[tuple[Glicko, float]], tau: float = TAU
) -> Glicko:
    """Returns a player's rating after a period.

    Args:
        results: The opponents, rated as before the period, with the player's scores, 0..1; without
            any its deviation grows.
        tau: The constant that limits changes of the volatility, about 0.3 to 1.2.
    """
    phi, sigma = player.deviation / SCALE, player.volatility
    if not results:
        return msgspec.structs.replace(player, deviation=hypot(phi, sigma) * SCALE)
    information = gain = 0.0
    for opponent, score in results:
        weight = _weight(opponent.deviation / SCALE)
        mean = _score(weight, player.rating, opponent.rating)
        information += weight * weight * mean * (1 - mean)
        gain += weight * (score - mean)
    variance = 1 / information
    if sigma:
        sigma = _volatility(variance * gain, phi, variance, sigma, tau)
    phi = 1 / sqrt(1 / (phi * phi + sigma * sigma) + information)
    return Glicko(player.rating + phi * phi * gain * SCALE, phi * SCALE, sigma)


def glicko2(
    ratings: list[Glicko], period: Iterable[tuple[int, int, float]], seen: set[int], tau: float
) -> None:
    """Rates the players again after a period, in place.

    Args:
        ratings: Of all players.
        period: For each result the first player, the second, and the score of the first.
        seen: Players with ratings that grow less sure without results; those of this period
            are added.
    """
    results: dict[int, list[tuple[Glicko, float]]] = {player: [] for player in seen}
    for one, other, score in period:
        results.setdefault(one, []).append((ratings[other], score))
        results.setdefault(other, []).append((ratings[one], 1 - score))
    rated = [(each, after_period(ratings[each], mine, tau)) for each, mine in results.items()]
    for player, rating in rated:
        ratings[player] = rating
    seen.update(results)


def _weight(phi: float) -> float:
    """Step 3: g, by which an unsure opponent counts less."""
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def _volatility(delta: float, phi: float, variance: float, sigma: float, tau: float) -> float:
    start = log(sigma * sigma)

    def curve(x: float) -> float:
        both = phi * phi + variance + exp(x)
        return exp(x) * (delta * delta - both) / (2 * both * both) - (x - start) / (tau * tau)

    if delta * delta > phi * phi + variance:
        low = log(delta * delta - phi * phi - variance)
    else:
        step = 1
        while curve(start - step * tau) < 0:
            step += 1
        low = start - step * tau
    return exp(_root(curve, start, low) / 2)


def _root(curve: Callable[[float], float], one: float, other: float) -> float:
    at_one, at_other = curve(one), curve(other)
    while abs(other - one) > _EXACT:
        new = one + (one - other) * at_one / (at_other - at_one)
        at_new = curve(new)
        if at_new * at_other <= 0:
            one, at_one = other, at_other
        else:
            at_one /= 2
        other, at_other = new, at_new
    return one
