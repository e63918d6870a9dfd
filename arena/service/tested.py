"""Pairings that play until a test of a change is decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
from arena_results.ratings.changes import Once, Test, look
from arena_results.ratings.sequential import Decision, Sprt
from arena_results.ratings.statistics import FEW

MOST_TESTED = 20_000
"""Matches after which a test is left undecided, when nobody says how many."""
FIRST_LOOK, GROWTH = 10, 20
"""Units before the first look of an SPRT, and the least of later waves, which are else a twentieth
of what was played. An interval for many looks begins at ``FEW`` units."""


class UntilTested(msgspec.Struct, frozen=True):
    """Matches until a test of the first entrant against the second is decided.

    Attributes:
        games: The most matches, whole groups; then it is left undecided.
    """

    test: Test
    games: int

    def more(self, points: Sequence[float], group: int) -> int:
        played = len(points)
        left, units = self.games - played, played // group
        if left <= 0 or isinstance(self.test, Once):
            return left
        if units and look(self.test, unit_counts(points, group)).decision is not Decision.CONTINUE:
            return 0
        return min(left, group * self.wave(units))

    def wave(self, units: int) -> int:
        """Returns the number of units until the next look, after so many."""
        if not units and not isinstance(self.test, Sprt):
            return FEW
        return max(FIRST_LOOK, units // GROWTH)

    def describe(self) -> str:
        if isinstance(self.test, Once):
            return f"{self.games} games a pairing"
        what = "SPRT" if isinstance(self.test, Sprt) else "confidence sequence"
        return f"pairings until decided ({what}, at most {self.games} games)"


def unit_counts(points: Sequence[float], group: int) -> tuple[int, ...]:
    """Counts whole groups by the points of the first entrant, in steps of a half."""
    sums = Counter(
        int(2 * sum(points[start : start + group]))
        for start in range(0, len(points) - group + 1, group)
    )
    return tuple(sums[step] for step in range(2 * group + 1))
