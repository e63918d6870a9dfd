"""Estimates strengths jointly from the finished rounds of a tournament at tables of two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from arena.core.tournaments.format import RoundResult, Strengths
from arena_results.ratings.fits.fitting import ELO
from arena_results.ratings.fits.joint import fit, sum_units

PRIOR = 400 / ELO
"""Standard deviation of the prior. It keeps whoever won everything so near that some 150 such
matches show it to be the stronger; of others, differences come out a little too small."""


def strengths(entrants: int, played: Sequence[RoundResult]) -> Strengths:
    """Returns the strengths by a joint fit; the matches of one pairing of a round are a unit.

    Forfeited and annulled matches do not count. Groups of entrants that have not met are as far
    apart as the prior says.
    """
    known = np.array([*_units(played)], np.float64).reshape(-1, 4)
    one, other = known[:, 0].astype(np.int64), known[:, 1].astype(np.int64)
    points, matches = known[:, 2], known[:, 3]
    nothing = np.zeros(len(known))
    sums = sum_units(entrants, one, other, np.stack([points, nothing, matches, nothing]))
    fitted = fit(sums, PRIOR, groups_by="members")  # as the schedules of all versions
    together = fitted.components[:, None] == fitted.components[None, :]
    covariance = fitted.covariance + PRIOR**2 * together
    return Strengths(tuple(fitted.ratings.tolist()), tuple(map(tuple, covariance.tolist())))


def _units(played: Sequence[RoundResult]) -> Iterator[tuple[float, ...]]:
    """Yields the lower and the higher entrant of each pairing, the lower's points, and matches."""
    for past in played:
        for result in past.results:
            points = dict(zip(result.pairing.seats, result.points, strict=True))
            for index in points.keys() - set(result.forfeited):
                points[index] -= result.awarded
            matches = sum(points.values())
            if matches:
                yield min(points), max(points), points[min(points)], matches
