"""Sums over the matches of each pairing, kept so that reports need not read the matches.

They do not depend on the order in which matches were stored: they can be added up chunk by chunk,
and again from all matches, with the same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

import msgspec

from arena.core.outcome import Fault, Termination
from arena_results.schema.rows import Ending, MatchRow, PairingSums

_Alike: TypeAlias = tuple[
    tuple[int, ...], tuple[float, ...], tuple[tuple[int, Termination], ...], str
]
"""Facts that matches which ended alike have in common: seats, returns, causes, isolation."""


def added(sums: PairingSums, matches: Iterable[MatchRow], mirrored: bool) -> PairingSums:
    """Returns the sums of a pairing with further matches of it."""
    endings = {_alike(ending): ending for ending in sums.endings}
    more: dict[_Alike, list[MatchRow]] = {}
    deals = dict(sums.deals)
    begun = {deal: dict(legs) for deal, legs in sums.begun}
    for match in matches:
        seats, returns = match.seats, match.returns
        alike = seats, returns, _causes(match.faults), match.isolation
        more.setdefault(alike, []).append(match)
        size, leg = len(seats) if mirrored else 1, match.key.leg
        deal = (leg - 1) // size
        legs = begun.setdefault(deal, {})
        legs[leg] = _points(seats, returns)
        if len(legs) == size:
            del begun[deal]
            points = tuple([legs[leg] for leg in sorted(legs)])
            deals[points] = deals.get(points, 0) + 1
    for alike, found in more.items():
        one = _ending(found)
        known = endings.get(alike)
        endings[alike] = one if known is None else _together(known, one)
    return PairingSums(
        tuple(sorted(endings.values(), key=lambda ending: ending.first)),
        tuple(sorted(deals.items())),
        tuple((deal, tuple(sorted(begun[deal].items()))) for deal in sorted(begun)),
    )


def add_up(
    sums: dict[tuple[int, int], PairingSums], matches: Iterable[MatchRow], mirrored: bool
) -> None:
    """Adds matches to the sums of their pairings, by round and pairing."""
    found: dict[tuple[int, int], list[MatchRow]] = {}
    for match in matches:
        found.setdefault((match.key.round, match.key.pairing), []).append(match)
    for board, played in found.items():
        sums[board] = added(sums.get(board, PairingSums()), played, mirrored)


def _ending(alike: Sequence[MatchRow]) -> Ending:
    first = min(alike, key=lambda match: match.key.leg)
    return Ending(
        first.seats,
        first.returns,
        _causes(first.faults),
        first.isolation,
        len(alike),
        tuple(map(sum, zip(*[match.scores for match in alike], strict=True))),
        first.key.leg,
        tuple([fault.move for fault in first.faults]),
    )


def _causes(faults: tuple[Fault, ...]) -> tuple[tuple[int, Termination], ...]:
    return tuple([(fault.seat, fault.cause) for fault in faults]) if faults else ()


def _alike(ending: Ending) -> _Alike:
    return ending.seats, ending.returns, ending.faults, ending.isolation


def _together(one: Ending, other: Ending) -> Ending:
    first = one if one.first < other.first else other
    scores = tuple([a + b for a, b in zip(one.scores, other.scores, strict=True)])
    return msgspec.structs.replace(first, count=one.count + other.count, scores=scores)


@lru_cache(4096)
def _points(seats: tuple[int, ...], returns: tuple[float, ...]) -> float:
    """Returns the points of the lowest member: the share of opponents it beat, a tie half."""
    mine = returns[seats.index(min(seats))]
    beaten = sum((mine > theirs) + (mine == theirs) / 2 for theirs in returns) - 0.5
    return beaten / (len(returns) - 1)
