"""Rates the players of a board by their mean amounts a match, where matches are scored by amount.

The covariance is that of ratios of sums over units (``amounts``): what one player wins of a deal
another one loses, so that their means are not independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from arena.core.tournaments.rating import Rated, Rating, Results, Worths
from arena_results.ratings.fits.fitting import Floats, Links
from arena_results.ratings.fits.remarks import component_numbers, group_remarks
from arena_results.ratings.intervals.quantiles import students_t


def rate_amounts(results: Results) -> Rated:
    """Rates by the mean amount per match, with a 95 % interval over units."""
    players = len(results.names)
    met = np.zeros((players, players), np.bool_)
    for unit in results.worths:
        seated = list(unit[0][0])
        met[np.ix_(seated, seated)] = True
    groups = component_numbers(Links(met).components)
    means, covariance, units = _means(results.worths, players)
    ratings = []
    for player, (mean, group) in enumerate(zip(means.tolist(), groups, strict=True)):
        error = sqrt(covariance[player, player])
        half = students_t(max(int(units[player]) - 1, 1)) * error
        ratings.append(Rating(mean, mean - half, mean + half, error, group))
    return Rated(ratings, covariance.tolist(), group_remarks(results.names, groups))


def _means(units: Sequence[Worths], players: int) -> tuple[Floats, Floats, Floats]:
    sums, matches, played = np.zeros((3, players))
    for unit in units:
        played[list(unit[0][0])] += 1
        for seated, amounts in unit:
            sums[list(seated)] += amounts
            matches[list(seated)] += 1
    means = sums / matches
    spread = np.zeros((players, players))
    for unit in units:
        members = sorted(unit[0][0])
        off = np.zeros(players)
        for seated, amounts in unit:
            off[list(seated)] += np.array(amounts) - means[list(seated)]
        spread[np.ix_(members, members)] += np.outer(off[members], off[members])
    scale = np.sqrt(played / np.maximum(played - 1, 1)) / matches
    return means, spread * np.outer(scale, scale), played
