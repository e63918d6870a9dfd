"""One seat of a game against bots as an environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from arena.core.actions import Action
from arena.core.chance.seeding import SEED_BITS
from arena.core.errors import BadInput
from arena.core.observation import Observation
from arena.rl.checks import check_known, choice, option
from arena.rl.opponents import Opponents
from arena.rl.rules import Seen
from arena.service.lookup.python_bots import AnyBot


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a match against bots; see ``arena.rl.single``.

    An action outside of the mask is a fault: the seat loses, or is eliminated. At the end the
    observation is the last one of the seat, and its mask is 0.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str,
        opponents: Sequence[AnyBot] | str,
        seat: int | None,
        db: str | PathLike[str] | None,
        render_mode: str | None,
        keys: Mapping[str, object],
    ) -> None:
        self.render_mode = choice(render_mode)
        self._opponents = Opponents(game, opponents, db, keys)
        self.rules, self.seats = self._opponents.rules, self._opponents.seats
        if seat is not None and seat >= self.seats:
            self._opponents.close()
            choices = ", ".join(map(str, range(self.seats)))
            raise BadInput(f"seat: {seat} is not a seat of this table; choices: {choices}")
        self._fixed = seat
        (self._table,) = self._opponents.tables(1)
        self.observation_space = self.rules.observation_space()
        self.action_space = self.rules.action_space()
        self._observation: Observation | None = None
        self._numbers = np.zeros(self.rules.size, np.float32)
        self._choices: Mapping[int, Action] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begins a match: any, or with ``options["deal"]`` and ``options["seat"]``.

        The same deal with each seat in turn is a mirrored pair. ``info`` has ``deal`` and ``seat``.
        """
        super().reset(seed=seed)
        check_known(options, ("deal", "seat"))
        deal, seat = option(options, "deal"), option(options, "seat", self.seats - 1)
        drawn, bot_seed = self.np_random.integers(1 << SEED_BITS, size=2).tolist()
        own = int(self.np_random.integers(self.seats))
        deal = drawn if deal is None else deal
        if seat is None:
            seat = own if self._fixed is None else self._fixed
        first, deal = self._opponents.faults.begin(self._table, seat, deal, bot_seed)
        self._take(first)
        seen = self._seen()
        return seen, {"deal": deal, "seat": seat, "action_mask": seen["action_mask"]}

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:  # noqa: ANN401
        if not self._choices:
            raise BadInput("the match is over, or has not begun: call reset()")
        number = int(action)
        chosen = self._choices.get(number) or Action(number, f"action {number}")
        self._table.send(chosen)
        self._take(self._table.receive())
        seen = self._seen()
        info: dict[str, Any] = {"action_mask": seen["action_mask"]}
        outcome = self._table.outcome
        if outcome is None:
            return seen, 0.0, False, False, info
        self._opponents.faults.warn(outcome, self._seat)
        info |= {"returns": outcome.returns, "termination": str(outcome.termination)}
        info["reason"] = outcome.reason
        return seen, float(outcome.returns[self._seat]), True, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are offered, for learners that ask the environment."""
        return self.rules.mask(self._choices).astype(bool)

    def render(self) -> str | None:
        if self.render_mode is None or self._observation is None:
            return None
        return self.rules.game.render(self._observation)

    def close(self) -> None:
        self._opponents.close()

    def _take(self, observation: Observation | None) -> None:
        if observation is None:  # what was given out stays as it was
            self._choices, self._numbers = {}, self._numbers.copy()
            return
        self._observation, self._seat = observation, observation.seat
        self._choices = self.rules.view.choices(observation)
        self._numbers = self.rules.numbers(observation)

    def _seen(self) -> Seen:
        mask = self.rules.mask(self._choices)
        return {"observation": self._numbers, "action_mask": mask}
