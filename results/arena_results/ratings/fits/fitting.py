"""Maximises likelihoods of ratings, with what all of them share: prior, anchors, components.

Ratings are natural logarithms of strength, so only differences within a component (players
linked by results) mean anything: without an anchor the mean of a component is 0. The prior is
Gaussian about the mean of the component. Covariances are sandwiches (P. J. Huber, 1967): inverse
information around the variance of the slopes, to which the prior adds its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.core.errors import BadInput

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Truths = NDArray[np.bool_]
Slopes = Callable[[Floats], tuple[Floats, Floats]]
"""Gives the slope of the log-likelihood at ratings, and its information (minus the curvature)."""

ELO = 400 / np.log(10)
"""Elo points of one natural unit of strength."""
PRIOR = 1000 / ELO
"""Standard deviation of the default prior: 1,000 Elo, so weak that twenty results outweigh it."""
_STEPS, _MAX_STEP, _EXACT, _FARTHEST = 200, 2.0, 1e-9, 60.0


def totals(places: Whole, values: Floats, number: int) -> Floats:
    """Returns the sums of the values at each of a number of places."""
    return np.asarray(np.bincount(places, values, number), np.float64)


class Fit(msgspec.Struct, frozen=True, eq=False):
    """Ratings of all players, in natural units.

    Attributes:
        covariance: Of the ratings; an anchor has none.
        seat_effect: The advantage of the first seat; ``None`` where it was not fitted.
        seat_error: Its standard error.
        components: The number of each player's component, 0 and up.
        cut_off: Players who are finite by the prior only: they won, or lost, everything against
            the rest of their component.
        information: What the results say of each rating if all others were known: the inverse of
            its variance then.
    """

    ratings: Floats
    covariance: Floats
    seat_effect: float | None
    seat_error: float | None
    components: Whole
    cut_off: Truths
    information: Floats

    @property
    def errors(self) -> Floats:
        """The standard error of each rating."""
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))


class Links(msgspec.Struct, frozen=True, eq=False, dict=True):
    """Players linked by results.

    Attributes:
        beaten: Whether the player of a row took anything from the player of a column.
        results: Number of results between every two; without them groups go by their members.
    """

    beaten: Truths
    results: Floats | None = None

    @cached_property
    def components(self) -> Whole:
        """The number of each player's component."""
        met = self.beaten | self.beaten.T
        labels = np.full(len(met), -1)
        for player in range(len(met)):
            if labels[player] < 0:
                labels[_reached(met, player)] = labels.max() + 1
        return labels

    @cached_property
    def cut_off(self) -> Truths:
        """True for players outside the largest group whose results go round in circles.

        Within a group ratings are finite without a prior (L. R. Ford Jr., 1957). The largest is the
        one with most results, so that no number of newcomers takes its place.
        """
        over, under = self.beaten, np.ascontiguousarray(self.beaten.T)
        cut, left = np.ones(len(over), np.bool_), np.ones(len(over), np.bool_)
        largest: dict[int, tuple[float, list[Whole]]] = {}
        for player in range(len(over)):
            if left[player]:
                group = np.flatnonzero(_reached(over, player) & _reached(under, player))
                left[group] = False
                size, component = self._size(group), int(self.components[player])
                most, found = largest.get(component, (-1.0, []))
                if size > most:
                    largest[component] = size, [group]
                elif size == most:
                    found.append(group)
        for _, found in largest.values():
            if len(found) == 1:
                cut[found[0]] = False
        return cut

    def _size(self, group: Whole) -> float:
        if self.results is None:
            return float(len(group))
        return float(self.results[np.ix_(group, group)].sum())


def _reached(links: Truths, start: int) -> Truths:
    """True for those to whom a path of links leads from a player, who is one of them."""
    seen = np.zeros(len(links), np.bool_)
    seen[start] = True
    frontier = np.array([start])
    while frontier.size:
        new = links[frontier].any(axis=0) & ~seen
        seen |= new
        frontier = np.flatnonzero(new)
    return seen


