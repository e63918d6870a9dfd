from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from arena_results.ratings.fits.fitting import ELO
from arena_results.ratings.fits.joint import Misfit, fit, misfits, sum_units

from arena.core.errors import BadInput
from benchmarks.summing import sum_results
from tests.results.ratings.published_models import BASEBALL, TEAMS, games


def summed(results, deals=None, players=None):
    """Sums of results as (first, second, score)."""
    first, second, scores = (np.array(part) for part in zip(*results, strict=True))
    number = players or int(max(first.max(), second.max())) + 1
    return sum_results(
        number, first, second, scores.astype(float), None if deals is None else np.array(deals)
    )


def season():
    return summed([(TEAMS.index(home), TEAMS.index(away), won) for home, away, won in games()])


def test_baseball_as_published_without_the_home_effect():
    found = fit(season(), prior=0, anchors={TEAMS.index("Baltimore"): 0.0})
    ratings = sorted(found.ratings)
    assert ratings[0] == 0.0
    assert [round(each, 2) for each in ratings[1:]] == BASEBALL["no_home_adv_vs_Baltimore_sorted"]
    errors = [error for error in found.errors if error]
    assert len(errors) == 6
    assert errors == pytest.approx([BASEBALL["se_approx"]] * 6, abs=0.05)


def test_baseball_as_published_with_the_home_effect():
    found = fit(season(), prior=0, seat_effect=True)
    strengths = np.exp(found.ratings)
    shares = [round(float(each), 3) for each in sorted(strengths / strengths.sum())]
    assert shares == BASEBALL["with_home_adv_normalised_exp_sorted"]
    assert found.seat_effect == pytest.approx(BASEBALL["home_adv"], abs=0.0005)


def test_the_errors_are_those_of_the_model_where_results_are_independent():
    """Of two players with an anchor the error is that of a logarithm of odds."""
    found = fit(summed([(0, 1, 1)] * 30 + [(0, 1, 0)] * 10), prior=0, anchors={1: 0.0})
    assert found.ratings == pytest.approx([np.log(3), 0])
    assert found.errors == pytest.approx([np.sqrt(1 / 30 + 1 / 10), 0])


def test_draws_are_half_wins_and_make_the_errors_smaller():
    decided = fit(summed([(0, 1, 1), (0, 1, 0)] * 20), prior=0, anchors={1: 0.0})
    drawn = fit(summed([(0, 1, 1), (0, 1, 0), (0, 1, 0.5), (0, 1, 0.5)] * 10), 0, {1: 0.0})
    assert drawn.ratings == pytest.approx(decided.ratings)
    assert drawn.errors[0] == pytest.approx(decided.errors[0] / np.sqrt(2))


@pytest.mark.parametrize("seat_effect", [False, True])
def test_results_of_a_deal_are_one_observation(seat_effect):
    """The error of a mean score of pairs, in logarithms of odds, with Bessel's correction."""
    sums = [2.0] * 12 + [1.0] * 30 + [0.0] * 8
    legs = {2.0: (1, 1), 1.0: (1, 0), 0.0: (0, 0)}
    results, deals = [], []
    for deal, total in enumerate(sums):
        home, away = legs[total] if deal % 2 else legs[total][::-1]
        results += [(0, 1, home), (1, 0, 1 - away)]
        deals += [deal, deal]
    found = fit(summed(results, deals), 0, {1: 0.0}, seat_effect)
    score = np.mean(sums) / 2
    error = np.std(np.array(sums) / 2, ddof=1) / np.sqrt(50) / (score * (1 - score))
    assert found.ratings[0] == pytest.approx(np.log(score / (1 - score)))
    assert found.errors[0] == pytest.approx(error, rel=1e-6)


