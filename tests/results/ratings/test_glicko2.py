from __future__ import annotations

import pytest
from arena_results.ratings.systems.glicko2 import Glicko, after_period, expected, glicko2

from tests.results.ratings.published_models import PUBLISHED


def opponents(case):
    return [(Glicko(rating, deviation), score) for rating, deviation, score in case["opp"]]


def test_glickmans_example():
    case = PUBLISHED["glicko2"]
    player = Glicko(case["r"], case["rd"], case["vol"])
    found = after_period(player, opponents(case), case["tau"])
    assert found.rating == pytest.approx(case["new_r"], abs=0.011)  # he rounds on the way
    assert round(found.deviation, 2) == case["new_rd"]
    assert found.volatility == pytest.approx(case["new_vol"], abs=1e-5)
    exact = case["pypi_glicko2_2.1.0"]
    assert [found.rating, found.deviation] == pytest.approx(exact[:2], abs=1e-3)
    # Step 5 to the last digit; that library widens the deviation before it.
    assert found.volatility == pytest.approx(0.059995984400677826, abs=1e-9)


def test_his_first_system_is_a_volatility_of_zero():
    case = PUBLISHED["glicko1"]
    found = after_period(Glicko(case["r"], case["rd"], 0.0), opponents(case))
    assert round(found.rating) == case["new_r"]
    assert round(found.deviation, 1) == case["new_rd"]
    assert found.volatility == 0
    both = (80**2 + 150**2) ** 0.5
    assert round(expected(1400, 1500, both), 3) == case["expected_1400_80_vs_1500_150"]


def test_a_period_without_results_makes_less_sure():
    ratings, seen = [Glicko(1500, 50), Glicko(), Glicko()], {0}
    glicko2(ratings, [(1, 2, 1.0)], seen, 0.5)
    assert ratings[0].rating == 1500
    assert ratings[0].deviation == pytest.approx(((50 / 173.7178) ** 2 + 0.06**2) ** 0.5 * 173.7178)
    assert ratings[1].rating > 1500 > ratings[2].rating
    assert seen == {0, 1, 2}


def test_all_results_of_a_period_count_from_the_ratings_before():
    ratings = [Glicko(), Glicko(), Glicko()]
    glicko2(ratings, [(0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0)], set(), 0.5)
    assert [each.rating for each in ratings] == pytest.approx([1500] * 3)


def test_a_great_surprise_raises_the_volatility():
    weak = Glicko(1500, 60, 0.06)
    assert after_period(weak, [(Glicko(2200, 50), 1.0)] * 10, 1.0).volatility > 0.065
