"""Untrusted bots play OpenSpiel's games in processes that may import nothing else."""

from __future__ import annotations

import os

import pytest

from arena.plugins.registry import Registry
from tests.cli.in_process import run_in_process
from tests.plugins.distributions import put_distribution

CALLER = """
from arena import Bot

class Caller(Bot):
    def act(self, observation):
        return next(action for action in observation.legal_actions if action.text == "call")
"""
CURIOUS = """
from arena import Bot

class Curious(Bot):
    def act(self, observation):
        import pyspiel
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with bots, where the extension is installed."""
    site = tmp_path / "site"
    put_distribution(
        site, "arena-openspiel", {"arena": {"openspiel": "arena_openspiel.plugin"}}, {}
    )
    monkeypatch.syspath_prepend(site)
    for name, text in (("caller", CALLER), ("curious", CURIOUS)):
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


def match(place, *words):
    words = ("match", *words, "--game", "leduc_poker", "--games", "2")
    return run_in_process(words, place, dict(os.environ), together=True)


def test_confined_bots_play_without_openspiel_and_cannot_import_it(place):
    code, text, _ = match(place, "caller.py", "curious.py")
    assert code == 0, text
    assert "Adjudicated losses: crash 2 (curious 2)" in text
    _, replay, _ = run_in_process(("replay", "1.1.1.1"), place, dict(os.environ))
    assert "No module named 'pyspiel'" in replay


@pytest.mark.thorough(
    "test_confined_bots_play_without_openspiel_and_cannot_import_it starts the same processes"
)
def test_confined_bots_of_openspiel_play_where_openspiel_is_allowed(place):
    uct = ("spiel-uct(worlds=2,simulations=5)", "--confine-house", "--allow", "open_spiel")
    code, text, _ = match(place, "caller.py", *uct)
    assert code == 0, text
    assert "Adjudicated losses: none" in text


def test_a_confined_bot_of_openspiel_is_refused_where_it_is_not_allowed(place):
    code, text, _ = match(place, "caller.py", "spiel-uct", "--confine-house")
    assert code == 2
    assert text.startswith("arena: bot spiel-uct of ")
    assert "--allow open_spiel" in text


def test_submitted_bots_meet_the_bots_that_play_by_their_name_alone(place):
    names = {bot.name for bot in Registry().bots() if bot.is_opponent("leduc_poker")}
    assert {"random", "spiel-ismcts", "spiel-uct"} <= names
    assert not {"spiel-policy", "spiel-cfr"} & names