class Frame(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The parameters of a fit, and what holds them in place.

    Attributes:
        links: The players, who are the first parameters.
        prior: Standard deviation of the prior; 0 for none.
        anchors: Players whose ratings are given.
        more: Number of parameters after the ratings; the prior holds them near 0.
    """

    links: Links
    prior: float = PRIOR
    anchors: Mapping[int, float] = {}
    more: int = 0

    @cached_property
    def tied(self) -> Links:
        """The players' links, with anchors linked to each other: none of them can move away."""
        held = np.array([*self.anchors], np.int64)
        beaten = self.links.beaten.copy()
        beaten[np.ix_(held, held)] = True
        return Links(beaten)

    @cached_property
    def penalty(self) -> Floats:
        """The information of the prior."""
        size = len(self.links.beaten) + self.more
        if not self.prior:
            return np.zeros((size, size))
        return (np.eye(size) - self._means(range(self.links.components.max() + 1))) / self.prior**2

    @cached_property
    def gauge(self) -> Floats:
        """Information that keeps the means of components without an anchor where they are."""
        held = {int(self.links.components[player]) for player in self.anchors}
        return self._means(set(range(self.links.components.max() + 1)) - held)

    def _means(self, components: range | set[int]) -> Floats:
        size = len(self.links.beaten) + self.more
        means = np.zeros((size, size))
        for component in components:
            members = np.flatnonzero(self.links.components == component)
            means[np.ix_(members, members)] = 1 / len(members)
        return means

    @cached_property
    def free(self) -> Whole:
        """The parameters that no anchor gives."""
        size = len(self.links.beaten) + self.more
        return np.array([each for each in range(size) if each not in self.anchors], np.int64)

    def start(self) -> Floats:
        """Returns the first guess: the anchors' ratings, for others their mean, or 0."""
        ratings = np.zeros(len(self.links.beaten) + self.more)
        for component in {int(self.links.components[player]) for player in self.anchors}:
            members = np.flatnonzero(self.links.components == component)
            given = [value for player, value in self.anchors.items() if player in members]
            ratings[members] = sum(given) / len(given)
        for player, value in self.anchors.items():
            ratings[player] = value
        return ratings

    def inner(self, matrix: Floats) -> Floats:
        """The part of a matrix that belongs to free parameters."""
        return matrix if len(self.free) == len(matrix) else matrix[np.ix_(self.free, self.free)]


def maximise(frame: Frame, slopes: Slopes) -> Floats:
    """Returns the parameters of the greatest posterior density, by Newton's method.

    Raises:
        BadInput: There are none that are finite.
    """
    found, free = frame.start(), frame.free
    if not frame.prior and frame.tied.cut_off[free[free < len(frame.links.beaten)]].any():
        message = "no finite ratings fit these results best: somebody won or lost everything"
        raise BadInput(f"{message}; give a prior")
    for _ in range(_STEPS if len(free) else 0):
        slope, information = slopes(found)
        information = frame.inner(information + frame.penalty + frame.gauge)
        try:
            step = np.linalg.solve(information, (slope - frame.penalty @ found)[free])
        except np.linalg.LinAlgError:
            break
        largest = float(np.abs(step).max())
        if not largest < np.inf or np.abs(found - found.mean()).max() > _FARTHEST:
            break
        found[free] += step * min(1.0, _MAX_STEP / max(largest, _EXACT))
        if largest < _EXACT:
            return found
    if not len(free):
        return found
    raise BadInput("no finite ratings fit these results best; give a prior")


def inverse(frame: Frame, information: Floats) -> Floats:
    """Returns the inverse of the information of results and prior; anchors have none."""
    found = np.zeros_like(information)
    inner = np.linalg.inv(frame.inner(information + frame.penalty + frame.gauge))
    found[np.ix_(frame.free, frame.free)] = inner
    return found


def covariance(frame: Frame, inverted: Floats, variance: Floats) -> Floats:
    """Returns the covariance of the parameters.

    Args:
        inverted: What ``inverse`` gives.
        variance: Of the slope of the log-likelihood, as the results show it.
    """
    return inverted @ (variance + frame.penalty) @ inverted
