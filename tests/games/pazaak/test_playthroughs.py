"""Golden playthroughs of Pazaak, which people compared with the rule book, do not change.

``pytest tests/games/pazaak/test_playthroughs.py --update-playthroughs`` writes them anew
after a change of the rules or of the words; then read them. Of a new one the heading is enough.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from arena.core.chance.dealer import Scripted
from arena.games.pazaak.engine.cards import cards_named
from arena.games.pazaak.engine.history import REASONS, events_of
from arena.games.pazaak.game import Pazaak
from arena.testing.playthrough import Heading, playthrough
from tests.games.pazaak.sensible import choose

PAZAAK = Pazaak()
FILES = sorted((Path(__file__).parent / "playthroughs").glob("*.txt"))
CARDS = ("2&4", "3&6", "D", "±1T")


@cache
def played(path: Path):
    return playthrough(PAZAAK, Heading.read(path.read_text("utf-8")), choose)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_equals_its_golden_file(path, golden_playthrough):
    golden_playthrough(path, played(path).text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_script_of_the_stated_chance_gives_the_same_match(path):
    playthrough = played(path)
    script = [value for line in playthrough.text.splitlines() for value in drawn(line)]
    rules = PAZAAK.ruleset(playthrough.heading.ruleset)
    loadouts = [PAZAAK.loadouts.accept(rules, None)] * 2
    state = PAZAAK.new_state(rules, loadouts, Scripted(script))
    for action in playthrough.decisions:
        state.apply_action(action)
    assert state.history == playthrough.state.history
    assert state.outcome() == playthrough.state.outcome()


def drawn(line: str):
    """The results of chance that a line states: the cards of a hand, or a deck card."""
    if line.startswith("chance: hand "):
        return cards_named(line.removeprefix("chance: hand "))
    if line.startswith("chance: deck card "):
        return [int(line.removeprefix("chance: deck card "))]
    return ()


def test_the_playthroughs_cover_every_end_of_a_set_and_every_special_card():
    events = [event for path in FILES for event in events_of(played(path).state.history)]
    assert {event.reason for event in events if event.kind == "won"} == set(REASONS)
    assert {"tie", "auto stand", "opening draw"} <= {event.kind for event in events}
    assert {str(event.action.card) for event in events if event.action} >= set(CARDS)
