"""The scoring of a tournament: the game's own unless it is given, and the stored one for ever."""

from __future__ import annotations

import msgspec
import pytest
from arena_tournaments.spec.keys import TournamentSpec

import arena
from arena.plugins.registry import Registry
from arena.service.lookup.resolver import BotResolver
from arena.service.setup.resolve import resolve

CHIPS = "old_republic(mode=chips,hands=1)"
FIELD = ["target-total", "random"]


def settled(**keys):
    with BotResolver(Registry()) as resolver:
        return resolve(resolver, {"bots": FIELD, "game": "sabacc", "seed": 1, **keys}).spec.scoring


@pytest.mark.parametrize(
    ("scoring", "keys"),
    [
        ("amount", {"ruleset": CHIPS}),
        ("amount", {"ruleset": CHIPS, "format": "swiss"}),
        ("wins", {"ruleset": "old_republic"}),
        ("wins", {"ruleset": "old_republic(mode=points)"}),
        ("wins", {"ruleset": CHIPS, "scoring": "wins"}),
        ("amount", {"ruleset": "old_republic", "scoring": "amount"}),
        # What counts wins by itself needs no word about it.
        ("wins", {"ruleset": CHIPS, "best_of": 3}),
        ("wins", {"ruleset": CHIPS, "format": "adaptive"}),
        ("wins", {"ruleset": CHIPS, "points": "3,1,0"}),
        ("wins", {"ruleset": CHIPS, "stages": ["round-robin", "knockout(take=2,first_to=2)"]}),
    ],
)
def test_money_is_scored_by_amount_unless_wins_are_asked_for(scoring, keys):
    assert settled(**keys) == scoring


def test_stored_tournaments_keep_their_scoring(tmp_path):
    """A spec that was stored without one is by wins, whatever new tournaments of the game are."""
    play = {"game": "sabacc", "ruleset": CHIPS, "games": 2, "seed": 1}
    with arena.open_database(tmp_path / "cups.db") as db:
        by_wins = db.run(FIELD, **play, scoring="wins")
        by_amount = db.run(FIELD, **play)
        stored = [msgspec.json.decode(cup.summary.spec) for cup in (by_wins, by_amount)]
        found = [cup.document()["tournament"]["scoring"] for cup in (by_wins, by_amount)]
        again = db.fork(by_wins.number)
    assert [spec.get("scoring") for spec in stored] == [None, "amount"]
    assert found == ["match", "amount"]
    assert again.document()["tournament"]["scoring"] == "match"
    assert TournamentSpec.from_json('{"bots":["a","b"]}').scoring == "wins"
