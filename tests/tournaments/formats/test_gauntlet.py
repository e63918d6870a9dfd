"""Gauntlets: the champions meet everybody else, and nobody else meets."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from arena_tournaments.formats.gauntlet import Gauntlet
from arena_tournaments.scoring.standings import ranked
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import BadInput
from tests.tournaments.plays import play


@given(size=st.integers(2, 16), champions=st.integers(1, 6), cycles=st.integers(1, 3))
def test_every_champion_meets_every_other_once_a_cycle(size, champions, cycles):
    champions = min(champions, size - 1)
    format = Gauntlet(champions=champions)
    rounds = format.rounds(size, cycles)
    played = play(format, size, rounds, random.Random(size), games=2)
    assert [len(past.results) for past in played] == format.pairings(size, rounds)
    met = Counter(frozenset(each.pairing.seats) for past in played for each in past.results)
    expected = {
        frozenset((champion, other))
        for champion in range(champions)
        for other in range(champions, size)
    }
    assert met == dict.fromkeys(expected, cycles)
    for past in played:
        seated = [index for each in past.results for index in each.pairing.seats]
        assert sorted([*seated, *past.round.byes]) == list(range(size))


@given(size=st.integers(2, 16), champions=st.integers(1, 6))
def test_over_two_cycles_everybody_has_both_seats_equally_often(size, champions):
    champions = min(champions, size - 1)
    format = Gauntlet(champions=champions)
    played = play(format, size, format.rounds(size, 2), random.Random(1), games=2)
    first = Counter(each.pairing.seats for past in played for each in past.results)
    assert all(first[seats] == first[seats[::-1]] == 1 for seats in first)


def test_the_champions_lead_the_standings():
    format = Gauntlet(champions=2)
    played = play(format, 6, format.rounds(6, None), random.Random(3), games=2)
    table = ranked(format, "abcdef", played)
    assert {line.index for line in table[:2]} == {0, 1}
    scores = [line.score for line in table[2:]]
    assert scores == sorted(scores, reverse=True)


def test_a_field_of_champions_alone_is_refused():
    with pytest.raises(BadInput, match=r"more entrants than champions \(3\), not 3"):
        Gauntlet(champions=3).rounds(3, None)
    with pytest.raises(BadInput, match="1 cycle or more, not 0"):
        Gauntlet().rounds(3, 0)
