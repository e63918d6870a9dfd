"""Views of OpenSpiel's games: the numbers that seats see, and environments for learners."""

from __future__ import annotations

import random
import sys
import warnings

import numpy as np
import pytest
from arena_openspiel import library
from arena_openspiel.catalogue import catalogue
from arena_openspiel.games import all_games, game_class
from arena_openspiel.tensors import NO_TENSOR, measured, tensors
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

from arena.core.chance.dealer import SeatStreams
from arena.core.errors import BadInput
from arena.rl import aec, single, vector
from arena.testing.check_game import check_game
from arena.testing.views import PROMISE
from tests.rl.test_suites import OF_DICTIONARIES


def numbers(game, observation):
    view = game.view.of(observation.rules)
    out = np.full(view.size, np.nan, np.float32)
    view.write(observation, out)
    return out


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_numbers_follow_from_what_the_seat_knows(name):
    game = game_class(name)()
    small = type(name, (type(game),), {"seats": game.seats[:1]})()
    report = check_game(small, game.ruleset(), redeals=12)
    assert report.passed, report.problems
    assert report.checks[PROMISE] >= 12


def test_cards_that_are_dealt_again_change_no_numbers():
    game, rng = game_class("bridge")(), random.Random(1)
    state = game.new_state(game.ruleset(), (b"",) * 4, SeatStreams(1))
    for _ in range(12):
        for seat in range(4):
            seen = state.observation(seat)
            world = game.resample(seen, rng)
            assert world.observation(seat) == seen
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize(("name", "seats"), [("leduc_poker", 3), ("hearts", 4), ("spades", 4)])
def test_the_numbers_are_those_of_openspiel(name, seats):
    game, rng = game_class(name)(), random.Random(1)
    state = game.new_state(game.ruleset(), (b"",) * seats, SeatStreams(1))
    for _ in range(12):
        seat = state.current_player()
        if seat < 0:
            break
        spiel = state.spiel
        recalls = spiel.get_game().get_type().provides_information_state_tensor
        of = spiel.information_state_tensor if recalls else spiel.observation_tensor
        written, expected = numbers(game, state.observation(seat)), np.float32(of(seat))
        np.testing.assert_array_equal(written[: len(expected)], expected)
        assert not written[len(expected) :].any()  # the view is as long as at the largest table
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.usefixtures("installed")
def test_openspiels_games_are_environments(capsys):
    env = single("kuhn_poker", "random")
    check_env(env, skip_render_check=True)
    env.close()
    with warnings.catch_warnings():
        for message in OF_DICTIONARIES:
            warnings.filterwarnings("ignore", message)
        api_test(aec("leduc_poker", seats=3), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out
    tables = vector("leduc_poker", 4, ["random"] * 2)
    seen, _ = tables.reset(seed=1)
    assert seen["observation"].any(1).all()
    assert tables.single_observation_space["observation"].shape == seen["observation"].shape[1:]
    tables.close()


def test_a_bot_without_openspiel_reads_the_numbers(monkeypatch):
    game = game_class("leduc_poker")()
    state = game.new_state(game.ruleset(), (b"", b""), SeatStreams(3))
    seen = state.observation(0)
    packed, expected = game.wire.pack(seen), numbers(game, seen)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    library.library.cache_clear()
    read = game.wire.unpack(game.ruleset(), packed)
    np.testing.assert_array_equal(numbers(game, read), expected)
    assert np.float32(game.wire.describe(read)["numbers"]).tobytes() == seen.numbers
    library.library.cache_clear()


def test_a_game_without_numbers_says_why():
    without = [game for game in all_games() if game.tensor.missing]
    assert "cribbage" in {game.name for game in without}
    for game in without:
        with pytest.raises(BadInput, match=rf"^{game.name} has no view: OpenSpiel"):
            game.view.of(game.ruleset())
    assert tensors()["cribbage"].missing == NO_TENSOR


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "phantom_ttt", "cribbage", "skat"])
def test_the_sizes_are_those_of_openspiel(name):
    assert measured(name) == tensors()[name]
    assert [*tensors()] == [*catalogue()]


@pytest.mark.usefixtures("installed")
def test_the_same_bot_may_have_several_seats_of_a_table():
    env = single("euchre", ["random"] * 3, seat=1)
    seen, info = env.reset(seed=1)
    assert (info["seat"], seen["action_mask"].any()) == (1, True)
    env.close()
