"""docs/howto/write-a-bot.md: its examples run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from arena_bots.uniform_random import UniformRandom

from arena.core.outcome import Termination
from arena.games.pazaak.game import Pazaak
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry

GUIDE = (Path(__file__).parents[2] / "docs" / "howto" / "write-a-bot.md").read_text("utf-8")
GAME = Pazaak()


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The guide's examples as files: each block says which file it is."""
    folder = tmp_path_factory.mktemp("page")
    for block in re.findall(r"^```python\n(.*?)^```$", GUIDE, re.M | re.S):
        name, code = block.split("\n", 1)
        (folder / name.removeprefix("# ")).write_text(code)
    return folder


WAYS = [f"decks.py(way={way})" for way in ("cards", "names", "text", "ready")]


@pytest.mark.parametrize("bot", ["cautious.py", "braver.py", *WAYS])
def test_a_bot_of_the_page_plays_without_a_fault(project, monkeypatch, bot):
    monkeypatch.chdir(project)
    source = Registry().resolve_bot(bot)
    record, _ = play_inline(
        GAME, GAME.ruleset(), 1, 2, [load_bot(source), UniformRandom], ["bot", "random"], Limits()
    )
    assert record.outcome.termination is Termination.RULES, record.outcome.reason


@pytest.mark.thorough("each plays every day, not confined")
def test_every_bot_of_the_page_plays_confined_without_a_fault(project, preloaded):
    bots = ["cautious.py", "braver.py", *WAYS]
    assert {*(path.name for path in project.glob("*.py"))} == {
        "ask.py", "braver.py", "cautious.py", "decks.py",
    }  # fmt: skip
    field = [word for bot in bots for word in ("--bot", bot)]
    run = ("tournament", "run", *field, "--games", "2")
    code, shown, error = preloaded.run(run, project, {})
    assert code == 0, error
    assert "Adjudicated losses: none." in shown


def test_a_bot_decides_in_a_described_situation(project):
    command = [sys.executable, "ask.py"]
    shown = subprocess.run(command, cwd=project, capture_output=True, text=True, check=True).stdout
    assert "your hand: +1 -2" in shown
    assert shown.splitlines()[-1] == "play +1"
