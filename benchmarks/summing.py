"""Sums up results that are arrays, as ratings of two take them."""

from __future__ import annotations

import numpy as np
from arena_results.ratings.fits.fitting import Floats, Whole, totals
from arena_results.ratings.fits.joint import Sums, sum_units


def sum_results(
    players: int, first: Whole, second: Whole, scores: Floats, deals: Whole | None = None
) -> Sums:
    """Sums up results.

    Args:
        first: The player in the first seat of each result.
        second: The player in the second seat, another one.
        scores: Points of the first seat, 0..1.
        deals: Numbers of the deals: results of two players with the same number are one unit;
            without them each result is.
    """
    lower = first < second
    pairing = np.minimum(first, second) * players + np.maximum(first, second)
    points = np.where(lower, scores, 1.0 - scores)
    keys = (np.arange(len(first)) if deals is None else deals) * players**2 + pairing
    units, unit = np.unique(keys, return_inverse=True)
    parts = (points * lower, points * ~lower, lower * 1.0, ~lower * 1.0)
    known = np.stack([totals(unit, part, len(units)) for part in parts])
    owner = units % players**2
    return sum_units(players, owner // players, owner % players, known)
