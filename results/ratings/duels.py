"""What ratings are made of: results of two players, grouped into independent units."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec

from arena.core.errors import BadInput
from results.rows import MatchRow


class Duel(msgspec.Struct, frozen=True, gc=False):
    """The result of one match between two players.

    Attributes:
        first: Index of one of them.
        second: Index of the other.
        score: What the first took: 1 won, 1/2 drawn, 0 lost.
    """

    first: int
    second: int
    score: float


Unit = tuple[Duel, ...]
"""Matches that share their luck, so that they count as one observation: the two legs of a
mirrored pair, or a match alone. All are between the same two players."""


def units(matches: Iterable[MatchRow], mirrored: bool, players: Sequence[int]) -> list[Unit]:
    """Groups matches into units.

    Args:
        matches: Matches of one tournament in schedule order.
        mirrored: Whether legs 2k-1 and 2k of a pairing share their deal; a leg without its twin
            is a unit of its own.
        players: Index of the player at each index into the field.

    Raises:
        BadInput: A match has another number of seats than two.
    """
    group = _pair if mirrored else _place
    return [
        tuple(_duel(match, players) for match in legs) for _, legs in groupby(matches, key=group)
    ]


def _pair(match: MatchRow) -> tuple[int, int, int]:
    return match.place.round, match.place.pairing, (match.place.leg + 1) // 2


def _place(match: MatchRow) -> tuple[int, int, int]:
    return match.place.round, match.place.pairing, match.place.leg


def _duel(match: MatchRow, players: Sequence[int]) -> Duel:
    if len(match.seats) != 2:
        raise BadInput(f"ratings are for two seats; match {match.place} has {len(match.seats)}")
    gain = match.returns[0]
    score = 0.5 if gain == 0 else float(gain > 0)
    return Duel(players[match.seats[0]], players[match.seats[1]], score)
