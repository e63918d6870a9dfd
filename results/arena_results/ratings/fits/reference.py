"""Moves the zero of ratings to the players who are held by results.

Only differences of ratings are known, so a rating and its error need something that they are
measured against. The plain mean of all players will not do: one newcomer with two losses, whom the
prior alone holds, would make every rating as unsure as its own. So players count in the mean as far
as results hold them.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec
import numpy as np

from arena_results.ratings.fits.fitting import Fit, Floats, Truths

FULL = 0.1
"""A player with this share of the usual information counts in full, with less in proportion."""


def about_reference(fitted: Fit, anchors: Collection[int], among: Collection[int] = ()) -> Fit:
    """Returns a fit whose ratings and errors are those against the reference.

    The reference of a component with anchors is these, as fitted. Of others it is the mean of the
    players who are not cut off; if all are, of everybody. One with little information has a small
    weight in it, so that nobody's error grows by more than a little when a player enters.

    Args:
        among: Players of whom the mean is taken in components that have one who is not cut off.
    """
    held = {int(fitted.components[player]) for player in anchors}
    number = int(fitted.components.max()) + 1
    members, weights = np.zeros((2, len(fitted.ratings), number))
    for component in set(range(number)) - held:
        inside = fitted.components == component
        members[inside, component] = 1
        chosen = inside & np.isin(np.arange(len(inside)), list(among))
        if (chosen & ~fitted.cut_off).any():
            inside = chosen
        weights[:, component] = _weights(fitted, inside)
    moved = weights.T @ fitted.covariance
    spread = fitted.covariance - members @ moved - (members @ moved).T
    spread += members @ (moved @ weights) @ members.T
    ratings = fitted.ratings - members @ (weights.T @ fitted.ratings)
    return msgspec.structs.replace(fitted, ratings=ratings, covariance=spread)


def _weights(fitted: Fit, inside: Truths) -> Floats:
    """The weights of all players in the mean of a component; their sum is 1."""
    counted = inside & ~fitted.cut_off
    if not counted.any():
        counted = inside
    information = np.where(counted, fitted.information, 0.0)
    full = FULL * _usual(information)
    weights = np.minimum(information / full, 1.0) if full else counted * 1.0
    return np.asarray(weights / weights.sum(), np.float64)


def _usual(information: Floats) -> float:
    """The information that those have, or exceed, who have half of all."""
    falling = np.sort(information)[::-1]
    return float(falling[np.searchsorted(falling.cumsum(), falling.sum() / 2)])
