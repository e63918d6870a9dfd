"""The models that fit all results of a file at once: Bradley-Terry and Plackett-Luce."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from arena_results.ratings.fits.remarks import (
    FEW_DEALS,
    FEW_MATCHES,
    component_numbers,
    listed,
    remarks,
)

from arena.core.errors import BadInput, UnknownName
from arena.service.rating.ratings import Options, Rated, Ratings, two_seats
from arena.service.rating.result_files import Orders, TwoSeats

if TYPE_CHECKING:
    from arena_results.ratings.fits.fitting import Fit


def bradley_terry(results: TwoSeats | Orders, options: Options) -> Ratings:
    """Rates by a joint fit of results of two."""
    # Here and below: numpy takes long to load for commands that rate nothing.
    import numpy as np
    from arena_results.ratings.fits import joint
    from arena_results.ratings.fits.fitting import totals

    found = two_seats(results, "bt")
    sums = joint.sum_results(
        len(found.names),
        np.asarray(found.first),
        np.asarray(found.second),
        np.asarray(found.scores),
        np.asarray(found.deals) if found.deals else None,
    )
    fitted = joint.fit(sums, *_held(found.names, options), seat_effect=bool(options.seat_effect))
    units, played = (
        totals(sums.one, each, sums.players) + totals(sums.other, each, sums.players)
        for each in (
            sums.products[joint.ONE, joint.ONE],
            sums.products[joint.FIRSTS, joint.ONE] + sums.products[joint.SECONDS, joint.ONE],
        )
    )
    few = (played < FEW_MATCHES) | (units < FEW_DEALS)
    alone = 0 if sums.alone else sums.singles
    notes = remarks(found.names, fitted, joint.misfits(sums, fitted), alone)
    return _of_fit(found.names, fitted, options, played.tolist(), few.tolist(), notes)


def plackett_luce(results: TwoSeats | Orders, options: Options) -> Ratings:
    """Rates by a joint fit of finishing orders."""
    if isinstance(results, TwoSeats):  # of two players the models are one
        return bradley_terry(results, options)
    if options.seat_effect:
        raise BadInput("seat-effect: finishing orders say nothing of seats")
    from arena_results.ratings.fits.orders import fit_orders

    fitted = fit_orders(
        len(results.names), results.games, results.deals, *_held(results.names, options)
    )
    deals = results.deals or range(len(results.games))
    units = {
        (player, deal)
        for (seated, _), deal in zip(results.games, deals, strict=True)
        for player in seated
    }
    played, grouped = [0] * len(results.names), [0] * len(results.names)
    for seated, _ in results.games:
        for player in seated:
            played[player] += 1
    for player, _ in units:
        grouped[player] += 1
    few = [
        number < FEW_MATCHES or deals < FEW_DEALS
        for number, deals in zip(played, grouped, strict=True)
    ]
    return msgspec.structs.replace(
        _of_fit(results.names, fitted, options, played, few, remarks(results.names, fitted)),
        results=len(results.games),
    )


def _unit(options: Options) -> float:
    """Points of the scale a natural unit."""
    from arena_results.ratings.fits.fitting import ELO

    return float(ELO) if (options.scale or "elo") == "elo" else 1.0


def _held(names: tuple[str, ...], options: Options) -> tuple[float, dict[int, float]]:
    """Prior and anchors of a fit, in natural units."""
    from arena_results.ratings.fits.fitting import PRIOR

    unit, places = _unit(options), {name: place for place, name in enumerate(names)}
    anchors = {}
    for name, value in (options.anchor or {}).items():
        if name not in places:
            raise UnknownName("player", name, names)
        anchors[places[name]] = value / unit
    return float(PRIOR) if options.prior is None else options.prior / unit, anchors


def _of_fit(
    names: tuple[str, ...],
    fitted: Fit,
    options: Options,
    played: list[int],
    few: list[bool],
    notes: list[str],
) -> Ratings:
    """Ratings from a joint fit, in points of the scale, the largest component first."""
    from arena_results.ratings.fits.reference import about_reference

    anchors = [place for place, name in enumerate(names) if name in (options.anchor or {})]
    fitted = about_reference(fitted, anchors)
    unit, errors = _unit(options), fitted.errors
    rows = [
        Rated(
            player=name,
            rating=float(fitted.ratings[place]) * unit,
            error=float(errors[place]) * unit,
            results=int(played[place]),
            few=few[place],
            component=component,
        )
        for place, (name, component) in enumerate(
            zip(names, component_numbers(fitted.components), strict=True)
        )
    ]
    if unsure := [row.player for row in rows if row.few]:
        least = f"fewer than {FEW_MATCHES} results, or {FEW_DEALS} deals"
        notes.append(f"too few results to rank by ({least}): {listed(unsure)}")
    error = fitted.seat_error
    return Ratings(
        model="",
        scale=options.scale or "elo",
        players=rows,
        results=int(sum(played)) // 2,
        seat_effect=None if fitted.seat_effect is None else fitted.seat_effect * unit,
        seat_error=None if error is None else error * unit,
        notes=notes,
    )
