"""Many tables against bots that run confined: the same matches, and a clean end."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from arena.core.errors import BadInput, BadPlugin, HarnessFault
from arena.rl import vector

THIRTY_LINES = str(Path(__file__).parents[2] / "examples" / "bots" / "thirty_lines.py")
BOT = (
    "import os\nfrom arena import Bot\n\n\nclass Made(Bot):\n    calls = 0\n\n"
    "    def act(self, seen):\n"
)


def children():
    """Processes that this one has started, and that are not ended yet."""
    found = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):
            found.update(map(int, (task / "children").read_text().split()))
    return found


def played(env, steps, seed=1):
    """All that a seeded learner sees at its tables."""
    rng, rows = np.random.default_rng(seed), []
    seen, info = env.reset(seed=seed)
    for _ in range(steps):
        rows.append((seen["observation"], seen["action_mask"], info["seat"], info["returns"]))
        masks = seen["action_mask"]
        seen, *_, info = env.step((rng.random(masks.shape) * masks).argmax(1))
    return [np.concatenate([each.ravel() for each in row]) for row in rows]


def first_rewards(env):
    """The rewards of the step in which a match ends first."""
    rewards, (seen, _) = np.zeros(env.num_envs), env.reset(seed=1)
    while not rewards.any():
        seen, rewards, *_ = env.step(seen["action_mask"].argmax(1))
    return rewards


def test_confined_bots_play_the_matches_that_trusted_ones_play():
    before, bots = children(), [THIRTY_LINES, "random", THIRTY_LINES]
    confined = vector("sabacc", 5, bots)
    trusted = vector("sabacc", 5, bots, trust=[THIRTY_LINES])
    rows, expected = played(confined, 25), played(trusted, 25)
    np.testing.assert_array_equal(rows, expected)
    np.testing.assert_array_equal(played(confined, 5), expected[:5])  # it leaves all matches
    assert children() > before
    confined.close()
    trusted.close()
    assert children() == before
    with pytest.raises(BadInput, match=r"^the environment is closed$"):
        confined.reset()


def test_a_bot_that_dies_is_one_line_and_the_learner_wins(tmp_path):
    bot = tmp_path / "dies.py"
    bot.write_text(
        f"{BOT}        self.calls += 1\n        if self.calls > 1:\n            os._exit(3)\n"
        "        return seen.legal_actions[0]\n"
    )
    env = vector("pazaak", 2, str(bot))
    line = r"^bot dies failed: its process ended with exit code 3$"
    with pytest.warns(UserWarning, match=line) as found:
        rewards = first_rewards(env)
    assert "\n" not in str(found[0].message)
    assert set(rewards) <= {0, 1}
    env.close()


def test_a_bot_that_cannot_begin_is_refused(tmp_path):
    before, bot = children(), tmp_path / "late.py"
    bot.write_text(
        f"{BOT}        pass\n\n    def prepare(self, offer):\n        raise ValueError\n"
    )
    env = vector("pazaak", 2, str(bot))
    line = r"first decision: bot late failed: ValueError$"
    with pytest.warns(match=r"^bot late failed"), pytest.raises(BadPlugin, match=line):
        env.reset(seed=1)
    env.close()
    assert children() == before


def test_the_end_of_the_fork_server_is_raised_at_every_table():
    before = children()
    env = vector("pazaak", 3, THIRTY_LINES)
    env.reset(seed=1)
    for process in children() - before:
        os.kill(process, signal.SIGKILL)
    for _ in range(2):
        with pytest.raises(HarnessFault, match="fork server"):
            played(env, 200)
    env.close()
    assert children() == before
