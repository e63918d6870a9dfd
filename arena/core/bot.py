"""The contract of a bot, and the context that it gets of its match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

from arena.core.actions import Action
from arena.core.chance.seeding import generator
from arena.core.observation import Observation, Offer
from arena.core.outcome import Outcome

if TYPE_CHECKING:
    from random import Random

    from arena.core.game import AnyGame


class MatchContext(msgspec.Struct, frozen=True, gc=False):
    """The facts given to a bot when a match begins; never the deal, the match or an opponent's
    name.

    Attributes:
        game: The game, with its rulesets, notation and ``resample``.
        ruleset: Name of the ruleset, with its options, as ``game.ruleset`` reads it.
        seat: The bot's own seat, 0..n-1.
        seats: Number of seats at the table.
        seed: The bot's private seed, different in every match (also between mirrored matches).
    """

    game: AnyGame
    ruleset: str
    seat: int
    seats: int
    seed: int

    def rng(self) -> Random:
        """Returns a new generator from the private seed, for reproducible randomness."""
        return generator(self.seed)


ObservationT = TypeVar("ObservationT", bound=Observation)


class Bot(Generic[ObservationT]):
    """A player of games; subclasses implement ``act``.

    A new object is created for every match, with the parameters it was entered with. Whatever its
    constructor, ``start``, ``prepare`` or ``act`` raises loses the match (cause: crash).

    Attributes:
        games: Names of the games that it plays; empty when it declares none. An object
            may set its own, where they follow from its arguments.
    """

    games: tuple[str, ...] = ()

    def start(self, context: MatchContext) -> None:
        """Called once when a match begins."""
        self.context = context

    def prepare(self, offer: Offer) -> object:
        """Chooses the loadout of the match (Pazaak: ten cards); ``None`` takes the default."""
        return None

    def act(self, observation: ObservationT) -> Action:
        """Answers one decision with one of ``observation.legal_actions``."""
        raise NotImplementedError(f"{type(self).__name__} has no act method")

    def action_probabilities(self, observation: ObservationT) -> Mapping[Action, float] | None:
        """Returns the probability of each legal action at a decision; ``None`` if it is not known.

        No match asks for it. ``arena exploit`` does, to be exact, in any order of positions and
        perhaps of several matches: so it follows from only the observation. Actions that are
        missing have the probability 0. The term is OpenSpiel's.
        """
        return None

    def finish(self, outcome: Outcome) -> None:
        """Called once when the match is over; nothing that happens here can change the outcome."""
