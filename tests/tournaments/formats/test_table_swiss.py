from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from arena_tournaments.formats.table_swiss import TableSwiss
from arena_tournaments.scoring.scoring import TABLE_SWISS, history
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import BadInput
from arena.core.tournaments.format import Format, Pairing, PairingResult, Round, RoundResult, Tables
from tests.sizes import volume
from tests.tournaments.plays import field_of, play_tables

FORMAT = TableSwiss()


def rematches(played):
    met = Counter()
    for past in played:
        for pairing in past.round.pairings:
            met.update(frozenset(pair) for pair in combinations(pairing.seats, 2))
    return sum(times - 1 for times in met.values())


def result(number, *tables, byes=()):
    """A finished round in which everybody at a table beats whoever is named after him."""
    pairings, results = [], []
    for table in tables:
        others = len(table) - 1
        duels = tuple(
            tuple(float(mine < theirs) for theirs in range(len(table)))
            for mine in range(len(table))
        )
        pairings.append(Pairing(table))
        points = tuple(sum(row) / others for row in duels)
        results.append(PairingResult(Pairing(table), points, duels, (1, *[0] * others)))
    return RoundResult(Round(number, tuple(pairings), byes), tuple(results))


def sets(upcoming):
    return [set(pairing.seats) for pairing in upcoming.pairings]


def test_it_is_a_format_for_three_to_six():
    assert isinstance(FORMAT, Format)
    assert list(FORMAT.seats) == [3, 4, 5, 6]


def test_default_rounds_are_the_logarithm_to_the_base_of_seats_plus_1():
    def rounds(entrants, most):
        return FORMAT.rounds(entrants, None, Tables(most, 2))

    assert [rounds(9, 3), rounds(10, 3), rounds(27, 3), rounds(200, 6)] == [3, 4, 4, 4]
    assert [rounds(6, 6), rounds(3, 6), rounds(7, 6)] == [1, 1, 3]
    assert FORMAT.rounds(7, 9, Tables(3, 2)) == 9


def test_the_first_round_is_cut_from_the_initial_order_larger_tables_first():
    first = FORMAT.next_round(field_of(7), [], 3, Tables(4, 2))
    assert first == Round(1, (Pairing((0, 1, 2, 3)), Pairing((4, 5, 6))))


def test_then_scores_decide_and_the_nearest_part_rematches():
    played = [result(1, (0, 1, 2), (3, 4, 5), (6, 7, 8))]
    upcoming = FORMAT.next_round(field_of(9), played, 3, Tables(3, 2))
    # Winners, seconds and losers are three blocks without a rematch.
    assert sets(upcoming) == [{0, 3, 6}, {1, 4, 7}, {2, 5, 8}]
    assert [past.seats[0] for past in upcoming.pairings] == [3, 4, 5]


def test_a_rematch_is_parted_between_neighbouring_tables():
    # Ranking after the round: 0, 4 | 1, 5 | 2, 6 | 3, 7 with scores 1, 2/3, 1/3, 0.
    played = [result(1, (0, 1, 2, 3), (4, 5, 6, 7))]
    upcoming = FORMAT.next_round(field_of(8), played, 3, Tables(4, 2))
    assert all(len({0, 1, 2, 3} & table) == 2 for table in sets(upcoming))
    assert sets(upcoming) == [{0, 1, 4, 5}, {2, 3, 6, 7}]


def test_the_last_of_those_who_rested_least_rests_and_scores_the_average():
    tables = Tables(3, 3)
    first = FORMAT.next_round(field_of(7), [], 3, tables)
    assert first.byes == (6,)
    played = [result(1, (0, 1, 2), (3, 4, 5), byes=(6,))]
    second = FORMAT.next_round(field_of(7), played, 3, tables)
    assert second.byes == (5,)
    scores = history(7, played, TABLE_SWISS)
    assert [scores.score(index) for index in (0, 1, 2, 6)] == [1.0, 0.5, 0.0, 0.5]


@settings(max_examples=volume(40))
@given(data=st.data(), most=st.integers(3, 6), seed=st.integers(0, 10**6))
def test_everybody_sits_or_rests_in_every_round_and_rests_go_round(data, most, seed):
    least = data.draw(st.integers(2, most))
    entrants = data.draw(st.integers(least, 25))
    tables = Tables(most, least)
    rests = Counter(dict.fromkeys(range(entrants), 0))
    played = play_tables(FORMAT, entrants, tables, 5, Random(seed), games=2)
    assert len(played) == 5
    for number, past in enumerate(played, 1):
        assert past.round.number == number
        assert tuple(len(p.seats) for p in past.round.pairings) == tables.sizes(entrants)
        seated = [who for pairing in past.round.pairings for who in pairing.seats]
        assert sorted([*seated, *past.round.byes]) == list(range(entrants))
        rests.update(past.round.byes)
        assert max(rests.values()) - min(rests.values()) <= 1


@pytest.mark.thorough("larger fields", everyday=["18-3", "24-4", "60-5"])
@pytest.mark.parametrize(
    ("entrants", "most"), [(18, 3), (30, 3), (24, 4), (48, 4), (60, 5), (60, 6), (120, 6)]
)
def test_in_a_field_that_is_large_enough_hardly_anybody_meets_twice(entrants, most):
    found = [
        rematches(play_tables(FORMAT, entrants, Tables(most, 2), None, Random(seed), games=4))
        for seed in range(5)
    ]
    assert max(found) <= 1
    assert found.count(0) >= 3


def test_a_small_field_has_few_rematches_beyond_those_that_must_be():
    for seed in range(5):
        played = play_tables(FORMAT, 12, Tables(6, 2), 3, Random(seed), games=4)
        # 90 meetings of 66 pairs: 24 rematches at least.
        assert 24 <= rematches(played) <= 36


def test_two_hundred_entrants_sit_near_their_rank():
    played = play_tables(FORMAT, 200, Tables(6, 2), 4, Random(1), games=6)
    assert rematches(played) == 0
    past = history(200, played[:-1], TABLE_SWISS)
    ranking = sorted(range(200), key=lambda index: (-past.score(index), index))
    cut = iter(ranking)
    home = {
        next(cut): table for table, size in enumerate(Tables(6, 2).sizes(200)) for _ in range(size)
    }
    moved = [
        abs(home[who] - table)
        for table, pairing in enumerate(played[-1].round.pairings)
        for who in pairing.seats
    ]
    assert max(moved) <= 4
    assert sum(tables > 1 for tables in moved) <= 10


def test_the_same_field_and_results_give_the_same_rounds():
    one, other = (
        play_tables(TableSwiss(), 14, Tables(5, 2), 4, Random(3), games=3) for _ in range(2)
    )
    assert one == other


def test_bad_input_is_named():
    with pytest.raises(BadInput, match="a Swiss plays 1 round or more, not 0"):
        FORMAT.rounds(8, 0, Tables(4, 2))
    with pytest.raises(BadInput, match="at least 4 entrants, not 3"):
        FORMAT.rounds(3, None, Tables(6, 4))
