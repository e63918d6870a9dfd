from __future__ import annotations

import pytest
from arena_results.store.on_demand import played_spans
from arena_results.store.queries import (
    match,
    match_rows,
    matches,
    reading_whole,
    tournament,
    tournaments,
)

from arena.core.errors import AlteredResults, BadInput, UnknownName
from arena.core.record import MatchKey


def test_an_empty_database_has_nothing(database):
    assert tournaments(database) == ()


def test_an_unknown_tournament_is_refused_with_the_stored_ones(database, run, new):
    with pytest.raises(UnknownName, match="unknown tournament '1'; choices: none"):
        tournament(database, 1)
    run(new(), [])
    with pytest.raises(UnknownName, match="unknown tournament '2'; choices: 1"):
        tournament(database, 2)
    with pytest.raises(UnknownName, match="unknown tournament '2'; choices: 1"):
        match(database, 2, MatchKey(1, 1, 1))
    for read in (matches, match_rows):
        with pytest.raises(UnknownName, match="unknown tournament '2'; choices: 1"):
            list(read(database, 2))


def test_one_match_is_found_by_its_place(database, run, new, played):
    sent = [played((number, 1, leg), (0, 1), 1) for number in (1, 2) for leg in (1, 2, 3)]
    number = run(new(), sent)
    assert match(database, number, MatchKey(2, 1, 2))[1] == sent[4]


def test_an_unknown_match_is_refused_with_the_stored_places(database, run, new, played):
    run(new(), [])
    with pytest.raises(BadInput, match=r"^tournament 1 has no matches yet$"):
        match(database, 1, MatchKey(1, 1, 1))
    run(new(), [played((1, 1, 1), (0, 1), 1), played((2, 1, 4), (0, 1), 1)])
    with pytest.raises(BadInput, match=r"no match 3\.1\.1; .* go from 1\.1\.1 to 2\.1\.4"):
        match(database, 2, MatchKey(3, 1, 1))


def test_played_legs_are_found_as_spans_by_round_and_pairing(database, run, new, played):
    legs = {(1, 1): (1, 2, 3), (1, 2): (2, 4, 5, 6, 9), (2, 1): (7,)}
    sent = [
        played((*board, leg), (0, 1), leg % 2 - leg % 3)
        for board, numbers in legs.items()
        for leg in numbers
    ]
    stored = tournament(database, run(new(), sent))
    assert played_spans(database, stored, 1) == {1: [(1, 3)], 2: [(2, 2), (4, 6), (9, 9)]}
    assert played_spans(database, stored, 2) == {1: [(7, 7)]}
    assert played_spans(database, stored, 3) == {}


def test_matches_that_differ_from_the_sums_are_found_before_a_run(database, run, new, played):
    number = run(new(), [played((1, 1, leg), (0, 1), 3 - 2 * leg) for leg in (1, 2)])
    stored = tournament(database, number)
    with database.writing() as connection:
        same = 'UPDATE "match" SET returns = (SELECT returns FROM "match" WHERE leg = 1)'
        connection.exec_driver_sql(same)
    with pytest.raises(AlteredResults, match="its matches do not agree with its sums"):
        played_spans(database, stored, 1)


def test_an_error_of_the_reader_of_a_whole_tournament_is_no_damage(database, run, new):
    number = run(new(), [])
    with pytest.raises(TypeError, match="ours"), reading_whole(database, number):
        raise TypeError("ours")
