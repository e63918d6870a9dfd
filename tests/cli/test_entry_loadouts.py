"""Entries with a given loadout: ``BOT with LOADOUT``."""

from __future__ import annotations

import pytest
from arena_results.file.database import open_database
from arena_results.store.queries import tournament

from arena.core.actions import unpack_ids
from arena.games.pazaak.game import Pazaak
from tests.cli.tournament_runs import Place, kill_group, until

PAZAAK = Pazaak()
TEN = "+1 +2 +3 +4 +5 -1 -2 -3 -4 -5"


@pytest.fixture
def place(tmp_path, preloaded):
    return Place(tmp_path, preloaded)


def decks(place, tournament=1):
    """The side decks that each entry played, by its name."""
    played_decks = {}
    for match in place.played(tournament):
        for key, loadout in zip(match.record.seats, match.record.loadouts, strict=True):
            text = PAZAAK.loadouts.text(loadout)
            played_decks.setdefault(key.partition("@")[0], set()).add(text)
    return played_decks


def written(deck):
    return PAZAAK.loadouts.text(PAZAAK.loadouts.accept(PAZAAK.ruleset(), deck))


@pytest.mark.parametrize("isolation", [(), ("--confine-house",)])
@pytest.mark.thorough("the other way to call bots", everyday=["isolation0"])
def test_sections_7_and_8_each_entry_plays_its_own_deck(place, isolation):
    bots = ["counter with novice", "counter with  hard", f"counter with {TEN}", "counter"]
    words = [word for bot in bots for word in ("--bot", bot)]
    answer = place.arena("tournament", "run", *words, "--games", "4", *isolation)
    assert answer.code == 0, answer.err
    played_decks = decks(place)
    assert played_decks.pop("counter").isdisjoint({written("novice"), written("hard"), TEN})
    assert played_decks == {
        "counter with novice": {written("novice")},
        "counter with hard": {written("hard")},
        f"counter with {TEN}": {written(TEN)},
    }
    assert all(unpack_ids(match.record.actions) for match in place.played())


@pytest.mark.thorough("test_sections_7_and_8 plays the decks; runs are killed elsewhere")
def test_a_killed_run_is_resumed_with_the_same_decks(place):
    words = ("--bot", "slow.py with novice", "--bot", "slow.py with hard", "--games", "400")
    process = place.start("tournament", "run", *words, "--trust", "slow.py")
    until(lambda: place.stored() > 5)
    kill_group(process.pid)
    process.communicate()
    assert place.stored() < 400
    assert place.arena("tournament", "resume", "1").code == 0
    assert place.stored() == 400
    assert decks(place) == {
        "slow with novice": {written("novice")},
        "slow with hard": {written("hard")},
    }
    with open_database(place.url, create=False) as database:
        names = [entry.participant.name for entry in tournament(database, 1, matches=False).field]
    assert names == ["slow with novice", "slow with hard"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("optimal with luck", "random"), "optimal with luck: no side deck 'luck'; write"),
        (("optimal with +1 +2", "random"), "optimal with +1 +2: a side deck has 10 cards, not 2"),
        (
            ("optimal with hard", "random", "--ruleset", "standard(deck=good)"),
            "optimal with hard: in pazaak standard(deck=good) there is nothing to bring; leave out",
        ),
        (
            ("target-total with hard", "random", "--game", "sabacc"),
            "target-total with hard: in sabacc old_republic there is nothing to bring; leave out",
        ),
        (("stand with hard", "stand with hard"), "stand with hard is entered twice"),
    ],
)
def test_an_illegal_loadout_of_an_entry_is_refused_in_one_line(place, words, problem):
    answer = place.arena("match", *words)
    assert (answer.code, answer.out) == (2, "")
    assert problem in answer.err
    assert answer.err.count("\n") == 1
    assert not place.file.exists()
