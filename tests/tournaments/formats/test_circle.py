from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from arena_tournaments.pairing.circle import Circle, circle, factors, spread, turns

from arena.core.tournaments.format import Tables

FANO = Circle(7, ((1, 2, 4), (3, 5, 6)), 1)
"""7 entrants in tables of 3: two difference sets modulo 7; one rests."""


def met_in(made, factor=1, rounds=None):
    met = Counter()
    for number in range(made.points if rounds is None else rounds):
        for table in made.round(number, factor):
            met.update(frozenset(pair) for pair in combinations(table, 2))
    return met


def test_with_two_difference_sets_of_seven_any_two_meet_twice():
    assert FANO.distances() == [2, 2, 2] == FANO.meetings()
    met = met_in(FANO)
    assert set(met.values()) == {2}
    assert len(met) == 21


def test_the_circle_turns_by_as_many_places_as_rest():
    assert FANO.round(0) == ((1, 2, 4), (3, 5, 6))
    assert FANO.round(1) == ((2, 3, 5), (4, 6, 0))
    two_rest = Circle(8, ((2, 3, 4), (5, 6, 7)), 2)
    rests = [set(range(8)).difference(*two_rest.round(number)) for number in range(8)]
    assert rests[:4] == [{0, 1}, {2, 3}, {4, 5}, {6, 7}]
    assert rests[4:] == [{1, 2}, {3, 4}, {5, 6}, {7, 0}]


def test_the_entrant_in_the_middle_keeps_its_table_and_changes_seats():
    made = Circle(3, ((0, 3), (1, 2)), 0)
    assert made.meetings() == [1, 1]
    assert [made.round(number) for number in range(3)] == [
        ((0, 3), (1, 2)), ((3, 1), (2, 0)), ((2, 3), (0, 1)),
    ]  # fmt: skip


def test_half_a_circle_apart_half_as_many_pairs_meet_twice_as_often():
    made = Circle(4, ((0, 2), (1, 3)), 0)
    assert made.meetings() == [0, 4]
    assert met_in(made)[frozenset((0, 2))] == 4


def test_a_factor_gives_a_turn_with_other_meetings():
    made = Circle(5, ((0, 1, 2), (3, 4)), 0)
    assert made.meetings() == [3, 1]
    assert made.meetings(2) == [1, 3]
    assert met_in(made, 2)[frozenset((0, 1))] == 1
    assert met_in(made, 2)[frozenset((0, 2))] == 3
    assert factors(made) == (1, 2)
    assert turns(made) == 2
    assert turns(FANO) == 1


@pytest.mark.parametrize("least", [2, 6])
@pytest.mark.parametrize("most", range(3, 7))
@pytest.mark.thorough("tables of other sizes", everyday=["3-*", "6-2"])
def test_meetings_are_counted_and_everybody_sits_in_every_place(most, least):
    for entrants in range(most + 1, 18):
        made = circle(entrants, Tables(most, min(least, most)).sizes(entrants))
        met = met_in(made)
        middle = [met[frozenset((0, made.points))]] if entrants > made.points else []
        assert [
            *(met[frozenset((0, apart))] for apart in range(1, made.points // 2 + 1)),
            *middle,
        ] == made.meetings()
        sat = Counter()
        for number in range(made.points):
            for table, seats in enumerate(made.round(number)):
                sat.update((who, table, seat) for seat, who in enumerate(seats))
        if entrants == made.points:
            assert set(sat.values()) == {1}


def test_the_result_of_the_search_is_pinned():
    """Pinned: a tournament that is resumed elsewhere must be paired on as it began."""
    assert circle(9, (3, 3, 3)).tables == ((3, 7, 8), (2, 4, 5), (0, 1, 6))
    assert circle(7, (4, 3)).tables == ((0, 1, 2, 4), (3, 5, 6))


def test_large_fields_take_no_more_than_a_moment_and_meet_about_equally():
    made = circle(120, (6,) * 20)
    assert spread(made.meetings()) <= 4
