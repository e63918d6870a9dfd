"""Observations, the only information that a bot receives during a match, and offers before it."""

from __future__ import annotations

from collections.abc import Hashable

import msgspec

from arena.core.actions import Action


class Observation(msgspec.Struct, frozen=True, gc=False):
    """All information of one seat at one position: immutable, with perfect recall.

    A game subclasses it with its own hand, the public facts and everything that the seat has ever
    seen. Two states that differ only in cards the seat cannot see give equal observations. All
    fields are immutable values without cycles (hence ``gc=False``).

    Attributes:
        seat: The seat that sees this, 0..n-1.
        legal_actions: The actions open to this seat; empty when it is not its decision.
        history: The public events of the match so far, one code per byte, in the game's notation.
    """

    seat: int
    legal_actions: tuple[Action, ...]
    history: bytes

    def information_state(self) -> Hashable:
        """Returns a key, equal for exactly those observations with the same information."""
        return (self.seat, self.history)


class Offer(msgspec.Struct, frozen=True, gc=False):
    """Asks a seat, 0..n-1, before the deal for its loadout (Pazaak: its side deck)."""

    seat: int
