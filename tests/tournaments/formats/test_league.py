"""Leagues: whoever is known least against its neighbours plays, until nobody needs to."""

from __future__ import annotations

from math import exp, sqrt
from random import Random

import msgspec
import numpy as np
import pytest
from arena_results.ratings.fits.rounds import strengths
from arena_tournaments.formats.league import ELO, League
from arena_tournaments.pairing import separation
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import BadInput
from arena.core.tournaments.format import Entrant, PairingResult, RoundResult, Wanted
from arena.core.tournaments.rating import Z95
from tests.tournaments.plays import field_of

FEW = settings(max_examples=6, deadline=None)


def finish(made, skill, games, rng):
    """Results of a round, as numbers of won matches by the entrants' strengths."""
    results = []
    for pairing in made.pairings:
        one, other = pairing.seats
        chance = 1 / (1 + exp(skill[other] - skill[one]))
        won = float(sum(rng.random() < chance for _ in range(games)))
        results.append(PairingResult(pairing, (won, games - won)))
    return RoundResult(made, tuple(results))


def play(format, field, skill, rng, played=()):
    """Plays on until the league pauses."""
    played = [*played]
    while made := format.next_round(field, played, 10_000):
        played.append(finish(made, skill, format.games, rng))
    return played


def league(within=40.0, games=40):
    return League(within=within, games=games, estimate=strengths)


def needs(format, field, played):
    """The neighbours, as entrants, that are neither distinguished nor known well enough."""
    present = [index for index, each in enumerate(field) if not each.absent]
    order = separation.ordered(strengths(len(field), played), present, format.confidence)
    half = Z95 * ELO * np.sqrt(order.variances)
    return {
        frozenset((order.members[rank], order.members[rank + 1]))
        for rank in range(len(present) - 1)
        if order.spare[rank, rank + 1] < 0 and half[rank, rank + 1] > format.within
    }


@FEW
@given(size=st.integers(2, 7), gap=st.sampled_from([0.0, 0.3, 1.5]), seed=st.integers(0, 99))
def test_it_pauses_when_every_neighbour_is_known_and_never_before(size, gap, seed):
    format, skill = league(), [-gap * index for index in range(size)]
    played = play(format, field_of(size), skill, Random(seed))
    assert needs(format, field_of(size), played) == set()
    for done in range(len(played)):
        assert needs(format, field_of(size), played[:done])
    for past in played:
        seated = [index for pairing in past.round.pairings for index in pairing.seats]
        assert len(seated) == len(set(seated)) > 0
        assert sorted([*seated, *past.round.byes]) == list(range(size))
    before = len(played)
    assert len(play(format, field_of(size), skill, Random(0), played)) == before


@FEW
@given(place=st.sampled_from([-0.2, 0.7, 2.0]), seed=st.integers(0, 99))
def test_a_newcomer_alone_plays_with_those_near_it_and_is_known_soon(place, seed):
    size, format = 12, league()
    skill = [0.25 * index for index in range(size)]
    settled = play(format, field_of(size), skill, Random(seed))
    field, skill = field_of(size + 1), [*skill, place]
    played = play(format, field, skill, Random(seed), settled)
    coming = played[len(settled) :]
    assert coming
    first = coming[0].round.pairings
    assert [size in pairing.seats for pairing in first].count(True) == 1
    matches = format.games * sum(len(past.round.pairings) for past in coming)
    everything = format.games * sum(len(past.round.pairings) for past in settled)
    assert matches < everything
    own = sum(size in pairing.seats for past in coming for pairing in past.round.pairings)
    assert own * format.games <= 1200
    estimate = strengths(size + 1, played)
    error = sqrt(estimate.covariance[size][size])
    others = [strengths(size, settled).covariance[index][index] for index in range(size)]
    assert error < 2 * max(map(sqrt, others))


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_a_newcomer_is_in_the_first_pairing_of_the_next_round(rounds):
    """A round of many bots takes long; the newcomer need not wait for most of it."""
    size, format, rng = 30, league(), Random(2)
    skill, played = [0.1 * (index % 7) for index in range(size)], []
    for _ in range(rounds):
        played.append(finish(format.next_round(field_of(size), played, 100), skill, 40, rng))
    made = format.next_round(field_of(size + 1), played, 100)
    assert len(made.pairings) > size // 4
    assert size in made.pairings[0].seats


def test_whoever_has_left_is_not_compared_and_one_alone_waits():
    format, skill, rng = league(), [0.0, 0.0, 0.0], Random(1)
    played = [finish(format.next_round(field_of(3), [], 100), skill, 40, rng)]
    gone = [*field_of(2), Entrant("c", absent=True, gone=True)]
    played = play(format, gone, skill, rng, played)
    assert needs(format, gone, played) == set()
    assert all(2 not in each.seats for each in played[-1].round.pairings)
    alone = [Entrant("a"), *[Entrant(name, absent=True, gone=True) for name in "bc"]]
    assert format.next_round(alone, [], 100) is None


def test_no_round_is_paired_after_the_last():
    format = league()
    played = [finish(format.next_round(field_of(4), [], 1), [0.0] * 4, 40, Random(1))]
    assert format.next_round(field_of(4), played, 1) is None
    assert format.next_round(field_of(4), played, 2) is not None


def test_both_have_the_first_seat_as_often():
    played = play(league(), field_of(2), [0.0, 0.0], Random(3))
    firsts = [pairing.seats[0] for past in played for pairing in past.round.pairings]
    assert abs(firsts.count(0) - firsts.count(1)) <= 1


def test_the_contracts_it_keeps():
    made = League().configured({"within": 5.0}, Wanted(games=10))
    assert made.by_strength
    assert made.open_ended
    assert (made.within, made.games) == (5.0, 10)
    assert msgspec.structs.replace(made, within=30.0, games=40) == League()
    assert made.rounds(4, None) == 10_000
    assert made.rounds(4, 12) == 12
    assert list(made.pairings(5, 3)) == [2, 2, 2]
    with pytest.raises(BadInput, match="a league needs at least 2 entrants, not 1"):
        made.rounds(1, None)
