"""The mean amount of a side per match, by deals, and its interval for any number of looks.

Amounts may be of any size, so that all here goes by mean and variance, as by ``without_luck``: the
confidence sequence is made as in ``statistics.elo_sequence``, and nothing is decided by it before
``BURN_IN`` deals. Two more deals are added, won and lost by the largest amount so far: for what is
rare and has not come yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, inf

import msgspec

from arena_results.ratings.comparing.without_luck import BURN_IN, TIGHTEST
from arena_results.ratings.intervals.statistics import normal_error, sequence_error


class AmountScores(msgspec.Struct, frozen=True, kw_only=True):
    """The amounts of a side, by deals (mirrored pairs, or else matches).

    Attributes:
        units: Number of deals, at least one.
        mean: Mean amount per match.
        variance: Of a deal's mean amount per match.
        largest: The largest of these, won or lost.
    """

    units: float
    mean: float
    variance: float
    largest: float

    @classmethod
    def of(cls, deals: Sequence[float]) -> AmountScores:
        """Returns the amounts of deals, each its mean amount per match; in any order the same."""
        mean = fsum(deals) / len(deals)
        return cls(
            units=len(deals),
            mean=mean,
            variance=fsum((each - mean) ** 2 for each in deals) / len(deals),
            largest=max(map(abs, deals)),
        )

    def times(self, scale: float) -> AmountScores:
        """Returns the amounts of that many times the deals that are like these."""
        return msgspec.structs.replace(self, units=self.units * scale)

    def interval(self, miss: float = 0.05) -> tuple[float, float]:
        """Returns an interval of the mean for one look."""
        units, mean, variance = self._with_ends()
        error = normal_error(units, variance, miss)
        return mean - error, mean + error

    def sequence(self, miss: float = 0.05) -> tuple[float, float]:
        """Returns an interval of the mean that holds however often one looks."""
        if self.units < BURN_IN:
            return -inf, inf
        units, mean, variance = self._with_ends()
        error = sequence_error(units, variance, miss, TIGHTEST)
        return mean - error, mean + error

    def _with_ends(self) -> tuple[float, float, float]:
        """Returns number, mean and variance of the deals and the two that are added."""
        units = self.units + 2
        mean = self.mean * self.units / units
        squares = self.units * (self.variance + self.mean**2) + 2 * self.largest**2
        return units, mean, squares / units - mean**2
