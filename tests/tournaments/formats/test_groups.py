"""Groups: each plays a round robin, its seeds come from pots, and the best of each continue."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, pairwise

import pytest
from arena_tournaments.formats.elimination import FORMATS
from arena_tournaments.formats.groups import Groups, letters, serpentine
from arena_tournaments.formats.stages import Stage, Staged
from arena_tournaments.scoring.scoring import by_amount, summary_of
from arena_tournaments.scoring.sections import ranked_sections
from arena_tournaments.scoring.standings import ranked
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import BadInput
from arena.core.tournaments.format import Absence, PairingResult, RoundResult, Wanted
from tests.sizes import volume
from tests.tournaments.plays import field_of, finish

KNOCKOUT, DOUBLE, LADDER = FORMATS
SIZES = st.integers(1, 6).flatmap(lambda groups: st.tuples(st.just(groups), st.integers(2, 5)))
"""Numbers of groups, with the size of the smallest."""


def names(size):
    return [entrant.name for entrant in field_of(size)]


def play(format, size, seed, cycles=None):
    rng, played = random.Random(seed), []
    rounds = format.rounds(size, cycles)
    while (made := format.next_round(field_of(size), played, rounds)) is not None:
        played.append(finish(made, rng, 2))
    assert len(played) == rounds
    return played


def members(format, size):
    return [section.members for section in format.sections(names(size), ())]


@settings(max_examples=volume(60))
@given(st.integers(1, 12), st.integers(2, 60))
def test_groups_have_one_of_each_pot_and_sizes_that_differ_by_one(groups, size):
    size = max(size, 2 * groups)
    dealt = members(Groups(groups=groups), size)
    assert sorted(index for each in dealt for index in each) == [*range(size)]
    assert {len(each) for each in dealt} <= {size // groups, -(-size // groups)}
    for pot in range(size // groups):
        assert sorted(each[pot] // groups for each in dealt) == [pot] * groups
        # The next pot goes back the way the one before came.
        assert [each[pot] % groups for each in dealt] == [*range(groups)][:: -1 if pot % 2 else 1]
    even = [sum(each[:2]) for each in dealt]
    assert {*even} == {2 * groups - 1}, "the first two pots make equal groups"


@settings(max_examples=volume(40))
@given(SIZES, st.integers(0, 5), st.integers(1, 3), st.integers(0, 2**32))
def test_every_group_plays_a_complete_round_robin(sizes, more, cycles, seed):
    groups, least = sizes
    size = groups * least + min(more, groups - 1)
    format = Groups(groups=groups)
    played = play(format, size, seed, cycles)
    met, firsts = Counter(), Counter()
    for past in played:
        seats = [index for each in past.round.pairings for index in each.seats]
        assert sorted([*seats, *past.round.byes]) == [*range(size)]
        met.update(tuple(sorted(each.seats)) for each in past.round.pairings)
        firsts.update(each.seats for each in past.round.pairings)
    wanted = {pair for group in members(format, size) for pair in combinations(sorted(group), 2)}
    assert met == dict.fromkeys(wanted, cycles)
    if cycles == 2:
        assert all(firsts[pair] == firsts[pair[::-1]] == 1 for pair in wanted)
    assert [len(past.round.pairings) for past in played] == [*format.pairings(size, len(played))]
    again = play(format, size, seed, cycles)
    assert again == played


@settings(max_examples=volume(40))
@given(SIZES, st.integers(0, 5), st.integers(0, 2**32))
def test_the_best_of_each_group_stand_before_the_best_of_the_next_place(sizes, more, seed):
    groups, least = sizes
    size = groups * least + min(more, groups - 1)
    format = Groups(groups=groups)
    played = play(format, size, seed)
    table = ranked(format, names(size), played)
    place = {
        line.index: number
        for section in ranked_sections(format, names(size), played)
        for number, line in enumerate(section.lines)
    }
    scores = {line.index: line.score for line in table}
    worth = {
        index: 2 * (len(group) - 1) for group in members(format, size) for index in group
    }  # in two matches with each
    keys = [(place[line.index], -scores[line.index] / worth[line.index]) for line in table]
    assert keys == sorted(keys)
    for taken in range(1, size + 1):
        whole, some = divmod(taken, groups)
        if taken <= groups * least:
            counts = Counter(place[line.index] for line in table[:taken])
            assert [counts[number] for number in range(whole)] == [groups] * whole
            assert counts[whole] == some


def test_of_groups_of_two_sizes_the_share_of_points_counts():
    format, played = Groups(groups=2), []
    # Seeds 0, 3, 4 against 1, 2: the first wins 3 of 4 points in its group, the other 2 of 2.
    scores = {(0, 3): 2.0, (0, 4): 1.0, (3, 4): 1.0, (1, 2): 2.0}
    rounds = format.rounds(5, None)
    while (made := format.next_round(field_of(5), played, rounds)) is not None:
        results = []
        for pairing in made.pairings:
            first = scores.get(pairing.seats)
            first = 2 - scores[pairing.seats[::-1]] if first is None else first
            results.append(PairingResult(pairing, (first, 2 - first)))
        played.append(RoundResult(made, tuple(results)))
    table = ranked(format, names(5), played)
    assert [line.index for line in table] == [1, 0, 4, 2, 3]
    assert [line.rank for line in table] == [1, 2, 3, 4, 5]


def test_who_has_left_forfeits_in_its_group_alone():
    format, size = Groups(groups=2), 8
    played, rng = [], random.Random(1)
    rounds = format.rounds(size, None)
    for number in range(1, rounds + 1):
        made = format.next_round(field_of(size), played, rounds)
        results = []
        for result in finish(made, rng, 2).results:
            if 0 in result.pairing.seats and number > 1:
                points = tuple(2.0 * (index != 0) for index in result.pairing.seats)
                result = PairingResult(result.pairing, points, forfeited=(0,), awarded=2.0)
            results.append(result)
        absent = (Absence(0, gone=True),) if number > 1 else ()
        round = type(made)(made.number, made.pairings, made.byes, absent)
        played.append(RoundResult(round, tuple(results)))
    staged = Staged(stages=(Stage(format), Stage(KNOCKOUT, take=4)))
    *_, last = staged.parts(names(size), played)
    one, other = members(format, size)
    assert 0 in one
    assert 0 not in last.members
    # Its group still sends two.
    assert [len({*last.members} & {*group}) for group in (one, other)] == [2, 2]


@pytest.mark.parametrize(
    ("options", "size", "problem"),
    [
        ({"groups": 4}, 7, "4 groups need at least 8 entrants, not 7; give at most 3"),
        ({}, 0, "1 group needs at least 2 entrants, not 0; enter more bots"),
        ({"groups": 1}, 1, "1 group needs at least 2 entrants, not 1; enter more bots"),
        ({"group_size": 2}, 5, "3 groups need at least 6 entrants, not 5; give at most 2"),
    ],
)
def test_fields_that_make_no_groups_are_refused(options, size, problem):
    with pytest.raises(BadInput, match=f"^{problem}$"):
        Groups().configured(options, Wanted()).rounds(size, None)


def test_number_and_size_exclude_each_other():
    with pytest.raises(BadInput, match="groups and group_size both say how many"):
        Groups().configured({"groups": 2, "group_size": 4}, Wanted())
    with pytest.raises(BadInput, match="a round robin plays 1 cycle or more, not 0"):
        Groups().rounds(8, 0)


def test_without_options_groups_have_four_at_most():
    for size, sizes in ((4, [4]), (5, [3, 2]), (8, [4, 4]), (9, [3, 3, 3]), (10, [3, 3, 4])):
        assert [len(each) for each in members(Groups(), size)] == sizes
    assert [len(each) for each in members(Groups(group_size=5), 11)] == [3, 4, 4]


def test_groups_have_letters():
    assert [letters(number) for number in (0, 25, 26, 51, 52, 701, 702)] == [
        *("A", "Z", "AA", "AZ", "BA", "ZZ", "AAA")
    ]
    assert serpentine(7, 3) == [[0, 5, 6], [1, 4], [2, 3]]


@settings(max_examples=volume(40))
@given(
    st.integers(2, 6),
    st.integers(2, 4),
    st.sampled_from([KNOCKOUT, DOUBLE]),
    st.integers(0, 2**32),
    st.data(),
)
def test_the_bracket_after_groups_begins_without_rivals(groups, size, last, seed, data):
    entrants = groups * size
    take = data.draw(st.integers(3, entrants))
    format = Staged(stages=(Stage(Groups(groups=groups)), Stage(last, take=take)))
    rng, played = random.Random(seed), []
    rounds = format.rounds(entrants, None)
    first = Groups(groups=groups).rounds(entrants, None)
    while len(played) <= first:
        made = format.next_round(field_of(entrants), played, rounds)
        played.append(finish(made, rng, 2))
    group = {
        index: number
        for number, each in enumerate(members(Groups(groups=groups), entrants))
        for index in each
    }
    before, after = format.parts(names(entrants), played)
    order = [line.index for line in before.table[:take]]
    assert sorted(after.members) == sorted(order)
    bouts = [pairing.seats for pairing in played[first].round.pairings]
    rivals = [seats for seats in bouts if group[seats[0]] == group[seats[1]]]
    # As many continue of each group, or one more: there is always a way.
    assert rivals == []
    if take >= 2 * groups:
        # Of two groups one may be more than half of those who meet: its first rests instead.
        kept = sorted if groups == 2 else list
        assert kept(after.members[:groups]) == kept(order[:groups]), "winners keep their places"


def test_the_third_places_continue_by_their_results():
    format = Staged(stages=(Stage(Groups(groups=3)), Stage(KNOCKOUT, take=8)))
    played = play(format, 12, 5)
    before, after = format.parts(names(12), played)
    sections = ranked_sections(before.format, names(12), before.own)
    thirds = {section.lines[2].index: section.lines[2].score for section in sections}
    entered = [index for index in thirds if index in after.members]
    assert len(entered) == 2
    (left,) = {*thirds} - {*entered}
    assert all(thirds[index] >= thirds[left] for index in entered)
    assert [a.score >= b.score for a, b in pairwise([before.table[6], before.table[7]])] == [True]


def test_the_text_of_the_scoring_says_what_ranks_also_by_amount():
    ranked_by = "ranked by the place in the group, then by the share of points; "
    for scoring in (Groups().scoring(), by_amount(Groups().scoring())):
        assert summary_of(scoring).startswith(ranked_by)
