from __future__ import annotations

import pytest

from arena.core.errors import BadInput, UnknownName
from arena.core.outcome import Termination
from arena.core.record import Place
from results.queries import (
    field,
    matches,
    participants,
    played_match,
    tallies,
    tournament,
    tournaments,
)
from results.rows import Tally


def test_an_empty_database_has_nothing(database):
    assert tournaments(database) == participants(database) == ()
    assert matches(database, 1) == field(database, 1) == tallies(database, 1) == ()


def test_unknown_tournaments_are_answered_with_those_there_are(database, run, new):
    with pytest.raises(UnknownName, match="unknown tournament '1'; choices: none"):
        tournament(database, 1)
    run(new(), [])
    with pytest.raises(UnknownName, match="unknown tournament '2'; choices: 1"):
        tournament(database, 2)
    with pytest.raises(UnknownName, match="unknown tournament '2'; choices: 1"):
        played_match(database, 2, Place(1, 1, 1))


def test_one_match_is_found_by_its_place(database, run, new, played):
    sent = [played((number, 1, leg), (0, 1), 1) for number in (1, 2) for leg in (1, 2, 3)]
    number = run(new(), sent)
    assert played_match(database, number, Place(2, 1, 2)) == sent[4]


def test_a_match_that_is_not_there_is_answered_with_the_places_there_are(
    database, run, new, played
):
    run(new(), [])
    with pytest.raises(BadInput, match=r"^tournament 1 has no matches yet$"):
        played_match(database, 1, Place(1, 1, 1))
    run(new(), [played((1, 1, 1), (0, 1), 1), played((2, 1, 4), (0, 1), 1)])
    with pytest.raises(BadInput, match=r"no match 3\.1\.1; .* go from 1\.1\.1 to 2\.1\.4"):
        played_match(database, 2, Place(3, 1, 1))


def test_losses_are_counted_by_cause(database, run, new, played):
    sent = [
        played((1, 1, 1), (0, 1), 1),
        played((1, 1, 2), (1, 0), -1),
        played((1, 1, 3), (0, 1), 0),
        played((1, 1, 4), (1, 0), 1, termination=Termination.TIMEOUT),
        played((2, 1, 1), (1, 2), -1, termination=Termination.CRASH),
        played((2, 1, 2), (2, 1), 1, termination=Termination.CRASH),
    ]
    number = run(new(), sent)
    assert tallies(database, number) == (
        Tally(0, won=2, drawn=1, lost=1, losses={Termination.TIMEOUT: 1}),
        Tally(1, won=1, drawn=1, lost=4, losses={Termination.RULES: 2, Termination.CRASH: 2}),
        Tally(2, won=2, drawn=0, lost=0, losses={}),
        Tally(3, won=0, drawn=0, lost=0, losses={}),
    )
