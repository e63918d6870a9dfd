"""Fits ratings jointly to finishing orders of matches of two and more: Plackett-Luce.

At every place the chance of a player to take it, of those that are left, is proportional to the
player's strength (R. L. Plackett, Applied Statistics 24, 1975; R. D. Luce, 1959). Of players who
share a place all orders count alike, with the mean of their log-likelihoods; for two that is half a
win. Errors come from the spread of the slopes between deals, wider by Student's factor where a
player has few of them (so do R. M. Bell and D. F. McCaffrey, Survey Methodology 28, 2002); where no
matches share a deal they are those of the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, groupby
from math import comb

import msgspec
import numpy as np

from arena.core.errors import BadInput
from arena.core.tournaments.rating import Z95
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
from arena_results.ratings.intervals.quantiles import students_t

Order = tuple[tuple[int, ...], tuple[float, ...]]
"""The players of a match, and their ranks: the least is first, equal ones share a place."""
MAX_TIED = 8
"""Players who can share a place: n of them have 2**n - 1 terms."""
DECISIVE = 0.5
"""The greatest leverage that a group of matches is taken to have."""
_BLOCK = 1024


class Choices(msgspec.Struct, frozen=True, eq=False):
    """Terms of the log-likelihood: who took part in each choice of the next one in order.

    Attributes:
        members: The players of each choice; shape (choices, most); filled with ``players``.
        weights: How much each counts; 1 but for shared places.
        matches: The match of each.
    """

    players: int
    members: Whole
    weights: Floats
    matches: Whole


def fit_orders(
    players: int,
    orders: Sequence[Order],
    deals: Sequence[int] = (),
    prior: float = PRIOR,
    anchors: Mapping[int, float] | None = None,
) -> Fit:
    """Fits ratings, in natural units.

    Args:
        deals: Number of each match's deal, 0 and up; without them each match has its own.
        prior: Standard deviation of the prior; 0 for none.
        anchors: Players whose ratings are given.

    Raises:
        BadInput: Without a prior no finite ratings fit best, or too many share a place.
    """
    links = Links(*_met(players, orders))
    choices = choices_of(players, orders)
    frame = Frame(links, prior, anchors or {})
    taken = np.zeros(players)
    for seated, _ in orders:
        taken[list(seated)] += 1

    def slopes(values: Floats) -> tuple[Floats, Floats]:
        chances = _chances(choices, values)
        expected = totals(choices.members.ravel(), chances.ravel(), players + 1)[:players]
        return taken - expected, _information(choices, chances)

    found = maximise(frame, slopes)
    information = slopes(found)[1]
    inverted = inverse(frame, information)
    model = spread = covariance(frame, inverted, information)
    if len(deals):
        groups = np.unique(deals, return_inverse=True)[1]
        chances = _chances(choices, found)
        shrunk = 1 - _leverage(choices, orders, chances, groups, inverted)
        variance = _variance(choices, orders, chances, groups, 1 / np.sqrt(shrunk))
        units = _units(players, orders, groups)
        variance += _missing_spread(choices, orders, chances, units, variance, information)
        factor = np.array([students_t(max(int(each) - 1, 1)) for each in units]) / Z95
        spread = covariance(frame, inverted, variance) * np.outer(factor, factor)
        # Equal results of somebody who won everything show no spread.
        least = np.where(links.cut_off, np.diagonal(model), 0.0)
        wider = np.sqrt(np.maximum(least / np.maximum(np.diagonal(spread), 1e-300), 1.0))
        spread = spread * np.outer(wider, wider)
    own = np.diagonal(information)
    return Fit(found, spread, None, None, links.components, links.cut_off, own)


def choices_of(players: int, orders: Sequence[Order]) -> Choices:
    """Returns the choices that the orders of matches are made of."""
    found = [
        (members, weight, match)
        for match, order in enumerate(orders)
        for members, weight in _choices(*order)
    ]
    most = max(len(seated) for seated, _ in orders)
    members = np.full((len(found), most), players)
    for row, (who, _, _) in enumerate(found):
        members[row, : len(who)] = who
    weights = np.array([weight for _, weight, _ in found])
    return Choices(players, members, weights, np.array([match for _, _, match in found]))


def _choices(seated: Sequence[int], ranks: Sequence[float]) -> Iterator[tuple[list[int], float]]:
    """The choices of one match with their weights.

    Of players who share a place, and are chosen in any order, every subset is what is left equally
    often.
    """
    behind: list[int] = []
    order = sorted(zip(ranks, seated, strict=True), reverse=True)
    for _, level in groupby(order, key=lambda each: each[0]):
        group = [player for _, player in level]
        if len(group) > MAX_TIED:
            raise BadInput(f"{len(group)} players share a place; at most {MAX_TIED} can")
        for size in range(1, len(group) + 1):
            for left in combinations(group, size):
                yield [*left, *behind], 1 / comb(len(group), size)
        behind += group


def _chances(choices: Choices, values: Floats) -> Floats:
    """The chance of each member to be chosen, times the choice's weight."""
    strength = np.append(np.exp(values - values.max()), 0.0)[choices.members]
    share: Floats = choices.weights / strength.sum(axis=1)
    chances: Floats = strength * share[:, np.newaxis]
    return chances


