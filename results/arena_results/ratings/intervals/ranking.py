"""Computes ranges of ranks: the places that the errors of the ratings leave open."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, sqrt

import numpy as np
from numpy.typing import NDArray

from arena.core.tournaments.rating import Z95


def errors_between(covariance: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """Returns the standard error of the difference of every two ratings; 0 of anchors."""
    spread = np.array(covariance)
    own = np.diagonal(spread)
    return np.asarray(np.sqrt(np.maximum(own[:, np.newaxis] + own - 2 * spread, 0.0)))


def rank_ranges(
    values: Sequence[float],
    errors: NDArray[np.float64],
    groups: Sequence[int],
    unsure: Sequence[bool],
) -> list[tuple[int, int]]:
    """Returns the first and the last rank that each player may have in the own group.

    Of two players one is ahead if the 95 % interval of their difference has no 0 in it, whatever
    the others are.

    Args:
        errors: Of the difference of every two.
        groups: Number of each player's group.
        unsure: Whether a player's results are too few to be ahead of or behind anybody.
    """
    rated, group, known = np.array(values), np.array(groups), ~np.array(unsure)
    alike = group[:, np.newaxis] == group
    ahead = rated[:, np.newaxis] - rated > Z95 * errors
    ahead &= alike & known & known[:, np.newaxis]
    first, last = 1 + ahead.sum(axis=0), alike.sum(axis=1) - ahead.sum(axis=1)
    return [*zip(first.tolist(), last.tolist(), strict=True)]


def chance(difference: float, error: float) -> float:
    """Returns the chance that a rating so far above another one is truly higher."""
    return erfc(-difference / max(error, 1e-9) / sqrt(2)) / 2
