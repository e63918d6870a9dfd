"""Luck-adjusted scores: their sums over the deals of a pairing, and the tests that go by them.

A deal's score Z is its result less its luck times a coefficient that was fitted on earlier deals
(``predictable``): the sum of Z less its mean is a martingale, however one stops. Its law may be
anything, so that all here goes by mean and variance. The ratio of an SPRT is that of two normal
laws with the means of the hypotheses, each with its likeliest variance; the confidence sequence is
that of ``statistics.elo_sequence``. Both hold for many deals: so nothing is decided before
``BURN_IN`` of them, and ``UNSEEN`` is added to the squares, for what is rare and has not come yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, log, sqrt

import msgspec

from arena.core.errors import BadInput
from arena_results.ratings.comparing.predictable import Coefficients
from arena_results.ratings.comparing.sequential import Decision, Evidence, Model, Sprt, reached
from arena_results.ratings.intervals.statistics import (
    NELO,
    elo_bounds,
    elo_of,
    normal_error,
    sequence_error,
)
from arena_results.ratings.systems.elo import expected
from arena_results.schema.rows import LuckSums, MemberLuck

BURN_IN = 75
"""Deals before which no test is decided that is checked often."""
UNSEEN = 0.05
"""Squared deviation of a score, 0..1, that is added to those of the deals so far."""
TIGHTEST = 150
"""Deals at which the interval for any number of looks is tightest, besides that for one."""


def member_luck(index: int, deals: Iterable[tuple[float, float, int]]) -> MemberLuck:
    """Returns the sums of one member of a pairing.

    Args:
        index: The member's index in the field.
        deals: Its points, its luck and the number of matches of each deal, in schedule order.
    """
    sums, coefficients = [0.0] * 10, Coefficients()
    for points, luck, legs in deals:
        fitted = coefficients.corrected(points, (luck,))
        terms = (
            *(points, legs * points, points * points),
            *(luck, legs * luck, luck * luck, points * luck),
            *(fitted, legs * fitted, fitted * fitted),
        )
        for at, term in enumerate(terms):
            sums[at] += term
    return MemberLuck(index, *sums)


class AdjustedScores(msgspec.Struct, frozen=True, kw_only=True):
    """The luck-adjusted scores of a side, by deals (mirrored pairs, or else matches).

    Attributes:
        units: Number of deals.
        size: Matches of a deal.
        score: Mean luck-adjusted score of a match, about 0..1.
        variance: Of a deal's mean score per match.
        raw_score: The mean score with luck.
        raw_variance: The variance with luck.
    """

    units: float
    size: int
    score: float
    variance: float
    raw_score: float
    raw_variance: float

    @classmethod
    def of(cls, sums: LuckSums, index: int, size: int) -> AdjustedScores:
        """Returns the scores of a member of a pairing, of which one deal is played at least.

        Args:
            index: Of the member, in the field.
            size: Matches of a whole deal.
        """
        (own,) = [each for each in sums.members if each.index == index]

        def moments(total: float, by_legs: float, squares: float) -> tuple[float, float]:
            mean = total / sums.matches
            rest = squares - 2 * mean * by_legs + mean * mean * sums.legs_legs
            return mean, max(0.0, rest) / sums.deals / size**2

        score, variance = moments(own.fitted, own.legs_fitted, own.fitted_fitted)
        raw_score, raw_variance = moments(own.points, own.legs_points, own.points_points)
        return cls(
            units=sums.deals,
            size=size,
            score=score,
            variance=variance,
            raw_score=raw_score,
            raw_variance=raw_variance,
        )

    @property
    def elo(self) -> float | None:
        """The Elo difference; ``None`` for a score that is not between 0 and 1."""
        return elo_of(self.score)

    @property
    def worth(self) -> float | None:
        """That many times the matches would make the score with luck as sure."""
        return self.raw_variance / self.variance if self.variance else None

    def times(self, scale: float) -> AdjustedScores:
        """Returns the scores of that many times the deals that are like these."""
        return msgspec.structs.replace(self, units=self.units * scale)

    def interval(self, miss: float = 0.05) -> tuple[float, float]:
        """Returns an interval of the Elo difference for one look."""
        variance = self._spread(self.variance)
        return elo_bounds(self.score, normal_error(self.units, variance, miss))

    def sequence(self, miss: float = 0.05) -> tuple[float, float]:
        """Returns an interval of the Elo difference that holds however often one looks."""
        if self.units < BURN_IN:
            return -inf, inf
        variance = self._spread(self.variance)
        return elo_bounds(self.score, sequence_error(self.units, variance, miss, TIGHTEST))

    def evidence(self, test: Sprt) -> Evidence:
        """Returns the state of an SPRT.

        Normalized Elo is measured by the scores with luck, so that it means the same in both.

        Raises:
            BadInput: The model is bayesian, which is of wins, draws and losses.
        """
        if test.model is Model.BAYESIAN:
            raise BadInput("the model bayesian is of wins, draws and losses, not of other scores")
        null, other = (self._hypothesis(test.model, elo) for elo in (test.elo0, test.elo1))
        variance = self._spread(self.variance)
        ratio = (variance + (self.score - null) ** 2) / (variance + (self.score - other) ** 2)
        gain, step = log(ratio) / 2, (other - null) ** 2 / variance
        found = reached(test, self.units * gain, gain, step)
        if self.units < BURN_IN:
            return msgspec.structs.replace(found, decision=Decision.CONTINUE)
        return found

    def _hypothesis(self, model: Model, elo: float) -> float:
        if model is Model.LOGISTIC:
            return expected(elo, 0.0)
        return 0.5 + elo / NELO * sqrt(self.size * self._spread(self.raw_variance))

    def _spread(self, variance: float) -> float:
        return variance + UNSEEN / self.units
