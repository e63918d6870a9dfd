"""The events of one hand of Sabacc as a seat saw them, with the cards that it got and gave."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from arena.core.parts.words import seat_name
from arena.games.sabacc.cards.cards import KINDS, Card, in_order
from arena.games.sabacc.cards.rulesets import DEALT
from arena.games.sabacc.cards.variants import VARIANTS
from arena.games.sabacc.engine.actions import KEEP, exchange
from arena.games.sabacc.engine.history import Event
from arena.games.sabacc.engine.observation import SabaccObservation

_TITLES = tuple(row.title for row in VARIANTS.values())
_NEW_ROUND = ("pass", "draw", "exchange", "ante")
"""Kinds of event after which a betting round begins (I11 ``poker``)."""


def lines_of(o: SabaccObservation) -> Iterator[str]:
    """Yields the lines of the present hand; none of a card that has not come yet."""
    return _Hand(o).lines()


class _Hand:
    """One hand, followed event by event from one seat."""

    def __init__(self, o: SabaccObservation) -> None:
        self._o, self._seats = o, len(o.amounts)
        self._coming = iter([KINDS[id] for id in o.memory])
        self._cards: list[Card] = []
        self._put = [0] * self._seats

    def lines(self) -> Iterator[str]:
        """Yields the lines until a card is due that has not come."""
        events = self._o.hand_events
        left = [event.seat for event in events if event.kind in ("fold", "expel")]
        own = self._o.seat
        plays = self._o.active[own] or own in left
        antes = [event for event in events if event.kind == "ante"]
        for event in events:
            if event.kind == "ante":
                continue
            if event.kind == "hand":
                if antes:
                    yield self._entry(antes)
                self._get(DEALT)  # they are facts of the position
                continue
            line = self._line(event, plays)
            if line is None:
                return
            yield line
            if event.kind in ("fold", "expel") and event.seat == own:
                plays = False

    def _entry(self, antes: list[Event]) -> str:
        if len({ante.number for ante in antes}) == 1:
            return f"entry {antes[0].number} each"
        return f"entry {', '.join([f'{self._name(ante.seat)} {ante.number}' for ante in antes])}"

    def _line(self, event: Event, plays: bool) -> str | None:
        kind, name = event.kind, self._name(event.seat)
        if kind in _NEW_ROUND:
            self._put = [0] * self._seats
        if kind == "roll":
            return self._roll(event, plays)
        if event.seat == self._o.seat and kind in ("draw", "exchange", "swap"):
            what = self._own(event)
            return None if what is None else f"{name}: {what}"
        return f"{name}: {self._said(event)}"

    def _said(self, event: Event) -> str:
        kind, number = event.kind, event.number
        if kind == "exchange":
            return f"exchange {number} card{'s' * (number > 1)}" if number else KEEP.text
        if kind in ("call", "bet", "raise", "all in"):
            return self._bet(event)
        if kind == "demand":
            return f"put {number} and demand the exchange"
        cards = _listed(event.cards)
        return {
            "put": f"put {number}",
            "swap": "swap a card with the deck",
            "show": f"show {cards}",
            "reveal": f"lay down {cards}",
            "extra": f"extra card {cards}",
            "slip": f"slip {_TITLES[number]}" if kind == "slip" else "",
            "win": f"win {number}",
            "share": f"get {number} of what nobody won",
            "carry": f"{number} wait for the next hand",
            "score": f"score {number}",
            "reshuffle": "reshuffle the cards given away",
            "expel": "out of the match",
        }.get(kind, kind)

    def _bet(self, event: Event) -> str:
        """A bet in the word of its action: a raise counts from the call on."""
        owed = max(self._put) - self._put[event.seat]
        self._put[event.seat] += event.number
        if event.kind == "raise":
            return f"raise {event.number - owed}"
        return f"bet {event.number}" if event.kind == "bet" else f"{event.kind} ({event.number})"

    def _own(self, event: Event) -> str | None:
        """Returns an own act with its cards; ``None`` while they have not come."""
        if event.kind == "draw":
            return "draw" if self._get(1) else None  # the card is a fact of the position
        count = 1 if event.kind == "swap" else event.number
        if not count:
            return KEEP.text
        given = tuple(islice(self._coming, count))
        word = exchange(in_order(self._cards), given).text
        for card in given:
            self._cards.remove(card)
        got = self._get(count)
        return f"{word} ({_listed(given)} for {_listed(got)})" if got else None

    def _roll(self, event: Event, plays: bool) -> str | None:
        line = f"{self._name(event.seat)}: die {event.number}"
        if event.number % 2 or not plays:
            return line
        given = tuple(islice(self._coming, 1))
        if not given:
            return None
        self._cards.remove(given[0])
        got = self._get(1)
        return f"{line}; you give {_listed(given)} and get {_listed(got)}" if got else None

    def _get(self, count: int) -> tuple[Card, ...]:
        """The next cards, which go into the hand; nothing unless all of them have come."""
        cards = tuple(islice(self._coming, count))
        self._cards += cards
        return cards if len(cards) == count else ()

    def _name(self, seat: int) -> str:
        return seat_name(seat, self._o.seat, self._seats)


def _listed(cards: tuple[Card, ...]) -> str:
    return ", ".join(map(str, cards))
