"""Splits matches into duels between every two players, in independent units, for ratings.

A match at a table of n players is n (n - 1) / 2 duels by finishing order: who finished ahead of
whom. Decomposing a ranking into all its pairs is the full-pair model of R. C. Weng and C.-J. Lin,
A Bayesian Approximation Method for Online Ranking, JMLR 12 (2011), section 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from arena.core.rating import Duels, Unit, pairs
from arena_results.rows import MatchRow


def units(matches: Iterable[MatchRow], mirrored: bool, players: Sequence[int]) -> list[Unit]:
    """Groups matches into units.

    Args:
        mirrored: Whether the legs of a pairing share their deal, in groups of as many legs in a
            row as the pairing has seats; a group that is cut short is a unit like any other.
        players: Index of the player at each index into the field.
    """

    def group(match: MatchRow) -> tuple[int, int, int]:
        key, legs = match.key, len(match.seats) if mirrored else 1
        return key.round, key.pairing, (key.leg - 1) // legs

    alike: dict[Unit, Unit] = {}  # of millions of units, few are different
    found: list[Unit] = []
    for _, legs in groupby(matches, key=group):
        unit = tuple([duels(match, players) for match in legs])
        found.append(alike.setdefault(unit, unit))
    return found


def duels(match: MatchRow, players: Sequence[int]) -> Duels:
    """Returns the duels of a match by the finishing order that its returns give."""
    gains = match.returns
    return Duels(
        tuple(players[seat] for seat in match.seats),
        tuple(
            0.5 if gains[one] == gains[other] else float(gains[one] > gains[other])
            for one, other in pairs(len(gains))
        ),
    )
