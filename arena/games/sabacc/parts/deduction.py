"""A possible course of a hand in which cards were shown, shuffled or laid down.

The hand is walked event by event. Cards that the seat has not seen are blanks; a blank gets its
name when the seat sees it. What is not known is drawn: which card another seat discards, which one
leaves its hand on an even roll, and who gets it. A course that contradicts what was seen is given
up, so that what is left are courses that the seat holds possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from arena.games.sabacc.cards.cards import COPIES, KINDS, Card, in_order
from arena.games.sabacc.cards.rulesets import DEALT
from arena.games.sabacc.engine.history import Event
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.stages import CARD, DEAL, GET, PICK, SHOWDOWN

if TYPE_CHECKING:
    from random import Random


class World(msgspec.Struct, frozen=True):
    """Known places of the cards; a card that is nowhere here is in the deck.

    Attributes:
        hands: By seat, in order.
        discards: Those that are out, by the seat that gave them.
        pool: Cards of an even roll on their way.
        memory: By seat: what it would have seen come and go.
    """

    hands: tuple[tuple[Card, ...], ...]
    discards: tuple[tuple[Card, ...], ...]
    pool: tuple[Card, ...]
    memory: tuple[bytes, ...]


class _Blank:
    __slots__ = ("card",)

    def __init__(self, card: Card | None = None) -> None:
        self.card = card


class _Contradiction(Exception):
    """The course drawn so far does not fit what was seen."""


def deduce(observation: SabaccObservation, rng: Random) -> World | None:
    """One possible course of the present hand, or ``None`` when the draw contradicted itself."""
    try:
        course = _Course(observation, rng)
        for event in observation.hand_events:
            course.take(event)
        return course.world()
    except _Contradiction:
        return None


class _Course:
    def __init__(self, observation: SabaccObservation, rng: Random) -> None:
        self._seen, self._rng, self._me = observation, rng, observation.seat
        seats = len(observation.amounts)
        self._hands: list[list[_Blank]] = [[] for _ in range(seats)]
        self._out: list[list[_Blank]] = [[] for _ in range(seats)]
        self._pool: list[_Blank] = []
        self._known: list[list[_Blank]] = [[] for _ in range(seats)]
        self._left = [*COPIES]
        self._mine = iter(observation.memory)
        self._in_hand: list[int] = []
        # Of the last event that deals cards, only some may have been dealt so far.
        bringing_on = observation.need == CARD and observation.stage != SHOWDOWN
        self._due = list(observation.queue) if bringing_on else []
        events = observation.hand_events
        bringing = [n for n, e in enumerate(events) if e.kind in ("draw", "exchange", "swap")]
        self._last_bringing = bringing[-1] if bringing and self._due else -1
        self._at = -1
        rolls = [n for n, e in enumerate(events) if e.kind == "roll" and not e.number % 2]
        self._last_shift = rolls[-1] if rolls and observation.need in (PICK, GET) else -1

    def take(self, event: Event) -> None:
        self._at += 1
        seat, kind = event.seat, event.kind
        if kind == "hand":
            self._deal(seat)
        elif kind == "draw":
            self._bring(seat, 1)
        elif kind in ("exchange", "swap"):
            self._exchange(seat, event.number if kind == "exchange" else 1)
        elif kind == "show":
            self._name_one(seat, event.cards[0])
        elif kind == "roll" and not event.number % 2:
            self._shift()
        elif kind in ("fold", "expel"):
            self._in_hand = [other for other in self._in_hand if other != seat]
        elif kind == "reshuffle":
            self._take_back()
        elif kind == "reveal":
            self._name_all(seat, event.cards)
        elif kind == "extra" and seat == self._me:
            self._bring(seat, 1)
        elif kind == "extra":
            self._give(seat, [self._named(event.cards[0])])

    def _deal(self, button: int) -> None:
        seen = self._seen
        seats = len(self._hands)
        before = set(seen.expelled) - {e.seat for e in seen.hand_events if e.kind == "expel"}
        order = [s for s in (*range(button + 1, seats), *range(button + 1)) if s not in before]
        self._in_hand = [seat for seat in order if not seen.out_since[seat]]
        for seat in self._in_hand:
            dealing = seen.stage == DEAL and seen.queue
            self._bring(seat, seen.hand_sizes[seat] if dealing else DEALT, partial=False)

    def _bring(self, seat: int, count: int, partial: bool = True) -> None:
        if partial and self._at == self._last_bringing:
            count -= self._due.count(seat)
        if seat == self._me:
            self._give(seat, [self._named(self._my_next()) for _ in range(count)])
        else:
            self._give(seat, [_Blank() for _ in range(count)])

    def _give(self, seat: int, cards: Iterable[_Blank]) -> None:
        cards = list(cards)
        self._hands[seat] += cards
        self._known[seat] += cards

    def _my_next(self) -> Card:
        for id in self._mine:
            return KINDS[id]
        raise _Contradiction

    def _named(self, card: Card) -> _Blank:
        self._name(blank := _Blank(), card)
        return blank

    def _name(self, blank: _Blank, card: Card) -> None:
        if not self._left[card.id]:
            raise _Contradiction
        self._left[card.id] -= 1
        blank.card = card

    def _exchange(self, seat: int, count: int) -> None:
        gone = self._lose(seat, count, self._kept(seat))
        self._out[seat] += gone
        self._bring(seat, count)
        complete = self._at != self._last_bringing
        if self._seen.rules.discards == "reshuffled" and count and complete:
            self._take_back()

    def _kept(self, seat: int) -> list[_Blank]:
        """B11 ``kept``: shown cards that the seat cannot have given away."""
        if self._seen.rules.reveal != "kept":
            return []
        shown = list(self._seen.shown[seat])
        kept = []
        for blank in self._hands[seat]:
            if blank.card in shown:
                shown.remove(blank.card)
                kept.append(blank)
        return kept

    def _lose(self, seat: int, count: int, kept: Sequence[_Blank] = ()) -> list[_Blank]:
        hand, lost = self._hands[seat], []
        for _ in range(count):
            if seat == self._me:
                card = self._my_next()
                blank = next((b for b in hand if b.card is card), None)
            else:
                may = [b for b in hand if b not in kept]
                blank = may[int(self._rng.random() * len(may))] if may else None
            if blank is None:
                raise _Contradiction
            hand.remove(blank)
            lost.append(blank)
        self._known[seat] += lost
        return lost

    def _take_back(self) -> None:
        for cards in self._out:
            for blank in cards:
                if blank.card is not None:
                    self._left[blank.card.id] += 1
                    blank.card = None
            cards.clear()

    def _name_one(self, seat: int, card: Card) -> None:
        hand = self._hands[seat]
        if any(blank.card is card for blank in hand):
            return
        blanks = [blank for blank in hand if blank.card is None]
        if not blanks:
            raise _Contradiction
        self._name(blanks[int(self._rng.random() * len(blanks))], card)

    def _name_all(self, seat: int, cards: Sequence[Card]) -> None:
        unnamed = list(cards)
        for blank in self._hands[seat]:
            if blank.card is not None:
                if blank.card not in unnamed:
                    raise _Contradiction
                unnamed.remove(blank.card)
        blanks = [blank for blank in self._hands[seat] if blank.card is None]
        if len(blanks) != len(unnamed):
            raise _Contradiction
        for blank, card in zip(blanks, unnamed, strict=True):
            self._name(blank, card)

    def _shift(self) -> None:
        """Section 5: a card of every hand is shuffled, and one comes back to each."""
        ongoing = self._at == self._last_shift
        need, queue = self._seen.need, self._seen.queue
        for seat in self._in_hand:
            if not (ongoing and need == PICK and seat in queue):
                self._pool += self._lose(seat, 1)
        if ongoing and need == PICK:
            return
        getting = [seat for seat in self._in_hand if not (ongoing and seat in queue)]
        # The own card first: it is the one that is known.
        for seat in sorted(getting, key=lambda seat: seat != self._me):
            pool = self._pool
            if seat == self._me:
                blank = self._own_of_pool(self._my_next())
            else:
                blank = pool[int(self._rng.random() * len(pool))]
            pool.remove(blank)
            self._give(seat, [blank])

    def _own_of_pool(self, card: Card) -> _Blank:
        """The card that came back to the seat: one known to be it, or a blank that may be."""
        unseen = sum(self._left)
        weights = [
            1.0 if b.card is card else self._left[card.id] / unseen if b.card is None else 0.0
            for b in self._pool
        ]
        point = self._rng.random() * sum(weights)
        for blank, weight in zip(self._pool, weights, strict=True):
            point -= weight
            if point < 0:
                if blank.card is None:
                    self._name(blank, card)
                return blank
        raise _Contradiction

    def world(self) -> World:
        rest = [card for card, n in zip(KINDS, self._left, strict=True) for _ in range(n)]
        for cards in (*self._hands, *self._out, self._pool):
            for blank in cards:
                if blank.card is None:
                    blank.card = rest.pop(int(self._rng.random() * len(rest)))
        return World(
            tuple(in_order(_cards(hand)) for hand in self._hands),
            tuple(tuple(_cards(out)) for out in self._out),
            tuple(_cards(self._pool)),
            tuple(bytes([card.id for card in _cards(known)]) for known in self._known),
        )


def _cards(blanks: Iterable[_Blank]) -> list[Card]:
    return [blank.card for blank in blanks if blank.card is not None]
