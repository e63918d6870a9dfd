from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from arena_tournaments.formats.round_robin import RoundRobin, berger_round

from arena.core.errors import BadInput
from arena.core.tournaments.format import Pairing, Round
from tests.tournaments.plays import field_of, play

C05_ANNEX_1_SIX_PLAYERS = """
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1
"""


def test_c05_annex_1_table_of_five_or_six():
    for row, line in enumerate(C05_ANNEX_1_SIX_PLAYERS.split("\n")[1:-1], 1):
        pairs = [f"{first + 1}-{second + 1}" for first, second in berger_round(6, row)]
        assert pairs == line.split()


@pytest.mark.parametrize("entrants", [2, 3, 4, 7, 8, 16, 31, 64])
def test_c05_annex_1_tables_as_the_pairing_library_has_them(entrants):
    from gacrux.berger import bergertables

    for row, boards in bergertables(entrants)["pairing"].items():
        expected = [(board["white"] - 1, board["black"] - 1) for board in boards.values()]
        assert list(berger_round(entrants, row)) == expected


@pytest.mark.parametrize("entrants", range(2, 14))
@pytest.mark.parametrize("cycles", [1, 2, 3])
def test_everybody_meets_everybody_once_a_cycle(entrants, cycles):
    rounds = RoundRobin().rounds(entrants, cycles)
    played = play(RoundRobin(), entrants, rounds, Random(0))
    assert len(played) == rounds
    met = Counter(frozenset(p.seats) for past in played for p in past.round.pairings)
    assert len(met) == entrants * (entrants - 1) // 2
    assert set(met.values()) == {cycles}
    for past in played:
        seated = [seat for pairing in past.round.pairings for seat in pairing.seats]
        assert sorted([*seated, *past.round.byes]) == list(range(entrants))
    byes = Counter(index for past in played for index in past.round.byes)
    assert byes == (Counter(dict.fromkeys(range(entrants), cycles)) if entrants % 2 else Counter())


def test_every_second_cycle_reverses_the_seats():
    played = play(RoundRobin(), 5, 15, Random(0))
    seats = [[pairing.seats for pairing in past.round.pairings] for past in played]
    assert seats[5:10] == [[pair[::-1] for pair in row] for row in seats[:5]]
    assert seats[10:] == seats[:5]


def test_two_entrants_play_one_round_a_cycle():
    assert RoundRobin().rounds(2, None) == 1
    assert RoundRobin().next_round(field_of(2), [], 1) == Round(1, (Pairing((0, 1)),))


def test_an_odd_field_rests_one_a_round():
    assert RoundRobin().rounds(3, None) == 3
    first = RoundRobin().next_round(field_of(3), [], 3)
    assert first == Round(1, (Pairing((1, 2)),), (0,))


@pytest.mark.parametrize(("entrants", "requested"), [(1, None), (0, 2), (4, 0), (4, -1)])
def test_bad_input_is_named(entrants, requested):
    with pytest.raises(BadInput, match="round robin"):
        RoundRobin().rounds(entrants, requested)
