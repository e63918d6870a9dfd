from __future__ import annotations

import json
from random import Random

import pytest
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.swiss import Swiss
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
from arena_tournaments.scoring.tiebreaks import TIE_BREAKS, adjusted_score
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.tournaments.format import Pairing, PairingResult, Round, RoundResult
from tests.sizes import volume
from tests.tournaments.plays import play
from tests.tournaments.reports import DATA, history_of, lines_of, oracle, report_of

ORACLE_NAMES = {
    "BH": "BH",
    "BH-C1": "BH/C1",
    "BH-M1": "BH/M1",
    "SB": "SB",
    "SB-C1": "SB/C1",
    "PS": "PS",
    "WIN": "WIN",
    "WON": "WON",
    "BPG": "BPG",
    "BWG": "BWG",
}


def values(past, name):
    """Everybody's value, where a tie-break does not depend on who is tied."""
    (chosen,) = tie_breaks_named([name])
    return [chosen.values(past, [index])[0] for index in range(len(past.turns))]


def by_oracle(text, rounds, names):
    lines = oracle(text, rounds, [ORACLE_NAMES[name] for name in names])
    return {name: [numbers[column] for _, numbers in lines] for column, name in enumerate(names)}


HELD_LINES = lines_of(DATA / "held_swiss_5.trf")
HELD = json.loads((DATA / "held_swiss_5.json").read_text())["expected_2023"]


@pytest.mark.parametrize("name", ["PS", "WIN", "WON", "BPG", "BWG"])
def test_c07_7_values_published_by_held(name):
    assert values(history_of(HELD_LINES), name) == HELD[name]


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        # The rules of 2026 cap the dummy of an unplayed round (16.4): participants 4 and 6 at
        # half of the rounds (16.4.2), 11 at its absent opponent's adjusted score (16.4.1).
        ("BH", {4: 14.0, 6: 11.5, 11: 12.5}),
        ("BH-C1", {6: 10.5, 11: 11.0}),
        ("SB", {4: 9.25, 6: 6.0, 11: 4.75}),
        ("SB-C1", {4: 7.75, 6: 5.0, 11: 3.25}),
    ],
)
def test_c07_16_values_published_by_held_where_nothing_changed(name, changed):
    expected = [
        changed.get(number, published)
        for number, published in enumerate(HELD[ORACLE_NAMES[name]], 1)
    ]
    assert values(history_of(HELD_LINES), name) == expected


def test_c07_values_of_the_library_for_an_event_with_all_kinds_of_absence():
    past = history_of(HELD_LINES)
    expected = by_oracle("\n".join([*HELD_LINES, ""]), 5, list(ORACLE_NAMES))
    assert {name: values(past, name) for name in ORACLE_NAMES} == expected


@settings(max_examples=volume(30), deadline=None)
@given(size=st.integers(4, 15), seed=st.integers(0, 10**6))
def test_c07_values_of_the_library_in_a_swiss(size, seed):
    rounds = Swiss().rounds(size, None)
    played = play(Swiss(), size, rounds, Random(seed))
    past = history(size, played, PAIRING)
    expected = by_oracle(report_of(size, played, rounds), rounds, list(ORACLE_NAMES))
    assert {name: values(past, name) for name in ORACLE_NAMES} == expected


@settings(max_examples=volume(30), deadline=None)
@given(size=st.integers(2, 7).map(lambda half: 2 * half), seed=st.integers(0, 10**6))
def test_c07_values_of_the_library_in_a_round_robin(size, seed):
    played = play(RoundRobin(), size, size - 1, Random(seed))
    past = history(size, played, MATCH)
    lines = oracle(
        report_of(size, played, size - 1), size - 1, ["SB", "WIN", "KS"], round_robin=True
    )
    for column, name in enumerate(["SB", "WIN", "KS"]):
        assert values(past, name) == [numbers[column] for _, numbers in lines]


def test_match_points_give_half_a_round_to_who_rests():
    past = History(
        (
            (Turn(score=1.0, points=12.0, opponents=(1,)), Turn(score=1.0, points=10.0)),
            (Turn(score=0.0, points=8.0, opponents=(0,)), Turn(score=0.0, points=0.0)),
        )
    )
    assert values(past, "MPTS") == [22.0, 8.0]


