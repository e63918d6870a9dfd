"""Guides on tests of a bot and of a game: every example runs, and passes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.testing.plugin_runs import run_pytest

GUIDES = Path(__file__).parents[2] / "docs" / "howto"
TEXT = "".join((GUIDES / f"{name}.md").read_text("utf-8") for name in ("test-a-bot", "full-game"))
FAILING = """
from arena import Bot

class MyBot(Bot):
    def act(self, observation):
        if observation.set_number == 3:
            raise ValueError("no plan for the third set")
        return observation.legal_actions[1 if observation.total >= 17 else 0]

def test_breaks_no_match(arena_check):
    arena_check(MyBot, game="pazaak")
"""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.M | re.S)


@pytest.fixture
def project(tmp_path):
    """The page's examples as files: each block says which file it belongs to."""
    for block in blocks("python"):
        name, code = block.split("\n", 1)
        with (tmp_path / name.removeprefix("# ")).open("a") as file:
            file.write(code)
    return tmp_path


@pytest.mark.thorough("test_pytest_plugin.py uses every fixture")
def test_every_example_passes_once_its_playthroughs_are_written(project):
    assert sorted(path.name for path in project.iterdir()) == [
        "my_bot.py",
        "test_games.py",
        "test_my_bot.py",
        "test_sabacc.py",
    ]
    first = run_pytest(project)
    assert first.code == 1, first.out
    assert "2 failed, 8 passed" in first.out
    assert "there is no playthrough" in first.out
    written = run_pytest(project, "--update-playthroughs")
    assert written.code == 0, written.out
    again = run_pytest(project)
    assert again.code == 0, again.out
    assert (project / "first.txt").read_text().startswith("pazaak: MyBot against stand(at=17)\n")


@pytest.mark.thorough("the examples of the page pass")
def test_a_fault_is_printed_as_the_page_shows(tmp_path):
    (tmp_path / "test_failing.py").write_text(FAILING)
    ran = run_pytest(tmp_path)
    assert ran.code == 1
    printed = [line.removeprefix("E").strip() for line in ran.out.splitlines()]
    (shown,) = blocks("text")
    for line in shown.splitlines():
        assert line.strip() in printed or line.strip() == "...", line


def test_the_page_names_every_argument_and_fixture():
    for word in ("bot", "game", "ruleset", "matches", "seed", "against", "seconds"):
        assert f"| `{word}` |" in TEXT
    for fixture in ("arena_check", "arena_game", "position", "play_match", "golden_playthrough"):
        assert fixture in TEXT
