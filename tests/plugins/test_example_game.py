"""The example game, Kuhn poker, used as an installed game of another author."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.testing.plugin_runs import PYTEST

EXAMPLE = Path(__file__).parents[2] / "examples" / "arena-game-kuhn"
BOT = """
from arena import Bot

class Caller(Bot):
    games = ("kuhn",)

    def act(self, observation):
        assert observation.rules.hands == 10
        return observation.legal_actions[observation.dealt[-1] > 0]
"""


@pytest.fixture
def run(tmp_path, kuhn_env, preloaded):
    """Runs ``arena`` where the game is installed; returns its output."""

    def command(*words: str) -> str:
        code, out, err = preloaded.run(words, tmp_path, kuhn_env)
        assert code == 0, out + err
        return out

    return command


def test_the_game_without_its_view_has_at_most_250_lines():
    files = {*(EXAMPLE / "arena_game_kuhn").glob("*.py")} - {EXAMPLE / "arena_game_kuhn/view.py"}
    assert sum(len(file.read_text().splitlines()) for file in files) <= 250


@pytest.mark.thorough("the game passes its check, and plays, where it is installed")
def test_its_own_tests_pass_where_it_is_installed(tmp_path, kuhn_env):
    shutil.copytree(EXAMPLE / "tests", tmp_path / "tests")
    shown = subprocess.run(
        PYTEST, cwd=tmp_path, env=kuhn_env, capture_output=True, text=True, check=True
    ).stdout
    own = (EXAMPLE / "tests").glob("test_*.py")
    (passed,) = re.findall(r"^(\d+) passed in", shown, re.M)
    assert int(passed) >= sum(file.read_text().count("\ndef test_") for file in own) > 0


def test_it_is_listed_and_passes_the_check_of_games(run):
    assert run("games", "kuhn").startswith("kuhn: poker with three cards and one bet a hand")
    assert run("check", "game", "kuhn", "--redeals", "500").endswith("\npassed\n")


def test_it_plays_tournaments_with_a_confined_bot_and_replays_its_matches(tmp_path, run):
    (tmp_path / "caller.py").write_text(BOT)
    field = "--game", "kuhn", "--bot", "caller.py", "--bot", "random", "--games", "4"
    database = ("--db", "sqlite:///kuhn.db")
    shown = run("tournament", "run", *field, *database)
    assert "Adjudicated losses: none." in shown
    assert run("replay", "1.1.1.4", "--verify", *database).startswith("verified")
    replayed = run("replay", "1.1.1.1", "--view", "public", *database)
    assert len(re.findall(r"  - (?:caller|random): wins [12]\n", replayed)) == 10
    first = replayed.partition("Move 1")[0]
    assert "Hand 1 of 10; actions: none\n" in first
    assert first.count("card: [?]\n") == 2
