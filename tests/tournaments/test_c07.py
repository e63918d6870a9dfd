from __future__ import annotations

import json
from random import Random

import pytest
from arena_tournaments.scoring.performance import (
    average,
    perfect_performance,
    tournament_performance,
)
from arena_tournaments.scoring.ranking import ranking, tie_break
from arena_tournaments.scoring.tiebreaks import TIE_BREAKS
from arena_tournaments.trf.history import history_of_report
from arena_tournaments.trf.reading import read_trf
from arena_tournaments.trf.report import Cell, Player, Report
from arena_tournaments.trf.writing import write_trf
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.core.errors import ParseError, UnknownName
from tests.sizes import volume
from tests.tournaments.reports import DATA, oracle, play_report

HELD = read_trf((DATA / "held_swiss_5.trf").read_bytes())
PUBLISHED = json.loads((DATA / "held_swiss_5.json").read_text())
NAMES = (
    *("BH", "BH/C1", "BH/C2", "BH/M1", "BH/P", "BH/C1/P", "AOB", "SB", "SB/C1", "SB/M1", "SB/P"),
    *("KS", "KS/L60", "KS/L+1", "PS", "PS/C1", "WIN", "WON", "BPG", "BWG", "GE", "REP"),
    *("ARO", "ARO/C1", "TPR", "PTP", "APRO", "APPO", "RTNG"),
    "STD",
    *("FB", "FB/C1", "FB/M1"),  # the library computes others wrongly after these
)
"""Tie-breaks that the library gacrux has, too."""


def values(report, name, rules=2026):
    past = history_of_report(report, rules)
    return tie_break(name).values(past, range(len(past.turns)))


@pytest.mark.parametrize("name", PUBLISHED["expected_2023"])
def test_c07_values_published_by_held_by_the_rules_of_2023(name):
    assert values(HELD, name, 2023) == PUBLISHED["expected_2023"][name]


@pytest.mark.parametrize("name", sorted(PUBLISHED["expected_2023"].keys() - {"AOB"}))
def test_c07_values_published_by_held_by_the_rules_of_2026(name):
    changed = PUBLISHED["changed_under_2026_art16_4"].get(name, {})
    expected = [
        changed.get(str(number), value)
        for number, value in enumerate(PUBLISHED["expected_2023"][name], 1)
    ]
    assert values(HELD, name) == expected


@settings(max_examples=volume(15), deadline=None)
@given(
    size=st.integers(6, 20),
    rounds=st.integers(2, 8),
    more=st.integers(0, 2),
    seed=st.integers(0, 10**6),
)
def test_c07_values_of_the_library_by_both_rules(size, rounds, more, seed):
    report = play_report(size, rounds, seed)
    rng, played = Random(seed), report.played_rounds
    if not played:
        return
    players = [
        replace(each, rating=rng.randint(1200, 2500), points=sum(report.scores(each, played)))
        for each in report.players
    ]
    report = replace(report, players=tuple(players), rounds=played + more)
    for rules, version in ((2023, "V1"), (2026, "V2")):
        lines = oracle(write_trf(report), played, ["PTS", *(f"{name}/{version}" for name in NAMES)])
        for column, name in enumerate(NAMES, 1):
            expected = [numbers[column] for _, numbers in lines]
            assert values(report, name, rules) == pytest.approx(expected), (name, rules)


def test_both_spellings_of_modifiers_and_small_letters():
    assert values(HELD, "BH:C1") == values(HELD, "bh/c1") == values(HELD, "BH-C1")


def test_the_average_of_fore_buchholz():
    fore = dict(enumerate(values(HELD, "FB")))
    met = [8, 12, 1, 14, 3]  # of the first player
    assert values(HELD, "AOB/F")[0] == sum(fore[each] for each in met) / 5


def test_players_without_a_rating_do_not_count_in_averages():
    players = (
        Player(number=1, rating=2000, cells=(Cell(2, "w", "1"), Cell(3, "b", "1"))),
        Player(number=2, rating=1800, cells=(Cell(1, "b", "0"), Cell())),
        Player(number=3, cells=(Cell(), Cell(1, "w", "0"))),
        Player(number=4, cells=(Cell(), Cell())),
    )
    report = Report(players=players)
    assert values(report, "ARO") == [1800, 2000, 2000, None]
    assert values(report, "ARO/U1000") == [1400, 2000, 2000, None]
    assert values(report, "RTNG") == [2000, 1800, None, None]
    past = history_of_report(report, 2026)
    lines = ranking(past, [tie_break("RTNG")], [0.0] * len(players))
    assert [(line.rank, line.index) for line in lines] == [(1, 0), (2, 1), (3, 2), (3, 3)]


def test_b02_performances():
    assert average([1, 2]) == 2
    assert tournament_performance([2000, 2100], 1.5) == 2050 + 193
    assert tournament_performance([2000, 2100], 0) == 2050 - 800
    assert perfect_performance([2000, 2100], 0) == 1200
    assert perfect_performance([2000], 0.5) == 1997
    assert perfect_performance([2000], 1) == 2736
    assert average([]) is tournament_performance([], 0) is perfect_performance([], 0) is None


def test_a_byes_of_a_round_robin_is_no_round_and_a_forfeit_is_played():
    players = (
        Player(number=1, cells=(Cell(2, "w", "+"), Cell())),
        Player(number=2, cells=(Cell(1, "b", "-"), Cell(3, "w", "1"))),
        Player(number=3, cells=(Cell(), Cell(2, "b", "0"))),
    )
    swiss = Report(players=players)
    meeting_all = replace(swiss, other=("092 Round-Robin",))
    assert values(meeting_all, "BH") == [1.0, 1.0, 1.0]
    assert values(swiss, "BH") != values(meeting_all, "BH")
    assert values(meeting_all, "WON") == [1.0, 1.0, 0.0]


def test_ranks_are_shared_only_where_nothing_parts_and_numbers_come_last():
    past = history_of_report(HELD, 2026)
    points = [past.score(index, bonus=True) for index in range(len(past.turns))]
    alone = ranking(past, [], points)
    assert [line.rank for line in alone] == [1, 2, 2, 2, 2, 6, 7, 7, 7, 10, 10, 10, 13, 13, 13, 16]
    by_number = ranking(past, [tie_break("TPN")], points)
    assert [line.rank for line in by_number] == list(range(1, 17))
    assert [past.numbers[line.index] for line in by_number[1:5]] == [1, 3, 4, 16]


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("BHX", "unknown tie-break 'BHX'; choices: .* did you mean BH?"),
        ("", "unknown tie-break ''"),
    ],
)
def test_an_unknown_acronym_names_the_choices(spelling, message):
    with pytest.raises(UnknownName, match=message):
        tie_break(spelling)


@pytest.mark.parametrize(
    "spelling",
    ["DE/C1", "BH/C", "BH/X", "BH/C1234", "BH/C0", "KS/L0", "KS/L101", "WIN/P", "BH//C1"],
)
def test_a_modifier_that_it_does_not_take_names_those_that_it_takes(spelling):
    name = spelling.split("/")[0]
    with pytest.raises(ParseError, match=f"{name} takes"):
        tie_break(spelling)


@pytest.mark.parametrize(
    "name", [name for name, row in TIE_BREAKS.items() if row.data != "matches"]
)
def test_every_tie_break_has_values_in_a_field_that_never_played(name):
    report = Report(players=(Player(number=1), Player(number=7)))
    assert len(values(report, name)) == 2
