"""Guides on games, formats and extensions: what they build works as installed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.core.errors import IllegalLoadout
from arena.core.game import Game
from arena.plugins.registry import Registry
from arena.plugins.scaffold import new_game
from tests.broken_game import PARTS
from tests.preloaded import Preloaded
from tests.testing.plugin_runs import PYTEST
from tests.testing.toy_game import Toy

DOCS = Path(__file__).parents[2] / "docs"
PIP = "--quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index"


class Project:
    """A page's blocks as files, installed into a folder.

    A block names its file in its first line; blocks of one file follow one another.
    """

    def __init__(self, page: str, folder: Path, preloaded: Preloaded) -> None:
        self._preloaded = preloaded
        self.folder, self.site = folder / "project", folder / "site"
        self.folder.mkdir()
        text = (DOCS / page).read_text("utf-8")
        for block in re.findall(r"^```(?:python|toml)\n(.*?)^```$", text, re.M | re.S):
            name, code = block.split("\n", 1)
            path = self.folder / name.removeprefix("# ")
            path.parent.mkdir(exist_ok=True)
            with path.open("a", encoding="utf-8") as file:
                file.write(f"{code}\n\n")
        self.run(sys.executable, "-m", "pip", "install", *PIP.split(), "--target", self.site, ".")

    def run(self, *words: str | Path) -> str:
        environment = {**os.environ, "PYTHONPATH": str(self.site)}
        done = subprocess.run(
            words, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def attempt(self, *words: str) -> tuple[int, str, str]:
        return self._preloaded.run(words, self.folder, {"PYTHONPATH": str(self.site)})

    def arena(self, *words: str) -> str:
        code, out, err = self.attempt(*words)
        assert code == 0, out + err
        return out


@pytest.fixture(scope="module")
def dare(tmp_path_factory, preloaded) -> Project:
    return Project("tutorials/first-game.md", tmp_path_factory.mktemp("games"), preloaded)


@pytest.fixture(scope="module")
def hill(tmp_path_factory, preloaded) -> Project:
    return Project("howto/format.md", tmp_path_factory.mktemp("formats"), preloaded)


@pytest.fixture(scope="module")
def more(tmp_path_factory, preloaded) -> Project:
    return Project("howto/extensions.md", tmp_path_factory.mktemp("plugins"), preloaded)


def test_the_page_has_the_whole_game_that_arena_new_game_writes(dare, tmp_path):
    new_game(Registry(), "dare", tmp_path)
    for file in ("dare.py", "tests/test_dare.py"):
        written, shown = ((folder / file).read_text() for folder in (tmp_path, dare.folder))
        assert shown.rstrip() == written.rstrip()


@pytest.mark.thorough("tests/plugins/test_scaffold.py runs the same tests")
def test_the_tests_of_the_game_pass(dare):
    assert "7 passed" in dare.run(*PYTEST)


def test_the_game_is_checked_played_confined_replayed_and_drawn(dare):
    checked = dare.arena("check", "game", "dare", "--redeals", "500")
    assert "scenes that show nothing hidden" in checked
    assert checked.endswith("\npassed\n")
    bot = "from arena import Bot\n\nclass Bold(Bot):\n    games = ('dare',)\n"
    bot += "    def act(self, observation):\n        return observation.legal_actions[1]\n"
    (dare.folder / "bold.py").write_text(bot)
    field = ("--bot", "bold.py", "--bot", "random", "--games", "4")
    confined = ("--isolation", "confined", "--require", "confined")
    shown = dare.arena("tournament", "run", "--game", "dare", *field, *confined)
    assert "Adjudicated losses: none." in shown
    assert dare.arena("tournament", "verify", "1").startswith("Tournament 1 is verified")
    assert dare.arena("replay", "1.1.1.1", "--verify") == "verified: 2 decisions\n"
    page = dare.folder / "match.html"
    dare.arena("replay", "1.1.1.1", "--view", "all", "--html", str(page))
    drawn = page.read_text()
    assert 'class="print ink-red"' in drawn
    assert 'd="M32 6l13 14-13 14-13-14z"' in drawn


class EqualToAll:
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None


def unnamed(page: str, kind: type) -> list[str]:
    """The public members of a class that a page does not name."""
    text = (DOCS / "reference" / page).read_text("utf-8")
    members = [*vars(kind), *kind.__annotations__]
    return [name for name in members if name[0] != "_" and not re.search(rf"`{name}\b", text)]


def test_a_page_names_every_member_of_games_and_of_each_part():
    parts = {name: type(part) for name in PARTS if (part := getattr(Toy(), name))}
    missing = {name: unnamed(f"game/{name}.md", kind) for name, kind in parts.items()}
    missing["game"] = unnamed("game.md", Game)
    assert {name: names for name, names in missing.items() if names} == {}


@pytest.mark.parametrize("page", ["game.md", *(f"game/{name}.md" for name in PARTS)])
def test_the_examples_of_a_page_hold(page):
    text = (DOCS / "reference" / page).read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    assert blocks
    exec("".join(blocks), {"__name__": page})


def test_the_example_of_a_loadout_runs_no_comparison_of_the_bot():
    text = (DOCS / "reference" / "game" / "loadouts.md").read_text("utf-8")
    names: dict[str, Any] = {"__name__": "loadouts"}
    exec("".join(re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)), names)
    with pytest.raises(IllegalLoadout):
        names["hats"].accept(None, EqualToAll())


@pytest.mark.thorough("the format of the page is listed, played and scored")
def test_the_tests_of_the_format_pass(hill):
    assert "4 passed" in hill.run(*PYTEST)


def test_a_tournament_of_the_format_is_scored_by_its_row(hill):
    bots = [f"--bot={bot}" for bot in ("random", "stand(at=17)", "counter")]
    shown = hill.arena("tournament", "run", "--format", "hill", *bots, "--games", "4")
    assert "Scoring: a challenge scores 3 for its winner, a tie 1, a bye nothing" in shown
    assert "2 of 2 rounds" in shown


def test_an_option_of_the_format_is_refused_out_of_its_bounds(hill):
    words = (
        "tournament",
        "run",
        "--format",
        "hill",
        "--lead",
        "9",
        "--bot=random",
        "--bot=counter",
    )
    code, _, err = hill.attempt(*words)
    assert code == 2
    assert err.count("\n") == 1
    assert "lead" in err
    assert "5, not 9" in err


@pytest.mark.thorough("tests/cli/test_extensions.py does so")
def test_the_extension_plays_rates_and_writes(more):
    bots = ("--bot", "random", "--bot", "stand(at=17)")
    run = ("tournament", "run", "--executor", "thread", *bots, "--games", "4", "-o", "markdown")
    first, second, *standings = more.arena(*run).splitlines()
    assert first.startswith("| rank | name | score |")
    assert set(second) == set("| -")
    assert len(standings) == 2
    matches = (more.folder / "finished.txt").read_text().splitlines()
    assert sorted(matches) == [f"1.1.1.{leg}" for leg in (1, 2, 3, 4)]
    board = more.arena("leaderboard", "--rating", "share", "-o", "json")
    rows = json.loads(board)
    assert [row["rating"] for row in rows] == [25 * row["points"] for row in rows]
    assert sum(row["rating"] for row in rows) == 100
    assert more.arena("hello") == "hello\n"
    code = "import arena; print(arena.export([{'a': 1}], 'markdown'), end='')"
    assert more.run(sys.executable, "-c", code) == "| a |\n| --- |\n| 1 |\n"
