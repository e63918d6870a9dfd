"""The extras of section 7 at work: what the person may do besides Pazaak, and what it changes."""

from __future__ import annotations

from collections.abc import Iterator

from arena.games.pazaak.career import actions
from arena.games.pazaak.career.actions import CareerAction
from arena.games.pazaak.career.rules import PERSON, RIVAL, CareerRules
from arena.games.pazaak.engine.actions import PazaakAction
from arena.games.pazaak.engine.cards import Card, Square, in_order, square
from arena.games.pazaak.engine.procedure import settle_landing
from arena.games.pazaak.engine.stages import ACT, PLAYED
from arena.games.pazaak.engine.state import PazaakState


def may_cheat(rules: CareerRules, table: PazaakState, attempts: int) -> bool:
    """Section 7: whether a cheat can be attempted: in the person's turn, with a chance left."""
    if not rules.cheats or table.player != PERSON or table.phase not in (ACT, PLAYED):
        return False
    return rules.chance_of_cheat(attempts) > 0


def cheats(table: PazaakState) -> tuple[CareerAction, ...]:
    """Section 7: to think better of it, and the cheats that there is a card for."""
    return (actions.HONEST, *_cheats(table))


def _cheats(table: PazaakState) -> Iterator[CareerAction]:
    for seat in (PERSON, RIVAL):
        if last_deck_card(table.tables[seat]) is not None:
            yield from actions.ALTERS[seat]
    hand = tuple(dict.fromkeys(table.hands[PERSON]))
    yield from (actions.TURNS[card] for card in hand if card in actions.TURNS)
    for card in hand:
        yield from actions.CHANGES[card]


def exchanges(hand: tuple[Card, ...], auxiliary: tuple[Card, ...]) -> tuple[CareerAction, ...]:
    """Section 7, 003:144-147: one hand card for one of the auxiliary hand, or none."""
    swaps = (
        actions.SWAPS[card, other]
        for card in dict.fromkeys(hand)
        for other in dict.fromkeys(auxiliary)
        if card is not other
    )
    return (actions.KEEP, *swaps)


def last_deck_card(squares: tuple[Square, ...]) -> int | None:
    """The index of the last deck card of a table; ``None`` without one."""
    return next((at for at in reversed(range(len(squares))) if squares[at].face.from_deck), None)


def cheat(table: PazaakState, action: CareerAction) -> None:
    """Changes the table as a cheat that succeeds does, and checks it like a card that landed.

    Section 2, turn 1a-b: the person's nine cards and 20 are judged at once; a rival who stands is
    judged at the showdown by the total that the altered card leaves.
    """
    if action.kind == actions.ALTER_:
        alter(table, action.seat, action.value)
    else:
        replace_hand_card(table, action)
    settle_landing(table, PERSON)


def alter(table: PazaakState, seat: int, value: int) -> None:
    """Section 7, cheat 1: the last deck card of a table counts something else, in its place."""
    side = table.sides[seat]
    squares = side.squares
    at = last_deck_card(squares)
    assert at is not None
    # The face stays: which cards the deck still holds does not change.
    altered = square(value, squares[at].face)
    side.squares = (*squares[:at], altered, *squares[at + 1 :])
    side.total = sum(each.value for each in side.squares)


def replace_hand_card(table: PazaakState, action: CareerAction) -> None:
    """Places another card in the place of a hand card: cheats 2 and 3, and the exchange."""
    assert action.card is not None
    assert action.other is not None
    hand = list(table.hands[PERSON])
    hand.remove(action.card)
    table.give_hand(PERSON, in_order([*hand, action.other]))


def own_choices(
    rules: CareerRules, table: PazaakState, attempts: int, cheated: bool
) -> tuple[PazaakAction | CareerAction, ...]:
    """The choices at a decision of the table: Pazaak's, and for the person to cheat."""
    if not cheated and may_cheat(rules, table, attempts):
        return (*table.legal, actions.CHEAT)
    return table.legal
