"""Adaptive tournaments, and formats that go on until ranks are separated."""

from __future__ import annotations

from collections import Counter
from math import exp
from random import Random

import numpy as np
import pytest
from arena_results.ratings.fits.rounds import PRIOR, strengths
from arena_tournaments.formats.adaptive import Adaptive, UntilSeparated
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.pairing import separation
from arena_tournaments.scoring.standings import ranked
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import BadInput
from arena.core.tournaments.format import (
    Entrant,
    Format,
    Pairing,
    PairingResult,
    Round,
    RoundResult,
    Strengths,
)
from tests.tournaments.plays import field_of

FEW = settings(max_examples=8, deadline=None)


def finish(made, gap, games, rng):
    """Results of a round in which each entrant is so much stronger than the next one."""
    results = []
    for pairing in made.pairings:
        one, other = pairing.seats
        chance = 1 / (1 + exp(gap * (one - other)))
        won = float(sum(rng.random() < chance for _ in range(games)))
        results.append(PairingResult(pairing, (won, games - won)))
    return RoundResult(made, tuple(results))


def play(format, size, gap, rng, requested=None):
    """A whole tournament of entrants in the order of their strength."""
    played, rounds = [], format.rounds(size, requested)
    while made := format.next_round(field_of(size), played, rounds):
        played.append(finish(made, gap, format.games, rng))
    assert len(played) <= rounds
    return played


def adaptive(matches, games=2):
    return Adaptive(matches=matches, games=games, estimate=strengths)


def until(matches=None, format=None, games=2):
    return UntilSeparated(
        format=format or RoundRobin(),
        requested=None,
        confidence=95.0,
        matches=matches,
        games=games,
        estimate=strengths,
    )


def pairings(played):
    return [pairing.seats for past in played for pairing in past.round.pairings]


@FEW
@given(size=st.integers(2, 9), gap=st.sampled_from([0.0, 1.0]), seed=st.integers(0, 99))
def test_everybody_plays_rests_and_seats_are_balanced_and_the_budget_holds(size, gap, seed):
    format = adaptive(matches=12 * size)
    played = play(format, size, gap, Random(seed))
    rested, firsts, seated, all_open = Counter(), Counter(), Counter(), True
    assert len(played[0].round.pairings) == size // 2
    assert 2 * len(pairings(played)) <= 12 * size
    for done, past in enumerate(played[:-1]):  # the last one may be cut by the budget
        seats = [index for pairing in past.round.pairings for index in pairing.seats]
        assert sorted([*seats, *past.round.byes]) == list(range(size))
        order = separation.ordered(strengths(size, played[:done]), range(size), 95.0)
        undecided = {order.members[rank + step] for rank in order.undecided for step in (0, 1)}
        if done:
            assert not {*past.round.byes} & {*played[done - 1].round.byes} & undecided
        rested.update(past.round.byes)
        seated.update(seats)
        all_open = all_open and bool((order.spare < 0).all())
        if all_open:
            assert len(past.round.byes) == size % 2
            assert max(rested.values(), default=0) - min(rested[each] for each in range(size)) <= 1
        # Of two, who had the first seat less often has it.
        for one, other in (pairing.seats for pairing in past.round.pairings):
            assert firsts[one] <= firsts[other]
        firsts.update(pairing.seats[0] for pairing in past.round.pairings)
    assert {*seated} == {*range(size)}


@FEW
@given(size=st.integers(2, 8), seed=st.integers(0, 99), swiss=st.booleans())
def test_every_round_is_a_function_of_those_before(size, seed, swiss):
    for format in (adaptive(6 * size), until(70, Swiss() if swiss else RoundRobin())):
        played, rounds = play(format, size, 0.5, Random(seed)), format.rounds(size, None)
        again = type(format)(**{name: getattr(format, name) for name in format.__struct_fields__})
        for done in range(len(played)):
            assert again.next_round(field_of(size), played[:done], rounds) == played[done].round
        assert again.next_round(field_of(size), played, rounds) is None


