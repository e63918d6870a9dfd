"""Golden playthroughs of Sabacc, which people compared with the rule book, do not change.

``pytest tests/games/sabacc/test_playthroughs.py --update-playthroughs`` writes them anew
after a change of the rules or of the words; then read them. Of a new one the heading is enough.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from arena.core.chance.dealer import SeatStreams
from arena.games.sabacc.cards.rulesets import RULESETS, SabaccRules
from arena.games.sabacc.cards.variants import VARIANTS
from tests.games.sabacc.playthrough import SABACC
from tests.games.sabacc.playthrough import played as play

FILES = sorted((Path(__file__).parent / "playthroughs").glob("*.txt"))
LAID = r"lays down [^=]*= "
COMBINATIONS = [f"the {row.combination} combination" for row in VARIANTS.values()]
THINGS = {
    "pure sabacc": LAID + "23, pure sabacc",
    "the Idiot combination": LAID + "the Idiot combination",
    **{name: LAID + name for name in COMBINATIONS},
    "double sabacc": LAID + "46, double sabacc",
    "fool sabacc": LAID + "-23, fool sabacc",
    "a hand that loses": LAID + r"\d+, which loses",
    "a hand above 23": LAID + r"2[4-9], worth [1-6]\b",
    "a hand below 0": LAID + r"-\d+, worth",
    "a wild five": r"\(five as -?\d+\)",
    "several wild fives": r"\(fives as -?\d+ together\)",
    "an extra card": r"gets .* to break the tie",
    "extra cards compared": r"still tied: .* their extra cards count",
    "an Idiot upset": r"the Idiot combination beats pure sabacc \(I5\)",
    "a card shown for a larger exchange": r"shows (Jedi|Smuggler|Bounty).*\n.*exchanges [34]",
    "a fold": "folds",
    "an exchange demanded": "demands the exchange",
    "a check": "checks",
    "a call": r"calls \d",
    "a raise": r"raises, putting",
    "a seat all in": "goes all in",
    "a side pot": r"of this hand's stakes \d+ for .* and \d+ for",
    "a pot carried over": r"carries \d+ over",
    "a carried pot won": r"\d+ wait in the pot",
    "an odd roll": r"rolls [135]\n.*swaps a card",
    "an even roll": r"rolls [246]\n +seat \d gives",
    "a roll of a seat that folds": r"seat (\d): folds\n    seat \1: rolls",
    "a slip": "draws the slip",
    "a slip before the showdown": r"draws the slip .*\n  showdown",
    "a seat out of chips": "chips 0, return",
    "a sabacc from the hand": "scores 33",
    "an expulsion": "is taken out of the match",
}  # fmt: skip
"""Patterns of all that the playthroughs have to show between them."""


played = cache(play)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_equals_its_golden_file(path, golden_playthrough):
    golden_playthrough(path, played(path).text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_slow_dealer_gives_the_same_match_as_a_dealer(path):
    playthrough = played(path)
    heading = playthrough.heading
    rules, dealer = SABACC.ruleset(heading.ruleset), SeatStreams(heading.seed)
    state = SABACC.new_state(rules, [b""] * heading.seats, dealer)
    for number, action in enumerate(playthrough.decisions):
        if number in heading.expelled:
            state.expel(heading.expelled[number])
        state.apply_action(action)
    assert state.hand.match.history == playthrough.state.hand.match.history
    assert state.outcome() == playthrough.state.outcome()


def test_every_variant_and_every_mode_has_a_playthrough():
    rows = [SABACC.ruleset(played(path).heading.ruleset) for path in FILES]
    plain = {row.variant for row in rows if row.mode == "showdown" and not row.variable}
    assert plain == set(VARIANTS)
    assert {row.name.partition("(")[0] for row in rows} == set(RULESETS)

    def ways(row: SabaccRules) -> tuple[object, ...]:
        return row.mode, row.betting, row.short_stack, row.dice or row.variable

    assert {ways(row) for row in rows} >= {
        ("showdown", "staged", "fold", True),
        ("chips", "staged", "fold", False),
        ("chips", "staged", "fold", True),
        ("chips", "staged", "all_in", False),
        ("chips", "alternating", "fold", False),
        ("chips", "poker", "fold", False),
        ("chips", "poker", "all_in", False),
        ("points", "staged", "fold", False),
    }
    assert {played(path).heading.seats for path in FILES} == {2, 3, 4, 6}


@pytest.mark.parametrize("thing", THINGS)
def test_the_playthroughs_cover_every_kind_of_event(thing):
    assert any(re.search(THINGS[thing], path.read_text("utf-8")) for path in FILES)
