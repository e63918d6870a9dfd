"""Pairings that play until a test of a change is decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
from arena_results.ratings.comparing.by_amount import AmountScores
from arena_results.ratings.comparing.changes import (
    ONCE,
    AmountInterval,
    Look,
    Test,
    look,
    look_by_amount,
    look_without_luck,
)
from arena_results.ratings.comparing.sequential import Decision, Sprt
from arena_results.ratings.comparing.without_luck import BURN_IN, AdjustedScores, member_luck
from arena_results.ratings.intervals.statistics import FEW
from arena_results.schema.rows import LuckSums

FIRST_LOOK, GROWTH = 10, 20
"""Units before the first look of an SPRT, and the least of later waves, which are else a twentieth
of what was played. An interval for many looks begins at ``FEW`` units, and every test by scores
without luck or by amounts at ``BURN_IN``."""


class UntilTested(msgspec.Struct, frozen=True):
    """Matches until a test of the first entrant against the second is decided.

    Attributes:
        games: The most matches, whole mirrored sets; then it is left undecided.
        adjusted: Whether it goes by luck-adjusted scores.
    """

    test: Test
    games: int
    adjusted: bool = False

    def more(self, points: Sequence[float], group: int, luck: Sequence[float] = ()) -> int:
        played = len(points)
        left, units = self.games - played, played // group
        if left <= 0 or isinstance(self.test, ONCE):
            return left
        if units and self._look(points, group, luck).decision is not Decision.CONTINUE:
            return 0
        return min(left, group * self.wave(units))

    def _look(self, points: Sequence[float], group: int, luck: Sequence[float]) -> Look:
        if isinstance(self.test, AmountInterval):
            return look_by_amount(self.test, amount_scores_of(points, group))
        if self.adjusted:
            return look_without_luck(self.test, adjusted_scores_of(points, luck, group))
        return look(self.test, unit_counts(points, group))

    def wave(self, units: int) -> int:
        """Returns the number of units until the next look, after that many."""
        if not units and (self.adjusted or isinstance(self.test, AmountInterval)):
            return BURN_IN
        if not units and not isinstance(self.test, Sprt):
            return FEW
        return max(FIRST_LOOK, units // GROWTH)

    def describe(self) -> str:
        if isinstance(self.test, ONCE):
            return f"{self.games} games a pairing"
        what = "SPRT" if isinstance(self.test, Sprt) else "confidence sequence"
        by = ", scores without luck" if self.adjusted else ""
        by = ", mean amount a match" if isinstance(self.test, AmountInterval) else by
        return f"pairings until decided ({what}{by}, at most {self.games} games)"


def adjusted_scores_of(
    points: Sequence[float], luck: Sequence[float], group: int
) -> AdjustedScores:
    """Returns the luck-adjusted scores of the first entrant by mirrored sets, at least one."""
    starts = range(0, len(points) - group + 1, group)
    deals = [
        (sum(points[start : start + group]), sum(luck[start : start + group]), group)
        for start in starts
    ]
    sums = LuckSums(
        group * len(deals), len(deals), group * group * len(deals), (member_luck(0, deals),)
    )
    return AdjustedScores.of(sums, 0, group)


def amount_scores_of(points: Sequence[float], group: int) -> AmountScores:
    """Returns the amounts of the first entrant by mirrored sets, at least one.

    Args:
        points: Its points in each match by amount: 1/2 more than half its lead.
    """
    starts = range(0, len(points) - group + 1, group)
    return AmountScores.of([sum(points[at : at + group]) / group - 0.5 for at in starts])


def unit_counts(points: Sequence[float], group: int) -> tuple[int, ...]:
    """Counts whole mirrored sets by the points of the first entrant, in steps of a half."""
    sums = Counter(
        int(2 * sum(points[start : start + group]))
        for start in range(0, len(points) - group + 1, group)
    )
    return tuple(sums[step] for step in range(2 * group + 1))
