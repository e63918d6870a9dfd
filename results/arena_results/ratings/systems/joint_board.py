"""Rates the players of a board jointly: all results at once, in no order.

Boards of two seats go by Bradley-Terry with a seat effect (``joint``), those with larger tables by
Plackett-Luce on the whole finishing orders (``orders``). Errors are clustered by unit: legs of a
deal are one observation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from arena.core.rating import BOUND, MISFIT, Rated, Rating, Results, Unit
from arena_results.ratings.fits import joint
from arena_results.ratings.fits.fitting import ELO, PRIOR, Fit
from arena_results.ratings.fits.orders import fit_orders
from arena_results.ratings.fits.reference import about_reference
from arena_results.ratings.fits.remarks import component_numbers, incomplete_remarks, remarks
from arena_results.ratings.intervals.statistics import Z95
from arena_results.ratings.systems.elo import START


def rate_jointly(results: Results) -> Rated:
    """Rates by a joint fit, in points of Elo about ``START``."""
    players = len(results.names)
    anchors = {
        player: (value - START) / ELO
        for player, value in results.anchors.items()
        if value is not None
    }
    if any(len(match.players) > 2 for unit in results.counted for match in unit):
        rated = _rated(results, _fit_tables(results.counted, players, anchors))
        missing = incomplete_remarks(results.names, _incomplete(results.counted))
        return msgspec.structs.replace(rated, notes=[*rated.notes, *missing])
    sums = sum_counted(results.counted, players)
    fitted = joint.fit(sums, PRIOR, anchors, seat_effect=True)
    return _rated(results, fitted, joint.misfits(sums, fitted), 0 if sums.alone else sums.singles)


def sum_counted(counted: Mapping[Unit, int], players: int) -> joint.Sums:
    """Sums up units of matches of two."""
    known = np.zeros((4, len(counted)))
    one, other = np.empty((2, len(counted)), np.int64)
    for place, unit in enumerate(counted):
        lower, other[place] = sorted(unit[0].players)
        one[place] = lower
        for match in unit:
            first = match.players[0] == lower
            points = match.scores[0] if first else 1 - match.scores[0]
            known[joint.FIRST if first else joint.SECOND, place] += points
            known[joint.FIRSTS if first else joint.SECONDS, place] += 1
    counts = np.array([*counted.values()], np.float64)
    return joint.sum_units(players, one, other, known, counts)


def _fit_tables(counted: Mapping[Unit, int], players: int, anchors: Mapping[int, float]) -> Fit:
    units = [unit for unit, count in counted.items() for _ in range(count)]
    orders = [(match.players, match.ranks) for unit in units for match in unit]
    deals = [number for number, unit in enumerate(units) for _ in unit]
    shared = len(deals) > len(units)
    return fit_orders(players, orders, deals if shared else (), PRIOR, anchors)


def _incomplete(counted: Mapping[Unit, int]) -> Counter[tuple[frozenset[int], int]]:
    """The deals that were not played from every seat, where any is played from several."""
    found: Counter[tuple[frozenset[int], int]] = Counter()
    if any(len(unit) > 1 for unit in counted):
        for unit, count in counted.items():
            if len(unit) < len(unit[0].players):
                found[frozenset(unit[0].players), len(unit)] += count
    return found


def _rated(
    results: Results, fitted: Fit, misfits: Sequence[joint.Misfit] = (), alone: int = 0
) -> Rated:
    free = {player for player, value in results.anchors.items() if value is None}
    fitted = about_reference(fitted, results.anchors.keys() - free, free)
    wrong = {player for each in misfits for player in (each.one, each.other)}
    values, errors = START + ELO * fitted.ratings, ELO * fitted.errors
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
    notes = remarks(results.names, fitted, misfits, alone)
    if fitted.seat_effect is not None and fitted.seat_error is not None:
        effect, error = ELO * fitted.seat_effect, Z95 * ELO * fitted.seat_error
        notes.append(f"the first seat is worth {effect:+.1f} ± {error:.1f} points (95 %)")
    return Rated(ratings, (ELO**2 * fitted.covariance).tolist(), notes)
