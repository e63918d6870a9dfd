"""The precision that a tournament will reach, and the matches that another one takes."""

from __future__ import annotations

from math import inf, sqrt
from random import Random

import pytest
from arena_tournaments.formats.adaptive import Adaptive
from arena_tournaments.formats.elimination import FORMATS
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.play.runner import Plan
from arena_tournaments.play.schedule import Schedule
from arena_tournaments.play.volume import Fixed

from arena.core.errors import BadInput
from arena.core.record import MatchKey
from arena.core.tournaments.rating import Z95
from arena.service.run.ahead.estimate import unplayed_rounds
from arena.service.run.ahead.precision import ELO, EQUALS, half_width, information, precision
from tests.tournaments.plays import SEVEN, field_of


def expected(format, entrants, games, most, asked=None):
    """The precision of a tournament of equals whose matches share no deal."""
    rounds = format.rounds(entrants, None)
    schedule = Schedule(SEVEN, True, (Fixed(games),) * rounds)
    field = tuple(field_of(entrants))
    plan = Plan(format=format, field=field, rounds=rounds, schedule=schedule)
    own = () if isinstance(format, Adaptive) else unplayed_rounds(plan)
    return precision(plan, own, most, EQUALS, asked)


def test_a_round_robin_is_as_precise_as_its_formula_says():
    """A strength's variance, where n meet m times, is (n - 1) / n over n m information."""
    found = expected(RoundRobin(), 6, 20, 300, asked=10.0)
    assert found.elo == pytest.approx(Z95 * ELO * sqrt(5 / 6 / (6 * 20 * EQUALS)))
    assert (found.games % 2, found.matches) == (0, 15 * found.games)
    reached = expected(RoundRobin(), 6, found.games, found.matches)
    assert 9.9 < reached.elo <= 10.0
    assert (reached.games, reached.matches, reached.separable) == (None, None, None)


def test_an_adaptive_tournament_separates_wider_gaps_with_fewer():
    few, many = (expected(Adaptive(), 6, 4, most, asked=10.0) for most in (600, 2400))
    assert few.elo == pytest.approx(2 * many.elo)
    assert few.matches == pytest.approx(many.matches, abs=1)
    assert few.games is None
    assert few.separable > 1.7 * many.separable


def test_a_knockout_is_linked_and_fields_that_are_not_have_no_precision():
    assert expected(FORMATS[0], 4, 20, 60).elo < inf
    assert half_width(4, {(0, 1): 9.0, (2, 3): 9.0}, EQUALS) == inf


def test_what_takes_too_many_matches_is_refused():
    with pytest.raises(BadInput, match=r"precision 0.001: it would take more than 1,000,000,000"):
        expected(RoundRobin(), 6, 20, 300, asked=0.001)


def matches(deals, rng, shared):
    """Matches of equals; where the deal decides, each of the two wins one."""
    for deal in range(deals):
        first = rng.random() < 0.5
        second = not first if shared else rng.random() < 0.5
        for leg, won in ((1, first), (2, second)):
            won = won if leg == 1 else not won  # by seat
            yield MatchKey(1, 1, 2 * deal + leg), (1.0, -1.0) if won else (-1.0, 1.0)


def test_a_match_of_a_mirrored_deal_says_more_the_more_the_deal_decides():
    rng = Random(8)
    assert information(matches(4000, rng, False), 2) == pytest.approx(EQUALS, rel=0.1)
    half = [*matches(2000, rng, False)]
    half += [(MatchKey(1, 2, key.leg), won) for key, won in matches(2000, rng, True)]
    assert information(half, 2) == pytest.approx(2 * EQUALS, rel=0.1)


def test_few_deals_count_as_matches_of_equals_that_share_nothing():
    assert information(matches(20, Random(1), True), 2) == EQUALS
    assert information([], 2) == EQUALS
