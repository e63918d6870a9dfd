"""Rates the players of a board jointly: all results at once, in no order.

Boards of two seats go by Bradley-Terry with a seat effect (``joint``), those with larger tables by
Plackett-Luce on the whole finishing orders (``orders``). Errors are clustered by unit: legs of a
deal are one observation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from arena.core.tournaments.rating import BOUND, MISFIT, Z95, Rated, Rating, Results, Unit
from arena_results.ratings.fits import joint
from arena_results.ratings.fits.fitting import ELO, PRIOR, Fit
from arena_results.ratings.fits.orders import fit_orders
from arena_results.ratings.fits.reference import about_reference
from arena_results.ratings.fits.remarks import component_numbers, remarks
from arena_results.ratings.systems.elo import START


class Scale(msgspec.Struct, frozen=True):
    """A scale of ratings.

    Attributes:
        unit: Its points a natural unit.
        reference: The rating of the reference.
        prior: Standard deviation of the prior, in natural units.
    """

    unit: float = float(ELO)
    reference: float = START
    prior: float = float(PRIOR)

    @classmethod
    def named(cls, name: str, reference: float, prior: float | None) -> Scale:
        """Returns the scale of a name, with a prior in its points."""
        unit = 1.0 if name == "log" else float(ELO)
        return cls(unit, reference, float(PRIOR) if prior is None else prior / unit)


BOARD = Scale()
"""That of leaderboards."""


def rate_jointly(results: Results, scale: Scale = BOARD, *, seat_effect: bool = True) -> Rated:
    """Rates by a joint fit.

    Args:
        seat_effect: Whether the first seat of two may have an advantage.
    """
    players = len(results.names)
    anchors = {
        player: (value - scale.reference) / scale.unit
        for player, value in results.anchors.items()
        if value is not None
    }
    if any(len(match.players) > 2 for unit in results.counted for match in unit):
        return _rated(results, _fit_tables(results.counted, players, scale.prior, anchors), scale)
    sums = sum_counted(results.counted, players)
    fitted = joint.fit(sums, scale.prior, anchors, seat_effect=seat_effect)
    alone = 0 if sums.alone else sums.singles
    return _rated(results, fitted, scale, joint.misfits(sums, fitted), alone)


def sum_counted(counted: Mapping[Unit, int], players: int) -> joint.Sums:
    """Sums up units of matches of two."""
    known: list[list[float]] = []
    one, other = [], []
    for unit in counted:
        lower = min(unit[0].players)
        one.append(lower)
        other.append(max(unit[0].players))
        known.append(own := [0.0] * joint.ONE)
        for match in unit:
            (points,) = match.scores
            if match.players[0] == lower:
                own[joint.FIRST] += points
                own[joint.FIRSTS] += 1
            else:
                own[joint.SECOND] += 1 - points
                own[joint.SECONDS] += 1
    counts = np.array([*counted.values()], np.float64)
    return joint.sum_units(players, np.array(one), np.array(other), np.array(known).T, counts)


def _fit_tables(
    counted: Mapping[Unit, int], players: int, prior: float, anchors: Mapping[int, float]
) -> Fit:
    units = [unit for unit, count in counted.items() for _ in range(count)]
    orders = [(match.players, match.ranks) for unit in units for match in unit]
    deals = [number for number, unit in enumerate(units) for _ in unit]
    shared = len(deals) > len(units)
    return fit_orders(players, orders, deals if shared else (), prior, anchors)


def _rated(
    results: Results,
    fitted: Fit,
    scale: Scale,
    misfits: Sequence[joint.Misfit] = (),
    alone: int = 0,
) -> Rated:
    free = {player for player, value in results.anchors.items() if value is None}
    fitted, unit = about_reference(fitted, results.anchors.keys() - free, free), scale.unit
    wrong = {player for each in misfits for player in (each.one, each.other)}
    values, errors = scale.reference + unit * fitted.ratings, unit * fitted.errors
    ratings = [
        Rating(
            value,
            value - Z95 * error,
            value + Z95 * error,
            error,
            component,
            (BOUND,) * cut_off + (MISFIT,) * (player in wrong),
        )
        for player, (value, error, component, cut_off) in enumerate(
            zip(
                values.tolist(),
                errors.tolist(),
                component_numbers(fitted.components),
                fitted.cut_off.tolist(),
                strict=True,
            )
        )
    ]
    effect = None
    if fitted.seat_effect is not None and fitted.seat_error is not None:
        effect = fitted.seat_effect * unit, fitted.seat_error * unit
    return Rated(
        ratings,
        None if results.ratings_only else (unit**2 * fitted.covariance).tolist(),
        remarks(results.names, fitted, misfits, alone),
        effect,
    )
