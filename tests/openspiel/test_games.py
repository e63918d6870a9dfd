"""OpenSpiel's games keep the promises of a game; what is wrong is one line."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from arena_openspiel import library, rules
from arena_openspiel.catalogue import catalogue
from arena_openspiel.games import all_games, game_class
from arena_openspiel.state import exact_odds
from arena_openspiel.survey import entry_of

from arena.core.chance.dealer import SeatStreams
from arena.core.errors import BadInput, BadPlugin, IllegalAction
from arena.testing.check_game import check_game

SMALL = ("liars_dice", "universal_poker", "phantom_ttt", "dark_hex")
LARGE = ("bridge", "euchre", "oh_hell")


def checked(name, seats, redeals):
    game = game_class(name)()
    if seats is not None:
        game = type(name, (type(game),), {"seats": seats})()
    report = check_game(game, game.ruleset(), redeals=redeals)
    assert report.passed, report.problems
    assert report.other_worlds > report.redeals / 3


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_poker_for_two_and_three_keeps_every_promise(name):
    checked(name, range(2, 4), 30)


@pytest.mark.parametrize("name", SMALL)
def test_small_games_keep_every_promise(name):
    checked(name, None, 60)


@pytest.mark.thorough("test_small_games_keep_every_promise has the same code for small games")
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_poker_for_up_to_ten_keeps_every_promise(name):
    checked(name, None, 300)


@pytest.mark.thorough("test_small_games_keep_every_promise has the same code for small games")
@pytest.mark.parametrize("name", LARGE)
def test_large_games_keep_every_promise(name):
    seats = game_class(name).seats
    checked(name, seats[:1], 12)


@pytest.mark.parametrize(("name", "states"), [("kuhn_poker", 12), ("leduc_poker", 936)])
def test_information_states_are_as_many_as_in_the_literature(name, states):
    game, found = game_class(name)(), set()
    waiting = [game.new_state(game.ruleset(), (b"", b""))]
    while waiting:
        state = waiting.pop()
        if (player := state.current_player()) >= 0:
            found.add(state.observation(player).information_state())
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            waiting.append(child)
    assert len(found) == states


def test_who_tells_an_action_from_another_tells_it_from_all_in_open_games():
    rng = random.Random(2)
    for game in (each for each in all_games() if each.facts.open):
        spiel = game.loaded(game.ruleset(), game.seats[0]).new_initial_state()
        while not spiel.is_terminal():
            ids = spiel.legal_actions()
            children = [spiel.child(id) for id in ids]
            if not any(child.is_terminal() for child in children):
                for seat in range(game.seats[0]):
                    views = {game.shown_to(child, seat) for child in children}
                    assert len(views) in (1, len(ids)), (game.name, str(spiel))
            spiel.apply_action(rng.choice(ids))


def test_the_page_lists_the_games_that_pass():
    page = (Path(__file__).parents[2] / "docs" / "howto" / "openspiel.md").read_text("utf-8")
    rows = page.partition("| game | seats |")[2].partition("\n\n")[0].splitlines()
    listed = {name for row in rows for name in re.findall("`([a-z_]+)`", row)}
    assert listed == {"kuhn_poker", "leduc_poker", *SMALL, *LARGE}


def test_odds_are_exact():
    for odds in ([0.25] * 4, [0.1, 0.2, 0.7], [1 / 3, 2 / 3]):
        assert sum(exact_odds(odds)) == 1


def test_a_seat_that_acts_more_changes_no_cards_of_others():
    game = game_class("leduc_poker")()
    boards = set()
    for moves in (["call", "call"], ["call", "raise", "call"]):
        state = game.new_state(game.ruleset(), (b"", b""), SeatStreams(7))
        for move in moves:
            state.apply_action(game.notation.action(move))
        boards.add(state.observation(0).history.decode().splitlines()[-1])
    assert len(boards) == 2 or boards.pop().startswith("chance: ")


def test_hidden_moves_are_told_to_nobody_else():
    game = game_class("phantom_ttt")()
    state = game.new_state(game.ruleset(), (b"", b""), SeatStreams(1))
    state.apply_action(state.legal_actions()[4])
    assert state.observation(1).history == b""
    assert state.observation(1).text.startswith("...\n...\n...")


def test_an_illegal_action_is_refused_and_changes_nothing():
    game = game_class("kuhn_poker")()
    state = game.new_state(game.ruleset(), (b"", b""), SeatStreams(1))
    seen = state.observation(0)
    with pytest.raises(IllegalAction, match="pass, bet"):
        state.apply_action(game_class("leduc_poker").notation.action("fold"))
    assert state.observation(0) == seen


def test_options_that_openspiel_refuses_are_one_line():
    game = game_class("dark_hex")()
    with pytest.raises(BadInput, match="dark_hex: OpenSpiel refuses obstype=nothing") as refused:
        game.new_state(game.ruleset("standard(obstype=nothing)"), (b"", b""))
    assert "\n" not in str(refused.value)


def test_without_openspiel_one_line_names_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    library.library.cache_clear()
    rules.loaded.cache_clear()
    game = game_class("kuhn_poker")()
    with pytest.raises(BadPlugin, match="pip install open_spiel==") as refused:
        game.new_state(game.ruleset(), (b"",) * 9)
    assert "\n" not in str(refused.value)
    library.library.cache_clear()


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", *SMALL])
def test_the_catalogue_is_that_of_openspiel(name):
    [kind] = [each for each in library.library().registered_games() if each.short_name == name]
    assert entry_of(kind) == catalogue()[name]


def test_listing_the_games_imports_no_openspiel():
    code = (
        "import sys; from arena_openspiel.plugin import arena_bots, arena_games\n"
        "assert len(list(arena_games())) > 30 and list(arena_bots())\n"
        "assert 'pyspiel' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_other_processes_find_a_game_by_its_class():
    from arena_openspiel import games

    for game in all_games():
        assert getattr(games, type(game).__qualname__) is type(game)


def test_a_packed_observation_needs_no_openspiel_to_be_read(monkeypatch):
    game = game_class("leduc_poker")()
    state = game.new_state(game.ruleset(), (b"", b""), SeatStreams(3))
    seen = state.observation(state.current_player())
    packed = game.wire.pack(seen)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    library.library.cache_clear()
    assert game.wire.unpack(game.ruleset(), packed) == seen
    library.library.cache_clear()


def test_worlds_of_a_bridge_hand_have_the_open_dummy():
    game, rng = game_class("bridge")(), random.Random(5)
    state = game.new_state(game.ruleset(), (b"",) * 4, SeatStreams(11))
    for text in ("1NT", "pass", "pass", "pass"):
        state.apply_action(game.notation.action(text))
    for _ in range(6):
        state.apply_action(state.legal_actions()[0])
    for seat in range(4):
        seen = state.observation(seat)
        assert game.resample(seen, rng).observation(seat) == seen
