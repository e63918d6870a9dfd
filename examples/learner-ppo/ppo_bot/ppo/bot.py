"""Takes the most probable of the offered actions; the policy is made by ``train.py``."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena import Action, Bot, MatchContext, Observation

with np.load(Path(__file__).with_name("policy.npz"), allow_pickle=False) as _file:
    VIEW = str(_file["view"])
    LAYERS = [(_file[f"weight{n}"], _file[f"bias{n}"]) for n in range(len(_file.files) // 2)]


def values(seen: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns the logit of each action."""
    for weight, bias in LAYERS[:-1]:
        seen = np.maximum(seen @ weight + bias, 0)
    weight, bias = LAYERS[-1]
    return seen @ weight + bias


class Ppo(Bot[Observation]):
    """Plays the policy that PPO has found."""

    games = ("pazaak",)

    def start(self, context: MatchContext) -> None:
        """Finds the view, which has to be the one of the training."""
        super().start(context)
        self.view = context.game.view.of(context.game.ruleset(context.ruleset))
        if self.view.name != VIEW:
            raise ValueError(f"trained on {VIEW}, not on {self.view.name}")
        self.numbers = np.empty(self.view.size, np.float32)

    def act(self, observation: Observation) -> Action:
        """Returns the most probable action."""
        self.view.write(observation, self.numbers)
        choices = self.view.choices(observation)
        return choices[max(choices, key=values(self.numbers).__getitem__)]
