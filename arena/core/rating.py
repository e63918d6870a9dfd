"""The contract of rating systems, and the results that they rate: duels in independent units."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol

import msgspec


class Duels(msgspec.Struct, frozen=True, gc=False):
    """The duels of one match.

    Attributes:
        players: Index of the player in each seat, 2 and up.
        scores: What the former of each two seats took against the latter, in the order of
            ``pairs``: 1 if it finished ahead of it, 1/2 level, 0 behind.
    """

    players: tuple[int, ...]
    scores: tuple[float, ...]

    @property
    def share(self) -> float:
        """The part of the match that each duel of a player is; all of them together are 1."""
        return 1 / (len(self.players) - 1)


Unit = tuple[Duels, ...]
"""Matches that share their luck, so that they count as one observation: the legs of a duplicate
group, or a match alone. All are between the same players."""


@cache
def pairs(seats: int) -> tuple[tuple[int, int], ...]:
    """Every two seats of a table: (0, 1), (0, 2), (1, 2), (0, 3), ...

    In this order those of a smaller table come first.
    """
    return tuple((one, other) for other in range(seats) for one in range(other))


class Rating(msgspec.Struct, frozen=True):
    """A player's rating in points, and the interval of what chance alone could have made of it."""

    value: float
    low: float
    high: float


class RatingSystem(Protocol):
    """A way to rate players by their results: pure; equal results give equal ratings.

    Attributes:
        name: What people type, e.g. ``"elo"``.
        summary: One line for lists.
        note: One line for under a leaderboard: what rating and interval are.
        table_note: How matches of more than two count, as the end of a sentence; may be empty.
    """

    name: str
    summary: str
    note: str
    table_note: str

    def rate(self, units: Sequence[Unit], players: int, seed: int) -> Sequence[Rating]:
        """Rates every player.

        Args:
            units: All results in schedule order; at least one.
            players: Number of players; matches speak of them by index.
            seed: The only source of chance, 0 .. 2**63-1.

        Returns:
            One rating a player, in order.
        """
