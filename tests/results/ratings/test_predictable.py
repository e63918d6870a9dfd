"""Coefficients of corrections: fitted on earlier deals alone, so that means stay as they are."""

from statistics import fmean, pstdev, variance

import numpy as np
import pytest
from arena_results.ratings.comparing.predictable import PRIOR, Coefficients


def deals(seed, count, share, noise):
    """Results of deals with two corrections, of which the first explains a share of the second."""
    rng = np.random.default_rng(seed)
    good, other = rng.normal(size=(2, count))
    return 0.1 + share * good + noise * rng.normal(size=count), good, other


def test_no_deal_knows_its_own_coefficients():
    fit = Coefficients()
    assert fit.values() == (1.0,)
    assert fit.corrected(1.0, (0.25,)) == 0.75
    before = fit.values()
    other = Coefficients()
    other.corrected(1.0, (0.25,))
    assert fit.corrected(9.0, (0.5,)) == 9.0 - before[0] * 0.5
    assert other.corrected(-9.0, (0.5,)) == -9.0 - before[0] * 0.5


def test_they_are_those_of_a_ridge_regression_on_the_deals_before():
    result, good, other = deals(1, 50, 0.6, 0.5)
    fit = Coefficients((1.0, 0.0))
    for x, *luck in zip(result, good, other, strict=True):
        fit.corrected(x, luck)
    matrix = np.stack([good, other])
    products = matrix @ matrix.T / 50
    ridge = products + np.diag(np.diag(products)) * PRIOR / 50
    begin = np.array([1.0, 0.0])
    right = matrix @ (result - result.mean()) / 50 - products @ begin
    assert fit.values() == pytest.approx(begin + np.linalg.solve(ridge, right), abs=1e-12)


def test_they_find_the_values_that_fit_and_shorten_large_corrections():
    result, good, other = deals(2, 3000, 0.5, 0.3)
    fit = Coefficients((0.0, 1.0))
    found = [fit.corrected(x, luck) for x, *luck in zip(result, good, other, strict=True)]
    assert fit.values() == pytest.approx((0.5, 0.0), abs=0.03)
    assert variance(found) < 1.1 * 0.3**2 + 0.01
    alone = Coefficients()
    found = [alone.corrected(x, (own,)) for x, own in zip(result, good, strict=True)]
    assert variance(found) < 0.6 * variance(result - good)


def test_values_that_are_always_zero_or_the_same_twice_do_no_harm():
    fit = Coefficients((1.0, 1.0, 1.0))
    for x in (1.0, -1.0, 0.5, 1.0):
        fit.corrected(x, (0.0, x, x))
    none, *same = fit.values()
    assert none == 1.0
    assert 0 < same[0] + same[1] <= 2.0


def test_the_sum_of_corrections_has_mean_zero_whenever_one_stops():
    """Stops when the corrected mean leaves a band: the sum is a martingale all the same."""
    sums = []
    for seed in range(1500):
        result, good, _ = deals(seed, 60, 0.5, 0.4)
        fit, total, taken = Coefficients(), 0.0, 0.0
        for number, (x, own) in enumerate(zip(result, good, strict=True), 1):
            z = fit.corrected(x - 0.1, (own,))
            total, taken = total + z, taken + x - 0.1 - z
            if number >= 5 and abs(total) > 1.5 * number**0.5 * 0.5:
                break
        sums.append(taken)
    assert abs(fmean(sums)) < 3 * pstdev(sums) / len(sums) ** 0.5
