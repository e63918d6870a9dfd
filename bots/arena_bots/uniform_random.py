"""Plays uniformly at random: the baseline of every ladder and the plainest rollout policy.

Source: OpenSpiel, ``open_spiel/python/bots/uniform_random.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from arena.core.actions import Action
from arena.core.bot import Bot
from arena.core.observation import Observation


class UniformRandom(Bot[Observation]):
    """Chooses any legal action, all equally likely."""

    _random: Callable[[], float] | None = None

    def act(self, observation: Observation) -> Action:
        random = self._random
        if random is None:  # built late: many matches end before it is needed
            random = self._random = self.context.rng().random
        legal = observation.legal_actions
        return legal[int(random() * len(legal))]

    def action_probabilities(self, observation: Observation) -> Mapping[Action, float]:
        """Returns the same probability for each legal action."""
        legal = observation.legal_actions
        return dict.fromkeys(legal, 1 / len(legal))
