"""The requests of the match loop to seats, their answers, and what a match leaves.

The messages stand apart from the loop because it is compiled, and msgspec's classes are not.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeAlias

import msgspec

from arena.core.observation import Observation, Offer
from arena.core.record import MatchRecord, Measurement
from arena.core.state import State


class Seating(msgspec.Struct, frozen=True, gc=False):
    """Announces to a seat that the match begins, and asks for its loadout.

    Attributes:
        seat: The seat that is addressed.
        offer: Its choice of loadouts; ``None`` when there is none (answer ``None``).
    """

    seat: int
    offer: Offer | None


View: TypeAlias = Callable[[State[Any], int], object]
"""Makes what a seat is sent of a state in place of its observation, as ``Wire.packer`` does."""
# There is one for every decision of a confined bot, and a tuple is the cheapest object to make.
Viewed: TypeAlias = tuple[int, object]
"""A request to decide: the seat that is asked, and what the ``View`` made for it."""
SeatRequest: TypeAlias = Seating | Observation | Viewed
TimedAnswer: TypeAlias = tuple[object, int]
"""The bot's answer (or a ``Failure``) and the nanoseconds it took."""
Played: TypeAlias = tuple[MatchRecord, Measurement]
Referee: TypeAlias = Generator[SeatRequest, TimedAnswer, Played]
"""The loop of one match, such as ``play_match``."""


def seat_of(request: SeatRequest) -> int:
    """Returns the seat that a request asks."""
    return request[0] if type(request) is tuple else request.seat  # type: ignore[union-attr]


def content_of(request: SeatRequest) -> object:
    """Returns what a request asks: the position to decide on, or the ``Seating``."""
    return request[1] if type(request) is tuple else request
