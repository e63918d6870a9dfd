"""Splits matches into duels between every two players, in independent units, for ratings.

A match at a table of n players is n (n - 1) / 2 duels by finishing order: who finished ahead of
whom. Decomposing a ranking into all its pairs is the full-pair model of R. C. Weng and C.-J. Lin,
A Bayesian Approximation Method for Online Ranking, JMLR 12 (2011), section 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from arena.core.tournaments.rating import Duels, Unit, pairs
from arena_results.schema.rows import MatchRow, PairingSums


def units(matches: Iterable[MatchRow], mirrored: bool, players: Sequence[int]) -> list[Unit]:
    """Groups matches into units.

    Args:
        mirrored: Whether the legs of a pairing share their deal, in groups of as many legs in a
            row as the pairing has seats; a group that is cut short is a unit like any other.
        players: Index of the player at each index into the field.
    """
    alike: dict[Unit, Unit] = {}  # of millions of units, few are different
    found: list[Unit] = []
    for _, legs in groupby(matches, key=unit_key(mirrored)):
        unit = tuple([duels(match.seats, match.returns, players) for match in legs])
        found.append(alike.setdefault(unit, unit))
    return found


def unit_key(mirrored: bool) -> Callable[[MatchRow], tuple[int, int, int]]:
    """Returns what gives the same for matches of one unit; for its argument see ``units``."""

    def key(match: MatchRow) -> tuple[int, int, int]:
        key, legs = match.key, len(match.seats) if mirrored else 1
        return key.round, key.pairing, (key.leg - 1) // legs

    return key


def needs_matches(sums: Iterable[PairingSums], mirrored: bool) -> bool:
    """True if sums do not give the units: they do not keep the legs of a table's deal together."""
    return mirrored and any(len(each.endings[0].seats) > 2 for each in sums if each.endings)


def incomplete(counted: Mapping[Unit, int]) -> Counter[tuple[frozenset[int], int]]:
    """Returns the deals at tables that were not played from every seat, where any is from several.

    Returns:
        How many there are of each players, and number of matches.
    """
    found: Counter[tuple[frozenset[int], int]] = Counter()
    at_tables = any(len(match.players) > 2 for unit in counted for match in unit)
    if at_tables and any(len(unit) > 1 for unit in counted):
        for unit, count in counted.items():
            if len(unit) < len(unit[0].players):
                found[frozenset(unit[0].players), len(unit)] += count
    return found


def counted_units(
    sums: Iterable[PairingSums], mirrored: bool, players: Sequence[int]
) -> Counter[Unit]:
    """Returns how often each unit came, from the sums of pairings that do not need matches.

    Args:
        mirrored: As for ``units``.
        players: As for ``units``.
    """
    found: Counter[Unit] = Counter()
    for each in sums:
        if mirrored and each.endings:
            for unit, count in _mirrored(each, players):
                found[unit] += count
        else:
            for ending in each.endings:
                found[(duels(ending.seats, ending.returns, players),)] += ending.count
    return found


def _mirrored(sums: PairingSums, players: Sequence[int]) -> Iterator[tuple[Unit, int]]:
    one = sums.endings[0]
    forth = one.seats if one.first % 2 else one.seats[::-1]

    def leg(number: int, points: float) -> Duels:
        seats = forth if number % 2 else forth[::-1]
        score = points if seats[0] < seats[1] else 1 - points
        return Duels(tuple([players[seat] for seat in seats]), (score,))

    for points, count in sums.deals:
        yield tuple([leg(number, each) for number, each in enumerate(points, 1)]), count
    for _, legs in sums.begun:
        yield tuple([leg(number, each) for number, each in legs]), 1


def duels(seats: Sequence[int], returns: Sequence[float], players: Sequence[int]) -> Duels:
    """Returns the duels of a match by the finishing order that its returns give."""
    return Duels(
        tuple([players[seat] for seat in seats]),
        tuple(
            [
                0.5 if returns[one] == returns[other] else float(returns[one] > returns[other])
                for one, other in pairs(len(returns))
            ]
        ),
    )
