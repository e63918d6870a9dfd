"""Fits ratings of players of two-seat matches jointly: Bradley-Terry with draws and a seat effect.

The expected score of the first seat is the logistic function of the difference of the ratings plus
the seat effect (R. A. Bradley and M. E. Terry, Biometrika 39, 1952; A. Agresti, Categorical Data
Analysis, 2002, 10.6). A draw is half a win: only the mean score is modelled, so that no share of
draws has to be assumed equal for all pairings, as models with a probability of draws do, and the
ratings fit the scores that Elo expects. The errors take the draws as they came.

Everything comes from sums a pairing over units, each the results of one deal between two players:
the slopes of results of one deal are added up before they are squared. Results that share no deal
have the variance of the model, less what draws leave out: without draws that is the usual
maximum-likelihood error.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import Literal

import msgspec
import numpy as np

from arena_results.ratings.fits.fitting import (
    PRIOR,
    Fit,
    Floats,
    Frame,
    Links,
    Truths,
    Whole,
    covariance,
    inverse,
    maximise,
    totals,
)

FIRST, SECOND, FIRSTS, SECONDS, ONE = range(5)
"""The values of a unit: points of its lower player in the first seat and in the second, number of
results with that player there, and 1."""
DOUBT = 0.05
"""Chance that a pairing of any is named though the model is right."""
_DECISIVE = 0.5
"""Leverage above which a unit says more about the ratings than about its own spread."""


class Sums(msgspec.Struct, frozen=True, eq=False):
    """Results summed up a pairing of players.

    Attributes:
        players: Number of players.
        one: The lower player of each pairing.
        other: The higher one.
        products: For every two things known of a unit the sum of their product over the units of
            each pairing; shape (5, 5, pairings).
        singles: Number of units of one result.
    """

    players: int
    one: Whole
    other: Whole
    products: Floats
    singles: int

    @property
    def alone(self) -> bool:
        """True if no two results share a deal."""
        return bool(self.singles == self.products[ONE, ONE].sum())


def _numbered(values: Whole) -> tuple[Whole, Whole]:
    """Returns the different values, ascending, and for each value its place among them.

    As ``numpy.unique`` does, but without sorting where the values are not much more than counted.
    """
    bound = int(values.max()) + 1 if len(values) else 0
    if bound > 16 * len(values):
        found, places = np.unique(values, return_inverse=True)
        return found, places
    there = np.zeros(bound, np.bool_)
    there[values] = True
    found = np.flatnonzero(there)
    numbers = np.empty(bound, np.int64)
    numbers[found] = np.arange(len(found))
    return found, numbers[values]


def sum_units(
    players: int, one: Whole, other: Whole, known: Floats, counts: Floats | None = None
) -> Sums:
    """Sums up units.

    Args:
        one: The lower player of each unit.
        other: The higher one.
        known: The first four things known of each; shape (4, units).
        counts: How often each unit came; once by default.
    """
    pairings, place = _numbered(one * players + other)
    counts = np.ones(len(one)) if counts is None else counts
    known = np.concatenate([known, np.ones((1, len(one)))])
    products = np.empty((5, 5, len(pairings)))
    for row in range(5):
        for column in range(row + 1):
            sums = totals(place, known[row] * known[column] * counts, len(pairings))
            products[row, column] = products[column, row] = sums
    singles = int(counts[known[FIRSTS] + known[SECONDS] == 1].sum())
    return Sums(players, pairings // players, pairings % players, products, singles)


class Misfit(msgspec.Struct, frozen=True):
    """A pairing whose results the ratings do not explain: its scores, those of the lower player."""

    one: int
    other: int
    score: float
    expected: float


def fit(
    sums: Sums,
    prior: float = PRIOR,
    anchors: Mapping[int, float] | None = None,
    seat_effect: bool = False,
    groups_by: Literal["results", "members"] = "results",
) -> Fit:
    """Fits ratings, in natural units.

    Args:
        prior: Standard deviation of the prior; 0 for none.
        anchors: Players whose ratings are given.
        seat_effect: Whether the first seat may have an advantage.
        groups_by: Whether of groups of players who lost everything to each other the one with most
            results is held by them, or the one with most members.

    Raises:
        BadInput: Without a prior no finite ratings fit best.
    """
    links = Links(_beaten(sums), _met(sums) if groups_by == "results" else None)
    frame = Frame(links, prior, anchors or {}, int(seat_effect))
    found = maximise(frame, lambda values: _slopes(sums, values, seat_effect))
    information = _slopes(sums, found, seat_effect)[1]
    inverted = inverse(frame, information)
    variance = _variance(sums, found, seat_effect, inverted, links.cut_off)
    spread = covariance(frame, inverted, variance)
    players = sums.players
    return Fit(
        ratings=found[:players],
        covariance=spread[:players, :players],
        seat_effect=float(found[players]) if seat_effect else None,
        seat_error=float(np.sqrt(spread[players, players])) if seat_effect else None,
        components=links.components,
        cut_off=links.cut_off,
        information=np.diagonal(information)[:players],
    )


def misfits(sums: Sums, fitted: Fit) -> list[Misfit]:
    """Returns the pairings that the ratings do not explain, the worst first.

    The chance of a mean score as far off is at most exp(-n KL) (W. Hoeffding, 1963), here compared
    with ``DOUBT`` shared among all pairings; fits that follow the scores make it smaller still.
    """
    number = sums.products[FIRSTS, ONE] + sums.products[SECONDS, ONE]
    score = (sums.products[FIRST, ONE] + sums.products[SECOND, ONE]) / number
    first, second = _expected(sums, np.append(fitted.ratings, fitted.seat_effect or 0.0))
    mean = (sums.products[FIRSTS, ONE] * first + sums.products[SECONDS, ONE] * second) / number
    far = number * (_divergence(score, mean) + _divergence(1 - score, 1 - mean))
    bound = log(2 * len(number) / DOUBT)
    over = np.flatnonzero(far > bound)
    worst = over[np.argsort(-far[over], kind="stable")]
    return [
        Misfit(
            int(sums.one[place]), int(sums.other[place]), float(score[place]), float(mean[place])
        )
        for place in worst
    ]


def _divergence(share: Floats, expected: Floats) -> Floats:
    return share * np.log(np.maximum(share, 1e-300) / np.maximum(expected, 1e-300))


def _beaten(sums: Sums) -> Truths:
    points = sums.products[FIRST, ONE] + sums.products[SECOND, ONE]
    number = sums.products[FIRSTS, ONE] + sums.products[SECONDS, ONE]
    beaten = np.zeros((sums.players, sums.players), np.bool_)
    beaten[sums.one, sums.other] = points > 0
    beaten[sums.other, sums.one] = points < number
    return beaten


def _met(sums: Sums) -> Floats:
    met = np.zeros((sums.players, sums.players))
    met[sums.one, sums.other] = sums.products[FIRSTS, ONE] + sums.products[SECONDS, ONE]
    return met


def _expected(sums: Sums, values: Floats) -> tuple[Floats, Floats]:
    """The expected score of each pairing's lower player in the first seat, and in the second."""
    effect = values[sums.players] if len(values) > sums.players else 0.0
    ahead = values[sums.one] - values[sums.other]
    # Beyond 500 the score is 0 or 1 anyway, and the exponential of 710 is too large.
    first, second = (np.clip(each, -500, 500) for each in (ahead + effect, ahead - effect))
    return 1 / (1 + np.exp(-first)), 1 / (1 + np.exp(-second))


