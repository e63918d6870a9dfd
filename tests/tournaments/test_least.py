"""The matching of the least cost, beside all matchings, and in stages."""

from __future__ import annotations

import pytest
from arena_tournaments.dutch import least
from arena_tournaments.dutch.least import NOBODY, Choice, LeastCost
from arena_tournaments.dutch.rounds import pair_next_round
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.sizes import volume
from tests.tournaments.reports import play_report

WIDTHS = (5, 4, 6)
SIZE = 6
COSTS = st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 3)).map(
    lambda counts: (counts[0] << 4 | counts[1]) << 6 | counts[2]
)


def matchings(members, pairs):
    """All matchings, as partners by member."""
    if not members:
        yield {}
        return
    one, *others = members
    for partner in matchings(others, pairs):
        yield partner
    for other in others:
        if (one, other) in pairs:
            for partner in matchings([each for each in others if each != other], pairs):
                yield partner | {one: other, other: one}


def rank(other):
    return (other * 5 + 3) % 7


@settings(max_examples=volume(60), deadline=None)
@given(data=st.data(), most_bits=st.sampled_from([0, 8, 14, 22, 120]))
def test_counts_and_then_choices_are_the_least_of_all_matchings(data, most_bits):
    edges = [(one, other) for one in range(SIZE) for other in range(one + 1, SIZE)]
    pairs = {edge: data.draw(COSTS) for edge in edges if data.draw(st.booleans())}
    alone = {member: data.draw(COSTS) for member in range(SIZE)}
    must = data.draw(st.sets(st.integers(0, SIZE - 1), max_size=3))
    chosen = data.draw(st.permutations(range(SIZE)))

    def cost(partner):
        loose = [member for member in alone if member not in partner]
        total = sum(pairs[one, other] for one, other in partner.items() if one < other)
        choices = [rank(partner.get(member, NOBODY)) for member in chosen]
        return total + sum(alone[member] for member in loose), choices

    possible = [each for each in matchings(range(SIZE), pairs) if must <= each.keys()]
    if not possible:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(least, "MAX_BITS", most_bits)
        graph = LeastCost(
            [(*edge, each) for edge, each in pairs.items()],
            {member: None if member in must else alone[member] for member in alone},
            WIDTHS,
        )
        graph.decide([Choice(member, rank) for member in chosen])
    assert cost(graph.partner) == min(map(cost, possible))


@settings(max_examples=volume(9), deadline=None)
@given(size=st.integers(12, 40), rounds=st.integers(3, 8), seed=st.integers(0, 10**6))
def test_c0403_rounds_are_paired_alike_in_few_stages_and_in_many(size, rounds, seed):
    report = replace(play_report(size, rounds, seed), rounds=rounds + 1 + seed % 3)
    found = set()
    for bits in (0, 30, 120):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(least, "MAX_BITS", bits)
            found.add(pair_next_round(report))
    assert len(found) == 1


def test_weights_of_the_most_bits_are_exact():
    """A chain of three pairs, of which the outer ones weigh one more than the inner one twice."""
    most = 1 << least.MAX_BITS
    chain = [(1, 2, most), (2, 3, 2 * most - 1), (3, 4, most)]
    assert {*map(frozenset, least.heaviest(chain, least.MAX_BITS))} == {
        frozenset({1, 2}),
        frozenset({3, 4}),
    }
