"""Side decks: what each seat of Pazaak chooses before a match (S8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import TypeVar

from arena.core.actions import type_name
from arena.core.errors import IllegalLoadout, ParseError
from arena.core.parts import LoadoutCard, Loadouts, Picker
from arena.games.pazaak.engine.cards import (
    CATALOGUE,
    DECK_CARDS,
    Card,
    card_named,
    card_of,
    in_order,
)
from arena.games.pazaak.engine.observation import SideDeckOffer
from arena.games.pazaak.engine.rules import check_side_deck, default_side_deck, side_deck_choice
from arena.games.pazaak.engine.rulesets import PazaakRules
from arena.games.pazaak.engine.side_decks import deck_named
from arena.games.pazaak.parts.effects import effect
from arena.games.pazaak.parts.looks import card_face

T = TypeVar("T")
_FEW_KINDS = ("±1/2 ±1T", "±1/2 ±1T ±3", "±1/2", "±2 ±3", "±1 ±2 ±3 ±4")
"""Kinds that make a good deck together: a card of either sign fits often, a tie is often won."""


class SideDecks(Loadouts[PazaakRules]):
    """A loadout is a side deck: its cards' ids in catalogue order (S8, C3, A14, C15)."""

    def offer(self, ruleset: PazaakRules, seat: int) -> SideDeckOffer | None:
        """Asks for a side deck (S8), unless every bot is handed the same."""
        return _offer(ruleset, seat)

    def picker(self, ruleset: PazaakRules) -> Picker | None:
        """The kinds of side card that may be chosen, with the caps on copies."""
        return _picker(ruleset)

    def accept(self, ruleset: PazaakRules, answer: object) -> bytes:
        """Takes cards, their names, or one text: names, or the name of a ready-made deck."""
        if answer is None:
            return _ids(default_side_deck(ruleset))
        if type(answer) is str:
            answer = _read(deck_named, answer)
        # Exact types: a subclass could change its mind between the check and the match.
        if type(answer) is not tuple and type(answer) is not list:
            raise IllegalLoadout(f"a side deck is cards or their names, not {type_name(answer)}")
        deck = tuple([_read(card_named, it) if type(it) is str else it for it in answer])
        for card in deck:
            # Only the catalogue's own objects: a card made by the bot could hold anything.
            if type(card) is not Card or card not in CATALOGUE:
                raise IllegalLoadout(f"{_describe(card)} is not a side card")
        return _ids(check_side_deck(ruleset, deck))

    def candidates(self, ruleset: PazaakRules) -> tuple[bytes, ...]:
        """Returns decks of a few kinds each, as far as the rules have them."""
        return _candidates(ruleset)

    def text(self, loadout: bytes) -> str:
        return " ".join(card_of(card).name for card in loadout)

    def parse(self, text: str) -> tuple[Card, ...]:
        """Reads ``"+1 -2 ±3 D ..."``, or a ready-made deck's name (``"hard"``)."""
        return deck_named(text)


@cache
def side_deck(ruleset: PazaakRules, loadout: bytes) -> tuple[Card, ...]:
    """Returns the cards of a loadout; raises ``IllegalLoadout`` unless the rules allow it."""
    if loadout and max(loadout) >= len(CATALOGUE):
        raise IllegalLoadout(f"no side card has id {max(loadout)}")
    return check_side_deck(ruleset, tuple(CATALOGUE[number] for number in loadout))


@cache
def _offer(ruleset: PazaakRules, seat: int) -> SideDeckOffer | None:
    if ruleset.fixed_deck:
        return None
    choice = side_deck_choice(ruleset)
    return SideDeckOffer(seat, ruleset, ruleset.deck_sizes, choice, not ruleset.collection)


@cache
def _picker(ruleset: PazaakRules) -> Picker | None:
    if ruleset.fixed_deck:
        return None
    least, most = ruleset.deck_sizes
    owned = Counter(side_deck_choice(ruleset)) if ruleset.collection else Counter[Card]()
    cards = [
        LoadoutCard(
            text=card.name,
            face=card_face(card),
            about=effect(ruleset, card),
            most=min(owned[card] or most, ruleset.copies_allowed(card) or most),
        )
        for card in dict.fromkeys(side_deck_choice(ruleset))
    ]
    default = tuple(card.name for card in default_side_deck(ruleset))
    return Picker(name="side deck", cards=tuple(cards), least=least, most=most, chosen=default)


@cache
def _candidates(ruleset: PazaakRules) -> tuple[bytes, ...]:
    if ruleset.fixed_deck:
        return ()
    choice = side_deck_choice(ruleset)
    size, owned = ruleset.deck_sizes[0], Counter(choice) if ruleset.collection else None
    decks = []
    for names in _FEW_KINDS:
        kinds = [card_named(name) for name in names.split()]
        deck: Counter[Card] = Counter()
        for card in (*kinds * size, *choice * size):
            most = min(ruleset.copies_allowed(card) or size, owned[card] if owned else size)
            if card in choice and deck[card] < most and deck.total() < size:
                deck[card] += 1
        decks.append(_ids(check_side_deck(ruleset, in_order(deck.elements()))))
    return tuple(dict.fromkeys(decks))


def _read(reader: Callable[[str], T], text: str) -> T:
    """Reads cards that a bot wrote as text; unreadable text is an illegal loadout."""
    try:
        return reader(text)
    except ParseError as error:
        raise IllegalLoadout(str(error)) from None


def _describe(thing: object) -> str:
    """Names a part of a bot's loadout, without running any code of the bot's."""
    if type(thing) is Card and thing in DECK_CARDS:
        return thing.name
    return f"a {type_name(thing)}"


@cache
def _ids(deck: tuple[Card, ...]) -> bytes:
    return bytes(card.id for card in deck)
