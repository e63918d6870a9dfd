"""OpenSpiel's bots play as bots of Arena."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from inspect import signature

import pytest
from arena_openspiel import bots
from arena_openspiel.bots import (
    CfrAverage,
    InformationSetSearch,
    SampledUct,
    TabularPolicy,
    UniformRandom,
    solved,
)
from arena_openspiel.catalogue import catalogue
from arena_openspiel.games import game_class
from arena_openspiel.plugin import arena_bots

from arena.core.bot import MatchContext
from arena.core.chance.dealer import SeatStreams
from arena.core.errors import BadInput, UnknownName
from arena.games.pazaak.game import Pazaak


def played(name, bots, seed=1):
    """Returns the returns of one match of some bots."""
    game = game_class(name)()
    state = game.new_state(game.ruleset(), (b"",) * len(bots), SeatStreams(seed))
    for seat, bot in enumerate(bots):
        bot.start(MatchContext(game, "standard", seat, len(bots), seed + seat))
    while not state.is_terminal():
        seat = state.current_player()
        state.apply_action(bots[seat].act(state.observation(seat)))
    return state.returns()


def test_they_finish_a_match():
    search = InformationSetSearch(simulations=8)
    assert sum(played("leduc_poker", [search, UniformRandom()])) == 0
    assert sum(played("kuhn_poker", [UniformRandom()] * 3)) == 0
    assert len(played("dark_hex", [search, UniformRandom()])) == 2


def test_search_plays_from_what_its_seat_knows_and_its_seed():
    first, second = (InformationSetSearch(simulations=8) for _ in range(2))
    assert played("leduc_poker", [first, UniformRandom()]) == played(
        "leduc_poker", [second, UniformRandom()]
    )


def test_uct_in_sampled_worlds_beats_random_play():
    def gains():
        uct, other = SampledUct(worlds=5, simulations=30), UniformRandom()
        for seed in range(12):
            yield played("leduc_poker", [uct, other], seed)[0]
            yield played("leduc_poker", [other, uct], seed)[1]

    chips = [*gains()]
    assert sum(chips) / len(chips) > 1
    assert chips == [*gains()]


def test_uct_calls_a_bet_with_the_best_card_and_folds_the_worst():
    game = game_class("kuhn_poker")()
    for card, wanted in (("2", "bet"), ("0", "pass")):
        state = game.new_state(game.ruleset(), (b"", b""))
        for event in ("1", card, "bet"):
            state.apply_action(next(a for a in state.legal_actions() if a.text.endswith(event)))
        uct = SampledUct(worlds=3, simulations=50)
        uct.start(MatchContext(game, "standard", 1, 2, 1))
        assert uct.act(state.observation(1)).text == wanted


def test_uct_refuses_games_with_rewards_before_the_end():
    import pyspiel

    with pytest.raises(BadInput, match=r"spiel-uct cannot play cribbage: .* terminal rewards"):
        SampledUct().start(MatchContext(game_class("cribbage")(), "standard", 0, 2, 1))
    [entry] = [each for each in arena_bots() if each.name == "spiel-uct"]
    ends = pyspiel.GameType.RewardModel.TERMINAL
    known = {kind.short_name: kind.reward_model == ends for kind in pyspiel.registered_games()}
    assert entry.games == tuple([name for name in catalogue() if known[name]])
    with pytest.raises(BadInput, match="worlds from 1"):
        SampledUct(worlds=0)


def test_the_average_of_cfr_is_close_to_equilibrium():
    import pyspiel
    from open_spiel.python.algorithms.exploitability import nash_conv
    from open_spiel.python.policy import TabularPolicy as Table

    game = pyspiel.load_game("kuhn_poker")
    table, policy = Table(game), solved("kuhn_poker", 2, "standard", 300)
    for state, odds in policy.items():
        table.policy_for_key(state)[:] = odds
    assert nash_conv(game, table) / 2 < 0.01


def test_a_solved_policy_plays_only_its_own_game():
    bot = CfrAverage(game="kuhn_poker", iterations=5)
    assert sum(played("kuhn_poker", [bot, bot])) == 0
    assert bot.games == ("kuhn_poker",)
    with pytest.raises(BadInput, match="kuhn_poker"):
        played("leduc_poker", [bot, bot])


def test_what_cannot_be_solved_is_refused():
    with pytest.raises(BadInput, match="liars_dice with 2 seats has more than"):
        CfrAverage(game="liars_dice")
    with pytest.raises(UnknownName, match="leduc_poker"):
        CfrAverage(game="leduc")
    with pytest.raises(BadInput, match="iterations"):
        CfrAverage(game="kuhn_poker", iterations=0)


def test_a_policy_comes_from_a_file(tmp_path):
    file = tmp_path / "policy.json"
    states = [card + line for card in "012" for line in ("", "p", "b", "pb")]
    file.write_text(json.dumps({state: {"bet": 1.0} for state in states}))
    always = TabularPolicy(str(file))
    assert set(map(abs, played("kuhn_poker", [always, always]))) == {2.0}


def test_a_policy_plays_the_games_that_have_its_actions(tmp_path):
    file = tmp_path / "policy.json"
    file.write_text('{"0": {"pass": 0.5, "bet": 0.5}}')
    assert "kuhn_poker" in TabularPolicy(str(file)).games
    assert "leduc_poker" not in TabularPolicy(str(file)).games
    file.write_text('{"0": {"action 5": 1}}')
    assert "dark_chess" in TabularPolicy(str(file)).games


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("kuhn_poker", '{"0pb": {"jump": 1}}', "unknown action 'jump' in .*'0pb'; choices: bet, p"),
        ("kuhn_poker", '{"0pc": {"bet": 1}}', "no information state '0pc'; did you mean '0p.?'"),
        ("kuhn_poker", '{"queen": {"bet": 1}}', "no information state 'queen'; there is '.*'"),
        ("dark_hex", '{"?": {"jump": 1}}', "no action 'jump'; write "),
    ],
)
def test_a_policy_that_does_not_fit_the_game_is_refused(tmp_path, name, text, problem):
    file = tmp_path / "policy.json"
    file.write_text(text)
    bot = TabularPolicy(str(file))
    with pytest.raises(BadInput, match=problem) as refused:
        bot.start(MatchContext(game_class(name)(), "standard", 0, 2, 1))
    assert "policy.json" in str(refused.value)


def test_an_illegal_action_in_a_state_of_a_large_game_is_refused_there(tmp_path):
    game, file = game_class("liars_dice")(), tmp_path / "policy.json"
    seen = game.new_state(game.ruleset(), (b"", b""), SeatStreams(1)).observation(0)
    file.write_text(json.dumps({seen.text: {"liar": 1}}))
    bot = TabularPolicy(str(file))
    bot.start(MatchContext(game, "standard", 0, 2, 1))
    with pytest.raises(UnknownName, match=r"unknown action 'liar' in .*; choices: 1-1, "):
        bot.act(seen)


@pytest.mark.thorough("test_a_solved_policy_plays_only_its_own_game has what is declared")
def test_a_bot_is_refused_in_games_that_its_arguments_rule_out(tmp_path, spiel_site):
    bots = ("spiel-cfr(game=kuhn_poker)", "random")
    done = subprocess.run(
        [sys.executable, "-m", "arena", "match", *bots, "--game", "leduc_poker"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(spiel_site)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "spiel-cfr(game=kuhn_poker) plays kuhn_poker, not leduc_poker" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "text",
    [
        "[]", "{", '{"0": [1]}', '{"0": {"bet": 2}}', '{"0": {"bet": -0.1, "pass": 1}}',
        '{"0": {}}', '{"0": {"bet": 0.6, "pass": 0.9}}', '{"0": {"bet": true}}',
    ],
)  # fmt: skip
def test_a_file_that_is_no_policy_is_refused_with_its_name(tmp_path, text):
    file = tmp_path / "policy.json"
    file.write_text(text)
    with pytest.raises(BadInput, match=r"policy\.json"):
        TabularPolicy(str(file))


def test_bots_declare_the_arguments_that_they_need():
    for entry in arena_bots():
        kind = getattr(bots, entry.target.partition(":")[2])
        arguments = signature(kind).parameters.values()
        assert entry.needs == tuple([each.name for each in arguments if each.default is each.empty])


def test_games_of_others_are_refused():
    with pytest.raises(BadInput, match="not pazaak"):
        UniformRandom().start(MatchContext(Pazaak(), "standard", 0, 2, 1))
