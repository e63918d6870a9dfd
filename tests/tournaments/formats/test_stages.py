"""Tournaments in stages: each stage is a tournament of its own, for the first of the one before."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from arena_tournaments.formats.elimination import FORMATS
from arena_tournaments.formats.gauntlet import Gauntlet
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.stages import Stage, Staged
from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.scoring.standings import ranked
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import BadInput
from arena.core.tournaments.format import Format, PairingResult, RoundResult
from tests.sizes import volume
from tests.tournaments.plays import field_of, finish

KNOCKOUT, DOUBLE, LADDER = FORMATS


def staged(first, rounds, *later):
    return Staged(
        stages=(Stage(first, rounds), *(Stage(format, None, take) for format, take in later))
    )


def names(size):
    return [entrant.name for entrant in field_of(size)]


def play_all(format, size, seed):
    rng, played = random.Random(seed), []
    rounds = format.rounds(size, None)
    while (upcoming := format.next_round(field_of(size), played, rounds)) is not None:
        assert upcoming.number == len(played) + 1
        played.append(finish(upcoming, rng, 2))
    assert len(played) == rounds
    return played


def test_stages_are_a_format_by_the_names_of_their_parts():
    format = staged(Swiss(), 3, (KNOCKOUT, 8))
    assert isinstance(format, Format)
    assert format.name == "swiss+knockout"
    assert format.rounds(20, None) == 3 + 3
    assert list(format.pairings(20, 6)) == [10, 10, 10, 4, 2, 1]


@settings(max_examples=volume(30))
@given(
    size=st.integers(8, 14),
    first=st.sampled_from([(Swiss(), 2), (RoundRobin(), 1)]),
    last=st.sampled_from(FORMATS),
    takes=st.sampled_from([(6, 4), (8, 2), (5, 5)]),
    seed=st.integers(0, 2**32),
)
def test_each_stage_is_played_by_the_first_of_the_one_before(size, first, last, takes, seed):
    format = staged(*first, (RoundRobin(), takes[0]), (last, takes[1]))
    played = play_all(format, size, seed)
    parts = format.parts(names(size), played)
    assert [len(part.members) for part in parts] == [size, *takes]
    assert [past for part in parts for past in part.played] == played
    for before, after in pairwise(parts):
        assert list(after.members) == [line.index for line in before.table[: len(after.members)]]
    for part in parts:
        alone, own = [], field_of(len(part.members))
        for past, again in zip(part.own, part.played, strict=True):
            made = part.format.next_round(own, alone, part.rounds)
            assert made == past.round
            alone.append(past)
            seats = [[part.members[seat] for seat in each.seats] for each in made.pairings]
            assert seats == [list(each.seats) for each in again.round.pairings]
    table = format.standings(names(size), played)
    assert sorted(line.index for line in table) == list(range(size))
    assert [line.index for line in table[: takes[1]]] == [line.index for line in parts[-1].table]
    assert {line.index for line in table[: takes[0]]} == set(parts[1].members)
    ranks = [line.rank for line in table]
    assert ranks == sorted(ranks)
    assert min(ranks[takes[0] :], default=takes[0] + 1) > takes[0]
    assert ranked(format, names(size), played) == table


def drawn(format, size):
    """Plays all rounds of a first stage, in which everything is drawn."""
    played = []
    for _ in range(format.lengths(size)[0]):
        made = format.next_round(field_of(size), played, format.rounds(size, None))
        results = [PairingResult(pairing, (1.0, 1.0)) for pairing in made.pairings]
        played.append(RoundResult(made, tuple(results)))
    return played


@pytest.mark.parametrize("first", [RoundRobin(), Gauntlet()])
@pytest.mark.parametrize("take", [2, 3, 5])
def test_a_cut_through_a_tie_has_those_who_were_level(first, take):
    format = staged(first, 1, (KNOCKOUT, take))
    before, after = format.parts(names(6), drawn(format, 6))
    champions = 0 if isinstance(first, RoundRobin) else 1
    assert before.level == tuple(range(champions, 6))
    assert after.members == tuple(range(take))
    assert after.level == ()


def test_a_tie_within_those_who_go_on_is_no_tie_at_the_cut():
    format = staged(RoundRobin(), 1, (KNOCKOUT, 6))
    assert format.parts(names(6), drawn(format, 6))[0].level == ()
    format = staged(Gauntlet(), 1, (KNOCKOUT, 2))
    part = format.parts(names(6), drawn(format, 6))[0]
    assert {line.rank for line in part.table if line.index in part.level} == {2}


def test_those_who_left_are_not_level_with_the_others():
    format = staged(RoundRobin(), 1, (KNOCKOUT, 2))
    format.gone = frozenset([0])
    before, after = format.parts(names(6), drawn(format, 6))
    assert (before.level, after.members) == ((1, 2, 3, 4, 5), (1, 2))
    format.gone = frozenset([2, 3, 4, 5])
    assert format.parts(names(6), drawn(format, 6))[0].level == ()


@given(stop=st.integers(0, 6), seed=st.integers(0, 99))
@settings(max_examples=volume(20))
def test_a_stage_begins_when_the_one_before_is_over(stop, seed):
    format = staged(Swiss(), 3, (KNOCKOUT, 4))
    played = play_all(format, 8, seed)
    assert len(format.parts(names(8), played[:stop])) == (2 if stop >= 3 else 1)
    assert format.next_round(field_of(8), played[:stop], 5) == (
        played[stop].round if stop < 5 else None
    )


def test_a_stage_cannot_take_more_than_there_are():
    with pytest.raises(BadInput, match="stage 2 takes 8 of 5 entrants"):
        staged(Swiss(), 2, (KNOCKOUT, 8)).rounds(5, None)
    with pytest.raises(BadInput, match="every stage has its own number of rounds"):
        staged(Swiss(), 2, (KNOCKOUT, 4)).rounds(5, 3)
