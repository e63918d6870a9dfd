"""This module has the odds of a rival's turns by the totals, for solving sets against it.

The rival's hidden cards are part of the odds: a turn leads from the total after the draw to
another one, with a hand card or without.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.games.pazaak.engine.rulesets import LIMIT
from arena.games.pazaak.parts.solver import solver

Array: TypeAlias = NDArray[np.float64]
TOTALS = LIMIT + 11
"""Number of totals after a card was drawn: 0 to 30."""
LIVE, STOOD = 0, 1
"""The first index of a solved set: the rival continues, or stands."""
WON, TIED, LOST = range(3)
"""The last index of odds to win, tie and lose a set."""


class Rival(ABC):
    """Plays the turns of one seat; every array is from the other seat's side.

    Attributes:
        lays: Whether it may lay a Tiebreaker; if not, the other seat's is left out, too.
    """

    lays: bool = False

    @property
    def places(self) -> int:
        """Number of places between two turns: of its totals, and with a Tiebreaker again."""
        return (LIMIT + 1) * (1 + self.lays)

    def at(self, total: int, laid: bool) -> int:
        """Returns the place of a total, with a Tiebreaker or without."""
        return total + (LIMIT + 1) * (laid and self.lays)

    @abstractmethod
    def reached(self, before: Array, total: int, won: Array | float) -> Array:
        """Returns the values once the rival has drawn to each total, 0 to 30.

        Args:
            before: The values after its turn, with any number of dimensions before these two:
                ``LIVE`` or ``STOOD``, and its place.
            total: The total of the other seat, which plays on.
            won: The value of a set won.

        Returns:
            Instead of these two: whether a Tiebreaker lay before its turn, and its total.
        """

    @abstractmethod
    def standing(self) -> Array:
        """Returns the odds of a seat that stands: of each set as ``WON``, ``TIED``, ``LOST``.

        The indices before are whether it laid a Tiebreaker, ``LIVE`` or ``STOOD``, the total of the
        seat, and the place of the rival. A rival that plays on is about to draw.
        """

    @abstractmethod
    def alone(
        self, total: int, mark: bool, against: int, laid: bool, left: Sequence[int]
    ) -> tuple[float, float]:
        """Returns the odds to win and to lose of a seat that stands while the rival draws next.

        Args:
            total: The total of the seat.
            mark: Whether it laid a Tiebreaker.
            against: The total of the rival.
            laid: Whether that has laid one.
            left: How many cards of each value 1..10 the deck has left.
        """


class SolvedRival(Rival):
    """A rival without hand cards that plays the solved set (``solver``)."""

    def reached(self, before: Array, total: int, won: Array | float) -> Array:
        stood, live = before[..., STOOD, :], before[..., LIVE, :]
        within = np.where(_solved_stands()[total], stood, live)[..., None, :]
        over = np.empty((*within.shape[:-1], TOTALS - LIMIT - 1))
        over[...] = won
        return np.concatenate([within, over], -1)

    def standing(self) -> Array:
        return _solved_standing()

    def alone(
        self, total: int, mark: bool, against: int, laid: bool, left: Sequence[int]
    ) -> tuple[float, float]:
        theirs, mine = solver(True).ahead(*_seen(against), *_seen(total), True, left)
        return mine, theirs


SOLVED = SolvedRival()
"""The rival that a seat assumes while it knows nothing of its rival."""


class ObservedRival(Rival):
    """A rival with counted turns.

    Args:
        turns: How often each turn ended so, by: whether the other seat stands, its total 0..20, the
            rival's total after its draw 0..30, and the end. The end is ``BUST``, or its total
            then, plus ``STANDS`` if it stands, plus ``LAYS`` if it laid a Tiebreaker in this turn.
    """

    lays = True

    def __init__(self, turns: Array) -> None:
        odds = turns / turns.sum(-1, keepdims=True)
        size, shape = LIMIT + 1, (*odds.shape[:3], 2 * (LIMIT + 1))
        # By whether a Tiebreaker lay there before; if so, it still does.
        self._live, self._stood = np.zeros((2, 2, *shape))
        for after, first in ((self._live, 0), (self._stood, STANDS)):
            bare, laid = odds[..., first : first + size], odds[..., first + LAYS :][..., :size]
            after[0, ..., :size], after[0, ..., size:] = bare, laid
            after[1, ..., size:] = bare + laid
        self._bust = odds[..., BUST]
        self._standing = np.zeros((2, 2, size, 2 * size, 3))
        self._standing[:, STOOD] = _compared()
        self._drawn = np.zeros((2, size, 2, TOTALS, 3))
        for mark in (0, 1):
            for total in range(size):
                self._solve_alone(mark, total)

    def _solve_alone(self, mark: int, total: int) -> None:
        live, stood = self._live[:, 1, total], self._stood[:, 1, total]
        ended = stood @ _compared()[mark, total]
        ended[..., WON] += self._bust[1, total]
        size = 2 * (LIMIT + 1)
        on = np.eye(size) - (draws() @ live).reshape(size, size)
        found = np.linalg.solve(on, (draws() @ ended).reshape(size, 3))
        self._standing[mark, LIVE, total] = found
        self._drawn[mark, total] = ended + live @ found

    def reached(self, before: Array, total: int, won: Array | float) -> Array:
        live = np.tensordot(before[..., LIVE, :], self._live[:, 0, total], (-1, -1))
        stood = np.tensordot(before[..., STOOD, :], self._stood[:, 0, total], (-1, -1))
        values: Array = live + stood + won * self._bust[0, total]
        return values

    def standing(self) -> Array:
        return self._standing

    def alone(
        self, total: int, mark: bool, against: int, laid: bool, left: Sequence[int]
    ) -> tuple[float, float]:
        after = self._drawn[int(mark), max(total, 0), int(laid), against + 1 : against + 11]
        odds = np.array(left) @ after / sum(left)
        return float(odds[WON]), float(odds[LOST])


STANDS, LAYS = LIMIT + 1, 2 * (LIMIT + 1)
BUST = 2 * LAYS
"""Index of a lost set among the ends of a turn."""


@cache
def draws() -> Array:
    """By a total, 0 to 20: the odds of each total after one card, 0 to 30."""
    step = np.arange(TOTALS) - np.arange(LIMIT + 1)[:, None]
    return ((step > 0) & (step <= 10)) / 10


@cache
def _compared() -> Array:
    """The odds of the set where both stand.

    By: whether the seat laid a Tiebreaker, its total, and the place of the rival.
    """
    totals = np.arange(LIMIT + 1)
    difference = totals[:, None] - totals
    plain = np.stack([difference > 0, difference == 0, difference < 0], -1).astype(float)
    found = np.empty((2, LIMIT + 1, 2 * (LIMIT + 1), 3))
    for mark in (0, 1):
        for laid in (0, 1):
            part = found[mark, :, laid * (LIMIT + 1) : (laid + 1) * (LIMIT + 1)]
            part[:] = plain
            if mark != laid:
                part[..., WON if mark else LOST] += part[..., TIED]
                part[..., TIED] = 0
    return found


def _seen(total: int) -> tuple[int, int]:
    return total, round(total / 5.5)


@cache
def _solved_stands() -> NDArray[np.bool_]:
    """By the seat's total and the rival's, which has just drawn: whether the rival stands."""
    totals, solved = range(LIMIT + 1), solver(True)
    return np.array(
        [
            [rival == LIMIT or solved.stands(*_seen(rival), *_seen(own), False) for rival in totals]
            for own in totals
        ]
    )


@cache
def _solved_standing() -> Array:
    totals = range(LIMIT + 1)
    live = np.empty((len(totals), len(totals), 3))
    for own in totals:
        for rival in totals:
            theirs, mine = solver(True).drawing(*_seen(rival), *_seen(own), True)
            live[own, rival] = mine, 1 - mine - theirs, theirs
    both = np.stack([live, _compared()[0, :, : LIMIT + 1]])
    return np.stack([both, both])  # Tiebreakers are left out