def test_sums_of_counted_outcomes_are_those_of_the_results():
    results, deals = [], []
    for deal in range(7):
        results += [(0, 1, 1), (1, 0, 1)] if deal < 4 else [(0, 1, 1), (1, 0, 0)]
        deals += [deal, deal]
    one, other = np.zeros(2, np.int64), np.ones(2, np.int64)
    known = np.array([[1.0, 1.0], [0.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
    counted = sum_units(2, one, other, known, np.array([4.0, 3.0]))
    assert counted.products == pytest.approx(summed(results, deals).products)
    assert not counted.alone


def test_an_odd_leg_is_an_observation_of_its_own():
    found = fit(summed([(0, 1, 1), (1, 0, 1), (0, 1, 0)], [0, 0, 1]))
    assert np.isfinite(found.errors).all()
    assert found.ratings[0] < found.ratings[1]


def test_without_an_anchor_the_mean_is_zero_and_with_one_all_move_along():
    free, held = fit(season()), fit(season(), anchors={2: 5.0})
    assert free.ratings.mean() == pytest.approx(0, abs=1e-12)
    assert held.ratings == pytest.approx(free.ratings - free.ratings[2] + 5.0)
    assert held.errors[2] == 0


def test_players_who_never_met_are_rated_apart():
    found = fit(summed([(0, 1, 1), (1, 0, 1), (2, 3, 1), (3, 2, 0)] * 10), anchors={3: 1.0})
    assert found.components.tolist() == [0, 0, 1, 1]
    assert found.ratings[:2].sum() == pytest.approx(0, abs=1e-12)
    assert found.ratings[3] == 1.0


def test_a_perfect_score_is_finite_by_the_prior_and_flagged():
    results = [(0, 1, 1)] * 38 + [(1, 2, 1), (1, 2, 0)] * 20
    found = fit(summed(results))
    assert found.cut_off.tolist() == [True, False, False]
    assert found.ratings[0] > found.ratings[1] + 2
    assert found.errors[0] > 1
    with pytest.raises(BadInput, match="no finite ratings fit these results best"):
        fit(summed(results), prior=0)


def test_circles_that_each_have_an_anchor_need_no_prior():
    results = [(0, 1, 1), (1, 0, 1), (1, 2, 1), (2, 0, 1), (3, 4, 1), (4, 3, 1), (0, 3, 1)]
    with pytest.raises(BadInput, match="no finite ratings fit these results best"):
        fit(summed(results), prior=0, anchors={3: 0.0})
    found = fit(summed(results), prior=0, anchors={3: 0.0, 0: 1.0})
    assert np.isfinite(found.ratings).all()
    assert found.ratings[4] == pytest.approx(0, abs=1e-9)  # it won one, and lost one


def test_pairs_of_a_perfect_score_do_not_make_it_sure():
    results = [(0, 1, 1), (1, 0, 0)] * 19
    found = fit(summed(results, np.repeat(np.arange(19), 2)))
    assert found.errors[0] * ELO > 100


@pytest.mark.parametrize("deals", [None, np.repeat(np.arange(20), 2)])
def test_results_that_are_all_alike_do_not_make_it_sure(deals):
    """Forty draws, or twenty split pairs: as one lost and one won unit would, at the least."""
    legs = [(0, 1, 0.5)] * 40 if deals is None else [(0, 1, 1), (1, 0, 1)] * 20
    found = fit(summed(legs, deals), 0, {1: 0.0})
    units = 40 if deals is None else 20
    assert found.errors[0] == pytest.approx(np.sqrt(2 / (units + 2) / (40 / 4)), rel=1e-6)


def test_pairings_that_go_round_in_circles_are_named():
    cycle = [(0, 1, 1), (1, 2, 1), (2, 0, 1)] * 50
    sums = summed(cycle)
    worst = misfits(sums, fit(sums))
    assert {(each.one, each.other) for each in worst} == {(0, 1), (1, 2), (0, 2)}
    assert worst[0] in (Misfit(0, 1, 1.0, 0.5), Misfit(0, 2, 0.0, 0.5), Misfit(1, 2, 1.0, 0.5))
    assert misfits(season(), fit(season())) == []


@pytest.mark.parametrize("shared", [0.0, 0.8])
def test_intervals_hold_the_truth_with_and_without_shared_luck(shared):
    """In each run eight players meet in 20 pairs a pairing, whose legs share their luck."""
    rng, truth = np.random.default_rng(12), np.linspace(-1.5, 1.5, 8)
    pairings = np.repeat(list(combinations(range(8), 2)), 20, axis=0)
    one, other = pairings.T
    chance = 1 / (1 + np.exp(truth[other] - truth[one]))
    deals = np.repeat(np.arange(len(one)), 2)
    held = []
    for _ in range(150):
        luck = rng.random(len(one))
        again = np.where(rng.random(len(one)) < shared, 1 - luck, rng.random(len(one)))
        scores = np.stack([luck < chance, ~(again < chance)], axis=1).ravel() * 1.0
        first, second = np.stack([one, other], 1).ravel(), np.stack([other, one], 1).ravel()
        found = fit(sum_results(8, first, second, scores, deals))
        held.append(np.abs(found.ratings - truth) < 1.96 * found.errors)
    assert 0.93 <= np.mean(held) <= 0.97
