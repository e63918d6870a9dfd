"""The seeding of a bracket without rivals, against every seeding that there is."""

from __future__ import annotations

from itertools import permutations

from arena_tournaments.formats.elimination import FORMATS
from arena_tournaments.pairing.rivals import without_rivals
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sizes import volume

KNOCKOUT, DOUBLE, LADDER = FORMATS


def first_bouts(format, size):
    met = (bout.entrants for bout in format.bracket(size, ()))
    return [(one, other) for one, other in met if one is not None and other is not None]


def rivalries(order, bouts, group):
    met = ((group.get(order[one]), group.get(order[other])) for one, other in bouts)
    return sum(one == other and one is not None for one, other in met)


def moved(order, bouts):
    """The distances of lower seeds from their places, from the first seed's bout down."""
    return [abs(order[max(bout)] - max(bout)) for bout in sorted(map(sorted, bouts))]


GROUPED = st.integers(2, 7).flatmap(
    lambda size: st.lists(st.sampled_from([0, 1, 2, None]), min_size=size, max_size=size)
)


@settings(max_examples=volume(120), deadline=None)
@given(GROUPED, st.sampled_from(FORMATS))
def test_as_few_rivals_meet_as_in_any_seeding_and_as_little_moves_as_can(groups, format):
    size = len(groups)
    group = {index: each for index, each in enumerate(groups) if each is not None}
    bouts, order = first_bouts(format, size), [*range(size)]
    found = without_rivals(order, bouts, group)
    assert sorted(found) == order
    assert found == without_rivals(order, bouts, group)
    every = [*permutations(order)]
    fewest = min(rivalries(each, bouts, group) for each in every)
    assert rivalries(found, bouts, group) == fewest
    if rivalries(order, bouts, group) == fewest:
        assert found == order

    def fits(each):
        return rivalries(each, bouts, group) == fewest

    lower = {max(bout) for bout in bouts}
    kept = [each for each in every if all(each[i] == i for i in order if i not in lower)]
    best = [*filter(fits, kept)]
    if best:
        assert [*found] in [[*each] for each in best]
        assert moved(found, bouts) == min(moved(each, bouts) for each in best)
    playing = {index for bout in bouts for index in bout}
    enter = [{each[index] for index in playing} - playing for each in (found, *every)]
    wanted = [len(new) for new, each in zip(enter[1:], every, strict=True) if fits(each)]
    assert len(enter[0]) == min(wanted), "nobody plays instead of another without need"


@settings(max_examples=volume(60))
@given(st.integers(2, 200), st.integers(1, 40), st.integers(0, 2**32))
def test_large_fields_of_groups_need_no_search(size, groups, seed):
    group = {index: (index * 7919 + seed) % groups for index in range(size)}
    bouts = first_bouts(KNOCKOUT, size)
    order = [*range(size)]
    found = without_rivals(order, bouts, group)
    assert sorted(found) == order
    playing = [index for bout in bouts for index in bout]
    most = max(sum(group[found[i]] == number for i in playing) for number in range(groups))
    assert rivalries(found, bouts, group) == max(0, most - len(bouts))


def test_the_opponents_of_the_first_seeds_change_least():
    # A1 B1 C1 D1, then A2 B2 C2 D2: the last seed meets the first.
    group = dict(enumerate([0, 1, 2, 3, 3, 1, 2, 0]))
    bouts = first_bouts(KNOCKOUT, 8)
    assert without_rivals(range(8), bouts, group) == [0, 1, 2, 3, 5, 4, 7, 6]
    assert without_rivals(range(8), bouts, {}) == [*range(8)]


def test_one_of_a_crowded_group_rests_if_others_can_play():
    # A1 rests, and both of B would play each other.
    bouts = first_bouts(KNOCKOUT, 3)
    assert without_rivals(range(3), bouts, {0: 0, 1: 1, 2: 1}) == [1, 0, 2]
    assert without_rivals(range(3), bouts, {0: 1, 1: 1, 2: 1}) == [0, 1, 2]
