"""Listings by name import only what is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest
from arena_bots.plugin import HOUSE_BOTS

from arena.core.errors import UnknownName
from arena.plugins.entries import BotEntry
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry

HEAVY = """
import sys
from arena.plugins.registry import Registry
registry = Registry()
entries = registry.bots()
heavy = {"arena.games", "arena_bots.pazaak", "arena_bots.search", "arena_tournaments.formats"}
heavy |= {"trio", "sqlmodel"}
print([name for name in sys.modules if any(name.startswith(start) for start in heavy)])
print("cautious" in [entry.name for entry in entries])
print("arena_bot_cautious" in sys.modules)
"""


def test_listing_bots_imports_no_bot_and_no_game(site_env):
    run = subprocess.run(
        [sys.executable, "-c", HEAVY], env=site_env, capture_output=True, text=True, check=True
    )
    assert run.stdout.split("\n")[:3] == ["[]", "True", "False"]
    assert run.stderr == ""


def test_a_bot_that_cannot_be_imported_is_listed_from_its_metadata(install):
    install(
        "arena-bot-boom",
        {"arena.bots": {"boom": "boom_bot:Boom"}},
        {"boom_bot.py": "raise RuntimeError('imported')\n"},
        version="3.4",
    )
    registry = Registry()
    entry = next(entry for entry in registry.bots() if entry.name == "boom")
    assert entry == BotEntry(
        name="boom",
        target="boom_bot:Boom",
        summary="About arena-bot-boom",
        version="3.4",
        distribution="arena-bot-boom",
        kind="installed",
    )
    assert registry.problems() == ()


def test_an_installed_bot_cannot_take_a_house_bots_name(install):
    install("arena-bot-fake", {"arena.bots": {"random": "fake_bot:Fake"}}, {"fake_bot.py": ""})
    registry = Registry()
    assert [entry.kind for entry in registry.bots() if entry.name == "random"] == ["house"]
    (problem,) = registry.problems()
    assert "there is a bot 'random' of distribution arena-harness already" in problem
    assert "pip uninstall arena-bot-fake" in problem


@pytest.mark.parametrize("kind", ["game", "format", "bot"])
def test_an_unknown_name_names_the_choices(kind):
    registry = Registry()
    choice = {"game": "pazaak", "format": "swiss", "bot": "random"}[kind]
    find = {"game": registry.game, "format": registry.format, "bot": registry.resolve_bot}[kind]
    with pytest.raises(UnknownName, match=f"unknown {kind} 'nobody'; choices: .*{choice}"):
        find("nobody")


@pytest.mark.parametrize("entry", HOUSE_BOTS, ids=lambda entry: entry.name)
def test_every_house_bot_can_be_made(entry):
    registry = Registry()
    assert set(entry.games) <= {game.name for game in registry.games()}
    make = load_bot(registry.resolve_bot(entry.name))
    assert make() is not make()
