"""Any described situation as a state: for tests, puzzles, and resampling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from arena.core.chance.dealer import Dealer
from arena.core.state import CHANCE
from arena.games.pazaak.engine.cards import DECK_CARDS, Card, Square, card_named, in_order, square
from arena.games.pazaak.engine.procedure import ask_seat
from arena.games.pazaak.engine.rules import counted_squares
from arena.games.pazaak.engine.rulesets import SQUARES, PazaakRules
from arena.games.pazaak.engine.stages import ACT, DRAW, NO_MARKS, PLAYED, Marks
from arena.games.pazaak.engine.state import PazaakState

Lying: TypeAlias = int | tuple[int, str] | Square
"""A card on a table: a deck card's present value, or (present value, side card's name)."""


def lying(card: Lying) -> Square:
    """The square that a description means; a deck card's present value may be negative."""
    if isinstance(card, Square):
        return card
    if isinstance(card, tuple):
        return square(card[0], card_named(card[1]))
    # A value beyond the deck's ten (a card doubled in place) still needs a face.
    return square(card, DECK_CARDS[min(max(abs(card), 1), 10) - 1])


def situation(
    rules: PazaakRules,
    *,
    tables: Sequence[Sequence[Lying]] = ((), ()),
    hands: Sequence[str | Sequence[Card]] = ("", ""),
    side_decks: Sequence[Sequence[Card]] = ((), ()),
    standing: Sequence[bool] = (False, False),
    sets: Sequence[int] = (0, 0),
    turn: int = 0,
    starter: int | None = None,
    set_number: int | None = None,
    phase: int = DRAW,
    marks: Marks = NO_MARKS,
    history: bytes = b"",
    dealt: Sequence[tuple[tuple[Card, ...], ...]] | None = None,
    dealer: Dealer | None = None,
) -> PazaakState:
    """A state that need not be reachable; nothing is checked against decks or turn order.

    Args:
        tables: The cards on both tables, in the order laid.
        hands: Hand cards by seat: names in one text, or cards.
        side_decks: Side decks by seat.
        standing: Who stands.
        sets: Sets won.
        turn: Whose turn it is.
        starter: Who started the set; by default the seat whose turn it is.
        set_number: Number of the set from 1; by default one more than the sets won.
        phase: ``DRAW`` (the deck card is to come), ``ACT`` (it has come) or ``PLAYED`` (a hand
            card has been played too).
        marks: What is marked in the set.
        history: Public events so far.
        dealt: Hands dealt so far, by seat; by default the given hands.
        dealer: Answers chance; with it a ``DRAW`` phase is passed at once.
    """
    state = PazaakState(rules, tuple(tuple(deck) for deck in side_decks))
    for seat in (0, 1):
        hand = hands[seat]
        cards = map(card_named, hand.split()) if isinstance(hand, str) else hand
        state.give_hand(seat, in_order(cards))
        side = state.sides[seat]
        side.squares = tuple(lying(card) for card in tables[seat])
        side.total = sum(sq.value for sq in side.squares)
        side.standing = standing[seat]
        side.sets = sets[seat]
        side.dealt = (side.hand,) if dealt is None else dealt[seat]
    state.starter = turn if starter is None else starter
    state.set_number = sum(sets) + 1 if set_number is None else set_number
    state.marks, state.history = marks, history
    state.phase, state.turn = phase, turn
    if phase in (ACT, PLAYED):
        ask_seat(state, turn, counted_squares(rules, state.tables[turn]) >= SQUARES)
    else:
        state.player = CHANCE
        state.legal = ()
    if dealer is not None:
        state.attach(dealer)
    return state
