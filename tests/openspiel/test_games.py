"""OpenSpiel's games keep the promises of a game; what is wrong is one line."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from arena_openspiel import library, rules, verdicts
from arena_openspiel.catalogue import catalogue
from arena_openspiel.facts import Facts
from arena_openspiel.games import all_games, game_class
from arena_openspiel.guided import guided
from arena_openspiel.notation import CHANCE_IDS
from arena_openspiel.rules import CHOICES
from arena_openspiel.state import SpielState, exact_odds
from arena_openspiel.survey import entry_of
from arena_openspiel.told import knowing
from arena_openspiel.watch import Watch

from arena.core.chance.dealer import SeatStreams
from arena.core.errors import BadInput, BadPlugin, IllegalAction, UnknownName
from arena.testing.check_game import check_game

SMALL = ("liars_dice", "phantom_ttt", "dark_hex")
MANY = 1500
"""Actions of a position that are compared; only `colored_trails` has more."""
LARGE = ("bridge", "euchre", "gin_rummy", "hearts", "oh_hell")


def checked(name, seats, redeals):
    game = game_class(name)()
    if seats is not None:
        game = type(name, (type(game),), {"seats": seats})()
    report = check_game(game, game.ruleset(), redeals=redeals)
    assert report.passed, report.problems
    assert report.other_worlds > report.redeals / 3


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "universal_poker"])
def test_poker_for_two_and_three_keeps_every_promise(name):
    checked(name, range(2, 4), 30)


@pytest.mark.parametrize("name", SMALL)
def test_small_games_keep_every_promise(name):
    checked(name, None, 60)


def test_a_game_that_shows_what_was_hidden_keeps_every_promise():
    checked("latent_ttt", None, 40)


def test_a_game_that_begins_with_a_decision_keeps_every_promise():
    game = game_class("coordinated_mp")()
    assert check_game(game, game.ruleset(), redeals=40).passed


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
            ids = rng.sample(ids, min(len(ids), MANY))
            children = [spiel.child(id) for id in ids]
            if not any(child.is_terminal() for child in children):
                for seat in range(game.seats[0]):
                    views = {game.shown_to(child, seat) for child in children}
                    assert len(views) in (1, len(ids)), (game.name, str(spiel))
            spiel.apply_action(rng.choice(ids))


@pytest.mark.parametrize(
    ("name", "parameters", "states"),
    [
        ("liars_dice", {"dice_sides": 3}, 3 * 2**6),
        (
            "universal_poker",
            {
                "numRanks": 3, "numSuits": 2, "numRounds": 2, "numBoardCards": "0 1",
                "stack": "300 300", "raiseSize": "100 100",
            },
            None,
        ),
    ],
)  # fmt: skip
def test_games_said_to_be_open_are_open_in_a_whole_tree(name, parameters, states):
    careful = type(name, (game_class(name),), {"facts": Facts()})()
    game, found, nodes = game_class(name)(), set(), 0
    waiting = [library.load_game(name, parameters).new_initial_state()]
    while waiting:
        spiel = waiting.pop()
        if not spiel.is_chance_node() and not spiel.is_terminal():
            found.add(spiel.information_state_string(spiel.current_player()))
        was = [game.shown_to(spiel, seat) for seat in range(2)]
        for id in spiel.legal_actions() if not spiel.is_terminal() else ():
            child = spiel.child(id)
            now = [game.shown_to(child, seat) for seat in range(2)]
            noticed = [seat for seat in range(2) if was[seat] != now[seat]]
            one, every = (
                knowing(each, spiel.clone(), id, now, noticed) for each in (game, careful)
            )
            assert one == every, (str(spiel), id)
            nodes += 1
            waiting.append(child)
    assert nodes > 300
    assert states in (None, len(found))


@pytest.mark.parametrize("name", ["gin_rummy", "hearts"])
def test_worlds_are_found_at_every_decision_of_a_match(name):
    game, rng = game_class(name)(), random.Random(4)
    seats, others = game.seats[0], 0
    state = game.new_state(game.ruleset(), (b"",) * seats, SeatStreams(4))
    while not state.is_terminal():
        for seat in rng.sample(range(seats), rng.randrange(2)):
            seen = state.observation(seat)
            world = guided(game, seen, rng)
            assert world is not None
            assert world.observation(seat) == seen
            rest = [other for other in range(seats) if other != seat]
            others += any(world.observation(other) != state.observation(other) for other in rest)
        legal = state.legal_actions()
        knock = [action for action in legal if action.text == "knock"]
        state.apply_action(knock[0] if knock else rng.choice(legal))
    assert others > 20


def test_worlds_of_cribbage_have_the_scores_of_all_rounds():
    game, rng = game_class("cribbage")(), random.Random(3)
    state = game.new_state(game.ruleset(), (b"", b""), SeatStreams(4))
    for _ in range(40):
        state.apply_action(rng.choice(state.legal_actions()))
    seen = state.observation(0)
    assert seen.history.count(b"see: Scores: ") > 3
    world = guided(game, seen, rng)
    assert world is not None
    assert world.observation(0) == seen
    assert world.observation(1) != state.observation(1)


def test_a_check_that_is_stopped_says_how_far_it_came():
    game = game_class("skat")()
    watch = Watch(0.3)
    report = check_game(game, game.ruleset(), redeals=10)
    assert watch.over
    assert report.problems == ("match 1 (3 seats), move 0: the time was up after 0 of 10 re-deals",)
    assert watch.most().endswith("the drawing of worlds that fit what a seat saw")


def test_games_have_the_actions_of_their_largest_tables():
    for name, seats in (("go_fish", 10), ("social_deduction", 10)):
        game = game_class(name)()
        count = game.loaded(game.ruleset(), seats).num_distinct_actions()
        assert game.notation.action_of(count - 1).id == count - 1


def test_what_a_found_world_tells_others_is_what_a_played_one_tells_them():
    game, rng = game_class("hearts")(), random.Random(6)
    state = game.new_state(game.ruleset(), (b"",) * 4, SeatStreams(6))
    for _ in range(30):
        state.apply_action(rng.choice(state.legal_actions()))
    world = guided(game, state.observation(1), rng)
    again = SpielState(game, game.ruleset(), game.started(game.ruleset(), 4))
    for id in world.spiel.history():
        [action] = [a for a in again.legal_actions() if id == a.id % CHANCE_IDS]
        again.apply_action(action)
    for seat in range(4):
        assert world.observation(seat) == again.observation(seat)


def test_the_page_has_the_table_of_what_the_checks_found():
    page = (Path(__file__).parents[2] / "docs" / "howto" / "openspiel.md").read_text("utf-8")
    # In a process of its own: games that other tests have registered are none of OpenSpiel's.
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", verdicts.__name__]
    tables = subprocess.run(command, env=path, capture_output=True, text=True, check=True).stdout
    assert verdicts.table() in page
    for table in tables.strip().split("\n\n"):
        assert table in page
    limits = f"{verdicts.REDEALS:,} new deals, in {verdicts.MAX_SECONDS} seconds"
    assert limits in " ".join(page.split())
    first = "the first {} took more than {} seconds".format(*verdicts.FIRST)
    assert first in " ".join(page.split())
    assert [*verdicts.verdicts()] == [*catalogue()]
    for name in ("kuhn_poker", "leduc_poker", "latent_ttt", *SMALL):  # everyday tests check these
        assert verdicts.verdicts()[name] == verdicts.PASSES


def test_odds_are_exact():
    for odds in ([0.25] * 4, [0.1, 0.2, 0.7], [1 / 3, 2 / 3]):
        assert sum(exact_odds(odds)) == 1


def test_a_seat_that_acts_more_changes_no_cards_of_others():
    game = game_class("leduc_poker")()
    lines = (["call", "call"], ["call", "raise", "raise", "call"], ["call", "raise", "call"])
    rows = []
    for seed in range(20):
        boards = []
        for moves in lines:
            state = game.new_state(game.ruleset(), (b"", b""), SeatStreams(seed))
            for move in moves:
                state.apply_action(game.notation.action(move))
            boards.append(state.observation(0).history.decode().splitlines()[-1])
            assert boards[-1].startswith("chance: ")
        rows.append(boards)
    few, many, other = zip(*rows, strict=True)
    assert few == many  # seat 1 acts last: its stream deals, however often it acted
    assert len({*few}) > 2
    assert few != other  # seat 0 acts last: the stream is another


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


@pytest.mark.parametrize(
    ("name", "option", "problem"),
    [
        ("gin_rummy", "knock_card=50", "OpenSpiel refuses knock_card=50: knock_card_ <= k"),
        ("oh_hell", "num_tricks_fixed=18", "OpenSpiel cannot deal num_tricks_fixed=18 to 3 seats"),
    ],
)
def test_options_that_openspiel_refuses_are_one_line(name, option, problem, capfd):
    game = game_class(name)()
    with pytest.raises(BadInput, match=f"{name}: {problem}") as refused:
        game.ruleset(f"standard({option})")
    assert "\n" not in str(refused.value)
    assert capfd.readouterr() == ("", "")


def test_options_that_are_words_have_all_the_values_of_openspiel():
    named = [(name, key) for name, e in catalogue().items() for key in e.options if key in CHOICES]
    assert {key for _, key in named} == {*CHOICES}
    for name, key in named:
        game = game_class(name)()
        with pytest.raises(UnknownName, match=", ".join(sorted(CHOICES[key]))):
            game.ruleset(f"standard({key}=nothing)")
        for value in CHOICES[key]:
            assert getattr(game.ruleset(f"standard({key}={value})"), key) == value


def test_without_openspiel_one_line_names_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    library.library.cache_clear()
    rules.loaded.cache_clear()
    game = game_class("kuhn_poker")()
    with pytest.raises(BadPlugin, match="pip install open_spiel==") as refused:
        game.new_state(game.ruleset(), (b"",) * 9)
    assert "\n" not in str(refused.value)
    library.library.cache_clear()


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "universal_poker", *SMALL])
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