def test_it_ends_when_all_ranks_are_separated_and_says_so():
    format = adaptive(matches=4000)
    played = play(format, 4, 1.5, Random(1))
    found = format.neighbours(4, played)
    assert [each.upper for each in found] == [0, 1, 2]
    assert all(each.separated and each.low > 0 for each in found)
    assert 2 * len(pairings(played)) < 2000
    assert not all(each.separated for each in format.neighbours(4, played[:-1]))
    table = ranked(format, ["a", "b", "c", "d"], played)
    assert [(line.rank, line.name) for line in table] == [*enumerate("abcd", 1)]


def test_without_a_number_of_matches_the_rounds_are_the_limit():
    played = play(adaptive(None), 4, 0.0, Random(2), requested=6)
    assert [len(past.round.pairings) for past in played] == [2] * 6


def test_equals_are_never_separated_and_the_matches_are_used_up():
    format = adaptive(matches=240)
    played = play(format, 4, 0.0, Random(2))
    assert 2 * len(pairings(played)) == 240
    assert not any(each.separated for each in format.neighbours(4, played))


@pytest.mark.parametrize(("format", "own"), [(RoundRobin(), 5), (Swiss(), 4)])
@pytest.mark.thorough("another format", everyday=["format0-*"])
def test_own_rounds_come_first_then_undecided_neighbours_alone(format, own):
    longer = until(240, format)
    played = play(longer, 5, 0.8, Random(3))
    alone = [format.next_round(field_of(5), played[:n], own) for n in range(own)]
    assert [past.round for past in played[:own]] == alone
    for done in range(own, len(played)):
        before = longer.neighbours(5, played[:done])
        doubtful = {
            index for each in before if not each.separated for index in (each.upper, each.lower)
        }
        seated = {index for seats in played[done].round.pairings for index in seats.seats}
        assert seated
        assert seated <= doubtful
    assert len(played) > own


def test_both_are_formats_that_play_until_ranks_are_separated():
    for format in (adaptive(None), until()):
        assert isinstance(format, Format)
        assert format.by_strength
        assert format.ends_early
        assert format.scoring().name == "strength"


@pytest.mark.parametrize(
    ("format", "size", "requested", "rounds"),
    [
        (adaptive(None), 8, None, 250),
        (adaptive(None), 8, 7, 7),
        (adaptive(80), 8, None, 40),
        (adaptive(80), 8, 3, 3),
        (until(), 4, None, 3 + 9 * 6),
        (until(20), 4, None, 3 + 4),
    ],
)
def test_rounds_are_as_many_as_the_matches_can_need(format, size, requested, rounds):
    assert format.rounds(size, requested) == rounds
    assert len(format.pairings(size, rounds)) == rounds


def test_the_pairings_that_are_expected_are_those_of_the_matches():
    assert sum(adaptive(80).pairings(8, 20)) == 40
    assert sum(until(20).pairings(4, 7)) == 10


@pytest.mark.parametrize(
    ("format", "size", "problem"),
    [
        (adaptive(None), 1, "needs at least 2 entrants, not 1"),
        (adaptive(6), 8, "matches = 6 do not hold one round: 4 pairings of 2 matches"),
        (until(11), 4, "do not hold the 3 rounds of the round-robin, which are 12 matches"),
    ],
)
def test_what_does_not_hold_one_round_is_refused(format, size, problem):
    with pytest.raises(BadInput, match=problem):
        format.rounds(size, None)


def test_pairs_that_say_more_about_undecided_ranks_are_chosen():
    """Of five in a row 1 and 2 are close, the others far apart and known well."""
    values = (3.0, 2.95, 1.0, -1.0, -3.0)
    rows = tuple(tuple(0.01 * (a == b) for b in range(5)) for a in range(5))
    order = separation.ordered(Strengths(values, rows), range(5), 95.0)
    assert order.undecided == [0]
    gains = separation.gains(order, 4)
    assert np.unravel_index(gains.argmax(), gains.shape) in {(0, 1), (1, 0)}
    near = [(0, 1), (1, 2), (2, 3)]
    assert separation.best_matching(gains, near[:2]) == [(0, 1)]
    assert separation.best_matching(gains, near, first={2}) == [(2, 3), (0, 1)]


