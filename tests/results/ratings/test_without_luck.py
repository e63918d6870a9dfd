"""Tests of a change by scores without luck: what they compute, and how often they err."""

from __future__ import annotations

from math import inf, log, sqrt

import numpy as np
import pytest
from arena_results.ratings.comparing.changes import Verdict, look_without_luck, read_test
from arena_results.ratings.comparing.predictable import Coefficients
from arena_results.ratings.comparing.sequential import Decision
from arena_results.ratings.comparing.without_luck import (
    BURN_IN,
    UNSEEN,
    AdjustedScores,
    member_luck,
)
from arena_results.ratings.intervals.statistics import NELO, elo_interval
from arena_results.ratings.systems.elo import expected
from arena_results.schema.rows import LuckSums

LOGISTIC = "sprt(elo0=0,elo1=11,model=logistic)"


def scores(units, score, variance, raw_variance=0.035, size=2):
    return AdjustedScores(
        units=units,
        size=size,
        score=score,
        variance=variance,
        raw_score=score,
        raw_variance=raw_variance,
    )


def test_the_scores_are_the_moments_of_what_the_fitted_coefficients_leave():
    random = np.random.default_rng(1)
    luck = random.normal(0, 0.4, 90)
    points = np.clip(np.round(1 + luck + random.normal(0, 0.3, 90)), 0, 2)
    deals = [(point, own, 2) for point, own in zip(points.tolist(), luck.tolist(), strict=True)]
    sums = LuckSums(180, 90, 4 * 90, (member_luck(3, deals),))
    found, fit = AdjustedScores.of(sums, 3, 2), Coefficients()
    rest = [fit.corrected(point, (own,)) / 2 for point, own, _ in deals]
    assert (found.units, found.size) == (90, 2)
    assert (found.score, found.variance) == pytest.approx((np.mean(rest), np.var(rest)))
    raw = points / 2
    assert (found.raw_score, found.raw_variance) == pytest.approx((raw.mean(), raw.var()))
    assert found.worth == pytest.approx(raw.var() / np.var(rest))


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_the_ratio_is_that_of_normal_laws_with_their_likeliest_variances(model):
    found = scores(200, 0.51, 0.002)
    test = read_test(f"sprt(elo0=-2,elo1=9,model={model})")
    unseen, raw = UNSEEN / 200, 0.035 + UNSEEN / 200
    means = [expected(elo, 0.0) for elo in (-2, 9)]
    if model == "normalized":
        means = [0.5 + elo / NELO * sqrt(2 * raw) for elo in (-2, 9)]
    squares = [200 * (0.002 + unseen + (0.51 - mean) ** 2) for mean in means]
    assert found.evidence(test).llr == pytest.approx(100 * log(squares[0] / squares[1]))


def test_nothing_is_decided_before_the_burn_in():
    for text in (LOGISTIC, "sequence"):
        early = look_without_luck(read_test(text), scores(BURN_IN - 1, 0.9, 0.001))
        assert (early.decision, early.low, early.high) == (Decision.CONTINUE, -inf, inf)
        then = look_without_luck(read_test(text), scores(BURN_IN, 0.9, 0.001))
        assert then.verdict is Verdict.BETTER


def test_an_interval_for_one_look_is_the_normal_one():
    low, high = scores(10_000, 0.5, 0.09375).interval()
    usual = elo_interval((1250, 2500, 2500, 2500, 1250))
    assert (low, high) == pytest.approx(usual, rel=0.01)
    assert scores(100, 0.99, 0.01).interval()[1] == inf
    assert scores(100, 1.02, 0.01).elo is None


def test_more_matches_are_estimated_until_the_interval_decides():
    found = scores(100, 0.504, 0.002)
    assert 0 < look_without_luck(read_test(LOGISTIC), found).more < 1000
    test = read_test("sequence")
    more = look_without_luck(test, found).more
    ends = [found.times(1 + more * scale / 100).sequence()[0] for scale in (0.98, 1.01)]
    assert ends[0] < 0 < ends[1]


@pytest.mark.parametrize("share", [1.0, 0.1])
@pytest.mark.parametrize("truth", [0.0, 11.0])
def test_a_decision_is_wrong_no_more_often_than_it_says(truth, share):
    """Also where bots differ in one pair of ten alone, whose scores are skewed."""
    elo1 = 11 * share
    test = read_test(f"sprt(elo0=0,elo1={elo1},model=logistic)")
    random, wrong = np.random.default_rng(4), Decision.H0 if truth else Decision.H1
    missed = 0
    for _ in range(100):
        differs = random.random(8_000) < share
        skewed = (random.gamma(4.0, 1.0, 8_000) - 4.0) / 2.0  # kurtosis 4.5
        drawn = np.where(differs, expected(truth, 0.0) + 0.048 * skewed, 0.5)
        first, second = np.cumsum(drawn), np.cumsum(drawn * drawn)
        units, decision = BURN_IN, Decision.CONTINUE
        while decision is Decision.CONTINUE and units <= 8_000:
            mean = first[units - 1] / units
            found = scores(units, mean, max(0.0, second[units - 1] / units - mean**2))
            decision = found.evidence(test).decision
            units += max(10, units // 20)
        missed += decision is wrong
    assert missed <= 13  # a binomial law of 5 % has more in 1 of 1,000 runs
