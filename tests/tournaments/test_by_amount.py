"""Tournaments scored by amount: pairings, pairing scores and standings."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from arena_tournaments.formats.elimination import FORMATS
from arena_tournaments.formats.gauntlet import Gauntlet
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.formats.table_round_robin import TableRoundRobin
from arena_tournaments.formats.table_swiss import TableSwiss
from arena_tournaments.play.schedule import Schedule
from arena_tournaments.play.volume import Fixed, WithWinner
from arena_tournaments.scoring.crosstable import amounts_by_pair
from arena_tournaments.scoring.scoring import (
    EACH_PAIRING,
    ELIMINATION,
    PAIRING,
    TABLE_SWISS,
    by_amount,
)
from arena_tournaments.scoring.standings import ranked
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.outcome import Outcome
from arena.core.record import MatchKey
from arena.core.tournaments.format import PAIRS, Pairing, Round, RoundResult, Tables
from tests.sizes import volume
from tests.tournaments.plays import SEVEN, field_of, jobs_of_round, round_result, so_far

PAIRWISE = [RoundRobin(), Swiss(), Gauntlet(), *FORMATS]
FOURS = Tables(4, 3)


def finish(round, rng, games=4):
    """Some zero-sum amounts in quarters for every match of a round."""
    jobs = jobs_of_round(round, SEVEN, games)
    amounts = {}
    for job in jobs:
        *most, _ = won = [rng.randrange(-12, 13) / 4 for _ in job.seats]
        won[-1] = -sum(most)
        amounts[job.key] = tuple(won)
    return round_result(round, jobs, amounts, by_amount=True)


def play(format, entrants, rng, tables=PAIRS):
    """A whole tournament, with pairings that are drawn now and then."""
    played: list[RoundResult] = []
    planned = format.rounds(entrants, None, tables)
    while made := format.next_round(field_of(entrants), played, planned, tables):
        played.append(finish(made, rng))
    return played


def names_of(entrants):
    return [entrant.name for entrant in field_of(entrants)]


def means(played, entrants):
    """Everybody's mean amount, from the pairings alone."""
    taken, matches = [0.0] * entrants, [0] * entrants
    for past in played:
        for result in past.results:
            for index, amount in zip(result.pairing.seats, result.amounts, strict=True):
                taken[index] += amount
                matches[index] += result.matches
    return [round(one / (count or 1), 9) for one, count in zip(taken, matches, strict=True)]


@settings(max_examples=volume(15), deadline=None)
@given(st.sampled_from(PAIRWISE), st.integers(2, 9), st.randoms(use_true_random=False))
def test_a_pairing_is_won_by_its_total_amount(format, entrants, rng):
    for past in play(format, entrants, rng):
        for result in past.results:
            lead = result.amounts[0] - result.amounts[1]
            share = 0.5 + (lead > 0) / 2 - (lead < 0) / 2
            assert result.points == (4 * share, 4 - 4 * share)
            assert sum(result.amounts) == 0
            assert result.matches == 4


@settings(max_examples=volume(15), deadline=None)
@given(st.integers(3, 9), st.randoms(use_true_random=False), st.booleans())
def test_where_everybody_meets_everybody_the_mean_amount_ranks(entrants, rng, tables):
    format, size = (TableRoundRobin(), FOURS) if tables else (RoundRobin(), PAIRS)
    played = play(format, entrants, rng, size)
    expected = means(played, entrants)
    table = ranked(format, names_of(entrants), played)
    assert [line.score for line in table] == sorted(expected, reverse=True)
    assert [line.score for line in table] == [expected[line.index] for line in table]
    for higher, lower in pairwise(table):
        assert higher.score > lower.score or higher.tie_breaks["DE"] >= lower.tie_breaks["DE"]


@settings(max_examples=volume(15), deadline=None)
@given(st.integers(3, 9), st.randoms(use_true_random=False))
def test_a_swiss_ranks_by_pairings_won_and_then_by_the_mean_amount(entrants, rng):
    played = play(Swiss(), entrants, rng)
    expected = means(played, entrants)
    table = ranked(Swiss(), names_of(entrants), played)
    for line in table:
        assert line.tie_breaks["AMT"] == expected[line.index]
    order = [(line.score, line.tie_breaks["AMT"]) for line in table]
    assert order == sorted(order, reverse=True)
    for line in table:
        won = 0.0
        for past in played:
            won += line.index in past.round.byes
            for result in past.results:
                if line.index in result.pairing.seats:
                    own = result.amounts[result.pairing.seats.index(line.index)]
                    won += (own > 0) + (own == 0) / 2
        assert line.score == won


@settings(max_examples=volume(15), deadline=None)
@given(st.sampled_from(FORMATS), st.integers(2, 9), st.randoms(use_true_random=False))
def test_in_a_bracket_the_higher_amount_goes_on(format, entrants, rng):
    played = play(format, entrants, rng)
    for bout in format.bracket(entrants, played):
        if bout.points is not None:
            one, other = bout.entrants
            ahead = {True: one, False: other}[bout.points[0] > bout.points[1]]
            drawn = bout.points[0] == bout.points[1]
            assert bout.winner == (min(one, other) if drawn else ahead)
            assert sum(bout.points) == 0


