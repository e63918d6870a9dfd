from __future__ import annotations

from itertools import permutations
from math import exp

import numpy as np
import pytest
from arena_results.ratings.joint import fit, sum_results
from arena_results.ratings.openskill import DEVIATION, START, openskill
from arena_results.ratings.orders import choices_of, fit_orders

from arena.core.errors import BadInput
from tests.results.ratings.published_models import PUBLISHED


def plackett_luce(order, strengths):
    """The chance of an order, the first first."""
    chance, left = 1.0, sum(strengths[player] for player in order)
    for player in order:
        chance *= strengths[player] / left
        left -= strengths[player]
    return chance


def simulated(ratings, matches, seed, table=4):
    rng = np.random.default_rng(seed)
    orders = []
    for _ in range(matches):
        seated = rng.choice(len(ratings), table, replace=False)
        luck = ratings[seated] + rng.gumbel(size=table)
        orders.append((tuple(seated.tolist()), tuple((-luck).tolist())))
    return orders


def test_two_players_are_bradley_terry():
    results = [(0, 1, 1.0)] * 12 + [(1, 0, 0.5)] * 6 + [(1, 2, 1.0), (2, 0, 0.0)] * 7
    first, second, scores = (np.array(each) for each in zip(*results, strict=True))
    joint = fit(sum_results(3, first, second, scores))
    orders = [((one, other), (-score, score - 1)) for one, other, score in results]
    assert fit_orders(3, orders).ratings == pytest.approx(joint.ratings, abs=1e-8)


def test_players_who_share_a_place_have_the_mean_of_all_orders():
    values = np.array([0.3, -0.2, 0.9, 0.1])
    strengths = [exp(each) for each in values]
    choices = choices_of(4, [((0, 1, 2, 3), (1, 2, 2, 2))])
    padded = np.append(np.exp(values), 0.0)[choices.members].sum(axis=1)
    found = values.sum() - (choices.weights * np.log(padded)).sum()
    orders = [plackett_luce((0, *rest), strengths) for rest in permutations((1, 2, 3))]
    assert found == pytest.approx(np.mean(np.log(orders)))


def test_ratings_are_those_of_the_truth_and_errors_are_honest():
    truth = np.linspace(-1.2, 1.2, 7)
    held = []
    for seed in range(25):
        found = fit_orders(7, simulated(truth, 250, seed))
        held.append(np.abs(found.ratings - truth) < 1.96 * found.errors)
    assert 0.90 <= np.mean(held) <= 0.99


def test_matches_that_share_a_deal_count_as_one():
    orders = simulated(np.linspace(-1, 1, 5), 120, 3)
    alone = fit_orders(5, orders)
    deals = [deal for deal in range(120) for _ in range(4)]
    fourfold = [order for order in orders for _ in range(4)]
    together = fit_orders(5, fourfold, deals, prior=0)
    assert together.ratings == pytest.approx(fit_orders(5, orders, prior=0).ratings)
    assert together.errors == pytest.approx(alone.errors, rel=0.3)
    assert fit_orders(5, fourfold).errors == pytest.approx(alone.errors / 2, rel=0.02)


def test_always_first_is_finite_by_the_prior_and_flagged():
    orders = [((0, *rest), (1, 2, 3)) for rest in ((1, 2), (2, 1))] * 10
    for deals in ((), range(20)):
        found = fit_orders(3, orders, deals)
        assert found.cut_off.tolist() == [True, False, False]
        assert found.errors[0] > 0.5
    with pytest.raises(BadInput, match="no finite ratings"):
        fit_orders(3, orders, prior=0)


def test_too_many_on_one_place_are_refused():
    with pytest.raises(BadInput, match="9 players share a place; at most 8 can"):
        fit_orders(9, [(tuple(range(9)), (1,) * 9)])


@pytest.mark.parametrize("key", ["win_1v1", "ffa6"])
def test_openskill_as_published(key):
    expected = PUBLISHED["openskill_plackett_luce"][key]
    players = range(len(expected))
    found = openskill([(START, DEVIATION)] * len(expected), [(players, players)])
    assert found == [tuple(each) for each in expected]
