"""Chance: what it is asked for, its exact odds, and how a dealer answers at once.

Every pile is drawn by seat streams (``arena.core.chance.dealer``). Everything else is named by the
hand and the seat's own number of it: who draws or rolls more never shifts what comes to another
seat. The rule book says under "Chance" in section 14 what cannot be kept apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import TypeAlias

from arena.core.chance.dealer import Dealer
from arena.core.errors import HarnessFault
from arena.games.sabacc.cards.cards import Card
from arena.games.sabacc.engine.actions import CARDS, FACES, SabaccAction
from arena.games.sabacc.engine.hand import Hand
from arena.games.sabacc.engine.history import events_of
from arena.games.sabacc.engine.rules import slips
from arena.games.sabacc.engine.stages import CARD, DIE, GET, PICK, SLIP

Odds: TypeAlias = tuple[tuple[SabaccAction, Fraction], ...]


def answer(hand: Hand, dealer: Dealer) -> SabaccAction:
    """The dealer's answer to what chance is asked for."""
    deck, seat, number = hand.deck, hand.turn, hand.match.hand_number
    if hand.need == CARD:
        if deck.pile is None:
            raise HarnessFault("a card is drawn, but no deck is made")
        return CARDS[deck.pile.draw(seat).id]
    if hand.need == DIE:
        return _die(hand, dealer)
    if hand.need == PICK:
        held = deck.hands[seat]
        return CARDS[dealer.source(f"pick/{number}/{hand.shifts}/{seat}", held, 1).draw(0).id]
    if hand.need == GET:
        name = f"get/{number}/{hand.shifts}/{len(deck.pool)}"
        return CARDS[dealer.source(name, deck.pool, 1).draw(0).id]
    return _slip(hand, dealer)


def _die(hand: Hand, dealer: Dealer) -> SabaccAction:
    """Section 5: the face of a roll, by the number of the seat's own rolls in the hand."""
    match, seat = hand.match, hand.turn
    name = f"die/{match.hand_number}/{seat}/{hand.rolls[seat]}"
    return dealer.source(name, FACES, 1).draw(0)


def _slip(hand: Hand, dealer: Dealer) -> SabaccAction:
    """Section 6: a slip, by its number in the hand: the first of a shuffle that is not out."""
    match, left = hand.match, slips_left(hand)
    name = f"slip/{match.hand_number}/{hand.slips_in_hand}"
    pile = dealer.pile(name, slips(match.rules), 1)
    while (slip := pile.draw(0)) not in left:
        pass
    return slip


def outcomes(hand: Hand) -> Odds:
    """The exact odds of what chance is asked for."""
    if hand.need == CARD:
        return card_odds(hand.deck.unseen())
    if hand.need == DIE:
        return _even(FACES)
    if hand.need == PICK:
        return card_odds(hand.deck.hands[hand.turn])
    if hand.need == GET:
        return card_odds(hand.deck.pool)
    if hand.need == SLIP:
        return _even(slips_left(hand))
    return ()


def came(node: Hand, later: Hand) -> SabaccAction:
    """The outcome of a chance node that led to a later state: what the seat saw, or all did."""
    match, seat = node.match, node.turn
    if node.need in (DIE, SLIP):
        event = events_of(later.match.history, len(match.history))[0]
        found = FACES if node.need == DIE else slips_left(node)
        return next(each for each in found if each.value == event.number)
    number = match.hand_number
    same = later.match.hand_number == number
    known = later.deck.memory[seat] if same else later.match.past[seat][number - 1]
    return CARDS[known[len(node.deck.memory[seat])]]


def card_odds(deck: Sequence[Card]) -> Odds:
    """Every kind of card that may be drawn from these."""
    return _odds_of(tuple([card.id for card in deck]))


@lru_cache(64)  # at one chance node it is asked for many times
def _odds_of(ids: tuple[int, ...]) -> Odds:
    kinds = Counter(ids)
    return tuple((CARDS[id], _share(kinds[id], len(ids))) for id in sorted(kinds))


@cache
def _share(cards: int, deck: int) -> Fraction:
    return Fraction(cards, deck)


def slips_left(hand: Hand) -> tuple[SabaccAction, ...]:
    """B17: the slips that may be drawn now."""
    out = hand.match.slips_out
    return tuple(slip for slip in slips(hand.match.rules) if slip.value not in out)


@cache
def _even(actions: tuple[SabaccAction, ...]) -> Odds:
    return tuple((action, Fraction(1, len(actions))) for action in actions)
