"""The purse of a run: no call and no match begins that could pass the limit."""

from __future__ import annotations

import pytest

from arena.core.record import MatchKey
from arena.host.endpoints.purse import Purse, worst_cost
from arena.plugins.endpoints.spec import Endpoint

ONE, TWO, THREE = (MatchKey(1, 1, leg) for leg in (1, 2, 3))


def test_a_call_is_held_for_at_its_worst_price_until_it_is_paid():
    purse = Purse(1.0, spent=0.25)
    assert purse.reserve(0.5)
    assert not purse.reserve(0.5)
    assert purse.fits(0.75)
    assert not purse.fits(0.76)
    purse.pay(ONE, 0.5, 0.125)
    assert purse.spent == 0.375
    assert purse.reserve(0.625)


def test_the_limit_is_never_passed_whatever_calls_cost():
    purse, calls = Purse(1.0), 0
    while purse.reserve(0.07):
        purse.pay(ONE, 0.07, None if calls % 2 else 0.06)
        calls += 1
    assert 0.93 < purse.spent <= 1.0


def test_a_call_without_an_answer_costs_nothing():
    purse = Purse(1.0)
    purse.reserve(1.0)
    purse.pay(ONE, 1.0, 0.0)
    assert (purse.spent, purse.reserve(1.0)) == (0.0, True)


def test_a_match_begins_if_all_under_way_may_cost_as_much_as_the_dearest():
    purse = Purse(1.8, dearest=0.4)
    assert [purse.may_begin(each) for each in (ONE, TWO, THREE)] == [True, True, False]
    purse.reserve(0.3)
    purse.pay(ONE, 0.3, 0.1)
    purse.end(ONE)
    purse.limit = 1.59  # two of 0.6, as two have ended, and a last call of 0.3
    assert not purse.may_begin(THREE)
    purse.limit = 1.61
    assert purse.may_begin(THREE)


def test_a_match_that_is_set_aside_keeps_what_it_cost():
    purse = Purse(1.0, spent=0.6, dearest=0.5, open={ONE: 0.3})
    assert not purse.may_begin(TWO)
    assert purse.may_begin(ONE)
    purse.end(ONE, finished=False)
    assert purse.may_begin(ONE)


def test_the_dearest_match_is_learned_from_those_that_finish():
    purse = Purse(1.0)
    assert purse.may_begin(ONE)
    purse.reserve(0.6)
    purse.pay(ONE, 0.6, 0.6)
    purse.end(ONE)
    assert not purse.may_begin(TWO)


@pytest.mark.parametrize(("worst", "begin"), [(0.3, False), (0.003, True)])
def test_until_it_is_known_what_a_match_costs_it_is_a_hundred_calls(worst, begin):
    purse = Purse(1.0)
    assert [purse.may_begin(each) for each in (ONE, TWO)] == [True, False]
    purse.reserve(worst)
    assert purse.may_begin(TWO) is begin
    purse.pay(ONE, worst, 0.1)
    purse.end(ONE)
    assert [purse.may_begin(each) for each in (TWO, THREE)] == [True, True]


def test_matches_without_costs_do_not_begin_one_by_one():
    purse = Purse(1.0)
    assert purse.may_begin(ONE)
    purse.reserve(0.0)
    purse.pay(ONE, 0.0, 0.0)
    purse.end(ONE)
    assert [purse.may_begin(each) for each in (TWO, THREE)] == [True, True]


@pytest.mark.parametrize(("worst", "enough"), [(1.5, 2.0), (9.0, 9.9)])
def test_a_limit_that_is_enough_fits_what_was_refused(worst, enough):
    purse = Purse(1.0)
    assert not purse.fits(worst)
    assert purse.enough == pytest.approx(enough)


def test_without_a_limit_all_may_begin():
    purse = Purse(dearest=1e9)
    assert purse.may_begin(ONE)
    assert purse.reserve(1e9)


def test_the_worst_cost_has_a_token_a_byte_and_all_of_the_answer():
    endpoint = Endpoint(
        url="http://localhost/v1", model="m", price_in=2.0, price_out=8.0, max_tokens=1000
    )
    assert worst_cost(endpoint, b"x" * 500) == pytest.approx(0.009)
    assert worst_cost(Endpoint(url="http://localhost/v1", model="m"), b"x" * 500) == 0.0
