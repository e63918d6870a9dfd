"""A game, its rules and its view, and the spaces of observations and actions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from arena.core.actions import Action
from arena.core.chance.dealer import SeatStreams
from arena.core.errors import BadInput
from arena.core.game import AnyGame, Ruleset
from arena.core.observation import Observation
from arena.core.outcome import Fault, Outcome, Termination
from arena.core.parts import View
from arena.core.state import State
from arena.match.adjudication import final_outcome, record_fault
from arena.plugins.registry import Registry

Mask: TypeAlias = NDArray[np.int8]
Numbers: TypeAlias = NDArray[np.float32]
Seen: TypeAlias = dict[str, NDArray[Any]]
"""An observation of an environment: ``observation`` and ``action_mask``."""


class Rules(NamedTuple):
    """Everything about a game that its environments share.

    Attributes:
        game: The game.
        ruleset: The ruleset.
        view: Its view.
        size: How many numbers the view has.
        actions: How many numbers of actions there are.
        loadout: The default loadout.
    """

    game: AnyGame
    ruleset: Ruleset
    view: View[Any]
    size: int
    actions: int
    loadout: bytes

    def observation_space(self) -> spaces.Dict:
        """Returns the space of ``Seen``."""
        pieces = self.view.pieces
        sizes = [piece.size for piece in pieces]
        low, high = (
            np.repeat([getattr(piece, end) for piece in pieces], sizes).astype(np.float32)
            for end in ("low", "high")
        )
        return spaces.Dict(
            observation=spaces.Box(low, high, dtype=np.float32),
            action_mask=spaces.Box(0, 1, (self.actions,), np.int8),
        )

    def action_space(self) -> spaces.Discrete[Any]:
        """Returns the space of numbers of actions."""
        return spaces.Discrete(self.actions)

    def numbers(self, observation: Observation) -> Numbers:
        """Returns an observation as the view writes it."""
        out = np.empty(self.size, np.float32)
        self.view.write(observation, out)
        return out

    def mask(self, choices: Mapping[int, Action]) -> Mask:
        """Returns 1 for each action that is offered, else 0."""
        return np.frombuffer(bytearray(mask_row(tuple(choices), self.actions)), np.int8)


@lru_cache(maxsize=4096)
def mask_row(choices: tuple[int, ...], actions: int) -> bytes:
    """Returns a mask as bytes: setting numbers of an array one by one is slow."""
    return bytes([action in choices for action in range(actions)])


def rules_of(registry: Registry, game: str, ruleset: str) -> Rules:
    """Finds a game, its ruleset and its view.

    Raises:
        BadInput: There is no such game, ruleset or view.
    """
    return with_view(found := registry.rated_game(game), found.ruleset(ruleset))


def with_view(game: AnyGame, ruleset: Ruleset) -> Rules:
    """Returns a game with its view; raises ``BadInput`` if it has none."""
    view, actions = game.view.of(ruleset), game.view.action_count(ruleset)
    return Rules(game, ruleset, view, view.size, actions, game.loadouts.accept(ruleset, None))


def seats_of(rules: Rules, seats: int | None) -> int:
    """Returns the number of seats; raises ``BadInput`` if the game is not played with it."""
    offered = rules.game.seats
    if seats is None:
        return offered[0]
    if seats not in offered:
        choices = ", ".join(map(str, offered))
        raise BadInput(f"seats: {rules.game.name} is not played by {seats}; choices: {choices}")
    return seats


class SelfPlay:
    """One match in which the environment decides for every seat.

    Attributes:
        deal: The number of the deal.
        state: The state.
        seat: The seat to decide; the last one that did when the match is over.
        seen: The last observation of the seat to decide.
        decisions: How many decisions were taken.
        choices: The actions that are offered to it, by number; none when the match is over.
        faults: Faults so far, in order.
        outcome: The outcome; ``None`` before the end.
    """

    __slots__ = (
        "_rules", "choices", "deal", "decisions", "faults", "outcome", "seat", "seen", "state",
    )  # fmt: skip

    def __init__(self, rules: Rules, seats: int, deal: int) -> None:
        game, ruleset = rules.game, rules.ruleset
        self._rules, self.deal = rules, deal
        self.state: State[Any] = game.new_state(ruleset, [rules.loadout] * seats, SeatStreams(deal))
        self.faults: list[Fault] = []
        self.outcome: Outcome | None = None
        self.decisions = 0
        self._look(over=False)

    def decide(self, number: int) -> Outcome | None:
        """Takes the decision of the seat to decide; a number that is not offered is its fault.

        Returns:
            The outcome, if the match is over.
        """
        action = self.choices.get(number)
        over = False
        if action is None:
            why = f"action {number} is not one of: {', '.join(map(str, self.choices))}"
            fault = Fault(self.seat, Termination.ILLEGAL_ACTION, self.decisions, why)
            over = record_fault(self._rules.game, self.state, self.faults, fault)
        else:
            self.state.apply_action(action)
            self.decisions += 1
        self._look(over=over)
        return self.outcome

    def _look(self, *, over: bool) -> None:
        state = self.state
        seat = state.current_player()
        if over or seat < 0:
            rules = self._rules
            self.choices: Mapping[int, Action] = {}
            self.outcome = final_outcome(
                rules.game, rules.ruleset, state, self.faults, by_fault=over
            )
        else:
            self.seat = seat
            self.seen: Observation = state.observation(seat)
            self.choices = self._rules.view.choices(self.seen)
