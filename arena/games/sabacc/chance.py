"""Chance: what it is asked for, its exact odds, and how a dealer answers at once.

Every pile is drawn by seat streams (``arena.core.dealer``), and everything else is named by the
hand and the seat's own number of it: who draws or rolls more never shifts what comes to another
seat. The rule book says under "Chance" in section 14 what cannot be kept apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from arena.core.dealer import Dealer, Deck
from arena.core.errors import HarnessFault
from arena.games.sabacc.actions import CARDS, FACES, SLIPS, SabaccAction
from arena.games.sabacc.cards import DECK, Card
from arena.games.sabacc.rulesets import SabaccRules
from arena.games.sabacc.stages import CARD, DIE, GET, PICK, SLIP
from arena.games.sabacc.table import Table

Odds: TypeAlias = tuple[tuple[SabaccAction, Fraction], ...]


def deck_pile(table: Table, dealer: Dealer) -> Deck[Card]:
    """The cards of the deck as a pile; a new name for each time it is made within a hand."""
    name = f"hand/{table.hand_number}"
    if table.shuffles:
        name += f"/{table.shuffles}"
    whole = not (table.gone or table.pool or any(table.hand_sizes))
    return dealer.pile(name, DECK if whole else table.unseen(), table.seats)


def answer(table: Table, dealer: Dealer) -> SabaccAction:
    """The dealer's answer to what chance is asked for."""
    seat, hand = table.turn, table.hand_number
    if table.need == CARD:
        if table.deck is None:
            raise HarnessFault("a card is drawn, but no deck is made")
        return CARDS[table.deck.draw(seat).id]
    if table.need == DIE:
        return _die(table, dealer)
    if table.need == PICK:
        held = table.hands[seat]
        return CARDS[dealer.source(f"pick/{hand}/{table.shifts}/{seat}", held, 1).draw(0).id]
    if table.need == GET:
        name = f"get/{hand}/{table.shifts}/{len(table.pool)}"
        return CARDS[dealer.source(name, table.pool, 1).draw(0).id]
    return _slip(table, dealer)


def _die(table: Table, dealer: Dealer) -> SabaccAction:
    """Section 5: the face of a roll, by the number of the seat's own rolls in the hand."""
    seat, hand = table.turn, table.hand_number
    if table.engine.chance_apart:
        return dealer.source(f"die/{hand}/{seat}/{table.rolls[seat]}", FACES, 1).draw(0)
    return dealer.source(f"die/{hand}/{sum(table.rolls)}", FACES, table.seats).draw(seat)


def _slip(table: Table, dealer: Dealer) -> SabaccAction:
    """Section 6: a slip, by its number in the hand: the first of a shuffle that is not out."""
    left = slips_left(table)
    if not table.engine.chance_apart:
        return dealer.source(f"slip/{table.slips_drawn}", left, 1).draw(0)
    name = f"slip/{table.hand_number}/{table.slips_in_hand}"
    pile = dealer.pile(name, slips(table.rules), 1)
    while (slip := pile.draw(0)) not in left:
        pass
    return slip


def outcomes(table: Table) -> Odds:
    """The exact odds of what chance is asked for."""
    if table.need == CARD:
        return card_odds(table.unseen())
    if table.need == DIE:
        return _even(FACES)
    if table.need == PICK:
        return card_odds(table.hands[table.turn])
    if table.need == GET:
        return card_odds(table.pool)
    if table.need == SLIP:
        return _even(slips_left(table))
    return ()


def card_odds(deck: Sequence[Card]) -> Odds:
    """Every kind of card that may be drawn from these."""
    kinds = Counter(card.id for card in deck)
    return tuple((CARDS[id], Fraction(kinds[id], len(deck))) for id in sorted(kinds))


def slips_left(table: Table) -> tuple[SabaccAction, ...]:
    """B17: the slips that may be drawn now."""
    out = table.slips_out
    return tuple(slip for slip in slips(table.rules) if slip.value not in out)


@cache
def slips(rules: SabaccRules) -> tuple[SabaccAction, ...]:
    """Section 6, B17: the slips: the eight named variants, and the standard as a ninth."""
    return SLIPS if rules.slips == "nine" else SLIPS[1:]


@cache
def _even(actions: tuple[SabaccAction, ...]) -> Odds:
    return tuple((action, Fraction(1, len(actions))) for action in actions)
