"""Cards: the 23 kinds of side card, the ten deck cards, and squares of a table.

Rule book sections 1.2, 1.6 and 2. All are interned: compare them with ``is`` or ``==`` alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from operator import attrgetter

import msgspec

from arena.core.errors import ParseError


class Card(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A kind of card.

    Attributes:
        id: 0..22 for side cards in catalogue order; 100 + value for deck cards.
        name: As the rule book writes it: ``+3 -3 ±3 ±1/2 2&4 3&6 D ±1T``; ``7`` for a deck card.
        values: The signed values it can be laid as; empty for flip cards and the Double.
        flips: The magnitudes that a flip card turns.
        doubles: Whether it is the Double.
        breaks_ties: Whether it is the Tiebreaker.
        gold: Whether it is an advanced card (000:16).
    """

    id: int
    name: str
    values: tuple[int, ...] = ()
    flips: tuple[int, ...] = ()
    doubles: bool = False
    breaks_ties: bool = False
    gold: bool = False

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, ...]:
        return (card_of, (self.id,))

    @property
    def from_deck(self) -> bool:
        """True for a main-deck card."""
        return self.id > 100

    @property
    def special(self) -> bool:
        """Flip, Double and Tiebreaker: the cards of question A7."""
        return bool(self.flips or self.doubles or self.breaks_ties)


def _catalogue() -> tuple[Card, ...]:
    rows: list[tuple[str, tuple[int, ...]]] = [
        *((f"+{n}", (n,)) for n in range(1, 7)),
        *((f"-{n}", (-n,)) for n in range(1, 7)),
        *((f"±{n}", (n, -n)) for n in range(1, 7)),
    ]
    plain = [Card(id=index, name=name, values=values) for index, (name, values) in enumerate(rows)]
    return (
        *plain,
        Card(id=18, name="±1/2", values=(1, -1, 2, -2), gold=True),
        Card(id=19, name="2&4", flips=(2, 4), gold=True),
        Card(id=20, name="3&6", flips=(3, 6), gold=True),
        Card(id=21, name="D", doubles=True, gold=True),
        Card(id=22, name="±1T", values=(1, -1), breaks_ties=True, gold=True),
    )


CATALOGUE = _catalogue()
"""The 23 kinds of side card (rule book S10, C15); a card's id is its index."""

DECK_CARDS = tuple(Card(id=100 + v, name=str(v), values=(v,)) for v in range(1, 11))
"""The ten kinds of main-deck card (S5); the card of value v is at index v - 1."""

FORTY = tuple(value for value in range(1, 11) for _ in range(4))
"""Values of the 40-card main deck in canonical order (S6)."""

TEN = tuple(range(1, 11))
"""Values of the unbound main deck (C4 ``infinite``)."""

_BY_CATALOGUE = attrgetter("id")
_BY_ID = {card.id: card for card in chain(CATALOGUE, DECK_CARDS)}
_BY_NAME = {card.name: card for card in CATALOGUE}


def card_of(id: int) -> Card:
    """The card with that id."""
    return _BY_ID[id]


def card_named(name: str) -> Card:
    """The side card of that name (``+/-3``, ``+-3`` also mean ``±3``); raises ``ParseError``."""
    spelled = name.strip().replace("+/-", "±").replace("+-", "±").replace("−", "-")
    card = _BY_NAME.get(spelled)
    if card is None:
        raise ParseError(f"no card {name!r}; the cards are {' '.join(_BY_NAME)}")
    return card


def cards_named(text: str) -> tuple[Card, ...]:
    """The side cards of a text such as ``"+1 -2 ±3 D"``, in the order written."""
    return tuple(card_named(name) for name in text.replace(",", " ").split())


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards in catalogue order: the canonical order of hands and decks."""
    return tuple(sorted(cards, key=_BY_CATALOGUE))


class Square(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One card on a table.

    Attributes:
        value: Its present value, signed (a flip card and a Double ``in_place`` count 0).
        face: The card.
        printed: The magnitude for ``flip_by=printed`` (rule book A9).
    """

    value: int
    face: Card
    printed: int

    def __str__(self) -> str:
        return str(self.value)

    def __reduce__(self) -> tuple[object, ...]:
        return (square, (self.value, self.face, self.printed))

    def with_value(self, value: int) -> Square:
        """The same card, counting something else."""
        return square(value, self.face, self.printed)


_SQUARES: dict[tuple[int, int, int], Square] = {}


def square(value: int, face: Card, printed: int | None = None) -> Square:
    """The one square of that content; ``printed`` defaults to the present magnitude."""
    magnitude = abs(value) if printed is None else printed
    key = (value, face.id, magnitude)
    found = _SQUARES.get(key)
    if found is None:
        found = _SQUARES[key] = Square(value=value, face=face, printed=magnitude)
    return found


DECK_ROWS = ((), *((square(v, DECK_CARDS[v - 1]),) for v in range(1, 11)))
"""Squares that a drawn deck card adds to a table: its one, by value; none at index 0."""
