"""The observations of a match as its new events: how they are sent, and how they are read.

A seat's knowledge follows from its side deck, the hands dealt to it and the public history. So it
is sent these, each once, and a table on the receiver's side goes through the events by the
procedure itself. There chance is a player, and the rival's cards are hidden until they are played.
"""

from __future__ import annotations

from typing import Any, Final

from arena.core.errors import HarnessFault
from arena.games.pazaak.engine import history, stages
from arena.games.pazaak.engine.actions import END_TURN, PazaakAction
from arena.games.pazaak.engine.cards import Card
from arena.games.pazaak.engine.observation import PazaakObservation
from arena.games.pazaak.engine.procedure import (
    begin_turn,
    end_turn,
    play,
    stand,
    start_set,
    take_hand,
    take_opening_card,
)
from arena.games.pazaak.engine.ruled_table import RuledTable
from arena.games.pazaak.engine.rulesets import HAND_SIZE, PazaakRules
from arena.games.pazaak.engine.table import Table
from arena.games.pazaak.engine.wire import CARDS

# Names of this module's own: compiled, those of another one are looked up at every use.
DREW: Final = history.DREW

HIDDEN: Final = Card(id=-1, name="hidden")
"""A hand card that is not known; no card set has it, so that it allows nothing."""
_HIDDEN_HAND: Final = (HIDDEN,) * HAND_SIZE

# What each byte of a history is: the value drawn, or shown for the start; a seat's action; the
# codes of the card that comes next where a turn ends; whether a set starts.
_DRAWN: Final = tuple([e.value if e and e.kind == "draw" else 0 for e in history.EVENTS])
_OPENED: Final = tuple([e.value if e and e.kind == "opening draw" else 0 for e in history.EVENTS])
_ACTIONS: Final = tuple([e.action if e else None for e in history.EVENTS])
_BYTES: Final = tuple([bytes((byte,)) for byte in range(256)])
_STARTS: Final = tuple([e is not None and e.kind == "start" for e in history.EVENTS])
_ENDINGS: Final = tuple(
    [history.ENDED_DREW[n >> 7] if act is END_TURN else None for n, act in enumerate(_ACTIONS)]
)


class Sender:
    """Writes for each seat of a match the events that it has not been sent yet."""

    __slots__ = ("_deals", "_first", "_hands", "_second")

    def __init__(self) -> None:
        # Events that each seat was sent. Compiled, two numbers are in the object, a list is not.
        self._first = self._second = 0
        self._hands: list[int] = [0, 0]
        self._deals: bool = False  # whether a match has further hands (C1)

    def pack(self, state: Table, seat: int) -> object:
        """Returns the new events, with the hands dealt since; hot path.

        The first time the seat and its side deck go with them.
        """
        events = state.history
        if seat:
            known, self._second = self._second, len(events)
        else:
            known, self._first = self._first, len(events)
        if known and not self._deals:
            return events[known:]
        return self._with_hands(state, seat, events[known:])

    def _with_hands(self, state: Table, seat: int, new: bytes) -> object:
        sent, dealt, written = self._hands[seat], state.sides[seat].dealt, CARDS.written
        self._deals = state.rules.hand_scope == "set"
        if sent == len(dealt):
            return new
        self._hands[seat] = len(dealt)
        hands = [written[hand] for hand in dealt[sent:]]
        return (new, hands) if sent else (new, hands, seat, written[state.side_decks[seat]])


class Follower:
    """Rebuilds the observations of one seat of a match from what a ``Sender`` wrote for it."""

    __slots__ = ("_hands", "_seat", "_table")

    def __init__(self, ruleset: PazaakRules) -> None:
        self._table: RuledTable = RuledTable(ruleset, ((), ()))
        self._hands: list[tuple[Card, ...]] = []
        self._seat: int = -1

    def unpack(self, sent: Any) -> PazaakObservation:  # noqa: ANN401 - plain values
        """Takes the table through the new events; returns what the seat sees. The hot path.

        Raises:
            HarnessFault: Under these rules the events lead to others.
        """
        table = self._table
        known = len(table.history)
        events: bytes = sent if type(sent) is bytes else self._receive(sent)
        codes = DREW
        for byte in events:
            value = _DRAWN[byte]
            if value:
                seat = byte >> 7
                begin_turn(table, seat, value, codes[seat])
                codes = DREW
                continue
            ending = _ENDINGS[byte]
            if ending is not None:
                codes = ending  # the end of a turn and the next card are one step, as in a match
                continue
            if codes is not DREW:
                end_turn(table, table.turn)
                codes = DREW
            self._take(byte)
        if codes is not DREW:
            end_turn(table, table.turn)
        if table.history[known:] != events:
            raise HarnessFault(_differing(events, table.history[known:]))
        return table.observation(self._seat)

    def _take(self, byte: int) -> None:
        """Takes an event other than a deck card and the end of a turn.

        The procedure has already written events that follow from earlier ones.
        """
        table, seat = self._table, byte >> 7
        action: PazaakAction | None = _ACTIONS[byte]
        if action is not None:
            # By the byte and not by the action's id: a bot may have rewritten its actions.
            table.history = table.history + _BYTES[byte]
            card = action.card
            if card is None:
                stand(table, seat)  # ``unpack`` sees to the ends of turns
                return
            if seat != self._seat:
                rival = table.sides[seat]
                rival.hand = (card, *rival.hand[1:])
            play(table, seat, action)
        elif _STARTS[byte]:
            if table.phase == stages.START:
                start_set(table, seat)
                if table.phase == stages.DEAL:
                    self._deal()
        elif _OPENED[byte]:
            take_opening_card(table, seat, _OPENED[byte])

    def _receive(self, sent: Any) -> bytes:  # noqa: ANN401 - plain values
        events: bytes = sent[0]
        read = CARDS.things
        self._hands += [read[hand] for hand in sent[1]]
        if self._seat < 0:
            seat: int = sent[2]
            side_deck: tuple[Card, ...] = read[sent[3]]
            self._seat = seat
            self._table.side_decks = ((), side_deck) if seat else (side_deck, ())
            self._deal()
        return events

    def _deal(self) -> None:
        """S11, C1: both hands are dealt, of which the seat's own is known."""
        if not self._hands:
            raise HarnessFault(f"seat {self._seat} was not sent its hand")
        own = self._hands.pop(0)
        for seat in (0, 1):
            take_hand(self._table, seat, own if seat == self._seat else _HIDDEN_HAND)


def _differing(events: bytes, others: bytes) -> str:
    return f"the events {events.hex()} are {others.hex()} by the rules"
