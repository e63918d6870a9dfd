"""Pazaak written down: actions, events and side decks to text and back."""

from __future__ import annotations

from functools import cache

import msgspec

from arena.core.errors import ParseError
from arena.games.pazaak.actions import SEAT_ACTIONS, PazaakAction
from arena.games.pazaak.cards import Card, card_of
from arena.games.pazaak.decks import deck_named

# A code is one byte of an observation's history: what happened, plus 128 for seat 1.
SEAT_1 = 128
DREW = 40  # + value 1..10; below it are the ids of the seats' actions
AUTO_STOOD = 51
OPENED = 52  # + value 1..10
STARTED = 63
WON_BY = 64  # + index in REASONS; the seat that won
TIED = 69

REASONS = ("bust", "fill", "outscore", "tiebreaker")
"""How a set is won (S24-S27), in code order; an equal set's reason is ``tie``."""


def seat_codes(code: int) -> tuple[bytes, bytes]:
    """The history byte of an event, for seat 0 and for seat 1."""
    return bytes((code,)), bytes((code + SEAT_1,))


class Event(msgspec.Struct, frozen=True):
    """A public event.

    Attributes:
        seat: Whose event it is; for a tie, the seat on whose turn the set ended.
        kind: ``opening draw``, ``start``, ``draw``, ``act``, ``auto stand``, ``won`` or ``tie``.
        value: The value drawn.
        action: What the seat did, for ``act``.
        reason: How the set was won, for ``won``.
    """

    seat: int
    kind: str
    value: int = 0
    action: PazaakAction | None = None
    reason: str = ""

    def __str__(self) -> str:
        text = {
            "opening draw": f"draws {self.value} for the start",
            "start": "starts the set",
            "draw": f"draws {self.value}",
            "act": str(self.action),
            "auto stand": "stands by rule",
            "won": f"wins the set ({self.reason})",
            "tie": "ends the set: a tie",
        }[self.kind]
        return f"seat {self.seat}: {text}"


def _event(byte: int) -> Event | None:
    seat, code = divmod(byte, SEAT_1)
    if code < len(SEAT_ACTIONS):
        return Event(seat, "act", action=SEAT_ACTIONS[code])
    if DREW < code <= DREW + 10:
        return Event(seat, "draw", value=code - DREW)
    if OPENED < code <= OPENED + 10:
        return Event(seat, "opening draw", value=code - OPENED)
    if WON_BY <= code < WON_BY + len(REASONS):
        return Event(seat, "won", reason=REASONS[code - WON_BY])
    kind = {AUTO_STOOD: "auto stand", STARTED: "start", TIED: "tie"}.get(code)
    return Event(seat, kind) if kind else None


_EVENTS = tuple(_event(byte) for byte in range(256))
_line = cache(str)


def events_of(history: bytes) -> tuple[Event, ...]:
    """The events of an observation's history, oldest first.

    Raises:
        ParseError: A byte is no event.
    """
    events = []
    for position, byte in enumerate(history):
        event = _EVENTS[byte]
        if event is None:
            raise ParseError(f"byte {byte} at {position} of the history is no event")
        events.append(event)
    return tuple(events)


class PazaakNotation:
    """The game's notation, as the core contract wants it."""

    _by_text = {action.text: action for action in SEAT_ACTIONS}

    def action(self, text: str) -> PazaakAction:
        found = self._by_text.get(text.strip().replace("+/-", "±"))
        if found is None:
            raise ParseError(
                f"no action {text[:40]!r}; write e.g. 'stand', 'end turn', 'play ±4 as -4'"
            )
        return found

    def action_of(self, id: int) -> PazaakAction:
        if not 0 <= id < len(SEAT_ACTIONS):
            raise ParseError(f"no action has id {id}; ids are 0..{len(SEAT_ACTIONS) - 1}")
        return SEAT_ACTIONS[id]

    def events(self, history: bytes) -> tuple[str, ...]:
        return tuple(map(_line, events_of(history)))

    def loadout(self, loadout: bytes) -> str:
        return " ".join(card_of(card).name for card in loadout)

    def parse_loadout(self, text: str) -> tuple[Card, ...]:
        """The side deck of ``"+1 -2 ±3 D ..."``, or of a ready-made deck's name (``"hard"``)."""
        return deck_named(text)
