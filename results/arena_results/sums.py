"""Sums over the matches of each pairing, kept so that reports need not read the matches.

They do not depend on the order in which matches were stored: they can be added up chunk by chunk,
and again from all matches, with the same result.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from arena_results.rows import Ending, MatchRow, PairingSums


def added(sums: PairingSums, matches: Iterable[MatchRow], mirrored: bool) -> PairingSums:
    """Returns the sums of a pairing with further matches of it."""
    endings = {_alike(ending): ending for ending in sums.endings}
    deals = dict(sums.deals)
    begun = {deal: dict(legs) for deal, legs in sums.begun}
    for match in matches:
        one = _ending(match)
        known = endings.get(_alike(one))
        endings[_alike(one)] = one if known is None else _together(known, one)
        size, leg = len(match.seats) if mirrored else 1, match.key.leg
        deal = (leg - 1) // size
        legs = begun.setdefault(deal, {})
        legs[leg] = _points(match)
        if len(legs) == size:
            del begun[deal]
            points = tuple([legs[leg] for leg in sorted(legs)])
            deals[points] = deals.get(points, 0) + 1
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


def sums_of(matches: Iterable[MatchRow], mirrored: bool) -> dict[tuple[int, int], PairingSums]:
    """Returns the sums of matches."""
    found: dict[tuple[int, int], PairingSums] = {}
    add_up(found, matches, mirrored)
    return {board: found[board] for board in sorted(found)}


def _ending(match: MatchRow) -> Ending:
    faults = match.faults
    return Ending(
        match.seats,
        match.returns,
        tuple([(fault.seat, fault.cause) for fault in faults]),
        match.isolation,
        1,
        match.scores,
        match.key.leg,
        tuple([fault.move for fault in faults]),
    )


def _alike(ending: Ending) -> tuple[object, ...]:
    return ending.seats, ending.returns, ending.faults, ending.isolation


def _together(one: Ending, other: Ending) -> Ending:
    first = one if one.first < other.first else other
    scores = tuple([a + b for a, b in zip(one.scores, other.scores, strict=True)])
    return msgspec.structs.replace(first, count=one.count + other.count, scores=scores)


def _points(match: MatchRow) -> float:
    """Returns the points of the lowest member: the share of opponents it beat, a tie half."""
    mine = match.returns[match.seats.index(min(match.seats))]
    beaten = sum((mine > theirs) + (mine == theirs) / 2 for theirs in match.returns) - 0.5
    return beaten / (len(match.returns) - 1)