def test_ranks_are_separated_where_all_above_are_ahead_of_all_below():
    """The middle one is known badly: it is next to nobody for sure."""
    values = (2.0, 0.0, -2.0)
    rows = ((0.01, 0.0, 0.0), (0.0, 4.0, 0.0), (0.0, 0.0, 0.01))
    order = separation.ordered(Strengths(values, rows), range(3), 95.0)
    assert order.spare[0, 2] > 0
    assert order.undecided == [0, 1]


def test_the_interval_holds_at_all_times_at_once():
    """Of 4,000 random walks without drift, looked at 2,000 times, few ever leave it."""
    rng, miss, step = np.random.default_rng(5), 0.05, 0.5
    left = np.zeros(4000, bool)
    total = np.zeros(4000)
    for look in range(1, 2001):
        total += rng.normal(0, step**0.5, 4000)
        information = np.full(4000, look * step)
        squares = total**2 / information
        left |= separation.evidence(squares, information) >= -np.log(miss)
    assert 0.01 < left.mean() < miss


def test_the_reach_is_where_the_evidence_is_enough():
    for information in (0.5, 30.0, 4000.0):
        half = separation.reach(information, 0.01)
        square, known = np.array([half**2 * information]), np.array([information])
        assert separation.evidence(square, known)[0] == pytest.approx(-np.log(0.01), abs=1e-6)


def one_round(*results):
    made = Round(1, tuple(each.pairing for each in results))
    return [RoundResult(made, tuple(results))]


def test_strengths_leave_out_forfeits_and_annulled_pairings():
    plain = one_round(PairingResult(Pairing((1, 0)), (3.0, 1.0)))
    forfeited = one_round(
        PairingResult(Pairing((1, 0)), (3.0, 5.0), forfeited=(1,), awarded=4.0),
        PairingResult(Pairing((2, 3)), (0.0, 4.0), forfeited=(2,), awarded=4.0),
    )
    assert strengths(2, plain).values == pytest.approx(strengths(4, forfeited).values[:2])
    assert strengths(4, forfeited).values[2:] == (0.0, 0.0)


def test_groups_that_have_not_met_are_as_far_apart_as_the_prior_says():
    found = strengths(3, one_round(PairingResult(Pairing((0, 1)), (2.0, 2.0))))
    (a, b, _), (_, d, _), (_, _, f) = found.covariance
    assert a + d - 2 * b < 2 * PRIOR**2
    assert a + f == pytest.approx(2 * PRIOR**2, rel=0.6)
    assert strengths(3, []).values == (0.0, 0.0, 0.0)


def test_who_has_left_is_neither_paired_nor_a_neighbour():
    format = adaptive(400)
    played = play(adaptive(24), 4, 0.3, Random(4))
    field = [Entrant("a"), Entrant("b", absent=True, gone=True), Entrant("c"), Entrant("d")]
    made = format.next_round(field, played, 90)
    assert 1 not in [index for pairing in made.pairings for index in pairing.seats]
    assert 1 not in made.byes


def test_of_three_undecided_ranks_somebody_always_plays():
    def estimate(entrants, played):
        rows = tuple(tuple([0.01 * (a == b) for b in range(4)]) for a in range(4))
        return Strengths((0.5, 0.0, -0.5, -9.0), rows)

    order = separation.ordered(estimate(4, []), range(4), 95.0)
    assert list(order.undecided) == [0, 1]
    assert order.spare[0, 2] >= 0
    seated = [(((0, 1),), (2, 3)), (((1, 2),), (0, 3)), (((0, 1), (2, 3)), ())]
    rounds = [
        Round(number, tuple(map(Pairing, pairs)), byes)
        for number, (pairs, byes) in enumerate(seated, 1)
    ]
    rng = Random(1)
    played = [finish(made, 1.0, 2, rng) for made in rounds]  # the middle one rested least
    made = Adaptive(games=2, estimate=estimate).next_round(field_of(4), played, 9)
    assert [set(pairing.seats) for pairing in made.pairings] in ([{0, 1}], [{1, 2}])
