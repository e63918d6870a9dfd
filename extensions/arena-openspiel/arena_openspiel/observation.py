"""Observations of OpenSpiel's games, and their way to bots in other processes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec

from arena.core.observation import Observation
from arena.core.parts import Wire
from arena_openspiel.rules import SpielRules

_DIGEST_BYTES = 6


class Deal(NamedTuple):
    """Something that chance decided, as a seat knows it.

    Attributes:
        at: The number of events that the seat knew before.
        text: What it was; empty if the seat does not know it.
        seats: The seats that know, of a game whose facts say ``open``.
    """

    at: int
    text: str
    seats: tuple[int, ...] = ()


class SpielObservation(Observation, frozen=True):
    """Everything that a seat has seen, as OpenSpiel shows it.

    Attributes:
        rules: The rules in force.
        seats: Number of seats at the table.
        text: OpenSpiel's information state of the seat, or its observation, as text.
        turn: The seat that acts now; -1 for chance, -4 at the end.
        seen: A digest of each text that the seat has been shown, in order, without repetitions.
        own: The ids of the actions that the seat has taken.
        dealt: What chance dealt to the seat and not to all, in order; of a game whose facts say
            ``open``, everything that chance decided.
        numbers: OpenSpiel's tensor as float32, while a seat is to act; see ``view``.
    """

    rules: SpielRules
    seats: int
    text: str
    turn: int
    seen: tuple[str, ...]
    own: tuple[int, ...]
    dealt: tuple[Deal, ...]
    numbers: bytes = b""

    def information_state(self) -> Hashable:
        return (self.seat, self.seen, self.own, self.history)


def digest(text: str) -> str:
    """Returns the digest of what a seat is shown, in 12 hexadecimal digits."""
    return blake2b(text.encode(), digest_size=_DIGEST_BYTES).hexdigest()


class SpielWire(Wire[SpielRules, SpielObservation, Any]):
    """Plain values, by which a bot's process needs no OpenSpiel."""

    def pack(self, observation: SpielObservation) -> object:
        o = observation
        ids = [action.id for action in o.legal_actions]
        return (o.seat, ids, o.history, o.seats, o.text, o.turn, o.seen, o.own, o.dealt, o.numbers)

    def unpack(self, ruleset: SpielRules, packed: Sequence[Any]) -> SpielObservation:
        seat, ids, history, seats, text, turn, seen, own, dealt, numbers = packed
        legal = tuple([self.game.notation.action_of(id) for id in ids])
        deals = tuple([Deal(at, what, tuple(knowing)) for at, what, knowing in dealt])
        shown, acted = tuple(seen), tuple(own)
        return SpielObservation(
            seat, legal, history, ruleset, seats, text, turn, shown, acted, deals, numbers
        )

    def describe(self, observation: SpielObservation) -> dict[str, object]:
        numbers = [*memoryview(observation.numbers).cast("f")]
        rest = msgspec.structs.replace(observation, numbers=b"")
        return {**super().describe(rest), "numbers": numbers}
