"""Our games in OpenSpiel pass OpenSpiel's own tests."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from arena.core.errors import ParseError, UnknownName

pyspiel = pytest.importorskip("pyspiel", reason="make .venv/openspiel")
from arena_openspiel import export  # noqa: E402

GOLDEN = Path(__file__).with_name("python_arena_pazaak.txt")
SHORT = "python_arena_pazaak(options=max_sets:1)"
GAMES = ("python_arena_pazaak", "python_arena_pazaak(ruleset=wiki)", SHORT, "python_arena_sabacc")


@pytest.mark.parametrize("name", GAMES)
def test_random_simulations_pass(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), 1, serialize=True, verbose=False)


@pytest.mark.thorough("test_random_simulations_pass plays fewer matches, for two")
@pytest.mark.parametrize(
    "name",
    [
        *GAMES[:-1],
        "python_arena_sabacc(options=hands:3)",
        "python_arena_sabacc(options=hands:3,ruleset=cloud_city)",
        "python_arena_sabacc(options=hands:3,players=5)",
    ],
)
def test_many_random_simulations_pass(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), 10, serialize=True, verbose=False)


@pytest.mark.parametrize("name", [SHORT, "python_arena_sabacc"])
def test_the_simulation_of_openspiels_suite_passes(name):
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    GamesSimTest().sim_game(pyspiel.load_game(name))


def test_a_tabular_learner_plays_some_episodes():
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms.tabular_qlearner import QLearner

    environment = rl_environment.Environment(
        pyspiel.load_game(SHORT), observation_type=rl_environment.ObservationType.OBSERVATION
    )
    count = environment.action_spec()["num_actions"]
    agents = [QLearner(player_id=seat, num_actions=count) for seat in (0, 1)]
    for _ in range(3):
        step = environment.reset()
        while not step.last():
            seat = step.observations["current_player"]
            step = environment.step([agents[seat].step(step).action])
        for agent in agents:
            agent.step(step)
        assert sum(step.rewards) == 0
    assert len(agents[0]._q_values) > 1


def test_a_playthrough_is_as_it_was_read(pytestconfig):
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    text = playthrough(SHORT, None, seed=3)
    if pytestconfig.getoption("--update-playthroughs"):
        GOLDEN.write_text(text)
    assert text == GOLDEN.read_text()


def test_seats_learn_nothing_of_each_others_hands():
    state, rng = pyspiel.load_game("python_arena_pazaak").new_initial_state(), Random(1)
    while state.current_player() < 0:
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    mine, other = (state.held.state.observation(seat) for seat in (0, 1))
    texts = [state.seen(seat) for seat in (0, 1)]
    assert mine.hand != other.hand
    assert texts[0] != texts[1]


def test_wrong_parameters_are_one_line():
    with pytest.raises(UnknownName, match="pazaak ruleset"):
        export.ArenaPazaak({"ruleset": "none"})
    with pytest.raises(ParseError, match="max_sets"):
        export.ArenaPazaak({"options": "max_sets:many"})
