"""Decides who wins a showdown (rule book, sections 4.2, 4.4 and 4.5, with I5 and B8).

Seats are returned in the order in which hands are given. Nothing is drawn here: whoever calls
deals the extra cards of a tie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

from arena.games.sabacc.cards.cards import FIVE, Card
from arena.games.sabacc.cards.ranking import WILD_MOST, Ranker
from arena.games.sabacc.cards.value import Value

IDIOT_UPSET = "idiot_upset"

Hands: TypeAlias = Mapping[int, Sequence[Card]]
"""Hands by seat, in order from the dealer's left."""

_Standing = tuple[bool, tuple[int, ...]]
"""Lifted by an upset, and the key of the hand's value; higher is better."""


def leaders(ranks: Ranker, hands: Hands) -> tuple[tuple[int, ...], str]:
    """The seats with the best hand, more than one if tied, and the special rule that decided.

    Hands that all lose are tied; ``everybody_loses`` marks them.

    Returns:
        The seats, and ``"idiot_upset"`` if an Idiot combination beat pure sabacc (I5), or ``""``.
    """
    values = _values(ranks, hands)
    upset = _upset(ranks, values)
    return _leading(values, upset), IDIOT_UPSET if upset else ""


def everybody_loses(ranks: Ranker, hands: Hands) -> bool:
    """True if every hand is above 46 or below -23 (004:132-136; then B13 holds)."""
    return _all_lose(_values(ranks, hands))


def _all_lose(values: dict[int, Value]) -> bool:
    return all(value.category == "bomb" for value in values.values())


def still_tied(ranks: Ranker, hands: Hands, extra: Mapping[int, Card]) -> tuple[int, ...]:
    """Seats that lead after every tied one has got one more card (004:104, B8).

    The best hand wins; among equal hands, also among losing ones, the extra card of most worth,
    where a wild five counts 11.

    Args:
        hands: The tied seats' hands, extra cards included.
        extra: The card each of them has just got.

    Returns:
        The winner only, or the seats that each get another card.
    """
    best, _ = leaders(ranks, hands)

    def worth(seat: int) -> int:
        card = extra[seat]
        return WILD_MOST if ranks.rules.wild_five and card.value == FIVE else ranks.values[card.id]

    most = max(map(worth, best))
    return tuple(seat for seat in best if worth(seat) == most)


def finishing(ranks: Ranker, hands: Hands, winners: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Groups of seats from best to worst: the winners, then the others by their hands.

    Args:
        hands: All hands as they were laid down; an upset among them holds for every place.
        winners: Who won, by a tie's extra cards too; empty when nobody did.
    """
    values = _values(ranks, hands)
    upset = _upset(ranks, values)
    standings = {seat: _standing(value, upset) for seat, value in values.items()}
    others = [seat for seat in hands if seat not in winners]
    others.sort(key=standings.__getitem__, reverse=True)
    groups = (tuple(seats) for _, seats in groupby(others, standings.__getitem__))
    return (tuple(winners), *groups) if winners else tuple(groups)


def _values(ranks: Ranker, hands: Hands) -> dict[int, Value]:
    return {seat: ranks.rank(hand) for seat, hand in hands.items()}


def _upset(ranks: Ranker, values: dict[int, Value]) -> bool:
    """True if an Idiot combination among these hands beats pure sabacc (I5)."""
    pures = idiots = 0
    for value in values.values():
        if value.category == "pure":
            pures += 1
        elif value.category == "idiot":
            idiots += 1
    if not (pures and idiots):
        return False
    rule = ranks.rules.idiot_upset
    return (
        rule == "always"
        or (rule == "tied_pure" and pures > 1)
        or (rule == "two_idiots" and idiots > 1)
    )


def _standing(value: Value, upset: bool) -> _Standing:
    return upset and value.category == "idiot", value.key


def _leading(values: dict[int, Value], upset: bool) -> tuple[int, ...]:
    standings = {seat: _standing(value, upset) for seat, value in values.items()}
    best = max(standings.values())
    return tuple([seat for seat, standing in standings.items() if standing == best])


def best_of(ranks: Ranker, laid: Hands, extra: Sequence[Sequence[Card]]) -> tuple[int, ...]:
    """The best of these seats by the hands laid down and the extra cards so far (004:104, B8).

    Args:
        laid: The hands as they were laid down, by seat, from the dealer's left.
        extra: By seat: the cards that it got to break ties, in order.

    Returns:
        The best one; several while they are equal; nobody when everybody loses.
    """
    values = _values(ranks, laid)
    if _all_lose(values):
        return ()
    best = _leading(values, _upset(ranks, values))
    got = 0
    while len(best) > 1 and all(len(extra[seat]) > got for seat in best):
        got += 1
        hands = {seat: (*laid[seat], *extra[seat][:got]) for seat in best}
        best = still_tied(ranks, hands, {seat: extra[seat][got - 1] for seat in best})
    return best
