from __future__ import annotations

from functools import reduce
from operator import add
from random import Random

import pytest
from arena_tournaments.formats.table_round_robin import TableRoundRobin
from arena_tournaments.formats.table_swiss import TableSwiss
from arena_tournaments.scoring.scoring import (
    MATCH,
    PAIRING,
    TABLE,
    TABLE_SWISS,
    History,
    Turn,
    history,
)
from arena_tournaments.scoring.standings import tie_breaks_named
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.tournaments.format import Pairing, PairingResult, Round, RoundResult, Tables
from tests.sizes import volume
from tests.tournaments.plays import play_tables

SCORINGS = (PAIRING, MATCH, TABLE, TABLE_SWISS)


def result(*points: float):
    return PairingResult(Pairing(tuple(range(len(points)))), points)


@pytest.mark.parametrize(
    ("points", "scores"),
    [
        ((20.0, 0.0), (1.0, 0.0)),
        ((9.5, 10.5), (0.0, 1.0)),
        ((10.0, 10.0), (0.5, 0.5)),
        ((0.0, 0.0), (0.5, 0.5)),
        ((3.0, 1.0, 3.0), (0.5, 0.0, 0.5)),
    ],
)
def test_a_pairing_scores_by_majority(points, scores):
    assert PAIRING.scores(result(*points)) == scores


def test_match_points_score_as_they_are():
    assert MATCH.scores(result(9.5, 10.5)) == (9.5, 10.5)


def test_every_scoring_names_tie_breaks_that_exist():
    for scoring in SCORINGS:
        assert [each.name for each in tie_breaks_named(scoring.tie_breaks)] == [*scoring.tie_breaks]


PLAYED = [
    RoundResult(Round(1, (Pairing((2, 0)),), (1,)), (PairingResult(Pairing((2, 0)), (7.5, 2.5)),))
]


def test_a_swiss_bye_scores_a_win_and_half_of_the_rounds_match_points():
    past = history(3, PLAYED, PAIRING)
    assert past.turns == (
        (Turn(score=0.0, points=2.5, opponents=(2,)),),
        (Turn(score=1.0, points=5.0),),
        (Turn(score=1.0, points=7.5, opponents=(0,), first=True),),
    )
    assert [past.score(index) for index in range(3)] == [0.0, 1.0, 1.0]
    assert [past.match_points(index) for index in range(3)] == [2.5, 0.0, 7.5]


def test_a_round_robin_bye_is_worth_nothing():
    past = history(3, PLAYED, MATCH)
    assert past.turns[1] == (Turn(score=0.0, worth=0.0),)
    assert past.turns[0] == (Turn(score=2.5, worth=10.0, points=2.5, opponents=(2,)),)


def table(seats, points, duels, won):
    return PairingResult(Pairing(seats), points, duels, won)


TABLES = [
    RoundResult(
        Round(1, (Pairing((2, 0, 3)), Pairing((4, 1))), (5,)),
        (
            table((2, 0, 3), (1.75, 0.75, 0.5), ((0, 1.5, 2), (0.5, 0, 1), (0, 1, 0)), (1, 1, 0)),
            PairingResult(Pairing((4, 1)), (0.5, 1.5)),
        ),
    )
]


def test_a_table_is_an_encounter_with_each_of_its_opponents():
    past = history(6, TABLES, TABLE)
    assert past.turns[0] == (
        Turn(score=0.75, worth=2.0, points=0.75, opponents=(2, 3), against=(0.5, 1.0), won=1),
    )
    assert past.turns[2][0].first
    assert [*past.turns[2][0].encounters()] == [(0, 1.5), (3, 2.0)]
    assert [*past.turns[1][0].encounters()] == [(4, 1.5)]


def test_who_rests_from_tables_misses_nothing_or_scores_the_average():
    assert history(6, TABLES, TABLE).turns[5] == (Turn(score=0.0, worth=0.0),)
    past = history(6, TABLES, TABLE_SWISS)
    assert past.turns[5] == (Turn(score=1.0, worth=2.0, points=1.0),)
    average = sum(past.score(index) for index in range(5)) / 5
    assert past.score(5) == average


def test_thirds_and_fifths_add_up_to_equal_scores():
    thirds = Turn(score=1 / 3, points=1 / 3, opponents=(1, 2, 3))
    fifths = Turn(score=1 / 5, points=1 / 5, opponents=(1, 2, 3, 4, 5))
    past = History(((thirds,) * 6, (fifths,) * 10, (Turn(score=2.0, points=2, opponents=(0,)),)))
    # One by one: from Python 3.12 on, ``sum`` itself makes up for what rounding loses.
    assert reduce(add, (turn.score for turn in past.turns[1])) != 2
    assert {past.score(index) for index in range(3)} == {2.0}
    assert {past.match_points(index) for index in range(3)} == {2.0}


def test_formats_in_which_all_meet_give_nothing_for_rests():
    assert {row.name: row.all_meet for row in SCORINGS} == {
        "pairing": False, "match": True, "table": True, "table-swiss": False,
    }  # fmt: skip


@settings(max_examples=volume(40))
@given(
    format=st.sampled_from([TableRoundRobin(), TableSwiss()]),
    most=st.integers(3, 6),
    size=st.integers(2, 14),
    seed=st.integers(0, 10**6),
)
def test_the_score_of_a_round_is_the_average_over_its_opponents(format, most, size, seed):
    played = play_tables(format, size, Tables(most, 2), None, Random(seed), games=3)
    for turns in history(size, played, format.scoring()).turns:
        for turn in turns:
            against = [score for _, score in turn.encounters()]
            assert turn.score == pytest.approx(sum(against) / len(against))
            assert 0 <= turn.score <= turn.worth == 3
