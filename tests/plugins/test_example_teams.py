"""The example format, tournaments of teams, used as an installed format of another author."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.web.site.guard.settings import Settings
from tests.cli.in_process import run_in_process
from tests.plugins.conftest import environment_with, installed_example
from tests.testing.plugin_runs import PYTEST
from tests.web.client import visiting

EXAMPLE = Path(__file__).parents[2] / "examples" / "arena-format-teams"
CUP = """
name = "club"
format = "teams"
seed = 1
games = 2
concurrency = 1
bots = ["optimal", "counter", "stand(at=17)", "stand(at=16)", "hand-saver", "random"]
teams = [
    "Red: optimal | random", "Blue: counter | stand(at=16)", "Green: stand(at=17) | hand-saver"
]
"""
TITLES = ["Teams", "Matches of teams", "Board 1", "Board 2"]


@pytest.fixture(scope="module")
def teams_site(tmp_path_factory, pip_install):
    """A folder into which the example format is installed."""
    return installed_example("arena-format-teams", tmp_path_factory, pip_install)


@pytest.fixture
def run(tmp_path, teams_site, monkeypatch):
    """Runs ``arena`` where the format is installed; returns its output."""
    monkeypatch.syspath_prepend(teams_site)
    monkeypatch.setenv("ARENA_DB", f"sqlite:///{tmp_path / 'cup.db'}")
    (tmp_path / "cup.toml").write_text(CUP)

    def command(*words: str, code: int = 0) -> str:
        ended, out, err = run_in_process(words, tmp_path, environment_with(teams_site))
        assert ended == code, out + err
        return err if code else out

    return command


@pytest.mark.thorough("teams play where the format is installed")
def test_its_own_tests_pass_where_it_is_installed(tmp_path, teams_site):
    shutil.copytree(EXAMPLE / "tests", tmp_path / "tests")
    shown = subprocess.run(
        PYTEST,
        cwd=tmp_path,
        env=environment_with(teams_site),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    own = (EXAMPLE / "tests").glob("test_*.py")
    (passed,) = re.findall(r"^(\d+) passed in", shown, re.M)
    assert int(passed) >= sum(file.read_text().count("\ndef test_") for file in own) > 0


def test_teams_play_pause_resume_and_are_verified(tmp_path, run):
    whole = json.loads(run("tournament", "run", "cup.toml", "-o", "json"))
    run("tournament", "run", "cup.toml", "--pause-after-round", "1")
    run("tournament", "resume", "2")
    again = json.loads(run("tournament", "show", "2", "-o", "json"))
    assert again["sections"] == whole["sections"]
    assert [each["title"] for each in whole["sections"]] == TITLES
    teams, matches, *boards = (each["standings"] for each in whole["sections"])
    assert sum(row["boards"] for row in teams) == 6
    assert [row["round"] for row in matches] == [1, 2, 3]
    assert {row["name"] for row in boards[0]} == {"optimal", "counter", "stand(at=17)"}
    assert "3 paired again among 6 bots" in run("tournament", "verify", "2")


@pytest.fixture
def played(run):
    """Plays tournament 1."""
    run("tournament", "run", "cup.toml")
    run("report", "1", "--html", "pages")
    return run("tournament", "show", "1")


async def test_the_pages_and_the_terminal_show_the_teams(tmp_path, played):
    lines = played.splitlines()
    assert [lines[lines.index(title)] for title in TITLES] == TITLES
    pages = [(tmp_path / "pages" / "index.html").read_text()]
    async with visiting(Settings(db=os.environ["ARENA_DB"])) as site:
        pages.append((await site.get("/t/1")).text)
    for page in pages:
        assert all(f"<h3>{title}</h3>" in page for title in TITLES)
        assert "hand-saver" in page


def test_boards_of_a_bot_that_leaves_early_do_not_count(run):
    """As in a round robin, its results are annulled if it has not played half of its rounds."""
    run("tournament", "run", "cup.toml", "--pause-after-round", "1")
    run("tournament", "withdraw", "1", "optimal")
    run("tournament", "resume", "1")
    shown = json.loads(run("tournament", "show", "1", "-o", "json"))
    matches = shown["sections"][1]["standings"]
    boards = {(row["round"], row["home_boards"] + row["away_boards"]) for row in matches}
    assert boards == {(1, 2), (2, 1), (3, 1)}
    assert "is verified" in run("tournament", "verify", "1")


@pytest.mark.parametrize(
    ("teams", "problem"),
    [
        (["Red: optimal | randm", "Blue: counter | random"], "--teams: unknown bot 'randm'"),
        (["Red: optimal", "Blue: counter"], "--format: 2 teams have 2 bots, and 4 are entered"),
        (["Red: optimal, random"], "--teams: expected at least two teams"),
        (["Red: optimal", "Blue: counter", "--team-draw", "2"], "--team-draw: expected less than"),
    ],
)
def test_teams_that_do_not_fit_are_refused_before_any_match(run, teams, problem):
    given = [each for each in teams if ":" in each]
    words = [word for each in given for word in ("--teams", each)] + teams[len(given) :]
    bots = [word for bot in ("optimal", "random", "counter", "stand") for word in ("--bot", bot)]
    text = run("tournament", "run", "--format", "teams", *words, *bots, code=2)
    assert problem in text
    assert "Traceback" not in text
