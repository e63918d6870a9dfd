"""Makes rounds with pairings by an organiser's hand: the format pairs the others around them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain

import msgspec

from arena.core.errors import BadInput
from arena.core.tournaments.format import Entrant, Format, Pairing, Round, RoundResult, Tables
from arena.core.tournaments.rulings import Ruling, RulingKind


def paired_by_hand(
    rulings: Sequence[Ruling], round: int, seatable: Collection[int]
) -> tuple[tuple[int, ...], ...]:
    """Returns the pairings of a round that were made by hand; one entry by itself has the bye.

    A later decision about an entry replaces an earlier one, and a decision without pairings all
    before it. A pairing falls away if one of its entries cannot be seated.
    """
    found: list[tuple[int, ...]] = []
    for each in rulings:
        if each.kind is RulingKind.PAIR and each.round == round:
            again = {*chain.from_iterable(each.entries)}
            kept = [group for group in found if again.isdisjoint(group)] if again else []
            found = [*kept, *each.entries]
    return tuple([group for group in found if {*group} <= {*seatable}])


def paired_around(
    format: Format,
    field: Sequence[Entrant],
    played: Sequence[RoundResult],
    rounds: int,
    tables: Tables,
    by_hand: Sequence[tuple[int, ...]],
) -> Round | None:
    """Makes a round around pairings by hand; ``None`` when the tournament is over.

    These are the first boards, in their order. The format's pairings follow in its order. An
    entrant that it does not pair either has a bye.

    Args:
        by_hand: Those pairings (``paired_by_hand``).
    """
    if not by_hand or len(played) >= rounds:
        return format.next_round(field, played, rounds, tables)
    place = {index: group for group in by_hand for index in group}
    around = tuple(
        msgspec.structs.replace(entrant, absent=True, seated=place[index])
        if index in place
        else entrant
        for index, entrant in enumerate(field)
    )
    rest = [index for index in format.seatable(field, played) if index not in place]
    made = format.next_round(around, played, rounds, tables) if len(rest) > 1 else None
    for index in chain.from_iterable(each.seats for each in made.pairings) if made else ():
        if index in place:
            raise BadInput(f"{format.name} seats {field[index].name}, which is paired by hand")
    pairings = [Pairing(group) for group in by_hand if len(group) > 1]
    byes = [group[0] for group in by_hand if len(group) == 1]
    return Round(
        number=len(played) + 1,
        pairings=(*pairings, *(made.pairings if made else ())),
        byes=tuple(sorted([*byes, *(made.byes if made else rest)])),
    )