def _slopes(sums: Sums, values: Floats, seat_effect: bool) -> tuple[Floats, Floats]:
    expected = _expected(sums, values)
    products = sums.products
    first = products[FIRST, ONE] - products[FIRSTS, ONE] * expected[0]
    second = products[SECOND, ONE] - products[SECONDS, ONE] * expected[1]
    slope = totals(sums.one, first + second, sums.players)
    slope -= totals(sums.other, first + second, sums.players)
    if seat_effect:
        slope = np.append(slope, (first - second).sum())
    weights = _binomial(sums, expected)
    return slope, _matrix(sums, weights[0], np.zeros_like(weights[0]), weights[1], seat_effect)


def _binomial(sums: Sums, expected: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """The variances of each pairing's points in either seat, if all results are independent."""
    first, second = expected
    return (
        sums.products[FIRSTS, ONE] * first * (1 - first),
        sums.products[SECONDS, ONE] * second * (1 - second),
    )


def _variance(
    sums: Sums, values: Floats, seat_effect: bool, inverted: Floats, cut_off: Truths
) -> Floats:
    """The variance of the slope, as the results show it.

    Units differ less from the fit than from the truth, as far as they determine it: their squares
    are divided by 1 less their leverage (D. A. Hinkley, Technometrics 19, 1977).
    """
    first, second = _expected(sums, values)
    model, products = _binomial(sums, (first, second)), sums.products
    if sums.alone:
        spread = np.zeros((2, 2, len(first)))
        for seat, points in enumerate((FIRST, SECOND)):
            spread[seat, seat] = model[seat] - (products[points, ONE] - products[points, points])
        return _with_least_spread(sums, spread, model, seat_effect)
    # A unit's slope is its points less those expected; these are the means of its products.
    shape = np.zeros((2, 5, len(first)))
    shape[0, FIRST], shape[0, FIRSTS] = 1, -first
    shape[1, SECOND], shape[1, SECONDS] = 1, -second
    spread = np.einsum("aip,ijp,bjp->abp", shape, products, shape, optimize=True)
    own, one, other = np.diagonal(inverted), sums.one, sums.other
    apart = own[one] + own[other] - 2 * inverted[one, other]
    leverage = (model[0] + model[1]) * apart / products[ONE, ONE]
    spread /= 1 - np.minimum(leverage, _DECISIVE)
    # Equal results of somebody who won everything, or of one deal alone, show no spread.
    unknown = cut_off[one] | cut_off[other] | (leverage > _DECISIVE)
    for seat in (0, 1):
        more = np.maximum(spread[seat, seat], model[seat])
        spread[seat, seat] = np.where(unknown, more, spread[seat, seat])
    return _with_least_spread(sums, spread, model, seat_effect)


def _with_least_spread(
    sums: Sums, spread: Floats, model: tuple[Floats, Floats], seat_effect: bool
) -> Floats:
    """The variance of the slope with at least the spread of two units more that differ.

    Where all units of a player ended alike, all drawn say, their spread says too little: what
    is missing is added as a share of the model's.
    """
    units, both = sums.products[ONE, ONE], model[0] + model[1]
    shown = spread[0, 0] + 2 * spread[0, 1] + spread[1, 1]

    def of_players(values: Floats) -> Floats:
        return totals(sums.one, values, sums.players) + totals(sums.other, values, sums.players)

    expected = np.maximum(of_players(both), 1e-300)
    missing = np.maximum(2 / (of_players(units) + 2) - of_players(shown) / expected, 0.0)
    share = np.maximum(missing[sums.one], missing[sums.other])
    first, second = (spread[seat, seat] + share * model[seat] for seat in (0, 1))
    return _matrix(sums, first, spread[0, 1], second, seat_effect)


def _matrix(
    sums: Sums, first: Floats, between: Floats, second: Floats, seat_effect: bool
) -> Floats:
    """The matrix of all parameters from a two by two matrix, by seat, of each pairing."""
    players, both = sums.players, first + 2 * between + second
    matrix = np.zeros((players + seat_effect, players + seat_effect))
    matrix[sums.one, sums.other] = matrix[sums.other, sums.one] = -both
    everybody = np.arange(players)
    diagonal = totals(sums.one, both, players) + totals(sums.other, both, players)
    matrix[everybody, everybody] = diagonal
    if seat_effect:
        apart = totals(sums.one, first - second, players)
        apart -= totals(sums.other, first - second, players)
        matrix[:players, players] = matrix[players, :players] = apart
        matrix[players, players] = (first - 2 * between + second).sum()
    return matrix
