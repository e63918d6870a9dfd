from __future__ import annotations

import pytest
from arena_results.queries import (
    field,
    matches,
    participants,
    played_match,
    tournament,
    tournaments,
)

from arena.core.errors import BadInput, UnknownName
from arena.core.record import MatchKey


def test_an_empty_database_has_nothing(database):
    assert tournaments(database) == participants(database) == ()


def test_an_unknown_tournament_is_refused_with_the_stored_ones(database, run, new):
    with pytest.raises(UnknownName, match="unknown tournament '1'; choices: none"):
        tournament(database, 1)
    run(new(), [])
    with pytest.raises(UnknownName, match="unknown tournament '2'; choices: 1"):
        tournament(database, 2)
    with pytest.raises(UnknownName, match="unknown tournament '2'; choices: 1"):
        played_match(database, 2, MatchKey(1, 1, 1))
    for read in (matches, field):
        with pytest.raises(UnknownName, match="unknown tournament '2'; choices: 1"):
            read(database, 2)


def test_one_match_is_found_by_its_place(database, run, new, played):
    sent = [played((number, 1, leg), (0, 1), 1) for number in (1, 2) for leg in (1, 2, 3)]
    number = run(new(), sent)
    assert played_match(database, number, MatchKey(2, 1, 2)) == sent[4]


def test_an_unknown_match_is_refused_with_the_stored_places(database, run, new, played):
    run(new(), [])
    with pytest.raises(BadInput, match=r"^tournament 1 has no matches yet$"):
        played_match(database, 1, MatchKey(1, 1, 1))
    run(new(), [played((1, 1, 1), (0, 1), 1), played((2, 1, 4), (0, 1), 1)])
    with pytest.raises(BadInput, match=r"no match 3\.1\.1; .* go from 1\.1\.1 to 2\.1\.4"):
        played_match(database, 2, MatchKey(3, 1, 1))
