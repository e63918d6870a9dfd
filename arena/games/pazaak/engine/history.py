"""The public events of a match as bytes, and back: what everybody at the table saw.

A code is one byte of an observation's history: what happened, plus 128 for seat 1. Those that the
procedure writes are made once: by seat, then by what happened.
"""

from __future__ import annotations

import msgspec

from arena.core.errors import ParseError
from arena.games.pazaak.engine.actions import END_TURN, SEAT_ACTIONS, STAND, PazaakAction

_SEAT_1 = 128
_DREW = 40  # + value 1..10; below it are the ids of the seats' actions
_AUTO_STOOD = 51
_OPENED = 52  # + value 1..10
_STARTED = 63
_WON_BY = 64  # + index in REASONS; the seat that won
_TIED = 69

REASONS = ("bust", "fill", "outscore", "tiebreaker")
"""Reasons for which a set is won (S24-S27), in code order; an equal set's reason is ``tie``."""


def _by_seat(code: int) -> tuple[bytes, ...]:
    return bytes((code,)), bytes((code + _SEAT_1,))


ACTED = tuple(zip(*map(_by_seat, range(_DREW)), strict=True))
"""A seat's action: ``ACTED[seat][action.id]``."""
STOOD = _by_seat(STAND.id)
AUTO_STOOD = _by_seat(_AUTO_STOOD)
STARTED = _by_seat(_STARTED)
TIED = _by_seat(_TIED)

OPENED = tuple(zip(*(_by_seat(_OPENED + value) for value in range(11)), strict=True))
"""A card of the opening draw: ``OPENED[seat][value]``."""

DREW = tuple(
    (b"", *values)
    for values in zip(*(_by_seat(_DREW + value) for value in range(1, 11)), strict=True)
)
"""A deck card: ``DREW[seat][value]``; nothing while none has come (index 0)."""

ENDED_DREW = tuple(
    tuple(tuple(ended + drew for drew in values) for values in DREW)
    for ended in _by_seat(END_TURN.id)
)
"""A turn ends and the next begins, in one piece as most do: ``ENDED_DREW[seat][next][value]``."""

WON = {reason: _by_seat(_WON_BY + number) for number, reason in enumerate(REASONS)}
"""A set is won: ``WON[reason][winner]``."""


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
    seat, code = divmod(byte, _SEAT_1)
    if code < len(SEAT_ACTIONS):
        return Event(seat, "act", action=SEAT_ACTIONS[code])
    if _DREW < code <= _DREW + 10:
        return Event(seat, "draw", value=code - _DREW)
    if _OPENED < code <= _OPENED + 10:
        return Event(seat, "opening draw", value=code - _OPENED)
    if _WON_BY <= code < _WON_BY + len(REASONS):
        return Event(seat, "won", reason=REASONS[code - _WON_BY])
    kind = {_AUTO_STOOD: "auto stand", _STARTED: "start", _TIED: "tie"}.get(code)
    return Event(seat, kind) if kind else None


EVENTS = tuple(_event(byte) for byte in range(256))
"""The event of each byte of a history; ``None`` for unused bytes."""


def events_of(history: bytes) -> tuple[Event, ...]:
    """The events of an observation's history, oldest first; raises ``ParseError``."""
    events = []
    for position, byte in enumerate(history):
        event = EVENTS[byte]
        if event is None:
            raise ParseError(f"history, byte {position}: expected an event, got {byte}")
        events.append(event)
    return tuple(events)