@settings(max_examples=10, deadline=None)
@given(st.integers(5, 12), st.randoms(use_true_random=False))
def test_a_swiss_at_tables_counts_who_took_more_of_whom(entrants, rng):
    for past in play(TableSwiss(), entrants, rng, FOURS):
        for result in past.results:
            for seat, own in enumerate(result.amounts):
                rivals = [each for other, each in enumerate(result.amounts) if other != seat]
                beaten = sum((own > each) + (own == each) / 2 for each in rivals)
                assert result.points[seat] == pytest.approx(4 * beaten / len(rivals))
    played = play(TableSwiss(), entrants, rng, FOURS)
    table = ranked(TableSwiss(), names_of(entrants), played)
    assert [line.score for line in table] == sorted(means(played, entrants), reverse=True)


def test_many_narrow_wins_rank_below_one_great_one():
    """By wins the first is ahead, by amount the second."""
    round, jobs = (
        Round(1, (Pairing((0, 1)),)),
        jobs_of_round(Round(1, (Pairing((0, 1)),)), SEVEN, 4),
    )
    amounts = dict(
        zip((job.key for job in jobs), ((1, -1), (-1, 1), (1, -1), (9, -9)), strict=True)
    )
    by_wins = ranked(RoundRobin(), ["ann", "bob"], [round_result(round, jobs, amounts)])
    result = round_result(round, jobs, amounts, by_amount=True)
    table = ranked(RoundRobin(), ["ann", "bob"], [result])
    assert [(line.name, line.score) for line in by_wins] == [("ann", 3.0), ("bob", 1.0)]
    assert [(line.name, line.score) for line in table] == [("bob", 1.5), ("ann", -1.5)]
    assert amounts_by_pair(table, [result]) == ((None, 1.5), (-1.5, None))


def test_who_has_not_played_comes_last():
    round = Round(1, (Pairing((1, 2)),), byes=(0,))
    jobs = jobs_of_round(round, SEVEN, 1)
    result = round_result(round, jobs, {jobs[0].key: (3.0, -3.0)}, by_amount=True)
    table = ranked(RoundRobin(), ["ann", "bob", "cleo"], [result])
    assert [(line.name, line.score) for line in table] == [
        ("bob", 3.0),
        ("cleo", -3.0),
        ("ann", 0.0),
    ]


def test_sums_of_tenths_are_drawn_when_they_are_equal():
    round = Round(1, (Pairing((0, 1)),))
    jobs = jobs_of_round(round, SEVEN, 6)
    values = [(0.1, -0.1)] * 4 + [(0.3, -0.3), (0.3, -0.3)]
    amounts = dict(zip((job.key for job in jobs), values, strict=True))
    (result,) = round_result(round, jobs, amounts, by_amount=True).results
    assert result.amounts == (0.0, 0.0)
    assert result.points == (3.0, 3.0)


@pytest.mark.parametrize(("last", "extra"), [((2.0, -2.0), 2), ((1.0, -1.0), 0)])
def test_a_drawn_pairing_of_a_bracket_goes_on_by_amount(last, extra):
    """Seats are swapped in the second match: equal amounts of a seat cancel."""
    schedule = Schedule(
        SEVEN, mirrored=True, volumes=(WithWinner(Fixed(2)),), amounts=lambda end: end.scores
    )
    round = Round(1, (Pairing((0, 1)),))
    values = {MatchKey(1, 1, 1): (2.0, -2.0), MatchKey(1, 1, 2): last}
    assert so_far(schedule, round, values).legs == (2 + extra,)


def test_a_schedule_takes_what_the_game_says_a_match_is_worth():
    ending = Outcome((1.0, -1.0), (7, 3))
    wins = Schedule(SEVEN, mirrored=True, volumes=(Fixed(2),))
    credits = Schedule(SEVEN, mirrored=True, volumes=(Fixed(2),), amounts=lambda end: end.scores)
    assert (wins.values(ending), credits.values(ending)) == ((1.0, -1.0), (7, 3))


@pytest.mark.parametrize(
    ("scoring", "name", "summary", "tie_breaks"),
    [
        (
            PAIRING,
            "pairing-amount",
            "a pairing scores 1, 1/2 or 0 by the total amount of its matches, a bye 1",
            ("AMT", "BH-C1", "BH", "SB", "DE", "WIN", "BWG"),
        ),
        (EACH_PAIRING, "amount", "ranked by the mean amount a match, a bye nothing", ("DE",)),
        (
            ELIMINATION,
            "elimination-amount",
            "ranked by how far each came; a pairing won scores 1, a bye 1; a pairing is won by the "
            "total amount of its matches",
            (),
        ),
        (TABLE_SWISS, "amount", "ranked by the mean amount a match, a bye nothing", ("BH-C1",)),
    ],
)
def test_scorings_have_one_by_amount(scoring, name, summary, tie_breaks):
    scored = by_amount(scoring)
    assert (scored.name, scored.summary, scored.tie_breaks) == (name, summary, tie_breaks)


def test_a_random_tournament_is_the_same_again():
    one, other = (play(Swiss(), 6, Random(3)) for _ in range(2))
    assert one == other
