"""The difficulty that an extension declares for its bots."""

from __future__ import annotations

from arena.plugins.registry import Registry

EXTENSION = """
from arena.plugins.entries import BotEntry


def arena_bots():
    return [
        BotEntry(name="mild", target="mild:Mild", level=2),
        BotEntry(name="wild", target="mild:Wild", level=6),
    ]
"""


def test_a_level_is_kept_and_one_that_does_not_exist_is_refused(install):
    install("arena-mild", {"arena": {"mild": "arena_mild"}}, {"arena_mild.py": EXTENSION})
    registry = Registry()
    assert {bot.name: bot.level for bot in registry.bots()}.get("mild") == 2
    assert "wild" not in {bot.name for bot in registry.bots()}
    assert any("wild has level 6, expected 0 to 5" in line for line in registry.problems())
