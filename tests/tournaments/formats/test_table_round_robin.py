from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from arena_tournaments.formats.table_round_robin import TableRoundRobin
from arena_tournaments.play.schedule import balanced_games
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import BadInput
from arena.core.tournaments.format import Format, Pairing, Round, Tables
from tests.sizes import volume
from tests.tournaments.plays import SEVEN, field_of, jobs_of_round, play_tables

FORMAT = TableRoundRobin()


def meetings(played, entrants):
    met = Counter(dict.fromkeys(map(frozenset, combinations(range(entrants), 2)), 0))
    for past in played:
        for pairing in past.round.pairings:
            met.update(frozenset(pair) for pair in combinations(pairing.seats, 2))
    return met


def unequal(entrants, tables, rounds=None):
    met = meetings(play_tables(FORMAT, entrants, tables, rounds), entrants).values()
    return max(met) - min(met)


def test_it_is_a_format_for_three_to_six():
    assert isinstance(FORMAT, Format)
    assert list(FORMAT.seats) == [3, 4, 5, 6]


EXACT = [
    *((entrants, 3, 3) for entrants in (3, 4, 6, 7, 9, 12, 13, 15, 16, 18, 19, 21, 24, 27, 30)),
    *((entrants, 3, 2) for entrants in (5, 8, 11, 14, 17, 20)),
    *((entrants, 4, 2) for entrants in (5, 6, 7, 8, 9, 11, 12, 15, 16, 19, 20, 28)),
    *((entrants, 4, 4) for entrants in (5, 8, 12, 13, 16, 17)),
    *((entrants, 5, 2) for entrants in (5, 6, 7, 8, 11, 12, 16, 19, 20, 25)),
    *((entrants, 6, 2) for entrants in (2, 3, 4, 5, 6, 7, 8, 11, 12, 19, 20, 25)),
]


@pytest.mark.parametrize(("entrants", "most", "least"), EXACT)
@pytest.mark.thorough("larger fields", everyday=["?-*", "1?-*"])
def test_where_a_design_exists_any_two_meet_exactly_as_often(entrants, most, least):
    assert unequal(entrants, Tables(most, least)) == 0


@pytest.mark.parametrize("most", range(3, 7))
@pytest.mark.thorough("tables of other sizes", everyday=["3"])
def test_elsewhere_meetings_differ_by_two_at_most(most):
    for entrants in range(most + 1, 31):
        assert unequal(entrants, Tables(most, 2)) <= 2


def test_the_length_of_a_cycle():
    def rounds(entrants, most, least=2):
        return FORMAT.rounds(entrants, None, Tables(most, least))

    assert [rounds(6, 6), rounds(4, 6)] == [1, 1]
    assert [rounds(12, 4), rounds(9, 3)] == [11, 8]
    assert [rounds(7, 6), rounds(7, 3, 3)] == [7, 7]
    assert [rounds(6, 3), rounds(5, 3)] == [10, 10]
    assert FORMAT.rounds(12, 3, Tables(4, 2)) == 33


def test_further_cycles_even_out_what_one_leaves():
    assert unequal(10, Tables(6, 2)) == 2
    assert unequal(13, Tables(6, 2)) == 1
    assert unequal(13, Tables(6, 2), rounds=6) == 0


def test_a_field_of_one_table_sits_at_it_and_moves_up_one_seat_a_round():
    played = play_tables(FORMAT, 4, Tables(6, 2), 2)
    assert [past.round for past in played] == [
        Round(1, (Pairing((0, 1, 2, 3)),)),
        Round(2, (Pairing((1, 2, 3, 0)),)),
    ]


def test_no_round_after_the_last_and_the_same_results_give_the_same_round():
    tables = Tables(3, 2)
    assert FORMAT.next_round(field_of(8), play_tables(FORMAT, 8, tables), 8, tables) is None
    assert play_tables(FORMAT, 8, tables) == play_tables(TableRoundRobin(), 8, tables)


@settings(max_examples=volume(40))
@given(data=st.data(), most=st.integers(3, 6))
def test_all_sit_or_rest_in_every_round_and_rests_are_spread_evenly(data, most):
    least = data.draw(st.integers(2, most))
    entrants = data.draw(st.integers(least, 20))
    tables = Tables(most, least)
    rests = Counter(dict.fromkeys(range(entrants), 0))
    for number, past in enumerate(play_tables(FORMAT, entrants, tables), 1):
        made = past.round
        assert made.number == number
        assert tuple(len(pairing.seats) for pairing in made.pairings) == tables.sizes(entrants)
        seated = [who for pairing in made.pairings for who in pairing.seats]
        assert sorted([*seated, *made.byes]) == list(range(entrants))
        before = rests.copy()
        rests.update(made.byes)
        # Whoever rests again does so at the earliest in the round in which the last one rests.
        assert all(before[who] <= min(rests.values()) for who in made.byes)
    assert len(set(rests.values())) == 1


@settings(max_examples=volume(30))
@given(most=st.integers(3, 6), entrants=st.integers(3, 16), mirrored=st.booleans())
def test_over_a_cycle_everybody_sits_in_every_seat_equally_often(most, entrants, mirrored):
    tables = Tables(most, 2)
    games = balanced_games(tables.sizes(entrants))
    sat = Counter()
    for past in play_tables(FORMAT, entrants, tables):
        for job in jobs_of_round(past.round, SEVEN, games, mirrored):
            size = len(job.seats)
            sat.update((who, size, seat) for seat, who in enumerate(job.seats))
    for who in range(entrants):
        for size in {*tables.sizes(entrants)}:
            assert len({sat[who, size, seat] for seat in range(size)}) == 1


@pytest.mark.parametrize("requested", [0, -1])
def test_bad_input_is_named(requested):
    with pytest.raises(BadInput, match=f"1 cycle or more, not {requested}"):
        FORMAT.rounds(7, requested, Tables(3, 2))
    with pytest.raises(BadInput, match="at least 3 entrants, not 2"):
        FORMAT.rounds(2, None, Tables(3, 3))
