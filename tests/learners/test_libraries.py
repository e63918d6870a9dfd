"""Libraries read the mask of Arena's environments: what they learn by has no illegal action."""

from __future__ import annotations

import importlib.util
import re
import runpy
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import arena
from arena.rl import rules, single
from arena.rl.single_env import SeatEnv

pytestmark = pytest.mark.filterwarnings("default")  # of the libraries
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "howto" / "learning-libraries.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```\n", PAGE, re.M | re.S)
LIBRARIES = ["sb3_contrib", "ray.rllib", "tianshou", "torchrl"]
EXAMPLE = ROOT / "examples" / "learner-ppo"


@pytest.fixture
def counted(monkeypatch):
    """Decisions in all environments, and faults among them."""
    found = Counter()
    step, decide, record = SeatEnv.step, rules.SelfPlay.decide, rules.record_fault

    def counted_step(self, action):
        found["decisions"] += 1
        result = step(self, action)
        found["faults"] += result[4].get("termination", "rules") != "rules"
        return result

    def counted_decide(self, number):
        found["decisions"] += 1
        return decide(self, number)

    def counted_fault(*arguments):
        found["faults"] += 1
        return record(*arguments)

    monkeypatch.setattr(SeatEnv, "step", counted_step)
    monkeypatch.setattr(rules.SelfPlay, "decide", counted_decide)
    monkeypatch.setattr(rules, "record_fault", counted_fault)
    return found


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_trains_without_an_illegal_action(library, counted):
    (block,) = [each for each in BLOCKS if f"from {library}" in each]
    exec(compile(block, "learning-libraries.md", "exec"), {"__name__": "page"})
    assert counted["decisions"] >= 150
    assert counted["faults"] == 0


@pytest.mark.parametrize("library", ["sb3_contrib"])
def test_subprocesses_give_the_masks_of_their_tables(library):
    from sb3_contrib.common.maskable.utils import get_action_masks
    from stable_baselines3.common.vec_env import SubprocVecEnv

    tables = SubprocVecEnv([lambda: single("pazaak", "random")] * 2)
    seen = tables.reset()
    np.testing.assert_array_equal(get_action_masks(tables), seen["action_mask"])
    tables.close()


@pytest.mark.parametrize("library", ["sb3_contrib"])
def test_the_exported_bot_acts_as_the_policy_that_was_trained(library, tmp_path):
    trained = runpy.run_path(str(EXAMPLE / "train.py"))
    model, package = trained["learner"](), tmp_path / "ppo_bot" / "ppo"
    shutil.copytree(EXAMPLE / "ppo_bot", tmp_path / "ppo_bot")
    trained["export"](model, package / "policy.npz")
    spec = importlib.util.spec_from_file_location("exported", package / "bot.py")
    bot = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bot)
    env, same = single("pazaak", "stand(at=17)"), []
    for match in range(40):
        seen, _ = env.reset(seed=match)
        over = False
        while not over:
            mask = seen["action_mask"]
            theirs, _ = model.predict(seen["observation"], action_masks=mask, deterministic=True)
            values = bot.values(seen["observation"])
            ours = max(np.flatnonzero(mask), key=values.__getitem__)
            same.append(ours == theirs)
            seen, _, over, _, _ = env.step(theirs)
    assert len(same) > 150
    assert all(same)
    env.close()
    with arena.open_database(tmp_path / "arena.db") as db:
        db.submit(tmp_path / "ppo_bot", allow=["numpy"], game="pazaak")
