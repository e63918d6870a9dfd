"""The public events of a match as bytes, and back: what everybody at the table saw.

An event is one byte, its kind and seat, and the bytes of what it carries (``CARRIES``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter

import msgspec

from arena.core.errors import ParseError
from arena.games.sabacc.cards.cards import KINDS, Card
from arena.games.sabacc.cards.variants import VARIANTS

EVENTS = {
    "hand": ("", "deals a hand"),
    "ante": ("number", "puts {number} to enter"),
    "pass": ("", "passes"),
    "draw": ("", "draws a card"),
    "exchange": ("number", "exchanges {count}"),
    "show": ("cards", "shows {cards}"),
    "fold": ("", "folds"),
    "put": ("number", "puts {number}"),
    "demand": ("number", "puts {number} and demands the exchange"),
    "check": ("", "checks"),
    "call": ("number", "calls {number}"),
    "bet": ("number", "bets {number}"),
    "raise": ("number", "raises, putting {number}"),
    "all in": ("number", "goes all in with {number}"),
    "roll": ("number", "rolls {number}"),
    "swap": ("", "swaps a card with the deck"),
    "slip": ("number", "draws the slip {variant}"),
    "reveal": ("cards", "lays down {cards}"),
    "extra": ("cards", "gets {cards} to break the tie"),
    "win": ("number", "wins (+{number})"),
    "share": ("number", "gets a share of what nobody won (+{number})"),
    "carry": ("number", "carries {number} over to the next hand: nobody won them"),
    "score": ("number", "scores {number}"),
    "reshuffle": ("", "reshuffles the discards"),
    "expel": ("", "is taken out of the match"),
}
"""Each kind of event: what it carries next to the seat, and how it reads."""

_COUNTS = ("nothing", "1 card", "2 cards", "3 cards", "4 cards", "5 cards")
_TITLES = tuple(row.title for row in VARIANTS.values())
KINDS_OF_EVENT = tuple(EVENTS)
_CODE = {kind: number for number, kind in enumerate(KINDS_OF_EVENT)}
_ID = attrgetter("id")
_BIAS = 1 << 23  # numbers are written in three bytes, and points may be negative


class Event(msgspec.Struct, frozen=True):
    """A public event.

    Attributes:
        seat: Whose event it is; the dealer's seat for what the dealer does.
        kind: One of ``EVENTS``.
        number: Chips, cards, points, the face of the die, or the variant's number.
        cards: Cards that everybody saw.
    """

    seat: int
    kind: str
    number: int = 0
    cards: tuple[Card, ...] = ()

    def __str__(self) -> str:
        text = EVENTS[self.kind][1].format(
            number=self.number,
            count=_COUNTS[self.number] if self.kind == "exchange" else "",
            cards=", ".join(map(str, self.cards)),
            variant=_TITLES[self.number] if self.kind == "slip" else "",
        )
        return f"seat {self.seat}: {text}"


@lru_cache(maxsize=8192)
def plain(kind: str, seat: int) -> bytes:
    """The bytes of an event that carries nothing."""
    return bytes((_CODE[kind] << 3 | seat,))


@lru_cache(maxsize=8192)
def numbered(kind: str, seat: int, number: int) -> bytes:
    """The bytes of an event that carries a number."""
    return plain(kind, seat) + (number + _BIAS).to_bytes(3, "little")


def with_cards(kind: str, seat: int, cards: Sequence[Card]) -> bytes:
    """The bytes of an event that carries cards."""
    return bytes([_CODE[kind] << 3 | seat, len(cards), *map(_ID, cards)])


def events_of(history: bytes, start: int = 0) -> tuple[Event, ...]:
    """The events of a history from ``start`` on, oldest first; raises ``ParseError``."""
    events = []
    no_cards: tuple[Card, ...] = ()
    at = start
    try:
        while at < len(history):
            code, seat = divmod(history[at], 8)
            kind = KINDS_OF_EVENT[code]
            carries = EVENTS[kind][0]
            at += 1
            number, cards = 0, no_cards
            if carries == "number":
                number = int.from_bytes(history[at : at + 3], "little") - _BIAS
                at += 3
            elif carries == "cards":
                end = at + 1 + history[at]
                cards = tuple(KINDS[card] for card in history[at + 1 : end])
                at = end
            events.append(Event(seat, kind, number, cards))
    except IndexError:
        raise ParseError(f"history, byte {at}: expected an event") from None
    if at > len(history):
        raise ParseError(f"the history ends inside an event, at byte {len(history)}")
    return tuple(events)
