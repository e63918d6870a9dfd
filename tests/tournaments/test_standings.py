from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.formats.table_round_robin import TableRoundRobin
from arena_tournaments.formats.table_swiss import TableSwiss
from arena_tournaments.scoring.direct_encounter import direct_encounter
from arena_tournaments.scoring.scoring import MATCH, PAIRING, TABLE, history
from arena_tournaments.scoring.standings import Tally, standings
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import UnknownName
from arena.core.tournaments.format import Pairing, PairingResult, Round, RoundResult, Tables
from tests.sizes import volume
from tests.tournaments.plays import field_of, play, play_tables
from tests.tournaments.reports import oracle, report_of


def round_of(number: int, *results: tuple[int, int, float, float], byes: Sequence[int] = ()):
    """Results as (first, second, points of the first, points of the second)."""
    pairings = tuple(Pairing((first, second)) for first, second, _, _ in results)
    points = [(one, other) for _, _, one, other in results]
    return RoundResult(
        Round(number, pairings, tuple(byes)), tuple(map(PairingResult, pairings, points))
    )


def test_match_points_are_the_first_tie_break_of_a_swiss():
    played = [round_of(1, (0, 2, 11.0, 9.0), (1, 3, 15.0, 5.0))]
    table = standings(list("abcd"), played, PAIRING)
    assert [line.name for line in table] == ["b", "a", "c", "d"]
    assert [line.score for line in table] == [1.0, 1.0, 0.0, 0.0]
    assert [line.match_points for line in table] == [15.0, 11.0, 9.0, 5.0]
    assert list(table[0].tie_breaks) == ["MPTS", "BH-C1", "BH", "SB", "DE", "WIN", "BWG"]


def test_a_round_robin_ranks_by_match_points_then_direct_encounter():
    played = [
        round_of(1, (1, 2, 4.0, 6.0), byes=[0]),
        round_of(2, (2, 0, 4.0, 6.0), byes=[1]),
        round_of(3, (0, 1, 6.0, 4.0), byes=[2]),
    ]
    table = standings(list("abc"), played, MATCH)
    assert [(line.rank, line.name, line.score) for line in table] == [
        (1, "a", 12.0),
        (2, "c", 10.0),
        (3, "b", 8.0),
    ]
    assert list(table[0].tie_breaks) == ["DE", "WIN", "SB", "KS"]


def test_equal_ranks_only_where_nothing_parts_and_then_the_initial_order():
    table = standings(list("abcd"), [], PAIRING)
    assert [(line.rank, line.index) for line in table] == [(1, 0), (1, 1), (1, 2), (1, 3)]
    played = [round_of(1, (0, 1, 0.5, 0.5), (3, 2, 1.0, 0.0))]
    table = standings(list("abcd"), played, MATCH)
    assert [(line.rank, line.name) for line in table] == [(1, "d"), (2, "a"), (2, "b"), (4, "c")]


def test_tie_breaks_can_be_chosen_and_count_in_the_given_order():
    played = [round_of(1, (0, 2, 11.0, 9.0), (1, 3, 15.0, 5.0))]
    table = standings(list("abcd"), played, PAIRING, tie_breaks=["BWG", "BPG"])
    assert [(line.rank, line.name) for line in table] == [(1, "a"), (1, "b"), (3, "c"), (3, "d")]
    assert table[0].tie_breaks == {"BWG": 0.0, "BPG": 0.0}


def test_an_unknown_tie_break_names_the_choices():
    with pytest.raises(UnknownName, match="unknown tie-break 'ARO'; choices: AMT, AOB, BH, "):
        standings(["a", "b"], [], MATCH, tie_breaks=["ARO"])


def test_tallies_are_shown_beside_their_participants():
    played = [round_of(1, (0, 1, 0.5, 1.5))]
    table = standings(["a", "b"], played, MATCH, tallies=[Tally(0, 1, 1), Tally(1, 1, 0)])
    assert [(line.name, line.matches) for line in table] == [
        ("b", Tally(1, 1, 0)),
        ("a", Tally(0, 1, 1)),
    ]


def test_c07_61_ties_are_ranked_by_their_encounters_again_and_again():
    """Of four tied, a beat b, c and d; b, c, d beat each other in a circle."""
    played = [
        round_of(1, (0, 1, 1.0, 0.0), (2, 3, 1.0, 0.0)),
        round_of(2, (0, 2, 1.0, 0.0), (1, 3, 0.0, 1.0)),
        round_of(3, (0, 3, 1.0, 0.0), (1, 2, 1.0, 0.0)),
    ]
    past = history(4, played, MATCH)
    assert direct_encounter(past, (0, 1, 2, 3)) == [3, 0, 0, 0]
    assert direct_encounter(past, (1, 3)) == [0, 1]


def test_c07_612_several_encounters_count_with_their_average():
    """a and b drew once and b won once; a beat c once, b beat c once: b leads by 1.75 to 1.25."""
    played = [
        round_of(1, (0, 1, 0.5, 0.5)),
        round_of(2, (1, 0, 1.0, 0.0)),
        round_of(3, (0, 2, 1.0, 0.0)),
        round_of(4, (2, 1, 0.0, 1.0)),
    ]
    past = history(3, played, MATCH)
    assert direct_encounter(past, (0, 1, 2)) == [1, 2, 0]


