"""``arena games`` and ``arena bots``: lists of the installed ones."""

from __future__ import annotations

import csv
import json
import re
from typing import get_args, get_type_hints

import msgspec
import pytest

from arena.cli.verbs.machine.games import GAMES
from arena.core.errors import UnknownName
from arena.core.table import Table, fitted
from arena.core.text.parsing import parse_call
from arena.plugins.registry import Registry
from tests.plugins.distributions import put_distribution


def test_games_are_listed_with_their_rulesets_the_default_first(arena):
    answer = arena("games", "-o", "json")
    games = {game["name"]: game for game in json.loads(answer.out)}
    assert (answer.code, answer.err) == (0, "")
    assert games["pazaak"]["rulesets"] == ["standard", "wiki", "console", "kotor1", "table"]
    assert games["pazaak"]["seats"] == [2]
    shown = arena("games").out
    assert re.search(r"^ pazaak +.* 2 +standard, 4 more ", shown, re.MULTILINE)
    assert re.search(r"^ sabacc +.* 2-6 +old_republic, ", shown, re.MULTILINE)
    kept, _ = fitted(*Table(title="", columns=GAMES, rows=json.loads(answer.out)).drawn(), 80)
    assert [each.heading for each in kept][:4] == ["game", "what it is", "seats", "rulesets"]


def test_of_many_games_an_unknown_one_is_told_the_nearest_and_the_list():
    names = ["pazaak", *(f"game{number}" for number in range(12))]
    assert str(UnknownName("game", "pazak", names)) == (
        "unknown game 'pazak'; 13 choices: see arena games; did you mean pazaak?"
    )
    assert "choices: game0, game1, " in str(UnknownName("game", "pazak", names[1:]))


@pytest.mark.parametrize("game", ["pazaak", "sabacc"])
def test_the_rules_of_a_game_are_some_lines_of_80_columns(arena, game):
    answer = arena("rules", game)
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0].startswith(f"{game}: ")
    assert "Actions: " in answer.out
    assert 10 <= len(lines) <= 15
    assert max(map(len, lines)) <= 88
    assert json.loads(arena("games", game, "-o", "json").out)["how_to_play"] in answer.out


def test_rules_of_an_unknown_game_are_one_line_with_a_suggestion(arena):
    answer = arena("rules", "pazak")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.endswith("; did you mean pazaak?\n")


@pytest.mark.parametrize("words", [("rules",), ("games",), ("check", "game")], ids=" ".join)
def test_a_game_that_cannot_be_loaded_is_unknown_and_the_reason_is_said(
    arena, words, tmp_path, monkeypatch
):
    entries = {"arena": {"relic": "relic_game"}}
    put_distribution(tmp_path, "arena-relic", entries, {"relic_game.py": "1 / 0"})
    monkeypatch.syspath_prepend(tmp_path)
    answer = arena(*words, "relic")
    warning, unknown = answer.err.splitlines()
    assert answer.code == 2
    assert re.search("warning: .*arena-relic.* cannot be loaded: ZeroDivisionError", warning)
    assert unknown.startswith("arena: unknown game 'relic'; choices: pazaak")


PLAIN = """
from arena.core.game import Game, Ruleset

class Plain(Game):
    name, summary, version, seats = "plain", "a game without options", "1", range(2, 3)
    rulesets = {"standard": Ruleset(name="standard", source="its author")}
    notation = new_state = resample = render = wire = None

def arena_games():
    return [Plain()]
"""


def test_a_game_without_options_and_rules_says_so_in_a_line(arena, tmp_path, monkeypatch):
    put_distribution(tmp_path, "plain", {"arena": {"plain": "plain"}}, {"plain.py": PLAIN})
    monkeypatch.syspath_prepend(tmp_path)
    lines = arena("games", "plain").out.splitlines()
    assert lines[0] == "plain: a game without options; 2 seats"
    assert lines[-1] == "plain has no options."
    assert not any("in other rulesets" in line for line in lines)
    assert arena("rules", "plain").out.splitlines()[1:] == [
        "There is no text on how to play plain.",
        "Rulesets and options: arena games plain",
    ]


PICKY = """
from arena.core.bot import Bot
from arena.core.errors import BadInput
from arena.plugins.entries import BotEntry

class Picky(Bot):
    def __init__(self, seats):
        self.seats = seats

    def start(self, context):
        if context.seats != self.seats:
            raise BadInput(f"for {self.seats} seats, not {context.seats}")

def arena_bots():
    return [BotEntry(name="picky", target="picky:Picky", summary="It is picky.", needs=("seats",))]
"""


def test_arguments_that_a_bot_refuses_at_the_start_are_refused_in_a_line(
    arena, tmp_path, monkeypatch
):
    put_distribution(tmp_path, "picky", {"arena": {"picky": "picky"}}, {"picky.py": PICKY})
    monkeypatch.syspath_prepend(tmp_path)
    database = tmp_path / "arena.db"
    answer = arena("match", "picky(seats=3)", "random", "--game", "pazaak", "--db", database)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "arena: picky(seats=3): for 3 seats, not 2\n"
    assert not database.exists()


