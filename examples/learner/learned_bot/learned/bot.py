"""Takes the action with the best learned value; the weights are made by ``train.py``."""

from pathlib import Path

import numpy as np

from arena import Action, Bot, MatchContext, Observation

with np.load(Path(__file__).with_name("weights.npz"), allow_pickle=False) as _file:
    W1, B1, W2, B2, W3, B3 = (_file[f"arr_{number}"] for number in range(6))
    VIEW = str(_file["view"])


class Learned(Bot[Observation]):
    """Plays what self-play has taught it."""

    games = ("pazaak",)

    def start(self, context: MatchContext) -> None:
        """Finds the view, which has to be the one of the training."""
        super().start(context)
        self.view = context.game.view.of(context.game.ruleset(context.ruleset))
        if self.view.name != VIEW:
            raise ValueError(f"trained on {VIEW}, not on {self.view.name}")
        self.numbers = np.empty(self.view.size, np.float32)

    def act(self, observation: Observation) -> Action:
        """Returns the best of the offered actions."""
        self.view.write(observation, self.numbers)
        hidden = np.maximum(np.maximum(self.numbers @ W1 + B1, 0) @ W2 + B2, 0)
        values = hidden @ W3 + B3
        choices = self.view.choices(observation)
        return choices[max(choices, key=values.__getitem__)]
