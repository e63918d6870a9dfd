"""Follows a match from one decision to a later one, hand by hand, by its public events.

The end of a hand and the deal of the next one lie between two decisions, so that no decision shows
it. What everybody saw says who had how many chips and cards; the cards of a seat that lie open to
the onlooker follow from what it got and gave.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from msgspec.structs import replace

from arena.core.state import TERMINAL
from arena.games.sabacc.cards.cards import KINDS, Card, in_order
from arena.games.sabacc.cards.rulesets import DEALT
from arena.games.sabacc.cards.variants import VARIANTS
from arena.games.sabacc.engine.history import EVENTS, Event, events_of
from arena.games.sabacc.engine.match import replaced
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.stages import OVER
from arena.games.sabacc.engine.state import SabaccState

PAYS = ("ante", "put", "demand", "call", "bet", "raise", "all in")
"""Kinds of event by which chips go into the pot."""
GAINS = ("win", "share", "score")
"""Kinds of event by which an amount grows when a hand ends."""
_TITLES = tuple(VARIANTS.values())


class Followed:
    """A hand by its public events, up to where it has been followed.

    Args:
        before: A state of the match; it may be one that a seat holds possible.
        history: The public events up to a later state.
        over: Whether the last hand of the history has ended.
        known: By seat that is open to the onlooker: the ids of the cards that it got and gave,
            by the number of the hand.

    Attributes:
        match: What lasts from hand to hand.
        staked: Chips that each seat has put in the hand.
        all_in: Whether each seat is all in.
        own: The cards of the open seats, by seat.
        laid: The cards laid down at the showdown, by seat, in order.
        gains: Who got how much at the hand's end, in order: kind, seat and amount.
        events: Number of events up to here.
    """

    def __init__(
        self,
        before: SabaccState,
        history: bytes,
        over: bool,
        known: Mapping[int, Mapping[int, bytes]],
    ) -> None:
        hand = before.hand
        self._history, self._over, self._known = history, over, known
        self._seen = before.observation(0)  # the public facts are in everyone's
        self.match = hand.match.copy()
        self._at = len(self.match.history)
        self.staked, self.all_in = hand.betting.staked, hand.betting.all_in
        self._sizes = hand.deck.hand_sizes
        self.own = {seat: list(hand.deck.hands[seat]) for seat in sorted(known)}
        self._coming = {seat: self._memory(seat, len(hand.deck.memory[seat])) for seat in self.own}
        self.events = 0
        self._start_over()

    def hands(self) -> Iterator[Followed]:
        """Yields itself at the end of each hand that ended since."""
        events = events_of(self._history, self._at)
        for event in events:
            if event.kind == "hand":
                yield self
                self._begin()
            else:
                self._take(event)
            self._at += _length(event)
            self.events += 1
        if self._over and events:
            yield self

    def observation(self) -> SabaccObservation:
        """The public facts at the end of the hand, with the pots paid out."""
        match, seats = self.match, self.match.seats
        return replace(
            self._seen,
            history=self._history[: self._at],
            hand_start=match.hand_start,
            hand_number=match.hand_number,
            variant=match.variant,
            player=TERMINAL,
            stage=OVER,
            swapping=False,
            button=match.button,
            active=match.active,
            expelled=match.expelled,
            out_since=match.out_since,
            amounts=match.amounts,
            pot=self.at_stake,
            carried=match.carried,
            staked=(0,) * seats,
            all_in=(False,) * seats,
            shown=((),) * seats,
            hand_sizes=self._sizes,
        )

    @property
    def at_stake(self) -> int:
        """The pot, with what earlier hands have left in it."""
        return self._carried + sum(self.staked)

    def _start_over(self) -> None:
        self._carried = self.match.carried
        self.laid: dict[int, tuple[Card, ...]] = {}
        self.gains: list[tuple[str, int, int]] = []

    def _memory(self, seat: int, start: int = 0) -> Iterator[Card]:
        """The cards that a seat gets and gives in this hand, in order."""
        ids = self._known[seat][self.match.hand_number]
        return iter([KINDS[id] for id in ids[start:]])

    def _begin(self) -> None:
        match, seats = self.match, self.match.seats
        match.next_hand((b"",) * seats)
        match.hand_start = self._at
        self.staked, self.all_in = (0,) * seats, (False,) * seats
        self._sizes = tuple([DEALT if plays else 0 for plays in match.active])
        self._coming = {seat: self._memory(seat) for seat in self.own}
        for seat, hand in self.own.items():
            hand.clear()
            if match.active[seat]:
                self._get(seat, DEALT)
        self._start_over()

    def _take(self, event: Event) -> None:
        seat, kind, number, match = event.seat, event.kind, event.number, self.match
        if kind in PAYS:
            self._pay(seat, number)
        elif kind in GAINS:
            match.amounts = replaced(match.amounts, seat, match.amounts[seat] + number)
            self.gains.append((kind, seat, number))
            match.carried = 0
        elif kind == "carry":
            match.carried = number
        elif kind in ("fold", "expel"):
            match.active = replaced(match.active, seat, False)
            match.expelled += (seat,) * (kind == "expel")
        elif kind in ("draw", "extra"):
            self._sizes = replaced(self._sizes, seat, self._sizes[seat] + 1)
            self._get(seat, 1)
        elif kind in ("exchange", "swap"):
            count = number if kind == "exchange" else 1
            self._give(seat, count)
            self._get(seat, count)
        elif kind == "roll" and not number % 2:
            for other in match.in_hand(0):
                self._give(other, 1)
                self._get(other, 1)
        elif kind == "slip":
            match.variant = _TITLES[number]
        elif kind == "reveal":
            self.laid[seat] = event.cards

    def _pay(self, seat: int, chips: int) -> None:
        match = self.match
        match.amounts = replaced(match.amounts, seat, match.amounts[seat] - chips)
        self.staked = replaced(self.staked, seat, self.staked[seat] + chips)
        if not match.amounts[seat] and match.rules.short_stack == "all_in":
            self.all_in = replaced(self.all_in, seat, True)

    def _get(self, seat: int, count: int) -> None:
        if seat in self.own:
            cards = islice(self._coming[seat], count)  # fewer where chance is still to answer
            self.own[seat][:] = in_order([*self.own[seat], *cards])

    def _give(self, seat: int, count: int) -> None:
        for _ in range(count if seat in self.own else 0):
            self.own[seat].remove(next(self._coming[seat]))


def followed(before: SabaccState, after: SabaccState, open_seats: Collection[int]) -> Followed:
    """Returns what follows a match from one state to a later one.

    Args:
        before: The state at a decision; either may be one that a seat holds possible.
        after: A later state of the same match.
        open_seats: Seats with cards that lie open for the onlooker.
    """
    match, memory = after.hand.match, after.hand.deck.memory
    known = {
        seat: {**dict(enumerate(match.past[seat], 1)), match.hand_number: memory[seat]}
        for seat in open_seats
    }
    return Followed(before, match.history, match.ending is not None, known)


def _length(event: Event) -> int:
    """The bytes that an event takes in a history."""
    carries = EVENTS[event.kind][0]
    return 1 + (3 if carries == "number" else 1 + len(event.cards) if carries else 0)
