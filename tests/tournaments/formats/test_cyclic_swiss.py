"""A Swiss of more rounds than opponents: nobody meets or rests again before a cycle is through."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from random import Random

import pytest
from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.pairing.factors import cycle_of, rounds_left
from arena_tournaments.trf.reading import read_trf
from arena_tournaments.trf.tournament import report_of_swiss
from arena_tournaments.trf.writing import write_trf
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.sizes import volume
from tests.tournaments.plays import field_of, finish, play


def pairs_of(rounds):
    return [frozenset(each.seats) for past in rounds for each in past.round.pairings]


def cycles_of(played, size):
    cycle = cycle_of(size)
    return [played[begin : begin + cycle] for begin in range(0, len(played), cycle)]


def check_cycles(played, size):
    """Nobody meets or rests twice in a cycle; a whole one has every meeting."""
    for rounds in cycles_of(played, size):
        met = Counter(pairs_of(rounds))
        byes = Counter(index for past in rounds for index in past.round.byes)
        assert {*met.values(), *byes.values()} <= {1}
        if len(rounds) == cycle_of(size):
            assert len(met) == size * (size - 1) // 2
            assert len(byes) == size % 2 * size
    for past in played:
        seated = [seat for pairing in past.round.pairings for seat in pairing.seats]
        assert sorted([*seated, *past.round.byes]) == list(range(size))


class Favourites(Random):
    """Results by strength alone: everywhere the first of the field wins."""

    def choice(self, seq):
        return seq[-1]


@settings(max_examples=volume(40), deadline=None)
@given(
    size=st.integers(2, 12),
    more=st.integers(1, 14),
    acceleration=st.sampled_from([None, "baku"]),
    results=st.one_of(st.builds(Random, st.integers(0, 2**32)), st.just(Favourites())),
)
def test_nobody_meets_or_rests_again_before_a_cycle_is_through(size, more, acceleration, results):
    rounds = cycle_of(size) + more
    format = Swiss(acceleration=acceleration)
    played = play(format, size, rounds, results)
    assert len(played) == rounds
    check_cycles(played, size)
    for number in (more // 2, more, rounds - 1):  # the same results, the same round
        assert format.next_round(field_of(size), played[:number], rounds) == played[number].round


def test_the_rules_alone_would_not_end_every_cycle():
    """Of this field they leave meetings that no rounds hold; the look ahead ends all cycles."""
    sevens = [play(Swiss(), 7, 7, Random(seed)) for seed in range(20)]
    assert any(max(Counter(pairs_of(played)).values()) > 1 for played in sevens)
    for seed in range(20):
        check_cycles(play(Swiss(), 7, 14, Random(seed)), 7)


@pytest.mark.parametrize("size", [7, 8])
def test_colours_stay_balanced_over_cycles(size):
    for seed in range(4):
        seats = Counter()
        for past in play(Swiss(), size, 30, Random(seed)):
            for first, second in (each.seats for each in past.round.pairings):
                seats[first] += 1
                seats[second] -= 1
        assert max(map(abs, seats.values())) <= 2


def test_a_repeated_meeting_of_two_has_reversed_seats():
    played = play(Swiss(), 2, 6, Random(1))
    assert [each.round.pairings[0].seats for each in played] == [(0, 1), (1, 0)] * 3


@settings(max_examples=volume(40), deadline=None)
@given(size=st.integers(4, 14), rounds=st.integers(2, 20), seed=st.integers(0, 2**32))
def test_c04051_virtual_points_of_the_first_half_of_a_cycle(size, rounds, seed):
    """The upper half, rounded up to an even number, leads by 1 point, then by 1/2, then by none."""
    half, cycle = 2 * math.ceil(size / 4), min(rounds, cycle_of(size))
    accelerated = math.ceil(cycle / 2)
    report = report_of_swiss([str(n) for n in range(size)], (), rounds, acceleration="baku")
    for number in range(1, rounds + 1):
        points = 10 if number <= math.ceil(accelerated / 2) else 5 if number <= accelerated else 0
        virtual = report.virtual_points(number)
        assert {who: each for who, each in virtual.items() if each} == (
            dict.fromkeys(range(1, half + 1), points) if points else {}
        )
    format = Swiss(acceleration="baku")
    played = play(format, size, rounds, Random(seed))
    first, *_ = played
    for pairing in first.round.pairings:  # nobody of the upper half meets one of the lower
        assert len({seat < half for seat in pairing.seats}) == 1
    plain = Swiss()
    for number in range(accelerated, min(rounds, cycle)):  # the rounds after are as without it
        again = plain.next_round(field_of(size), played[:number], rounds)
        so_far = report_of_swiss([str(n) for n in range(size)], played[:number], rounds)
        resting = [
            [sum(so_far.scores(so_far.players[seat], number)) for seat in byes]
            for byes in (again.byes, played[number].round.byes)
        ]
        assert resting[0] == resting[1]
        if number > accelerated + 1:  # floats of the two rounds before count virtual points
            assert again.byes == played[number].round.byes
            assert {frozenset(each.seats) for each in again.pairings} == {
                frozenset(each.seats) for each in played[number].round.pairings
            }


def test_a_first_cycle_is_accelerated_as_if_it_were_all():
    """C.04.5.1: the virtual points of 8 in 18 rounds are those of 7 rounds."""
    long = report_of_swiss([*"abcdefgh"], (), 18, acceleration="baku")
    whole = report_of_swiss([*"abcdefgh"], (), 7, acceleration="baku")
    virtual = [long.virtual_points(number) for number in range(1, 19)]
    assert virtual == [whole.virtual_points(number) for number in range(1, 19)]
    assert [max(each.values(), default=0) for each in virtual] == [10, 10, 5, 5, *[0] * 14]
    assert read_trf(write_trf(long).encode()).virtual_points(3) == virtual[2]


def test_a_report_holds_all_rounds():
    played = play(Swiss(), 5, 12, Random(1))
    report = read_trf(write_trf(report_of_swiss([*"abcde"], played, 12)).encode())
    assert report.played_rounds == report.rounds == 12


@settings(max_examples=volume(25), deadline=None)
@given(
    size=st.integers(4, 9),
    leavers=st.lists(st.integers(2, 12), max_size=3),
    seed=st.integers(0, 2**32),
)
def test_those_who_are_left_play_all_rounds_when_some_leave(size, leavers, seed):
    rounds, played, rng = cycle_of(size) + 6, [], Random(seed)
    leaves = dict(zip(rng.sample(range(size), size), leavers, strict=False))
    leaves = {index: number for index, number in leaves.items() if len(leavers) < size - 1}
    while True:
        away = {index for index, number in leaves.items() if number <= len(played)}
        field = [
            replace(each, absent=index in away, gone=index in away)
            for index, each in enumerate(field_of(size))
        ]
        made = Swiss(requested=rounds).next_round(field, played, rounds)
        if made is None:
            break
        assert Swiss(requested=rounds).ending(field, played) == ""
        seated = [seat for pairing in made.pairings for seat in pairing.seats]
        assert sorted([*seated, *made.byes]) == sorted({*range(size)} - away)
        played.append(finish(made, rng))
    assert len(played) == rounds


def test_forbidden_pairs_stay_away_from_each_other_over_all_cycles():
    format = Swiss(forbidden=(("bot 1", "bot 2"), ("bot 3", "bot 4")))
    met = Counter(pairs_of(play(format, 6, 20, Random(3))))
    assert not {frozenset((0, 1)), frozenset((2, 3))} & {*met}


def test_a_repeat_that_need_not_be_begins_no_cycle():
    """An organiser can pair by hand; the others do not meet again for that."""
    first = play(Swiss(), 8, 1, Random(1))
    by_hand = finish(replace(first[0].round, number=2), Random(2))
    played, rng = [*first, by_hand], Random(3)
    for _ in range(5):
        played.append(finish(Swiss().next_round(field_of(8), played, 18), rng))
    assert {*Counter(pairs_of([*first, *played[2:]])).values()} == {1}


def test_late_entries_meet_everybody_who_is_there():
    played, rng = play(Swiss(), 6, 4, Random(1)), Random(2)
    field = [*field_of(6), *(replace(each, joined=5) for each in field_of(8)[6:])]
    for _ in range(8):
        made = Swiss().next_round(field, played, 12)
        assert len(made.pairings) == 4
        played.append(finish(made, rng))
    met = Counter(pairs_of(played[4:]))
    assert {frozenset((late, other)) for late in (6, 7) for other in range(7) if other != late} <= {
        *met
    }
    assert max(met[pair] for pair in met if pair & {6, 7}) <= 3


@pytest.mark.parametrize("size", [4, 8, 14, 30])
def test_all_meetings_split_into_rounds(size):
    pairs = [*combinations(range(size), 2)]
    rounds = rounds_left(pairs)
    assert len(rounds) == size - 1
    assert sorted(pair for each in rounds for pair in each) == pairs
    for each in rounds:
        assert sorted(index for pair in each for index in pair) == list(range(size))


def test_meetings_that_do_not_split_into_rounds_are_found_out():
    triangles = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]
    assert rounds_left(triangles) is None
    assert rounds_left([(0, 1), (1, 2), (2, 3), (0, 3)]) == [[(0, 1), (2, 3)], [(0, 3), (1, 2)]]
    assert rounds_left([(0, 1), (1, 2)]) is None  # not equally many
    petersen = [(n, (n + 1) % 5) for n in range(5)] + [(n, n + 5) for n in range(5)]
    petersen += [(5 + n, 5 + (n + 2) % 5) for n in range(5)]
    assert rounds_left([(min(pair), max(pair)) for pair in petersen]) is None
    assert rounds_left([]) == []