def test_scores_that_are_match_points_weigh_sonneborn_berger_and_koya():
    """Three in a round robin of ten matches a pairing: 0 beat 1 by 6-4, 1 beat 2 7-3, 0-2 5-5."""

    def one(number, first, second, points, rests):
        pairing = Pairing((first, second))
        return RoundResult(Round(number, (pairing,), (rests,)), (PairingResult(pairing, points),))

    played = [one(1, 0, 1, (6.0, 4.0), 2), one(2, 2, 1, (3.0, 7.0), 0), one(3, 0, 2, (5.0, 5.0), 1)]
    past = history(3, played, MATCH)
    assert [past.score(index) for index in range(3)] == [11.0, 11.0, 8.0]
    assert values(past, "SB") == [6 * 11.0 + 5 * 8.0, 4 * 11.0 + 7 * 8.0, 3 * 11.0 + 5 * 11.0]
    assert values(past, "KS") == [6.0, 4.0, 8.0]
    assert values(past, "WIN") == [1.0, 1.0, 0.0]


def test_c07_163_absences_after_the_last_round_are_opponents_draws():
    gone = Turn(score=0.0, played=False, voluntary=True)
    won = Turn(score=1.0, opponents=(1,))
    past = History(((gone, won, gone, gone),))
    assert past.score(0) == 1.0
    assert adjusted_score(past, 0) == 2.0


def test_c07_165_a_voluntary_absence_is_cut_before_a_weaker_opponent():
    half_bye = Turn(score=0.5, voluntary=True)
    past = History(
        (
            (Turn(score=1.0, opponents=(1,)), half_bye, Turn(score=1.0, opponents=(2,))),
            (Turn(score=0.0, opponents=(0,)), Turn(score=0.0, opponents=(2,)), Turn(score=0.0)),
            (Turn(score=1.0), Turn(score=1.0, opponents=(1,)), Turn(score=0.0, opponents=(0,))),
        )
    )
    assert values(past, "BH")[0] == 0.0 + 1.5 + 2.0
    assert values(past, "BH-C1")[0] == 0.0 + 2.0


def test_before_the_first_round_everything_is_zero():
    past = history(3, [], PAIRING)
    nothing = {"AOB": [None, None, None], "TPN": [1.0, 2.0, 3.0]}
    for name in (name for name, row in TIE_BREAKS.items() if row.data != "ratings"):
        assert values(past, name) == nothing.get(name, [0.0, 0.0, 0.0])


def test_the_table_is_keyed_by_its_own_names():
    assert all(name == row.name and row.summary for name, row in TIE_BREAKS.items())


def test_at_tables_a_round_counts_the_average_of_its_opponents():
    """0 sat with 1 and 2 and lost to 1 alone; 3 beat 4."""
    table = PairingResult(
        Pairing((0, 1, 2)), (0.5, 1.0, 0.0), ((0, 0, 1), (1, 0, 1), (0, 0, 0)), (0, 1, 0)
    )
    pair = PairingResult(Pairing((3, 4)), (1.0, 0.0))
    one = RoundResult(Round(1, (table.pairing, pair.pairing)), (table, pair))
    past = history(5, [one, one], TABLE)
    assert [past.score(index) for index in range(5)] == [1.0, 2.0, 0.0, 2.0, 0.0]
    assert values(past, "BH") == [2 * (2.0 + 0.0) / 2, 2 * 0.5, 2 * 1.5, 0.0, 4.0]
    assert values(past, "BH-C1") == [1.0, 0.5, 1.5, 0.0, 2.0]
    assert values(past, "SB") == [2 * (0 * 2.0 + 1 * 0.0) / 2, 2 * (1.0 + 0.0) / 2, 0.0, 0.0, 0.0]
    # Only 0, 1 and 3 have half of the points: 1 took 1 of 1 from 0, half of its round.
    assert values(past, "KS") == [0.0, 1.0, 0.0, 0.0, 0.0]
    assert values(past, "TOP") == [0.0, 2.0, 0.0, 0.0, 0.0]


def test_who_rests_from_a_table_swiss_meets_a_dummy_of_its_own_score():
    table = PairingResult(Pairing((0, 1)), (2.0, 0.0))
    past = history(3, [RoundResult(Round(1, (table.pairing,), (2,)), (table,))], TABLE_SWISS)
    assert values(past, "BH") == [0.0, 2.0, 1.0]


@pytest.mark.parametrize("name", ["BH", "SB", "FB", "KS"])
def test_a_tie_break_sums_up_each_score_once(name, monkeypatch):
    counted = []
    monkeypatch.setattr(History, "score", lambda self, index, **_: counted.append(index) or 1.0)
    monkeypatch.setattr(
        "arena_tournaments.scoring.tiebreaks.adjusted_score",
        lambda history, index: counted.append(index) or 1.0,
    )
    past = history(8, play(RoundRobin(), 8, 14, Random(1)), MATCH)
    (chosen,) = tie_breaks_named([name])
    assert len(chosen.values(past, range(8))) == 8
    assert 8 <= len(counted) <= 2 * 8
