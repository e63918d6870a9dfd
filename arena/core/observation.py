"""What a seat gets to see: the only thing a bot ever receives during a match."""

from __future__ import annotations

from collections.abc import Hashable

import msgspec

from arena.core.actions import Action


class Observation(msgspec.Struct, frozen=True, gc=False):
    """Everything one seat knows at one moment: immutable, with perfect recall.

    A game subclasses it with its own hand, the public facts and all that the seat has ever seen.
    Two states that differ only in cards the seat cannot see give equal observations.
    All fields are immutable values without cycles (hence ``gc=False``).

    Attributes:
        seat: The seat that sees this, 0..n-1.
        legal_actions: What this seat may do now; empty when it is not its decision.
        history: The public events of the match so far, one code a byte, in the game's notation.
    """

    seat: int
    legal_actions: tuple[Action, ...]
    history: bytes

    def information_state(self) -> Hashable:
        """A key equal for exactly those observations that hold the same knowledge."""
        return (self.seat, self.history)


class Offer(msgspec.Struct, frozen=True, gc=False):
    """Asks a seat before the deal what it brings to the match (Pazaak: its side deck).

    Attributes:
        seat: The seat that is asked, 0..n-1.
    """

    seat: int
