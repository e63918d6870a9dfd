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


class Packed(msgspec.Struct, frozen=True, gc=False):
    """A request to a seat, encoded at once for a process of its own.

    Attributes:
        seat: The seat that is asked.
        payload: Its observation, as ``Game.packer`` writes it.
    """

    seat: int
    payload: object


SeatRequest: TypeAlias = Seating | Observation | Packed
View: TypeAlias = Callable[[State[Any], int], Observation | Packed]
"""Makes the request to a seat in a state; by default its observation."""
TimedAnswer: TypeAlias = tuple[object, int]
"""The bot's answer (or a ``Failure``) and the nanoseconds it took."""
Played: TypeAlias = tuple[MatchRecord, Measurement]
Referee: TypeAlias = Generator[SeatRequest, TimedAnswer, Played]
"""The loop of one match, such as ``play_match``."""
