"""Stages of a match and marks of a set: constants that the other modules share."""

from __future__ import annotations

from typing import Final

import msgspec

# Phases: a hand is dealt, an opening card comes, a set starts, a deck card comes (chance's four);
# a seat decides before its hand card or after it; the match is over.
DEAL: Final = 0
OPENING: Final = 1
START: Final = 2
DRAW: Final = 3
ACT: Final = 4
PLAYED: Final = 5
OVER: Final = 6


class Marks(msgspec.Struct, frozen=True, gc=False):
    """Public facts of the set that do not lie on the tables, by seat.

    Attributes:
        negated: Magnitudes that a lasting flip turned (C9), sorted.
        laid: Rank of the seat's latest ±1T of this set, 0 for none (A1).
        overshot: Whether the seat was over 20 in this set (A6); kept only where it matters.
        burnt: Values that the opening draw took out of this set's deck (A2).
    """

    negated: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    laid: tuple[int, int] = (0, 0)
    overshot: tuple[bool, bool] = (False, False)
    burnt: tuple[int, ...] = ()

    def with_negated(self, seat: int, magnitudes: tuple[int, ...]) -> Marks:
        """A lasting flip on that seat's table."""
        mine = tuple(sorted({*self.negated[seat], *magnitudes}))
        both = (mine, self.negated[1]) if seat == 0 else (self.negated[0], mine)
        return msgspec.structs.replace(self, negated=both)

    def with_laid(self, seat: int) -> Marks:
        """That seat has just laid a ±1T."""
        rank = max(self.laid) + 1
        both = (rank, self.laid[1]) if seat == 0 else (self.laid[0], rank)
        return msgspec.structs.replace(self, laid=both)

    def with_overshot(self, seat: int) -> Marks:
        """That seat is over 20."""
        both = (True, self.overshot[1]) if seat == 0 else (self.overshot[0], True)
        return msgspec.structs.replace(self, overshot=both)


NO_MARKS = Marks()
"""A fresh set."""
