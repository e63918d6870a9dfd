"""The checks of PettingZoo and Gymnasium themselves pass for Arena's environments."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, VectorEnv
from pettingzoo.test import api_test, performance_benchmark, seed_test
from pettingzoo.utils import aec_to_parallel

from arena.core.errors import BadInput
from arena.rl import aec, parallel, single, vector
from tests.sizes import volume

CHIPS = "corellian(mode=chips,betting=poker)"
OF_DICTIONARIES = (
    r"Observation space for each agent probably should be gymnasium.spaces.box",
    r"Observation is not a NumPy array",
)
"""Warnings of ``api_test`` for every environment with a mask in its observation."""


@pytest.mark.parametrize(
    ("game", "ruleset", "seats"), [("pazaak", "", 2), ("sabacc", "", 4), ("sabacc", CHIPS, 3)]
)
def test_pettingzoo_accepts_the_turns_of_a_game(game, ruleset, seats, capsys):
    with warnings.catch_warnings():
        for message in OF_DICTIONARIES:
            warnings.filterwarnings("ignore", message)
        api_test(aec(game, ruleset, seats), num_cycles=volume(1000, everyday=60))
        seed_test(lambda: aec(game, ruleset, seats), num_cycles=volume(200, everyday=20))
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.thorough("it measures for five seconds; the API test plays the same turns")
def test_pettingzoo_measures_the_turns_of_a_game(capsys):
    performance_benchmark(aec("pazaak"))
    assert "turns per second" in capsys.readouterr().out


def test_there_is_no_parallel_form():
    with pytest.raises(BadInput, match=r"^pazaak has no parallel form: its seats take turns"):
        parallel("pazaak")
    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(aec("pazaak"))


@pytest.mark.parametrize(
    ("game", "opponents", "keys"),
    [
        ("pazaak", "stand(at=17)", {}),
        ("sabacc", ["random", "random"], {"ruleset": CHIPS}),
        ("pazaak", ["examples/bots/thirty_lines.py"], {"seat": 1}),
    ],
    ids=["pazaak", "chips", "confined"],
)
def test_gymnasium_accepts_one_seat_without_a_warning(game, opponents, keys):
    env = single(game, opponents, render_mode="ansi", **keys)
    check_env(env, skip_render_check=True)
    env.reset(seed=1)
    assert isinstance(env.render(), str)
    env.close()


@pytest.mark.parametrize(
    ("game", "opponents"), [("pazaak", ()), ("pazaak", "stand(at=17)"), ("sabacc", ())]
)
def test_a_vector_keeps_the_contract_of_gymnasium(game, opponents):
    env = vector(game, 4, opponents)
    assert isinstance(env, VectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    rng, ended = np.random.default_rng(3), 0
    first, _ = env.reset(seed=5)
    seen, info = env.reset(seed=5)
    for name in seen:
        np.testing.assert_array_equal(seen[name], first[name])
    over = np.zeros(4, bool)
    for _ in range(150):
        assert env.observation_space.contains(seen)
        assert info["seat"].shape == (4,)
        before = {name: each.copy() for name, each in seen.items()}
        masks = seen["action_mask"]
        np.testing.assert_array_equal(masks.astype(bool), env.action_masks())
        chosen = (rng.random(masks.shape) * masks).argmax(1)
        assert env.action_space.contains(chosen)
        old = seen
        seen, rewards, terminated, truncated, info = env.step(chosen)
        for name, each in old.items():  # what was given out stays as it was
            np.testing.assert_array_equal(each, before[name])
        assert not truncated.any()
        assert not rewards[~terminated].any()
        assert not (terminated & over).any()  # the step after an end begins a match
        assert not masks[over].any()
        assert masks[~over].any(1).all()
        np.testing.assert_allclose(info["returns"].sum(1), 0, atol=1e-9)
        for returns, reward in zip(info["returns"], rewards, strict=True):
            assert reward in returns
        ended += int(terminated.sum())
        over = terminated
    assert ended > 4
    env.close()
