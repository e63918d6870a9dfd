"""A game as an environment of PettingZoo: agents act in turns."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from arena.core.chance.seeding import SEED_BITS
from arena.core.errors import BadInput
from arena.core.observation import Observation
from arena.plugins.registry import Registry
from arena.rl.checks import choice, option
from arena.rl.rules import Mask, Seen, SelfPlay, rules_of, seats_of


class TurnsEnv(AECEnv[str, Any, Any]):
    """A match in which each agent is a seat; see ``arena.rl.aec``.

    A seat that is eliminated stays among the agents and is not asked again. Its reward comes at the
    end of the match, as every seat's.
    """

    metadata = {"render_modes": ["ansi"], "name": "arena", "is_parallelizable": False}

    def __init__(self, game: str, ruleset: str, seats: int | None, render_mode: str | None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.render_mode = choice(render_mode)
        self.rules = rules_of(Registry(), game, ruleset)
        self.metadata = {**self.metadata, "name": f"arena_{self.rules.game.name}"}
        self.possible_agents = [f"seat_{n}" for n in range(seats_of(self.rules, seats))]
        self.agents = self.possible_agents[:]
        self._number = {agent: n for n, agent in enumerate(self.agents)}
        self.observation_spaces = {each: self.rules.observation_space() for each in self.agents}
        self.action_spaces = {each: self.rules.action_space() for each in self.agents}
        self._rng, _ = seeding.np_random()
        self._match: SelfPlay | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a match: any, or the one with the number ``options["deal"]``."""
        deal = option(options, "deal")
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        if deal is None:
            deal = int(self._rng.integers(1 << SEED_BITS))
        self._match = SelfPlay(self.rules, len(self.possible_agents), deal)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"deal": deal} for agent in self.agents}
        self._select(self._match)

    def observe(self, agent: str) -> Seen:
        self._of_match()
        numbers = self.rules.numbers(self._last[self._number[agent]])
        return {"observation": numbers, "action_mask": self._masks[agent]}

    def step(self, action: Any) -> None:  # noqa: ANN401 - any whole number
        match = self._of_match()
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        match.decide(int(action))
        if match.outcome is not None:
            for seat, each in enumerate(self.agents):
                self.rewards[each] = match.outcome.returns[seat]
                self.infos[each]["termination"] = str(match.outcome.termination)
            self.terminations = dict.fromkeys(self.agents, True)
        for fault in match.faults:
            self.infos[self.possible_agents[fault.seat]]["fault"] = fault.reason
        self._select(match)
        self._accumulate_rewards()

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        return self.rules.game.board.text(self._of_match().state, range(len(self._number)))

    def close(self) -> None:
        """Does nothing: there is nothing to end."""

    def _of_match(self) -> SelfPlay:
        if self._match is None:
            raise BadInput("call reset() before anything else")
        return self._match

    def _select(self, match: SelfPlay) -> None:
        self.agent_selection = self.agents[match.seat]
        if match.outcome is None:  # what seats saw last stays when the match is over
            seats = range(len(self.agents))
            self._last: list[Observation] = [match.state.observation(seat) for seat in seats]
        self._masks: dict[str, Mask] = {}
        for seat, agent in enumerate(self.agents):
            mask = self.rules.mask(match.choices if seat == match.seat else {})
            self._masks[agent] = self.infos[agent]["action_mask"] = mask
