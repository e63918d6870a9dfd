"""examples/learner: it trains, its folder is submitted, and the bot is better than random."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path

import numpy as np
import pytest

import arena
from arena.rl import vector

EXAMPLE = Path(__file__).parents[2] / "examples" / "learner"


@pytest.mark.thorough("it trains for fifteen seconds; test_suites plays the same tables")
def test_a_short_training_makes_a_bot_that_beats_random_play(tmp_path):
    trained = runpy.run_path(str(EXAMPLE / "train.py"))["train"]
    weights, view, decisions = trained(15.0)
    assert decisions > 10_000
    folder = tmp_path / "learned_bot"
    shutil.copytree(EXAMPLE / "learned_bot", folder, ignore=shutil.ignore_patterns("*.npz"))
    np.savez(folder / "learned" / "weights.npz", *weights, view=np.array(view))
    with arena.open_database(tmp_path / "arena.db") as db:
        db.submit(folder, allow=["numpy"], game="pazaak")
        cup = db.run(["learned", "random"], games=100, allow=["numpy"])
        scores = {row["name"]: row["score"] for row in cup.standings()}
    env = vector("pazaak", 2, "learned", db=tmp_path / "arena.db", allow=["numpy"])
    _, info = env.reset(seed=1)
    assert info["seat"].shape == (2,)
    env.close()
    assert scores["learned"] > 65, scores  # of 100; a bot as good as random has 50, give or take 10
