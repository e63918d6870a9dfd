"""Learns Pazaak against built-in bots by PPO with masks (SB3-Contrib), and exports to NumPy.

    python examples/learner-ppo/train.py [DECISIONS]

It plays that many decisions, 700,000 if not given, and writes the policy into the bot.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium.wrappers import TransformObservation
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

from arena.rl import single

FILE = Path(__file__).parent / "ppo_bot" / "ppo" / "policy.npz"
OPPONENTS = ("stand(at=17)", "stand(at=18)", "hand-saver", "counter")
TABLES, STEPS, HIDDEN = 32, 256, 128
"""Tables; decisions of each between two updates; width of both hidden layers."""


def table(opponent: str) -> gymnasium.Env[NDArray[np.float32], Any]:
    """Returns a table that shows the numbers alone: the learner asks ``action_masks()`` itself."""
    env = single("pazaak", opponent)
    space = env.observation_space["observation"]
    return TransformObservation(env, lambda seen: seen["observation"], space)


def learner(seed: int = 0) -> MaskablePPO:
    """Returns a learner at its tables, untrained."""
    torch.set_num_threads(1)
    tables = [
        lambda number=number: table(OPPONENTS[number % len(OPPONENTS)]) for number in range(TABLES)
    ]
    return MaskablePPO(
        "MlpPolicy",
        DummyVecEnv(tables),
        n_steps=STEPS,
        batch_size=1024,
        n_epochs=8,
        gamma=1.0,
        gae_lambda=0.98,
        ent_coef=0.01,
        learning_rate=lambda left: 1e-4 + 9e-4 * left,
        policy_kwargs={"net_arch": [HIDDEN, HIDDEN], "activation_fn": torch.nn.ReLU},
        seed=seed,
        device="cpu",
    )


def export(model: MaskablePPO, file: Path) -> None:
    """Writes the layers of the policy and the name of its view."""
    policy = model.policy
    linear = [each for each in policy.mlp_extractor.policy_net if hasattr(each, "weight")]
    layers = {}
    for number, layer in enumerate([*linear, policy.action_net]):
        layers[f"weight{number}"] = layer.weight.detach().numpy().T
        layers[f"bias{number}"] = layer.bias.detach().numpy()
    (view,) = {rules.view.name for rules in model.get_env().get_attr("rules")}
    np.savez(file, view=np.array(view), **layers)


def main() -> None:
    """Trains, and writes the policy into the bot's folder."""
    decisions = int(sys.argv[1]) if len(sys.argv) > 1 else 700_000
    model = learner()
    model.learn(decisions)
    export(model, FILE)
    model.get_env().close()
    print(f"{model.num_timesteps:,} decisions; policy: {FILE}")


if __name__ == "__main__":
    main()
