"""Ties at the cut to the next stage: by the order, by a play-off, or all that are level enter."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest
from arena_tournaments.formats.elimination import FORMATS
from arena_tournaments.formats.playoff import MAX_LEVEL, MAX_TIMES, most_rounds, play_off
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.stages import Stage, Staged
from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.pairing.factors import cycle_of
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.core.tournaments.format import Absence, Pairing, PairingResult, Round, RoundResult
from tests.sizes import volume
from tests.tournaments.plays import field_of, finish

KNOCKOUT, _, _ = FORMATS
CHOICES = ("order", "playoff", "share")


def names(size):
    return [entrant.name for entrant in field_of(size)]


def cut(choice, take, *, first=None, then=KNOCKOUT, rounds=1, requested=None):
    first = first or Swiss()
    return Staged(stages=(Stage(first, rounds), Stage(then, requested, take, choice)))


def play_all(format, size, rng):
    played, most = [], format.rounds(size, None)
    while (made := format.next_round(field_of(size), played, most)) is not None:
        assert made.number == len(played) + 1
        played.append(finish(made, rng, rng.choice((1, 2))))
    assert len(played) <= most
    assert format.ending(field_of(size), played) == ""
    return played


def decided(round, winners=()):
    """A round in which these win; a pairing of none of them, or of two, is drawn."""
    results = []
    for pairing in round.pairings:
        first, second = (seat in winners for seat in pairing.seats)
        points = 0.5 + (first - second) / 2
        results.append(PairingResult(pairing, (points, 1.0 - points)))
    return RoundResult(round, tuple(results))


@settings(max_examples=volume(60), deadline=None)
@given(
    size=st.integers(4, 9),
    first=st.sampled_from([(Swiss(), 1), (Swiss(), 2), (RoundRobin(), 1)]),
    then=st.sampled_from([KNOCKOUT, RoundRobin(), Swiss()]),
    choice=st.sampled_from(CHOICES),
    seed=st.integers(0, 2**32),
    data=st.data(),
)
def test_who_enters_after_a_cut(size, first, then, choice, seed, data):
    take = data.draw(st.integers(2, size - 1))
    format = cut(choice, take, first=first[0], rounds=first[1], then=then)
    played = play_all(format, size, random.Random(seed))
    before, after = format.parts(names(size), played)
    ranked = format.parts(names(size), played[: len(before.played)])[0].table
    rank = {line.index: line.rank for line in ranked}
    at_cut = rank[ranked[take - 1].index]
    level = [line.index for line in ranked if line.rank == at_cut]
    tied = take < size and rank[ranked[take].index] == at_cut
    assert before.level == (tuple(level) if tied else ())
    members = {*after.members}
    assert {index for index in rank if rank[index] < at_cut} <= members
    assert not {index for index in rank if rank[index] > at_cut} & members
    shared = tied and choice == "share"
    assert len(members) == before.takes == (take + _behind(ranked, take) if shared else take)
    if not tied or choice != "playoff":
        assert before.extra == ()
        assert before.table == ranked
        assert list(after.members) == [line.index for line in ranked[: len(members)]]
    elif before.extra:
        check_play_off(before, after, rank, level)
    for number in range(len(played)):  # as after any stop
        again = format.next_round(field_of(size), played[:number], format.rounds(size, None))
        assert again == played[number].round
    table = format.standings(names(size), played)
    assert {line.index for line in table[: len(members)]} == members
    assert [one.rank <= other.rank for one, other in pairwise(table)] == [True] * (size - 1)


def _behind(ranked, take):
    return sum(line.rank == ranked[take - 1].rank for line in ranked[take:])


def check_play_off(before, after, rank, level):
    """Only level bots play; the ones that enter have won as many pairings as the others."""
    seated = {seat for past in before.extra for each in past.round.pairings for seat in each.seats}
    assert seated == {*level}
    first = before.extra[: cycle_of(len(level))]
    met = {frozenset(each.seats) for past in first for each in past.round.pairings}
    assert met == {frozenset(pair) for pair in combinations(level, 2)}
    won = dict.fromkeys(level, 0.0)
    for past in first:
        for result in past.results:
            one, other = result.points
            for seat, mine in zip(result.pairing.seats, (one - other, other - one), strict=True):
                won[seat] += (mine > 0) + (mine == 0) / 2
    entered = [index for index in level if index in after.members]
    others = [index for index in level if index not in after.members]
    assert min(won[index] for index in entered) >= max(won[index] for index in others)
    order = [line.index for line in before.table]
    assert list(after.members) == order[: len(after.members)]
    outside = {line.index: line.rank for line in before.table if line.index not in level}
    assert outside == {index: rank[index] for index in outside}


def test_without_a_tie_the_three_choices_are_the_same():
    for seed in range(40):
        found = []
        for choice in CHOICES:
            format = cut(choice, 2, first=RoundRobin())
            played = play_all(format, 4, random.Random(seed))
            found.append((format.parts(names(4), played)[0].level, played))
        if not found[0][0]:
            assert found[0] == found[1] == found[2]
            return
    pytest.fail("every first stage had a tie")


def test_two_level_bots_meet_once_and_the_winner_enters():
    off = play_off((4, 7), 1, [])
    assert off.following == Round(1, (Pairing((4, 7)),))
    past = decided(off.following, {7})
    off = play_off((4, 7), 1, [past])
    assert (off.order, off.rounds, off.following) == (((7,), (4,)), 1, None)


def test_three_in_a_circle_play_again_with_the_seats_reversed():
    circle = {(0, 1): 0, (1, 2): 1, (0, 2): 2}
    played, level = [], (0, 1, 2)
    for _ in range(3):
        made = play_off(level, 1, played).following
        (pairing,) = made.pairings
        winner = circle[tuple(sorted(pairing.seats))]
        points = tuple(float(seat == winner) for seat in pairing.seats)
        played.append(RoundResult(made, (PairingResult(pairing, points),)))
    again = play_off(level, 1, played)
    assert again.order == ((0, 1, 2),)
    assert again.following.pairings[0].seats == played[0].round.pairings[0].seats[::-1]


@pytest.mark.parametrize(("level", "places"), [((1, 2), 1), ((5, 3, 4), 2), ((0, 1, 2, 3), 2)])
def test_after_some_draws_the_order_decides(level, places):
    played = []
    while (made := play_off(level, places, played).following) is not None:
        assert made.number == len(played) + 1
        played.append(decided(made))
    assert len(played) == MAX_TIMES * cycle_of(len(level)) == most_rounds(len(level))
    assert play_off(level, places, played).order == (level,)


def test_those_who_are_still_level_after_all_are_named():
    format = cut("playoff", 2, first=RoundRobin())
    played = []
    while (made := format.next_round(field_of(3), played, 99)) is not None:
        played.append(decided(made))
    before, after = format.parts(names(3), played)
    assert (before.level, before.unresolved) == ((0, 1, 2), (0, 1, 2))
    assert len(before.extra) == most_rounds(3) == 9
    assert after.members == (0, 1)
    assert len(played) == format.rounds(3, None) == 3 + 9 + 1


def test_while_a_play_off_is_open_the_next_stage_has_not_begun():
    format = cut("playoff", 2, first=RoundRobin())
    played = []
    for _ in range(4):
        played.append(decided(format.next_round(field_of(3), played, 99)))
    (part,) = format.parts(names(3), played)
    assert (len(part.played), len(part.extra), part.following.number) == (3, 1, 2)


def test_where_too_many_are_level_the_order_decides():
    size = MAX_LEVEL + 2
    format = cut("playoff", 4, first=RoundRobin())
    played = []
    for _ in range(cycle_of(size)):
        played.append(decided(format.next_round(field_of(size), played, 99)))
    before, after = format.parts(names(size), played)
    assert (before.cut_ties, before.extra, after.members) == ("order", (), (0, 1, 2, 3))


def test_a_stage_that_cannot_take_all_takes_the_first():
    """A knockout of two rounds seats four; five are level."""
    for requested, members in ((2, 4), (None, 5)):
        format = cut("share", 4, first=RoundRobin(), requested=requested)
        played = []
        for _ in range(5):
            played.append(decided(format.next_round(field_of(5), played, 99)))
        before, after = format.parts(names(5), played)
        assert (len(after.members), before.takes) == (members, members)
        assert before.cut_ties == ("order" if requested else "share")
    assert cut("share", 4, rounds=3).rounds(5, None) == 3 + 3
    assert cut("share", 4, rounds=3, requested=2).rounds(5, None) == 3 + 2


def test_who_leaves_during_a_play_off_forfeits_it_and_does_not_enter():
    format = cut("playoff", 2, first=RoundRobin())
    played = []
    for _ in range(4):  # the last of them is the first of the play-off
        played.append(decided(format.next_round(field_of(3), played, 99)))
    field = [replace(each, absent=n == 0, gone=n == 0) for n, each in enumerate(field_of(3))]
    while (made := format.next_round(field, played, 99)) is not None:
        played.append(decided(replace(made, absent=(Absence(0, gone=True),)), {1, 2}))
    before, after = format.parts(names(3), played)
    assert before.level == (0, 1, 2)
    assert len(before.extra) == 3
    assert {*after.members} == {1, 2}


@pytest.mark.parametrize("choice", ["playoff", "share"])
def test_a_later_stage_begins_where_the_one_before_ends(choice):
    stages = Stage(RoundRobin(), 1), Stage(RoundRobin(), 1, 3, choice), Stage(KNOCKOUT, None, 2)
    format = Staged(stages=stages)
    for seed in range(30):
        played = play_all(format, 6, random.Random(seed))
        parts = format.parts(names(6), played)
        assert [past for part in parts for past in (*part.played, *part.extra)] == played
        assert [part.begin for part in parts] == [
            0, 5 + len(parts[0].extra), len(played) - 1,
        ]  # fmt: skip
        assert len(parts[-1].members) == 2
