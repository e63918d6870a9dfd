"""Bots of one author at tables: apart wherever the field leaves a way, else as few as can be."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from arena_tournaments.formats.table_round_robin import TableRoundRobin
from arena_tournaments.formats.table_swiss import TableSwiss
from arena_tournaments.pairing.seating import crowded_authors
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.tournaments.format import Entrant, Tables
from tests.sizes import volume
from tests.tournaments.plays import finish_tables

FORMATS = (TableRoundRobin(), TableSwiss())


def entrants(authors):
    return [Entrant(f"bot {number}", author=author) for number, author in enumerate(authors)]


def play(format, authors, tables, rounds=None, seed=1):
    """All rounds of a tournament in which ``authors`` wrote the bots, with drawn results."""
    field, rng, played = entrants(authors), Random(seed), []
    planned = format.rounds(len(field), rounds, tables)
    while (upcoming := format.next_round(field, played, planned, tables)) is not None:
        played.append(finish_tables(upcoming, rng))
    return [past.round for past in played]


def met(rounds):
    return Counter(
        pair
        for round in rounds
        for pairing in round.pairings
        for pair in combinations(sorted(pairing.seats), 2)
    )


def together(round, authors):
    """Number of pairs of one author at a table."""
    return sum(
        bool(authors[one]) and authors[one] == authors[other]
        for pairing in round.pairings
        for one, other in combinations(pairing.seats, 2)
    )


def least(authors, sizes):
    """The same by trying every way to split each author's bots among the tables."""

    def spread(count, tables):
        if tables == 1:
            return count * (count - 1) // 2
        return min(
            here * (here - 1) // 2 + spread(count - here, tables - 1) for here in range(count + 1)
        )

    return sum(spread(count, len(sizes)) for author, count in Counter(authors).items() if author)


fields = st.integers(3, 6).flatmap(
    lambda most: st.tuples(
        st.integers(2, most).map(lambda least: Tables(most, least)),
        st.lists(st.sampled_from(["", "", "", "ann", "bob", "cid"]), min_size=most, max_size=16),
    )
)


@pytest.mark.parametrize("format", FORMATS, ids=lambda each: each.name)
@settings(max_examples=volume(60))
@given(field=fields, seed=st.integers(0, 10**6))
def test_authors_meet_themselves_only_where_there_is_no_other_way(format, field, seed):
    tables, authors = field
    rounds = play(format, authors, tables, rounds=1, seed=seed)[:6]
    plain = play(format, [""] * len(authors), tables, rounds=1, seed=seed)[:6]
    sizes = tables.sizes(len(authors))
    for round, other in zip(rounds, plain, strict=True):
        seated = [who for pairing in round.pairings for who in pairing.seats]
        assert sorted([*seated, *round.byes]) == list(range(len(authors)))
        assert tuple(len(pairing.seats) for pairing in round.pairings) == sizes
        assert len(round.byes) == len(other.byes)
        assert together(round, authors) == least([authors[who] for who in seated], sizes)
    assert play(format, authors, tables, rounds=1, seed=seed)[:6] == rounds


@pytest.mark.parametrize("format", FORMATS, ids=lambda each: each.name)
def test_a_swiss_goes_on_so_for_all_its_rounds(format):
    authors = ["ann", "ann", "bob", "ann", "bob", "", "", "ann", "", "bob", "", "", "", "", ""]
    for seed in range(3):
        rounds = play(format, authors, Tables(4, 2), 8 if format.name == "table-swiss" else 2, seed)
        assert len(rounds) >= 8
        assert [together(round, authors) for round in rounds] == [0] * len(rounds)


@pytest.mark.parametrize("authors", [[""] * 12, [*"abcdefghijkl"]], ids=["none", "all differ"])
@pytest.mark.parametrize("format", FORMATS, ids=lambda each: each.name)
def test_where_no_two_share_an_author_the_rounds_are_those_without_authors(format, authors):
    tables = Tables(4, 2)
    assert play(format, authors, tables, 2) == play(format, [""] * 12, tables, 2)


@pytest.mark.parametrize(("size", "most"), [(12, 4), (15, 5), (18, 3), (24, 6)])
@pytest.mark.thorough("other sizes", everyday=["12-4"])
def test_all_others_meet_about_equally_often_over_a_cycle(size, most):
    authors = [("ann" if number % 6 == 2 else "") for number in range(size)]
    meetings = met(play(FORMATS[0], authors, Tables(most, 2)))
    others = [
        meetings[pair]
        for pair in combinations(range(size), 2)
        if not (authors[pair[0]] and authors[pair[0]] == authors[pair[1]])
    ]
    assert min(others) >= 1
    assert max(others) - min(others) <= 4
    assert all(
        meetings[pair] == 0
        for pair in combinations([who for who in range(size) if authors[who]], 2)
    )


def test_authors_of_more_bots_than_tables_are_named():
    authors = ["ann"] * 4 + ["bob"] * 2 + [""] * 3
    assert crowded_authors(authors, (5, 4)) == {"ann": 4}
    assert crowded_authors(authors, (3, 3, 3)) == {"ann": 4}
    assert crowded_authors(authors, (9,)) == {"ann": 4, "bob": 2}
    assert crowded_authors(authors, (3, 2, 2, 2)) == {}
