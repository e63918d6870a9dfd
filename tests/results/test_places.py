"""Places of matches that other machines played."""

from __future__ import annotations

import msgspec
import pytest
from arena_results.schema.rows import Status, VoidMatch
from arena_results.store.organising import delete_tournament
from arena_results.store.places import places, played_at
from arena_results.store.queries import reading_whole, tournament
from arena_results.store.replacing import replace_matches

from arena.core.errors import AlteredResults
from arena.core.outcome import Termination
from arena.core.record import MatchKey
from tests.results.database_files import edit


@pytest.fixture
def stored(run, new, played):
    """A tournament played here, and one of the same matches of which places played two."""
    here = [played((1, 1, leg), (0, 1)) for leg in (1, 2, 3)]
    there = [
        msgspec.structs.replace(match, place=place)
        for match, place in zip(here, ("far, away", "", "b"), strict=True)
    ]
    return run(new(), here), run(new(), there)


def test_a_place_is_stored_only_of_matches_that_another_machine_played(database, stored):
    one, other = stored
    assert places(database, one) == {}
    assert places(database, other) == {"b": 1, "far, away": 1}
    assert played_at(database, other, "b") == [MatchKey(1, 1, 3)]
    assert played_at(database, other, "c") == []


def test_results_are_the_same_whoever_played(database, stored):
    one, other = (tournament(database, number) for number in stored)
    assert one.played == other.played
    assert one.sums == other.sums


def test_a_place_that_was_edited_is_found(database, stored):
    edit(database, "UPDATE place SET name = 'c' WHERE name = 'b'")
    says = f"tournament {stored[1]}, match 1.1.3: its place does not match its checksum"
    with pytest.raises(AlteredResults, match=says):
        places(database, stored[1])
    with pytest.raises(AlteredResults, match=says), reading_whole(database, stored[1]):
        pass


def test_places_are_deleted_with_their_tournament(database, stored):
    delete_tournament(database, stored[1])
    assert places(database, stored[1]) == {}


def test_after_replacing_a_tournament_is_as_if_the_others_had_been_played(
    database, run, new, played
):
    key, there = MatchKey(1, 1, 2), "liar"
    right = [played((1, 1, leg), (0, 1)) for leg in (1, 2, 3)]
    wrong = played((1, 1, 2), (0, 1), gain=-1)
    lied = [right[0], msgspec.structs.replace(wrong, place=there), right[2]]
    later = played((2, 1, 1), (0, 1))
    number, other = run(new(), [*lied, later]), run(new(), right)
    void = VoidMatch(key, Termination.HARNESS_FAULT, "liar: it lied")
    replace_matches(database, number, {key}, [void], [right[1]], rounds=1)
    one, same = tournament(database, number), tournament(database, other)
    assert (dict(one.played), one.sums) == (dict(same.played), same.sums)
    assert [round.number for round in one.rounds] == [1]
    assert [each.reason for each in one.void] == ["liar: it lied"]
    assert one.summary.status is Status.INTERRUPTED
    assert places(database, number) == {}
