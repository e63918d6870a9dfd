"""Mean amounts a match and their intervals over deals."""

from __future__ import annotations

from math import inf
from random import Random

import pytest
from arena_results.ratings.intervals.amounts import estimate_amount
from arena_results.ratings.intervals.quantiles import students_t


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        (1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (6, 2.4469),
        (8, 2.3060), (9, 2.2622), (9.5, 2.2441), (10, 2.2281), (18, 2.1009), (20, 2.0860),
        (30, 2.0423), (100, 1.9840), (1000, 1.9623), (10**6, 1.9600),
    ],
)  # fmt: skip
def test_quantiles_are_those_of_students_tables(freedom, quantile):
    assert students_t(freedom) == pytest.approx(quantile, abs=6e-4)


def test_the_deal_is_the_unit():
    """Two matches of one deal that cancel say as much as one deal."""
    estimate = estimate_amount([(2.0, 2), (-2.0, 2), (4.0, 2), (0.0, 2)])
    assert (estimate.mean, estimate.matches, estimate.deals) == (0.5, 8, 4)
    # By hand: the deals' means are 1, -1, 2 and 0; the mean's deviation is 0.645497.
    assert estimate.error == pytest.approx(3.182446 * 0.645497, rel=1e-5)
    singles = estimate_amount([(1.0, 1), (-1.0, 1), (2.0, 1), (0.0, 1)])
    assert singles.error == pytest.approx(estimate.error)


@pytest.mark.parametrize("deals", [[], [(3.0, 2)], [(1.0, 1), (1.0, 1), (1.0, 1)]])
def test_there_is_no_interval_without_several_unlike_deals(deals):
    assert estimate_amount(deals).error is None


@pytest.mark.parametrize("deals", [5, 20, 100])
@pytest.mark.thorough("other numbers of deals", everyday=["5"])
def test_nineteen_of_twenty_intervals_hold_the_mean(deals):
    """Deals of two matches that share their luck; the last one is cut short."""
    rng, held, runs = Random(11), 0, 2000
    for _ in range(runs):
        rows = []
        for number in range(deals):
            luck = rng.gauss(0, 3)
            legs = 1 if number == deals - 1 else 2
            rows.append((sum(0.5 + luck + rng.gauss(0, 1) for _ in range(legs)), legs))
        estimate = estimate_amount(rows)
        held += abs(estimate.mean - 0.5) < (estimate.error or inf)
    assert 0.935 < held / runs < 0.965
