"""Environments of games that extensions add."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

from arena.rl import aec, single, vector
from tests.plugins.distributions import put_distribution
from tests.rl.test_suites import OF_DICTIONARIES

EXAMPLE = Path(__file__).parents[2] / "examples" / "arena-game-kuhn"


@pytest.fixture
def kuhn(tmp_path, monkeypatch):
    """The example game is installed."""
    put_distribution(tmp_path, "arena-game-kuhn", {"arena": {"kuhn": "arena_game_kuhn.plugin"}}, {})
    monkeypatch.syspath_prepend(EXAMPLE)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("kuhn")
def test_the_example_game_is_an_environment_of_each_kind(capsys):
    env = single("kuhn", "random")
    check_env(env, skip_render_check=True)
    env.close()
    with warnings.catch_warnings():
        for message in OF_DICTIONARIES:
            warnings.filterwarnings("ignore", message)
        api_test(aec("kuhn"), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out
    tables, ended = vector("kuhn", 4, "random", ruleset="single"), 0
    seen, _ = tables.reset(seed=1)
    assert seen["observation"].shape == (4, 9)
    assert seen["observation"][:, :3].sum(1).tolist() == [1] * 4  # one card each
    for _ in range(10):
        seen, rewards, over, _, _ = tables.step(seen["action_mask"].argmax(1))
        ended += over.sum()
        assert rewards[over].all()
    assert ended > 4
    tables.close()
