"""Type checkers know the keyword arguments of the API, and accept the examples of its page."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from itertools import pairwise
from typing import get_args, get_origin, get_type_hints

import msgspec
import pytest
from arena_tournaments.spec.keys import TournamentSpec

import arena
from arena.api.common.keys import BotKeys, Groups, Names, Points, RunKeys, Stages, TableKeys
from arena.core.options import options_of
from arena.plugins.registry import Registry
from arena.service.run.options import RunOptions
from tests.api.test_pages import BLOCK, PAGE, ROOT

GOOD = """
from pathlib import Path
import arena
import trio
from arena.games.pazaak.engine.observation import PazaakObservation

class Typed(arena.Bot[PazaakObservation]):
    def __init__(self, at: int = 16) -> None:
        self.at = at

    def act(self, observation: PazaakObservation) -> arena.Action:
        return observation.legal_actions[0]

def show(progress: arena.Progress) -> None:
    print(progress.done, progress.losses["crash"])

def best(rows: list[arena.Row]) -> str:
    name: str = max(rows, key=lambda row: row["score"])["name"]
    return name

keys: arena.TournamentKeys = {"games": 4, "options": {"max_sets": 5}, "isolation": "process"}
db = arena.open_database(Path("cups.db"))
cup = db.run([Typed, arena.PythonBot(lambda: Typed(3), "x"), "random"], progress=show, **keys)
print(best(cup.standings()), cup.document()["tournament"]["id"] + 1)

async def program() -> int:
    match = await arena.play_match_async(Typed, "random", seed=3, trust=["x"])
    await db.resume_async(1)
    report = await arena.check_bot_async(Typed, memory_mb=64)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(arena.play_match_async, "counter", "random")
        nursery.start_soon(db.verify_async, "1")
    return match.verify() + len(report["failures"])

print(trio.run(program) + 1)
"""
WRONG = {
    'db.run(["a"], gmes=3)': '"gmes"',
    'db.run(["a"], games="3")': '"games" to "run"',
    'db.run(["a"], isolation="none")': '"isolation" to "run"',
    'db.run(["a"], trust="b")': '"trust" to "run"',
    'db.run(["a"], pause_after_round="1")': '"pause_after_round" to "run"',
    "db.resume(1, progress=3)": '"progress" to "resume"',
    'db.match("a", "b", seats=2)': '"seats"',
    'db.submit("a", allow="numpy")': 'No overload variant of "submit"',
    'arena.play_match("a", "b", games=3)': '"games"',
    'arena.play_match("a", "b", options={"a": None})': '"options" to "play_match"|Dict entry 0',
    'arena.check_bot("a", rounds=3)': '"rounds"',
    'arena.check_bot("a", threads="4")': '"threads" to "check_bot"',
    'db.organiser(1).pause("later")': '"pause" of "Organiser"',
    "trio.run(db.run_async, 5)": '"run"',
    "arena.opne_database()": "opne_database",
}
"""Wrong calls with what mypy names in their errors."""
# The page's functions have no annotations, for brevity; their bodies are checked all the same.
BRIEF = '# mypy: allow-untyped-defs, allow-untyped-calls, disable-error-code="type-arg"'


MYPY = pytest.mark.thorough(
    "mypy runs for seconds; make lint checks the API itself, tests below its keys"
)


@pytest.fixture(scope="module")
def reported(tmp_path_factory) -> dict[str, list[tuple[int, str]]]:
    """The errors that mypy finds in each script: lines and messages."""
    folder = tmp_path_factory.mktemp("typing")
    scripts = {
        "good": GOOD,
        "wrong": "\n".join(["import arena, trio", "db = arena.open_database()", *WRONG]),
        "page": "\n".join([BRIEF, *(code for code, _ in BLOCK.findall(PAGE))]),
    }
    files = [folder / f"{name}.py" for name in scripts]
    for file in files:
        file.write_text(scripts[file.stem])
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    found: dict[str, list[tuple[int, str]]] = {}
    for name, line, text in re.findall(r"(\w+)\.py:(\d+): error: (.*)", done.stdout):
        found.setdefault(name, []).append((int(line), text))
    return found


@MYPY
@pytest.mark.parametrize("name", ["good", "page"])
def test_right_calls_pass_mypy(reported, name):
    assert name not in reported


@MYPY
@pytest.mark.parametrize("call", WRONG)
def test_mypy_reports_a_wrong_call(reported, call):
    line = 3 + [*WRONG].index(call)
    assert re.search(WRONG[call], " ".join(text for at, text in reported["wrong"] if at == line))


def accepted(hint: object) -> object:
    """The type of a key's argument: what a field of the spec is read from."""
    if get_origin(hint) is dict:
        return Mapping[get_args(hint)]
    if get_origin(hint) is tuple:
        kinds = {
            tuple[str, ...]: Names,
            tuple[tuple[str, ...] | str, ...]: Groups,
            tuple[float, float, float]: Points,
        }
        return kinds.get(hint, Stages)
    return hint


def test_the_keys_have_the_types_of_the_spec():
    formats = options_of(Registry().formats())
    of_formats = {key: row.takes for key, rows in formats.items() for row in rows.values()}
    bare = get_type_hints(msgspec.defstruct("Options", [*of_formats.items()]))
    hints = {**get_type_hints(TournamentSpec), **bare}
    spec = {key: accepted(hint) for key, hint in hints.items()}
    del spec["bots"]  # an argument of its own
    assert get_type_hints(arena.TournamentKeys) == spec, (
        "bring arena/api/common/keys.py up to the spec"
    )
    assert not spec.keys() & get_type_hints(RunKeys).keys()
    assert not arena.TournamentKeys.__required_keys__


def test_the_keys_of_a_run_have_its_options_with_their_types():
    keys = get_type_hints(RunKeys)
    del keys["progress"], keys["events"]  # functions of the program
    assert keys == get_type_hints(RunOptions)


def test_the_keys_of_one_match_are_those_of_a_tournament_that_concern_it():
    keys = (BotKeys, arena.MatchKeys, TableKeys, arena.TournamentKeys)
    for fewer, more in pairwise(keys):
        assert fewer.__optional_keys__ < more.__optional_keys__
