"""Evaluates decisions by learned values, which see all cards, as far as the seat could know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from arena.core.actions import Action
from arena.core.chance.seeding import generator
from arena.core.game import AnyGame
from arena.core.parts.value import DecisionValues
from arena.core.state import State

WORLDS = 16
"""Worlds that a decision is valued in: a compromise of time and noise."""


class LearnedDecisions(DecisionValues[State[Any]]):
    """Values a seat's actions by the learned value of the positions that they lead to.

    The value of an action is a mean, over worlds that agree with what the seat saw
    (``Game.resample``) and over the next answer of chance, of the learned value of the next
    position. It assumes bots like those of the learned matches. All actions are valued in the same
    worlds.

    Args:
        game: The game, at the version that the values were learned for.
        name: Name of the values.
        values: Values several states by seat; at chance nodes by their mean.
        worlds: Number of worlds.
    """

    def __init__(
        self,
        game: AnyGame,
        name: str,
        values: Callable[[Sequence[State[Any]]], Sequence[tuple[float, ...]]],
        worlds: int = WORLDS,
    ) -> None:
        self.name = f"{name}, {worlds} worlds"
        self._game, self._values, self._worlds = game, values, worlds

    def of(self, state: State[Any]) -> Mapping[Action, float]:
        legal, seat = state.legal_actions(), state.current_player()
        if len(legal) < 2:
            return {}
        seen = state.observation(seat)
        key = repr(seen.information_state()).encode()
        rng = generator(int.from_bytes(blake2b(key, digest_size=7).digest(), "little"))
        after = []
        for _ in range(self._worlds):
            world = self._game.resample(seen, rng).clone()  # without a dealer: chance is a player
            for action in legal:
                after.append(child := world.clone())
                child.apply_action(action)
        found = [values[seat] for values in self._values(after)]
        count = len(legal)
        return {
            action: sum(found[place::count]) / self._worlds for place, action in enumerate(legal)
        }