def test_c07_62_a_lead_that_missing_encounters_cannot_change_ranks_first():
    """a beat b and c; b and c have not met: a leads, they stay tied."""
    played = [round_of(1, (0, 1, 1.0, 0.0)), round_of(2, (2, 0, 0.0, 1.0))]
    past = history(3, played, PAIRING)
    assert direct_encounter(past, (0, 1, 2)) == [2, 0, 0]
    only_one = history(3, played[:1], PAIRING)
    assert direct_encounter(only_one, (0, 1, 2)) == [0, 0, 0]


@settings(max_examples=volume(40), deadline=None)
@given(size=st.integers(4, 15), seed=st.integers(0, 10**6))
def test_c07_6_ranks_of_the_library_in_a_swiss(size, seed):
    rounds = Swiss().rounds(size, None)
    played = play(Swiss(), size, rounds, Random(seed))
    names = [entrant.name for entrant in field_of(size)]
    for ours, theirs in (
        (["DE"], ["PTS", "DE"]),
        (
            ["BH-C1", "BH", "SB", "DE", "WIN", "BWG"],
            ["PTS", "BH/C1", "BH", "SB", "DE", "WIN", "BWG"],
        ),
    ):
        table = standings(names, played, PAIRING, tie_breaks=ours)
        ranks = {line.index: line.rank for line in table}
        expected = oracle(report_of(size, played, rounds), rounds, theirs)
        assert [ranks[index] for index in range(size)] == [rank for rank, _ in expected]


@settings(max_examples=volume(40), deadline=None)
@given(size=st.integers(2, 7).map(lambda half: 2 * half), seed=st.integers(0, 10**6))
def test_ranks_of_the_library_in_a_round_robin(size, seed):
    played = play(RoundRobin(), size, size - 1, Random(seed))
    table = standings([entrant.name for entrant in field_of(size)], played, MATCH)
    ranks = {line.index: line.rank for line in table}
    text = report_of(size, played, size - 1)
    expected = oracle(text, size - 1, ["PTS", "DE", "WIN", "SB", "KS"], round_robin=True)
    assert [ranks[index] for index in range(size)] == [rank for rank, _ in expected]


@settings(max_examples=volume(40), deadline=None)
@given(
    size=st.integers(2, 9),
    seed=st.integers(0, 10**6),
    games=st.integers(1, 6),
    format=st.sampled_from([Swiss(), RoundRobin()]),
    upto=st.integers(0, 20),
)
def test_standings_are_a_ranking_of_the_whole_field_after_any_round(
    size, seed, games, format, upto
):
    played = play(format, size, format.rounds(size, None), Random(seed), games)[:upto]
    table = standings([str(index) for index in range(size)], played, format.scoring())
    assert sorted(line.index for line in table) == list(range(size))
    keys = [(-line.score, *(-value for value in line.tie_breaks.values())) for line in table]
    assert keys == sorted(keys)
    for place, line in enumerate(table):
        assert line.rank == keys.index(keys[place]) + 1
        assert line.name == str(line.index)
    taken = sum(line.match_points for line in table)
    assert taken == games * sum(len(past.results) for past in played)


def test_at_tables_the_tied_are_ranked_by_what_they_took_from_each_other():
    """0 and 1 end level at a table of three, but 1 finished before 0 more often."""
    duels = ((0.0, 1.0, 3.0), (2.0, 0.0, 2.0), (0.0, 1.0, 0.0))
    table = PairingResult(Pairing((0, 1, 2)), (2.0, 2.0, 0.5), duels, (1, 2, 0))
    played = [RoundResult(Round(1, (table.pairing,)), (table,))]
    assert direct_encounter(history(3, played, TABLE), (0, 1)) == [0, 1]
    lines = standings(list("abc"), played, TABLE)
    assert [(line.rank, line.name) for line in lines] == [(1, "b"), (2, "a"), (3, "c")]


@settings(max_examples=volume(40))
@given(
    format=st.sampled_from([TableRoundRobin(), TableSwiss()]),
    size=st.integers(3, 9),
    most=st.integers(3, 6),
    least=st.integers(2, 3),
    seed=st.integers(0, 10**6),
    games=st.integers(1, 6),
)
def test_standings_of_tables_are_a_ranking_and_share_out_every_point(
    format, size, most, least, seed, games
):
    played = play_tables(format, size, Tables(most, least), None, Random(seed), games)
    table = standings([str(index) for index in range(size)], played, format.scoring())
    assert sorted(line.index for line in table) == list(range(size))
    keys = [(-line.score, *(-value for value in line.tie_breaks.values())) for line in table]
    assert keys == sorted(keys)
    assert [line.rank for line in table] == [keys.index(key) + 1 for key in keys]
    seated = sum(len(result.pairing.seats) for past in played for result in past.results)
    assert sum(line.match_points for line in table) == pytest.approx(games * seated / 2)
