"""Tables of a learner and bots: what environments ask of them."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from arena.core.actions import Action
from arena.core.observation import Observation
from arena.core.outcome import Outcome
from arena.plugins.entries import BotSource
from arena.service.setup.resolve import ResolvedTournament

LEARNER = "learner"
"""The name of the learner in its matches."""


class Table(Protocol):
    """One match after the other, of a learner and its opponents.

    Attributes:
        outcome: The outcome of the match; ``None`` before its end.
    """

    outcome: Outcome | None

    def begin(self, seat: int, deal: int, bot_seed: int) -> Observation | None:
        """Begins a match, leaves the one before, and plays to the learner's first decision.

        Args:
            seat: The learner's seat.
            deal: Seed of the deal.
            bot_seed: The private seeds of the bots follow from it.

        Returns:
            What the learner sees; ``None`` when the match is over.
        """

    def send(self, action: Action) -> None:
        """Takes the learner's decision; where bots have processes, tables play at the same time."""

    def receive(self) -> Observation | None:
        """Plays to the learner's next decision, or to the end; returns the same as ``begin``."""

    def close(self) -> None:
        """Leaves the match."""


class Field(NamedTuple):
    """The bots of a table: the learner's stand-in, then the others in the order of their seats.

    Attributes:
        resolved: The field; it has each bot once, and a table may have it again.
        members: The index in the field of each bot of a table.
    """

    resolved: ResolvedTournament
    members: list[int]

    @property
    def bots(self) -> list[BotSource]:
        """The bots of a table."""
        return [self.resolved.bots[member] for member in self.members]


def seating(seats: int, seat: int) -> tuple[int, ...]:
    """Returns by seat the bot of a table: the learner, number 0, in its seat."""
    others = iter(range(1, seats))
    return tuple([0 if each == seat else next(others) for each in range(seats)])
