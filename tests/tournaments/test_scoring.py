from __future__ import annotations

import pytest

from arena.core.errors import UnknownName
from arena.core.tournament import Pairing, PairingResult, Round, RoundResult
from tournaments.scoring import SCORINGS, Turn, history, scoring_named
from tournaments.tiebreaks import TIE_BREAKS


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
    assert scoring_named("pairing").scores(result(*points)) == scores


def test_match_points_score_as_they_are():
    assert scoring_named("match").scores(result(9.5, 10.5)) == (9.5, 10.5)


def test_an_unknown_scoring_names_the_choices():
    with pytest.raises(UnknownName, match="unknown scoring 'elo'; choices: match, pairing"):
        scoring_named("elo")


def test_every_scoring_names_tie_breaks_that_exist():
    for scoring in SCORINGS.values():
        assert set(scoring.tie_breaks) <= set(TIE_BREAKS)


PLAYED = [
    RoundResult(Round(1, (Pairing((2, 0)),), (1,)), (PairingResult(Pairing((2, 0)), (7.5, 2.5)),))
]


def test_a_swiss_bye_scores_a_win_and_half_of_the_rounds_match_points():
    past = history(3, PLAYED, "pairing")
    assert past.turns == (
        (Turn(score=0.0, points=2.5, opponent=2),),
        (Turn(score=1.0, points=5.0),),
        (Turn(score=1.0, points=7.5, opponent=0, first=True),),
    )
    assert [past.score(index) for index in range(3)] == [0.0, 1.0, 1.0]
    assert [past.match_points(index) for index in range(3)] == [2.5, 0.0, 7.5]


def test_a_round_robin_bye_is_worth_nothing():
    past = history(3, PLAYED, "match")
    assert past.turns[1] == (Turn(score=0.0, worth=0.0),)
    assert past.turns[0] == (Turn(score=2.5, worth=10.0, points=2.5, opponent=2),)
