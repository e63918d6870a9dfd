"""The deck of 76 (rule book, section 1): 44 numbered, 16 ranked and 16 character cards."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, compress
from operator import attrgetter
from typing import Final

import msgspec

from arena.core.errors import UnknownName

SUITS = ("Staves", "Sabers", "Flasks", "Coins")
RANKS = ("Commander", "Mistress", "Master", "Ace")
CHARACTERS = (
    "Idiot", "Rancor", "Jedi Knight", "Jedi Master",
    "Dark Jedi", "Lord of the Sith", "Smuggler", "Bounty Hunter",
)  # fmt: skip
"""The eight characters, two cards of each; what they are worth is the variant's business."""

FIVE: Final = 5
"""The rank of the wild cards (section 4.1)."""


class Card(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A kind of card, interned: the two cards of one character are the same kind.

    Attributes:
        id: 0..67: numbered and ranked cards suit by suit, then the characters.
        name: ``7 of Coins``, ``Ace of Sabers``, ``Jedi Master``.
        suit: One of ``SUITS``; empty for a character.
        rank: ``1`` .. ``11``, one of ``RANKS``, or the character's name.
        value: 1..15; 0 for a character, whose value is the variant's business.
    """

    id: int
    name: str
    suit: str
    rank: str
    value: int

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, ...]:
        return (card_of, (self.id,))

    @property
    def numbered(self) -> bool:
        """True for the 44 numbered cards."""
        return 0 < self.value < 12

    @property
    def character(self) -> bool:
        """True for the 16 characters."""
        return not self.suit


def _kinds() -> tuple[Card, ...]:
    ranks = (*map(str, range(1, 12)), *RANKS)
    suited = [
        (f"{rank} of {suit}", suit, rank, n) for suit in SUITS for n, rank in enumerate(ranks, 1)
    ]
    characters = [(name, "", name, 0) for name in CHARACTERS]
    return tuple(Card(id, *row) for id, row in enumerate([*suited, *characters]))


KINDS = _kinds()
"""The 68 kinds; a card's id is its index."""

DECK = tuple(card for card in KINDS for _ in range(2 if card.character else 1))
"""The 76 cards."""
DECK_SIZE: Final = 76

COPIES = tuple(2 if card.character else 1 for card in KINDS)
"""Number of cards of each kind, by its id."""

_PLACES = tuple(accumulate(COPIES, initial=0))
_WHOLE = b"\1" * len(DECK)

_ID = attrgetter("id")

_BY_NAME = {card.name.lower(): card for card in KINDS}


def card_of(id: int) -> Card:
    """The kind with that id; raises ``IndexError``."""
    return KINDS[id]


def card_named(name: str) -> Card:
    """The card of that name, however it is capitalised; raises ``UnknownName``."""
    card = _BY_NAME.get(" ".join(name.split()).lower())
    if card is None:
        raise UnknownName(
            "Sabacc card", name, [f"1..11 or {', '.join(RANKS)} of {', '.join(SUITS)}", *CHARACTERS]
        )
    return card


def deck_without(groups: Iterable[Iterable[Card]]) -> list[Card]:
    """The rest of the deck, in canonical order, when the cards of these groups are taken from it.

    A card that occurs more often than the deck holds it (a described situation) is gone.
    """
    there = bytearray(_WHOLE)
    for group in groups:
        for card in group:
            place = _PLACES[card.id]
            if not there[place]:
                place = _PLACES[card.id + 1] - 1  # the other card of a character
            there[place] = 0
    return [*compress(DECK, there)]


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards in the order of their ids: how hands are kept."""
    return tuple(sorted(cards, key=_ID))
