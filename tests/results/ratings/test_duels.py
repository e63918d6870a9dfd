from __future__ import annotations

import random
from collections import Counter

import pytest
from arena_results.ratings.fits.duels import counted_units, needs_matches, units
from arena_results.schema.rows import MatchRow

from arena.core.outcome import Termination, utilities
from arena.core.record import MatchKey
from arena.core.tournaments.rating import Duels, pairs
from tests.pairing_sums import sums_of


def match(place: tuple[int, int, int], seats: tuple[int, ...], returns: tuple[float, ...]):
    scores = (0,) * len(seats)
    return MatchRow(MatchKey(*place), seats, 1, returns, scores, Termination.RULES, None, None)


MATCHES = [
    match((1, 1, 1), (0, 1), (1.0, -1.0)),
    match((1, 1, 2), (1, 0), (0.0, 0.0)),
    match((1, 1, 3), (0, 1), (-1.0, 1.0)),
    match((1, 2, 1), (2, 0), (1.0, -1.0)),
    match((1, 2, 2), (0, 2), (1.0, -1.0)),
    match((2, 2, 2), (0, 2), (-1.0, 1.0)),
]
DUELS = [
    Duels((7, 5), (1.0,)),
    Duels((5, 7), (0.5,)),
    Duels((7, 5), (0.0,)),
    Duels((6, 7), (1.0,)),
    Duels((7, 6), (1.0,)),
    Duels((7, 6), (0.0,)),
]


def test_a_mirrored_pair_is_one_unit_and_a_single_leg_another():
    a, b, c, d, e, f = DUELS
    assert units(MATCHES, True, [7, 5, 6]) == [(a, b), (c,), (d, e), (f,)]


def test_without_mirroring_each_match_is_a_unit():
    assert units(MATCHES, False, [7, 5, 6]) == [(duel,) for duel in DUELS]


def test_a_table_is_a_duel_of_every_two_by_finishing_order():
    # Seat 2 first, seats 0 and 3 level behind it, seat 1 last.
    played = match((1, 1, 1), (4, 1, 0, 2), utilities((2, 4, 1, 2)))
    ((table,),) = units([played], True, [10, 11, 12, 13, 14])
    assert table.players == (14, 11, 10, 12)
    assert dict(zip(pairs(4), table.scores, strict=True)) == {
        (0, 1): 1.0,
        (0, 2): 0.0,
        (1, 2): 0.0,
        (0, 3): 0.5,
        (1, 3): 0.0,
        (2, 3): 1.0,
    }


@pytest.mark.parametrize(
    ("seats", "sizes"), [(2, [2, 2, 2, 1]), (3, [3, 3, 1]), (5, [5, 2]), (6, [6, 1])]
)
def test_a_deal_is_shared_by_as_many_legs_in_a_row_as_the_table_has_seats(seats, sizes):
    players, returns = tuple(range(seats)), utilities(range(seats))
    legs = [match((1, 1, leg), players, returns) for leg in range(1, 8)]
    assert [len(unit) for unit in units(legs, True, players)] == sizes
    assert [len(unit) for unit in units(legs, False, players)] == [1] * 7


def test_tables_of_several_sizes_in_one_round_are_grouped_each_by_its_own():
    legs = [match((1, 1, leg), (0, 1, 2), (1.0, 0.0, -1.0)) for leg in (1, 2, 3)]
    legs += [match((1, 2, leg), (3, 4), (1.0, -1.0)) for leg in (1, 2, 3)]
    assert [len(unit) for unit in units(legs, True, range(5))] == [3, 2, 1]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_duels_of_one_player_make_up_one_match(seats):
    whole = pairs(seats)
    assert len(set(whole)) == seats * (seats - 1) / 2
    assert pairs(seats - 1) == whole[: len(pairs(seats - 1))]
    share = Duels(tuple(range(seats)), (1.0,) * len(whole)).share
    for seat in range(seats):
        assert sum(share for pair in whole if seat in pair) == pytest.approx(1)


@pytest.mark.parametrize("mirrored", [True, False])
def test_sums_give_the_units_of_the_matches(mirrored):
    rng = random.Random(5)
    fields = {1: (0, 1), 2: (3, 1), 3: (2, 0)}
    legs = [
        match((1, pairing, leg), seats if leg % 2 else seats[::-1], utilities(places))
        for pairing, seats in fields.items()
        for leg in range(1, 20)
        for places in (rng.choice([(1, 2), (2, 1), (1, 1)]),)
        if (pairing, leg) not in {(1, 1), (2, 8), (3, 19)}
    ]
    sums = sums_of(legs, mirrored).values()
    players = [7, 5, 6, 4]
    assert not needs_matches(sums, mirrored)
    assert counted_units(sums, mirrored, players) == Counter(units(legs, mirrored, players))


def test_sums_of_tables_give_the_units_where_matches_share_no_deal():
    legs = [match((1, 1, leg), (0, 1, 2), utilities((leg % 3, 1, 2))) for leg in range(1, 9)]
    sums = sums_of(legs, False).values()
    assert needs_matches(sums_of(legs, True).values(), True)
    assert not needs_matches(sums, False)
    assert counted_units(sums, False, range(3)) == Counter(units(legs, False, range(3)))
