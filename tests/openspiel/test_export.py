"""Our games in OpenSpiel pass OpenSpiel's own tests."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from arena.core.errors import BadInput, IllegalAction, ParseError, UnknownName

pyspiel = pytest.importorskip("pyspiel", reason="make .venv/openspiel")
from arena_openspiel import export  # noqa: E402

GOLDEN = Path(__file__).with_name("python_arena_pazaak.txt")
SHORT = "python_arena_pazaak(options=max_sets:1)"
CHIPS = "python_arena_sabacc(players=3,options=mode:chips)"
GAMES = ("python_arena_pazaak", "python_arena_pazaak(ruleset=wiki)", SHORT, "python_arena_sabacc")


def dealt(name):
    """Returns a state in which a seat is to decide."""
    state, rng = pyspiel.load_game(name).new_initial_state(), Random(1)
    while state.current_player() < 0:
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    return state


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
        CHIPS,
    ],
)
def test_many_random_simulations_pass(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), 10, serialize=True, verbose=False)


@pytest.mark.parametrize("name", [SHORT, "python_arena_sabacc"])
def test_the_simulation_of_openspiels_suite_passes(name):
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    GamesSimTest().sim_game(pyspiel.load_game(name))


@pytest.mark.parametrize("name", [SHORT, CHIPS])
def test_openspiels_learner_learns_from_the_numbers_of_the_view(name):
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms.tabular_qlearner import QLearner

    game = pyspiel.load_game(name)
    environment = rl_environment.Environment(game)
    count = environment.action_spec()["num_actions"]
    agents = [QLearner(player_id=seat, num_actions=count) for seat in range(game.num_players())]
    met = set()
    for _ in range(3):
        step = environment.reset()
        while not step.last():
            seat = step.observations["current_player"]
            numbers = np.empty(game.view.size, np.float32)
            game.view.write(environment.get_state.held.state.observation(seat), numbers)
            assert step.observations["info_state"][seat] == numbers.tolist()
            met.add(str(numbers.tolist()))
            step = environment.step([agents[seat].step(step).action])
        for agent in agents:
            agent.step(step)
        assert sum(step.rewards) == pytest.approx(0)
    learned = [{key for key, odds in agent._q_values.items() if odds} for agent in agents]
    assert met == set().union(*learned)


def test_a_playthrough_is_as_it_was_read(pytestconfig):
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    text = playthrough(SHORT, None, seed=3)
    if pytestconfig.getoption("--update-playthroughs"):
        GOLDEN.write_text(text)
    assert text == GOLDEN.read_text()


@pytest.mark.parametrize("name", ["python_arena_pazaak", "python_arena_sabacc"])
def test_seats_learn_nothing_of_each_others_hands(name):
    game, rng = pyspiel.load_game(name), Random(1)
    state, observer = game.new_initial_state(), game.make_py_observer()
    others = decisions = 0
    while not state.is_terminal() and decisions < 12:
        if state.current_player() < 0:
            state.apply_action(rng.choice(state.chance_outcomes())[0])
            continue
        decisions += 1
        for seat in (0, 1):
            twin = state.clone()
            twin.held.state = game.arena.resample(state.held.state.observation(seat), rng)
            shown = []
            for each in (state, twin):
                observer.set_from(each, seat)
                shown.append(
                    (each.seen(seat), observer.string_from(each, seat), [*observer.tensor])
                )
            assert shown[0] == shown[1]
            others += state.seen(1 - seat) != twin.seen(1 - seat)
        state.apply_action(rng.choice(state.legal_actions()))
    assert others > decisions / 2


def test_an_action_that_is_not_offered_is_refused_with_those_that_are():
    state = dealt(SHORT)
    with pytest.raises(IllegalAction, match=r"34 is not one of: 0 \(end turn\), 1 \(stand\)"):
        state.apply_action(34)


def test_wrong_parameters_are_one_line():
    with pytest.raises(UnknownName, match="pazaak ruleset"):
        export.ArenaPazaak({"ruleset": "none"})
    with pytest.raises(ParseError, match="max_sets"):
        export.ArenaPazaak({"options": "max_sets:many"})
    for players in (1, 9):
        with pytest.raises(BadInput, match=f"sabacc: players={players}; choices: 2 to 6"):
            pyspiel.load_game(f"python_arena_sabacc(players={players})")
