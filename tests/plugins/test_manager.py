"""Extensions are loaded one by one; a broken one is named, and the others still work."""

from __future__ import annotations

import pytest

from arena.core.errors import BadInput
from arena.plugins.manager import Extensions
from arena.plugins.registry import Registry

FORMAT = """
from arena.core.tournaments.format import Format, Scoring

class Playoff(Format, kw_only=True):
    name: str = "{name}"
    summary: str = "Who loses is out."
    seats: range = range(2, 3)
    def rounds(self, entrants, requested, tables): return 1
    def next_round(self, field, played, rounds, tables): return None
    def scoring(self): return Scoring(
        name="playoff", summary="", scores=lambda result: result.points,
        worth=lambda result: 1.0, bye=1.0, tie_breaks=(),
    )

def arena_formats():
    return [Playoff()]
"""

HOUSE = ["round-robin", "swiss", "adaptive", "league", "gauntlet", "knockout", "double-elimination"]
HOUSE += ["ladder", "tables", "table-swiss", "groups"]


def only_problem(registry: Registry) -> str:
    (problem,) = registry.problems()
    return problem


def names(registry: Registry) -> list[str]:
    return [form.name for form in registry.formats()]


def test_house_games_formats_and_bots_are_entry_points():
    registry = Registry()
    assert [game.name for game in registry.games()] == ["pazaak", "sabacc"]
    assert names(registry) == HOUSE
    house = [entry for entry in registry.bots() if entry.kind == "house"]
    assert {entry.distribution for entry in house} == {"arena-harness"}
    assert registry.problems() == ()


def test_a_format_of_a_plugin_is_registered_beside_the_houses(install):
    install(
        "arena-playoff",
        {"arena": {"playoff": "playoff_extension"}},
        {"playoff_extension.py": FORMAT.format(name="playoff")},
    )
    registry = Registry()
    assert names(registry) == [*HOUSE, "playoff"]
    assert registry.format("playoff").summary == "Who loses is out."
    assert registry.problems() == ()


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("import no_such_module_anywhere\n", "No module named 'no_such_module_anywhere'"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
        ("def broken(:\n", "SyntaxError"),
        ("def arena_gaems():\n    return []\n", "arena_gaems"),
        ("def arena_commands(application):\n    pass\n", "application"),
    ],
    ids=["import", "exit", "syntax", "unknown hook", "unknown argument"],
)
def test_a_broken_extension_is_named_and_the_rest_works(install, code, says):
    install("a-broken", {"arena": {"thing": "broken_extension"}}, {"broken_extension.py": code})
    registry = Registry()
    assert names(registry) == HOUSE
    problem = only_problem(registry)
    assert problem.startswith("entry 'thing' of distribution a-broken 1.0 cannot be loaded: ")
    assert says in problem
    assert problem.endswith("pip uninstall a-broken")
    assert "\n" not in problem


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("raise RuntimeError('no luck')", "failed in arena_formats: RuntimeError: no luck"),
        ("return 7", "failed in arena_formats: TypeError: it must return a list, not int"),
        ("return ['swiss']", "arena_formats gave a str, expected a subclass of arena.core"),
        ("yield 1 / 0", "failed in arena_formats: ZeroDivisionError"),
    ],
)
def test_an_extension_that_fails_in_a_hook_is_named_and_the_rest_works(install, body, says):
    code = f"def arena_formats():\n    {body}\n"
    install("a-faulty", {"arena": {"thing": "faulty_extension"}}, {"faulty_extension.py": code})
    registry = Registry()
    assert names(registry) == HOUSE
    assert says in only_problem(registry)
    assert "a-faulty" in only_problem(registry)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("7", "7, expected an arena Game"),
        ("Odd(version=3)", "the game 'table' with version 3, expected a string"),
        ("Odd(name=None)", "a Game with name None, expected a string"),
        ("Odd(summary=None)", "the game 'table' with summary None, expected a string"),
        ("Odd(seats=2)", "the game 'table' with seats 2, expected a range such as range(2, 3)"),
        ("Odd(rulesets={})", "the game 'table' with rulesets {}, expected a mapping of names to R"),
        ("Bare()", "the game 'bare' without summary, version, seats, rulesets, notation"),
    ],
)
def test_a_game_without_a_required_member_is_left_out(install, given, says):
    code = (
        "from arena.core.game import Game\nfrom tests.table_game import Table\n\n"
        + "class Bare(Game):\n    name = 'bare'\n"
        + "    new_state = resample = render = lambda self, *given: None\n\n"
        + "def Odd(**members):\n    return type('Odd', (Table,), members)()\n\n"
        + f"def arena_games():\n    return [{given}]\n"
    )
    install("a-odd", {"arena": {"thing": "odd_extension"}}, {"odd_extension.py": code})
    registry = Registry()
    assert [game.name for game in registry.games()] == ["pazaak", "sabacc"]
    problem = only_problem(registry)
    assert f"a-odd 1.0: arena_games gave {says}" in problem
    assert ", so it was left out: fix it, or remove it with: pip uninstall a-odd" in problem


