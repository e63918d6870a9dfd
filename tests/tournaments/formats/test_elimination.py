"""Formats with a bracket: every bracket is one, for every number of entrants and all results."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from arena_tournaments.formats.elimination import FORMATS
from arena_tournaments.scoring.standings import ranked
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import BadInput
from arena.core.tournaments.format import PairingResult, Wanted
from tests.tournaments.plays import field_of, play

KNOCKOUT, DOUBLE, LADDER = FORMATS
THIRD = KNOCKOUT.configured({"third_place": True}, Wanted())
RESET = DOUBLE.configured({"bracket_reset": True}, Wanted())
SIZES = st.integers(2, 40)
SEEDS = st.integers(0, 2**32)


def played_by(format, size, seed):
    """A whole tournament; of some seeds many pairings are drawn to the end."""
    rounds = format.rounds(size, None)
    return play(format, size, rounds, random.Random(seed), games=1 + seed % 3)


def decided(format, size, played):
    return [bout for bout in format.bracket(size, played) if bout.winner is not None]


def losses(format, size, played):
    return Counter(
        next(one for one in bout.entrants if one != bout.winner)
        for bout in decided(format, size, played)
    )


@pytest.mark.parametrize("format", [*FORMATS, THIRD, RESET], ids=lambda each: each.name)
def test_they_are_formats_with_brackets_and_options(format):
    assert format.eliminates
    assert len(format.bracket(4, [])) == sum(format.pairings(4, format.rounds(4, None)))
    assert format.ends_early == (format is RESET)
    assert [*format.options()] == {"knockout": ["third_place"], "ladder": []}.get(
        format.name, ["bracket_reset"]
    )


@given(format=st.sampled_from([*FORMATS, THIRD, RESET]), size=st.integers(4, 40), seed=SEEDS)
def test_a_bracket_is_played_as_it_says(format, size, seed):
    played = played_by(format, size, seed)
    planned = format.pairings(size, format.rounds(size, None))
    assert len(played) in (len(planned), len(planned) - (format == RESET))
    assert [len(past.results) for past in played] == list(planned)[: len(played)]
    for past in played:
        seated = [index for each in past.results for index in each.pairing.seats]
        assert len({*seated, *past.round.byes}) == len(seated) + len(past.round.byes)
        assert past.results
    before = format.bracket(size, [])
    for number, bout in enumerate(before):
        assert all(source is None or source < number for source in bout.winner_of)
        assert bout.winner is None
    bouts = decided(format, size, played)
    assert len(bouts) == sum(len(past.results) for past in played)
    for bout in bouts:
        one, other = bout.points
        better = max(zip((one, other), (-bout.entrants[0], -bout.entrants[1]), strict=True))
        assert bout.winner == -better[1]


@given(size=SIZES, seed=SEEDS)
def test_in_a_knockout_who_loses_never_returns_and_one_is_left(size, seed):
    played = played_by(KNOCKOUT, size, seed)
    assert len(played) == (size - 1).bit_length()
    assert sum(len(past.results) for past in played) == size - 1
    out = set()
    for past in played:
        for result in past.results:
            one, other = result.pairing.seats
            assert not {one, other} & out
            out.add(other if result.points[0] >= result.points[1] else one)
    assert len(out) == size - 1
    (champion,) = set(range(size)) - out
    table = ranked(KNOCKOUT, [str(index) for index in range(size)], played)
    assert (table[0].index, table[0].rank, table[1].rank) == (champion, 1, 2)


@given(size=SIZES)
def test_the_byes_of_a_knockout_go_to_the_first_seeds_in_round_one_alone(size):
    played = played_by(KNOCKOUT, size, 1)
    places = 1 << (size - 1).bit_length()
    assert sorted(played[0].round.byes) == list(range(places - size))
    assert not any(past.round.byes for past in played[1:])


@given(size=SIZES, seed=SEEDS)
def test_when_the_higher_always_wins_the_seeds_meet_as_late_as_they_can(size, seed):
    """So the first two meet in the final alone, the first four from the semifinals on."""
    played = []
    while (upcoming := KNOCKOUT.next_round(field_of(size), played, 99)) is not None:
        results = [PairingResult(each, (2.0, 0.0)) for each in upcoming.pairings]
        played.append(type(played_by(KNOCKOUT, 2, 0)[0])(upcoming, tuple(results)))
    for number, past in enumerate(reversed(played), 1):
        for result in past.results:
            one, other = result.pairing.seats
            assert 2 ** (number - 1) <= other < 2**number
            assert one + other == 2**number - 1
    table = ranked(KNOCKOUT, [str(index) for index in range(size)], played)
    assert [line.index for line in table] == list(range(size))
    shared = [1, 2, *(2 ** (index.bit_length() - 1) + 1 for index in range(2, size))]
    assert [line.rank for line in table] == shared


@given(size=st.integers(4, 40), seed=SEEDS)
def test_the_losers_of_the_semifinals_play_for_the_third_place(size, seed):
    played = played_by(THIRD, size, seed)
    table = ranked(THIRD, [str(index) for index in range(size)], played)
    assert [line.rank for line in table[:4]] == [1, 2, 3, 4]
    third = next(b for b in THIRD.bracket(size, played) if b.name == "third place")
    assert third.winner == table[2].index
    assert {*third.entrants} == {table[2].index, table[3].index}
    assert sum(len(past.results) for past in played) == size


@given(format=st.sampled_from([DOUBLE, RESET]), size=SIZES, seed=SEEDS)
def test_in_a_double_elimination_who_loses_twice_is_out(format, size, seed):
    played = played_by(format, size, seed)
    lost = losses(format, size, played)
    bouts = decided(format, size, played)
    champion = bouts[-1].winner
    assert all(lost[index] == 2 for index in range(size) if index != champion) or (
        format == DOUBLE or lost[champion] == 0
    )
    assert max(lost.values()) == 2 or size == 2
    assert lost[champion] <= 1
    if format == RESET:
        assert [lost[index] for index in range(size)].count(2) == size - 1
        assert len(bouts) == 2 * size - 2 + lost[champion]
    else:
        assert len(bouts) == 2 * size - 2
    so_far = Counter()
    for past in played:
        for result in past.results:
            assert all(so_far[index] < 2 for index in result.pairing.seats)
            one, other = result.pairing.seats
            so_far[other if result.points[0] >= result.points[1] else one] += 1
    table = ranked(format, [str(index) for index in range(size)], played)
    assert (table[0].index, table[0].rank, table[1].rank) == (champion, 1, 2)


@given(size=st.integers(8, 40), seed=SEEDS)
def test_the_lower_bracket_brings_no_rematch_at_once(size, seed):
    played = played_by(DOUBLE, size, seed)
    met = [{frozenset(each.pairing.seats) for each in past.results} for past in played[:3]]
    assert not met[2] & (met[0] | met[1])


@given(size=SIZES, seed=SEEDS)
def test_on_a_ladder_the_king_meets_the_next_higher(size, seed):
    played = played_by(LADDER, size, seed)
    assert len(played) == size - 1
    king = size - 1
    for past in played:
        (result,) = past.results
        challenger = size - 1 - past.round.number
        assert result.pairing.seats == (challenger, king)
        king = challenger if result.points[0] >= result.points[1] else king
    table = ranked(LADDER, [str(index) for index in range(size)], played)
    assert table[0].index == king
    assert [line.rank for line in table] == list(range(1, size + 1))


@given(format=st.sampled_from([KNOCKOUT, THIRD, DOUBLE, RESET]), size=st.integers(4, 40))
def test_while_it_is_played_nobody_who_is_out_stands_above_one_who_is_in(format, size):
    played = played_by(format, size, 5)
    names = [str(index) for index in range(size)]
    limit = 1 if format in (KNOCKOUT, THIRD) else 2
    for number in range(len(played)):
        past = played[:number]
        lost = losses(format, size, past)
        order = [line.index for line in ranked(format, names, past)]
        out = [lost[index] >= limit for index in order]
        if not (format == THIRD and number == len(played) - 1):
            assert out == sorted(out)


def test_a_number_of_rounds_that_does_not_fit_is_refused():
    with pytest.raises(BadInput, match="knockout of 5 plays 3 rounds, not 4"):
        KNOCKOUT.rounds(5, 4)
    with pytest.raises(BadInput, match="ladder needs at least 2 entrants, not 1"):
        LADDER.rounds(1, None)
    with pytest.raises(BadInput, match="a third place needs 4 entrants, not 3"):
        THIRD.rounds(3, None)
    assert KNOCKOUT.rounds(5, 3) == 3
