from __future__ import annotations

import math
from random import Random

import pytest
from arena_tournaments.formats.swiss import Swiss
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.core.errors import BadInput
from arena.core.tournaments.format import Pairing, PairingResult, Round, RoundResult
from tests.sizes import volume
from tests.tournaments.plays import field_of, finish, play
from tests.tournaments.reports import (
    DATA,
    cells_of,
    expected_pairs,
    lines_of,
    players_of,
    rounds_of,
)


def test_default_rounds_are_log2_plus_one_without_repeats():
    assert {n: Swiss().rounds(n, None) for n in (2, 3, 4, 5, 8, 9, 16, 1000)} == {
        2: 1, 3: 3, 4: 3, 5: 4, 8: 4, 9: 5, 16: 5, 1000: 11,
    }  # fmt: skip
    for n in range(4, 300):
        assert Swiss().rounds(n, None) == math.ceil(math.log2(n)) + 1


def test_rounds_can_be_more_than_there_are_opponents_but_not_none():
    assert Swiss().rounds(8, 18) == 18
    for rounds in (0, -1):
        with pytest.raises(BadInput, match=f"plays 1 round or more, not {rounds}"):
            Swiss().rounds(8, rounds)


def test_one_entrant_is_bad_input():
    with pytest.raises(BadInput, match="at least 2 entrants, not 1"):
        Swiss().rounds(1, None)


def test_round_one_pairs_the_halves_and_seats_the_first_number_first():
    first = Swiss().next_round(field_of(7), [], 3)
    assert first == Round(1, (Pairing((0, 3)), Pairing((4, 1)), Pairing((2, 5))), (6,))


def test_no_round_after_the_last():
    played = play(Swiss(), 4, 2, Random(1))
    assert len(played) == 2
    assert Swiss().next_round(field_of(4), played, 2) is None


def left(size, *here):
    """A field of which these are left, by index."""
    gone = {"absent": True, "gone": True}
    return [
        each if index in here else replace(each, **gone)
        for index, each in enumerate(field_of(size))
    ]


def goes_on(size, played, here):
    """Plays until nobody can be paired; returns the byes, round by round."""
    field, byes, rng = left(size, *here), [], Random(1)
    while (made := Swiss().next_round(field, played, size - 1)) is not None:
        played = [*played, finish(made, rng, 2)]
        byes.append(made.byes)
    return byes, Swiss().ending(field, played)


def test_c0433_c2_the_last_one_has_one_bye_at_most_then_it_is_over():
    played = play(Swiss(), 6, 1, Random(1))
    byes, why = goes_on(6, played, [0])
    assert byes == [(0,)]
    name = field_of(6)[0].name
    assert why == f"{name} is the only one left, and nobody has the bye twice (C.04.3, C2)"
    odd = play(Swiss(), 5, 1, Random(1))
    (rested,) = odd[0].round.byes
    assert goes_on(5, odd, [rested])[0] == []
    assert goes_on(6, played, []) == ([], "no bot is left")


def test_c0433_c1_those_who_are_left_and_have_met_do_not_meet_again():
    played = play(Swiss(), 6, 1, Random(1))
    one, other = played[0].round.pairings[0].seats
    byes, why = goes_on(6, played, [one, other])
    assert (byes, why.endswith(" are left, and have met (C.04.3, C1)")) == ([], True)
    byes, _ = goes_on(8, play(Swiss(), 8, 1, Random(1)), [0, 1, 2])
    rested = [index for each in byes for index in each]
    assert len(rested) == len({*rested})


def test_who_only_rests_comes_back():
    played = play(Swiss(), 4, 1, Random(1))
    resting = [replace(each, absent=True) for each in field_of(4)[1:]]
    made = Swiss().next_round([field_of(4)[0], *resting], played, 3)
    assert (made.pairings, made.byes) == ((), (0,))


def test_a_pairing_counts_by_majority_not_by_margin():
    def after(points):
        rng = Random(3)
        opening = finish(Swiss().next_round(field_of(8), [], 4), rng, games=20)
        narrow = [PairingResult(result.pairing, points) for result in opening.results]
        return Swiss().next_round(field_of(8), [RoundResult(opening.round, tuple(narrow))], 4)

    assert after((10.5, 9.5)) == after((20.0, 0.0))
    assert after((10.5, 9.5)) != after((9.5, 10.5))


NO_FORFEITS = sorted((DATA / "swiss").glob("bbp6_30p9r_noforfeit_*.trf"))


@pytest.mark.parametrize("path", NO_FORFEITS, ids=lambda path: path.stem)
def test_c0403_the_format_itself_gives_the_rounds_of_bbppairings_6(path):
    """From our own results, through our own report; the seats mirrored if Black drew the lot."""
    lines = lines_of(path)
    rounds = rounds_of(lines)
    scores = {"1": 1.0, "=": 0.5, "0": 0.0}
    rows = [cells_of(line) for line in players_of(lines)]
    turned = rows[0][0][1] == "b"
    played = []
    for number in range(1, rounds + 1):
        found = Swiss().next_round(field_of(len(rows)), played, rounds)
        pairs = {tuple(seat + 1 for seat in pairing.seats) for pairing in found.pairings}
        expected = expected_pairs(lines, number)
        assert pairs == ({pair[::-1] for pair in expected} if turned else expected), number
        results = []
        for pairing in found.pairings:
            first = scores[rows[pairing.seats[0]][number - 1][2]]
            results.append(PairingResult(pairing, (first, 1.0 - first)))
        played.append(RoundResult(found, tuple(results)))