UNRATED = """
from tests.table_game import Table

def made(name):
    return type("Other", (Table,), {"name": name})()

def arena_unrated_games():
    return [made("solitaire"), made("sabacc")]
"""


def test_an_unrated_game_is_found_and_neither_listed_nor_rated(install):
    install("a-odd", {"arena": {"thing": "odd_extension"}}, {"odd_extension.py": UNRATED})
    registry = Registry()
    assert [game.name for game in registry.games()] == ["pazaak", "sabacc"]
    assert registry.game("solitaire").summary == "for tests"
    assert registry.game("sabacc").summary != "for tests"
    with pytest.raises(BadInput, match="solitaire is played by commands of its own, and never rat"):
        registry.rated_game("solitaire")
    says = "arena_unrated_games gave a game whose name is taken, so it was left out"
    assert says in only_problem(registry)


@pytest.mark.parametrize(
    ("line", "instead", "says"),
    [
        ("(Format, kw_only=True)", "", "gave a Playoff, expected a subclass of arena.core"),
        ("range = range(2, 3)", "tuple = (2, 3)", "its seats is (2, 3), not a range"),
        (
            "def arena_",
            "    def options(self): return 1 / 0\n\ndef arena_",
            "its options failed: Zero",
        ),
        (
            "def arena_",
            "    def options(self): return [1]\n\ndef arena_",
            "its options returns a list",
        ),
        ("requested, tables)", "requested)", "its rounds takes no tables"),
        ("rounds, tables)", "rounds)", "its next_round takes no tables"),
        (
            "self): return Scoring(",
            "self): return 'pairing'\n    made = dict(",
            "its scoring returns a str, not a Scoring",
        ),
    ],
)
def test_a_format_of_an_older_contract_is_refused_with_what_it_lacks(install, line, instead, says):
    code = FORMAT.format(name="playoff").replace(line, instead)
    install("an-old-one", {"arena": {"thing": "old_extension"}}, {"old_extension.py": code})
    registry = Registry()
    assert "playoff" not in names(registry)
    assert says in only_problem(registry)


def test_a_plugin_cannot_take_the_name_of_a_house_plugin(install):
    install(
        "a-first-in-the-alphabet",
        {"arena": {"swiss": "taking_extension"}},
        {"taking_extension.py": FORMAT.format(name="swiss")},
    )
    registry = Registry()
    assert type(registry.format("swiss")).__module__ == "arena_tournaments.formats.swiss"
    assert "there is a format 'swiss' already" in only_problem(registry)


def test_unreadable_metadata_hides_only_its_own_distribution(install):
    broken = install("a-garbled", {"arena": {"thing": "nothing"}}, {})
    (broken / "a_garbled-1.0.dist-info" / "entry_points.txt").write_text("[arena]\nno equals\n")
    install(
        "b-fine",
        {"arena": {"playoff": "fine_extension"}},
        {"fine_extension.py": FORMAT.format(name="playoff")},
    )
    registry = Registry()
    assert names(registry) == [*HOUSE, "playoff"]
    assert registry.bots()
    assert only_problem(registry).startswith("the entry points of distribution a-garbled")


def test_a_failing_observer_does_not_keep_events_from_the_next(install):
    events = "events = []\n"
    observe = "def arena_tournament_finished(tournament_id):\n    "
    install(
        "a-failing",
        {"arena": {"observer": "failing_observer"}},
        {"failing_observer.py": observe + "raise OSError(f'full {tournament_id}')\n"},
    )
    install(
        "b-working",
        {"arena": {"observer": "working_observer"}},
        {"working_observer.py": events + observe + "events.append(tournament_id)\n"},
    )
    registry = Registry()
    registry.notify("arena_tournament_finished", tournament_id=7)
    registry.notify("arena_tournament_finished", tournament_id=8)
    import working_observer

    assert working_observer.events == [7, 8]
    assert "OSError: full 7" in only_problem(registry)


def test_each_run_has_extensions_of_its_own():
    first, second = Extensions(), Extensions()
    first.problems.append("something")
    assert second.problems == []
    assert dict(first.ask("arena_formats")).keys() == dict(second.ask("arena_formats")).keys()
