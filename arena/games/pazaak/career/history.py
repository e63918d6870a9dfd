"""Events of career matches as bytes, besides those of Pazaak, and as lines of text."""

from __future__ import annotations

from arena.core.errors import ParseError
from arena.games.pazaak.engine.history import EVENTS

_SEAT_1 = 128
SKILL = (71, 70)
"""A roll of skill: failure, success."""
LOOKED = (73, 72)
"""An attempt to see the auxiliary hand: failure, success."""
SWAPPED, KEPT, TURNED, CHANGED, CAUGHT, HONEST = 74, 75, 76, 77, 78, 79
_ALTERED = 80  # + 10 * seat of the card + its new value

_TEXTS = {
    70: "succeeds in the roll of skill",
    71: "fails in the roll of skill",
    72: "sees the auxiliary hand",
    73: "fails to see the auxiliary hand",
    SWAPPED: "exchanges a card for one of the auxiliary hand",
    KEPT: "keeps the hand",
    TURNED: "cheats: turns the sign of a hand card",
    CHANGED: "cheats: changes the value of a hand card",
    CAUGHT: "is caught cheating, and loses the match",
    HONEST: "thinks better of cheating",
    **{
        _ALTERED + 10 * seat + value: f"cheats: the {whose} last deck card becomes {value}"
        for seat, whose in enumerate(("own", "rival's"))
        for value in range(1, 11)
    },
}


def altered(seat: int, value: int) -> int:
    """The code of a deck card that was altered: whose, and its new value."""
    return _ALTERED + 10 * seat + value


def alteration(code: int) -> tuple[int, int] | None:
    """The seat of an altered deck card by its code, and the new value; ``None`` for others."""
    seat, below = divmod(code - _ALTERED - 1, 10)
    return (seat, below + 1) if code > _ALTERED and code in _TEXTS else None


def lines_of(history: bytes) -> tuple[str, ...]:
    """The events of a history, oldest first, a line each; raises ``ParseError``."""
    lines = []
    for position, byte in enumerate(history):
        seat, code = divmod(byte, _SEAT_1)
        event = EVENTS[byte]
        if code not in _TEXTS and event is None:
            raise ParseError(f"history, byte {position}: expected an event, got {byte}")
        lines.append(f"seat {seat}: {_TEXTS[code]}" if code in _TEXTS else str(event))
    return tuple(lines)


def by_seat(seat: int, code: int) -> bytes:
    """The byte of an event of a seat."""
    return bytes((code + _SEAT_1 * seat,))