def _information(choices: Choices, chances: Floats, share: Floats | float = 1.0) -> Floats:
    """The information of all choices together, or of a share of each."""
    size, members = choices.players + 1, choices.members
    counted = (chances.T * share).T
    found = np.diag(totals(members.ravel(), counted.ravel(), size)).ravel()
    for one in range(members.shape[1]):
        for other in range(members.shape[1]):
            product = counted[:, one] * chances[:, other] / choices.weights
            found -= totals(members[:, one] * size + members[:, other], product, size * size)
    return found.reshape(size, size)[:-1, :-1]


def _leverage(
    choices: Choices, orders: Sequence[Order], chances: Floats, groups: Whole, inverted: Floats
) -> Floats:
    """The share of each group of matches in what determines the ratings of its players.

    It is the trace of the group's information times the inverse of all, a degree of freedom.
    """
    wide = np.pad(inverted, (0, 1))
    members, number = choices.members, int(groups.max()) + 1
    own = (chances * np.diagonal(wide)[members]).sum(axis=1)
    for one in range(members.shape[1]):
        for other in range(members.shape[1]):
            product = chances[:, one] * chances[:, other] / choices.weights
            own -= product * wide[members[:, one], members[:, other]]
    seated: list[set[int]] = [set() for _ in range(number)]
    for (players, _), group in zip(orders, groups.tolist(), strict=True):
        seated[group].update(players)
    freedom = np.array([len(players) - 1 for players in seated])
    leverage = totals(groups[choices.matches], own, number) / freedom
    bounded: Floats = np.minimum(leverage, DECISIVE)
    return bounded


def _variance(
    choices: Choices, orders: Sequence[Order], chances: Floats, groups: Whole, scale: Floats
) -> Floats:
    """The variance of the slope, from its spread between groups of matches.

    Groups differ less from the fit than from the truth, as far as they determine it: their squares
    are divided by 1 less their leverage (J. G. MacKinnon and H. White, Journal of Econometrics 29,
    1985: HC2).
    """
    size, number = choices.players + 1, int(groups.max()) + 1
    seats = [(match, player) for match, (seated, _) in enumerate(orders) for player in seated]
    match, player = np.array(seats).T
    # Every seat adds 1, every member of a choice takes its chance away.
    group = np.append(groups[match], np.repeat(groups[choices.matches], choices.members.shape[1]))
    who = np.append(player, choices.members.ravel())
    slope = np.append(np.ones(len(player)), -chances.ravel())
    order = np.argsort(group, kind="stable")
    group, who, slope = group[order], who[order], slope[order]
    found = np.zeros((size, size))
    for start in range(0, number, _BLOCK):
        rows = min(_BLOCK, number - start)
        part = slice(*np.searchsorted(group, (start, start + rows)))
        flat = totals((group[part] - start) * size + who[part], slope[part], rows * size)
        slopes = flat.reshape(rows, size) * scale[start : start + rows, np.newaxis]
        found += slopes.T @ slopes
    return found[:-1, :-1]


def _units(players: int, orders: Sequence[Order], groups: Whole) -> Whole:
    """The number of groups of matches of each player."""
    seats = zip(orders, groups.tolist(), strict=True)
    played = {(player, group) for (seated, _), group in seats for player in seated}
    return np.bincount([player for player, _ in played], minlength=players)


def _missing_spread(
    choices: Choices,
    orders: Sequence[Order],
    chances: Floats,
    units: Whole,
    variance: Floats,
    information: Floats,
) -> Floats:
    """The variance of the slope that is missing to the spread of two groups more that differ.

    Where all groups of a player ended alike, as where seats decide, their spread says too little:
    a share of the model's is added.
    """
    shown = np.diagonal(variance) / np.maximum(np.diagonal(information), 1e-300)
    missing = np.maximum(2 / (units + 2) - shown, 0.0)
    if not missing.any():
        return np.zeros_like(information)
    share = np.array([missing[list(seated)].max() for seated, _ in orders])[choices.matches]
    return _information(choices, chances, share)


def _met(players: int, orders: Sequence[Order]) -> tuple[Truths, Floats]:
    beaten = np.zeros((players, players), np.bool_)
    met = np.zeros((players, players))
    for seated, ranks in orders:
        for one, ahead in zip(seated, ranks, strict=True):
            for other, behind in zip(seated, ranks, strict=True):
                if one != other and ahead <= behind:
                    beaten[one, other] = True
                    met[one, other] += 1
    return beaten, met
