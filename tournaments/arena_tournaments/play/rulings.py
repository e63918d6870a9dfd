"""Applies an organiser's decisions: to the field that is paired next, and to results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec

from arena.core.chance.seeding import SeedKeys
from arena.core.tournaments.format import Absence, Entrant, Format, Lots, PairingResult, RoundResult
from arena.core.tournaments.rulings import LEAVES, Ruling, RulingKind, absences


def paired_by(rulings: Sequence[Ruling], round: int) -> tuple[Ruling, ...]:
    """Returns the decisions that were known when a round was paired and say something of it."""
    return tuple([each for each in rulings if each.round <= round])


def field_of_round(
    field: Sequence[Entrant], rulings: Sequence[Ruling], round: int
) -> tuple[Entrant, ...]:
    """Returns the field as a round is paired: without those who enter later.

    Args:
        field: All entrants in initial order, late entries last.
    """
    joined = {each.entry: each.round for each in rulings if each.kind is RulingKind.ADD}
    away = {each.index: each.gone for each in absences(paired_by(rulings, round), round)}
    return tuple(
        msgspec.structs.replace(
            entrant,
            absent=index in away,
            gone=away.get(index, False),
            joined=joined.get(index, entrant.joined),
        )
        for index, entrant in enumerate(field)
        if joined.get(index, entrant.joined) <= round
    )


def under(format: Format, names: Sequence[str], rulings: Sequence[Ruling]) -> Format:
    """Returns a format that goes by the decisions about it: forbidden pairs, and lots."""
    groups = [
        tuple([names[entry] for entry in group])
        for each in rulings
        if each.kind is RulingKind.FORBID
        for group in each.entries
    ]
    lots = [
        Lots(each.round, order)
        for each in rulings
        if each.kind is RulingKind.LOTS
        for order in each.entries
    ]
    made = format.forbidding(groups) if groups else format
    return msgspec.structs.replace(made, lots=(*made.lots, *lots)) if lots else made


def drawn(seeds: SeedKeys, entries: Iterable[int]) -> tuple[int, ...]:
    """Returns entries in the order in which their lots are drawn."""
    return tuple(sorted(entries, key=lambda entry: (seeds.lot(entry), entry)))


def ruled(results: Sequence[RoundResult], rulings: Sequence[Ruling]) -> tuple[RoundResult, ...]:
    """Returns results as they count: late entries missed rounds, and some results are annulled."""
    void = {each.entry for each in rulings if each.void}
    late = [each for each in rulings if each.kind is RulingKind.ADD]
    if not (void or late):
        return tuple(results)
    return tuple(_ruled(past, late, void) for past in results)


def void_pairings(results: Sequence[RoundResult]) -> frozenset[tuple[int, int]]:
    """Returns round and number of the pairings that are annulled."""
    return frozenset(
        (past.round.number, number)
        for past in results
        for number, result in enumerate(past.results, 1)
        if result.void
    )


def disqualified(rulings: Sequence[Ruling]) -> frozenset[int]:
    """Returns the entries that are disqualified, who are ranked last."""
    return frozenset([each.entry for each in rulings if each.kind is RulingKind.DISQUALIFY])


def has_left(rulings: Sequence[Ruling], entry: int) -> bool:
    """Returns whether an entry was withdrawn or disqualified."""
    return any(each.entry == entry and each.kind in LEAVES for each in rulings)


def _ruled(past: RoundResult, late: Sequence[Ruling], void: Collection[int]) -> RoundResult:
    made = past.round
    missed = [Absence(each.entry, each.points) for each in late if each.round > made.number]
    points = {each.index: each for each in (*made.absent, *missed)}
    points |= {index: Absence(index) for index in void if index in points or index in made.byes}
    round = msgspec.structs.replace(
        made,
        byes=tuple([index for index in made.byes if index not in void]),
        absent=tuple([points[index] for index in sorted(points)]),
    )
    return RoundResult(round, tuple([_annulled(result, void) for result in past.results]))


def _annulled(result: PairingResult, void: Collection[int]) -> PairingResult:
    seats = tuple([index for index in result.pairing.seats if index in void])
    if not seats:
        return result
    nothing = (0.0,) * len(result.points)
    return PairingResult(result.pairing, nothing, forfeited=result.forfeited, void=seats)