@settings(max_examples=volume(25), deadline=None)
@given(size=st.integers(2, 17), seed=st.integers(0, 10**6), data=st.data())
def test_every_round_seats_everybody_once_and_byes_are_rare(size, seed, data):
    rounds = data.draw(st.integers(1, Swiss().rounds(size, None)))
    played = play(Swiss(), size, rounds, Random(seed), games=2)
    assert len(played) == rounds
    for number, past in enumerate(played, 1):
        seated = [seat for pairing in past.round.pairings for seat in pairing.seats]
        assert sorted([*seated, *past.round.byes]) == list(range(size))
        assert past.round.number == number
        assert len(past.round.byes) == size % 2


@settings(max_examples=volume(25), deadline=None)
@given(size=st.integers(8, 17), seed=st.integers(0, 10**6))
def test_c0401_nobody_meets_twice_or_rests_twice(size, seed):
    played = play(Swiss(), size, Swiss().rounds(size, None), Random(seed))
    pairs = [frozenset(pairing.seats) for past in played for pairing in past.round.pairings]
    byes = [index for past in played for index in past.round.byes]
    assert len(set(pairs)) == len(pairs)
    assert len(set(byes)) == len(byes)


def test_a_small_field_plays_its_rounds_even_where_the_rules_run_dry():
    """Of these tournaments about a third have no legal last round; all are played out."""
    for seed in range(30):
        played = play(Swiss(), 6, 4, Random(seed))
        assert [len(past.round.pairings) for past in played] == [3, 3, 3, 3]
        pairs = [frozenset(pairing.seats) for past in played for pairing in past.round.pairings]
        repeats = len(pairs) - len(set(pairs))
        assert repeats <= 1


def test_the_same_field_and_results_give_the_same_rounds():
    assert play(Swiss(), 11, 5, Random(5)) == play(Swiss(), 11, 5, Random(5))


@settings(max_examples=volume(40))
@given(size=st.integers(8, 24), rounds=st.integers(2, 6), seed=st.integers(0, 2**32))
def test_forbidden_pairs_never_meet_while_the_rules_leave_another_pairing(size, rounds, seed):
    rng = Random(seed)
    one, other, third = rng.sample([entrant.name for entrant in field_of(size)], 3)
    format = Swiss(forbidden=((one, other, third), ("nobody", one)))
    place = {entrant.name: index for index, entrant in enumerate(field_of(size))}
    group = {place[one], place[other], place[third]}
    played = play(format, size, min(rounds, size // 2 - 1), rng)
    for past in played:
        assert len(past.round.byes) == size % 2
        for result in past.results:
            assert len({*result.pairing.seats} & group) < 2


def test_a_forbidden_pair_meets_only_if_nobody_else_is_left():
    format = Swiss(forbidden=(("bot 1", "bot 2"), ("bot 1", "bot 3")))
    upcoming = format.next_round(field_of(4), [], 3)
    assert {frozenset(each.seats) for each in upcoming.pairings} == {
        frozenset((0, 3)), frozenset((1, 2)),
    }  # fmt: skip
    pair = Swiss(forbidden=(("bot 1", "bot 2"),)).next_round(field_of(2), [], 1)
    assert pair.pairings == (Pairing((0, 1)),)


def test_baku_acceleration_pairs_the_first_half_among_itself():
    """C.04.5.1: of 16 in 6 rounds 8 are a point ahead in rounds 1 and 2, half a point in 3."""
    format = Swiss(acceleration="baku")
    first = format.next_round(field_of(16), [], 6)
    assert [each.seats for each in first.pairings] == [
        (0, 4), (5, 1), (2, 6), (7, 3), (8, 12), (13, 9), (10, 14), (15, 11),
    ]  # fmt: skip
    plain = Swiss().next_round(field_of(16), [], 6)
    assert all(max(each.seats) - min(each.seats) == 8 for each in plain.pairings)
    played, rng = [], Random(4)
    for _ in range(6):
        played.append(finish(format.next_round(field_of(16), played, 6), rng))
    met = [frozenset(each.pairing.seats) for past in played for each in past.results]
    assert len(set(met)) == len(met) == 6 * 8


@given(size=st.integers(6, 20), seed=st.integers(0, 2**32))
@settings(max_examples=volume(20))
def test_baku_acceleration_keeps_what_a_swiss_promises(size, seed):
    played = play(Swiss(acceleration="baku"), size, 3, Random(seed))
    met = [frozenset(each.pairing.seats) for past in played for each in past.results]
    assert len(set(met)) == len(met)
    byes = [index for past in played for index in past.round.byes]
    assert len(set(byes)) == len(byes) == (3 if size % 2 else 0)