def test_one_game_is_shown_with_every_option_of_every_ruleset(arena):
    document = json.loads(arena("games", "pazaak", "-o", "json").out)
    rulesets = {row["name"]: row for row in document["rulesets"]}
    assert [row["default"] for row in document["rulesets"]] == [True, False, False, False, False]
    assert rulesets["wiki"]["options"]["double"] == "in_place"
    assert rulesets["standard"]["options"]["max_sets"] == 25
    assert len({frozenset(row["options"]) for row in document["rulesets"]}) == 1
    assert all(row["source"] for row in document["rulesets"])


def test_options_that_differ_from_the_default_are_marked(arena):
    text = arena("games", "pazaak").out
    assert "(the default)" in text
    assert re.search(r"^ wiki +double=in_place ", text, re.MULTILINE)
    line = next(line for line in text.splitlines() if line.startswith(" auto_stand"))
    assert "immediate, end_of_turn, off" in line
    assert "console: off" in line
    rows = list(csv.DictReader(arena("games", "pazaak", "-o", "csv").out.splitlines()))
    assert {row["value"] for row in rows if row["default"] == "false"} >= {"in_place", "10..25"}


def test_a_game_of_many_options_is_readable_on_eighty_columns(arena):
    text = arena("games", "sabacc").out
    heading, *tables = text.splitlines()
    assert heading.endswith("; 2 to 6 seats")
    assert max(map(len, tables)) <= 80
    assert re.search(r"^ tick_every +6, a number, orbit, phase$", text, re.MULTILINE)
    assert re.search(r"^ dice +false, true +card_exchange: true$", text, re.MULTILINE)
    assert re.search(r"^ mos_eisley +variant=mos_eisley ", text, re.MULTILINE)


@pytest.mark.parametrize("name", ["pazaak", "sabacc"])
def test_every_option_value_can_be_typed_as_it_is_printed(arena, name):
    game = Registry().game(name)
    for row in game.rulesets.values():
        options = msgspec.to_builtins(row).items() - {("name", row.name), ("source", row.source)}
        for option, value in options:
            printed = str(value).lower() if isinstance(value, bool) else str(value) or '""'
            assert getattr(game.ruleset(f"{row.name}({option}={printed})"), option) == value
    text = arena("games", name).out
    for field in msgspec.structs.fields(type(row)):
        for choice in get_args(get_type_hints(type(row))[field.name]):
            if isinstance(choice, str):
                assert choice in text
                assert parse_call(f"x({field.name}={choice})") == ("x", {field.name: choice})


def test_an_unknown_game_names_the_choices(arena):
    answer = arena("games", "chess")
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("arena: unknown game 'chess'; choices: ")
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("words", [("bots",), ("bots", "list")])
def test_bots_are_a_list_of_objects(arena, words):
    rows = json.loads(arena(*words, "-o", "json").out)
    stand = next(row for row in rows if row["name"] == "stand")
    assert stand["games"] == ["pazaak"]
    assert (stand["kind"], stand["distribution"]) == ("house", "arena-harness")
    assert all({"name", "version", "games", "summary"} <= row.keys() for row in rows)
    assert [row["name"] for row in rows] == [bot.name for bot in Registry().bots()]


def test_the_table_of_bots_shows_their_origin(arena):
    line = next(line for line in arena("bots").out.splitlines() if " random " in line)
    assert "any" in line
    assert "the house" in line


def test_an_unknown_output_is_bad_input_and_names_the_choices(arena):
    answer = arena("bots", "-o", "xml")
    assert answer.code == 2
    assert all(word in answer.err for word in ("xml", "table", "json", "csv"))


def test_a_broken_plugin_is_reported_and_the_rest_is_listed(arena, tmp_path, monkeypatch):
    about = tmp_path / "gone-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: gone\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[arena]\ngone = no_such_module_anywhere\n")
    monkeypatch.syspath_prepend(tmp_path)
    answer = arena("bots", "-o", "json")
    assert answer.code == 0
    assert "stand" in [row["name"] for row in json.loads(answer.out)]
    assert answer.err.startswith("warning: entry 'gone' of distribution gone 1.0 cannot be loaded")
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("game", ["pazaak", "sabacc"])
def test_every_option_is_described(arena, game):
    shown = json.loads(arena("games", game, "-o", "json").out)
    options = shown["rulesets"][0]["options"]
    assert shown["meanings"].keys() - {"name", "source"} == options.keys()
    text = arena("games", game).out
    assert all(f"\n{option}: " in text for option in options)
    assert max(map(len, text.splitlines()[-len(options) :])) <= 80
