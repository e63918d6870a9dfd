from __future__ import annotations

from itertools import permutations
from math import exp

import numpy as np
import pytest
from arena_results.ratings.fits.fitting import ELO
from arena_results.ratings.fits.joint import fit
from arena_results.ratings.fits.orders import choices_of, fit_orders
from arena_results.ratings.intervals.quantiles import students_t
from arena_results.ratings.intervals.ranking import errors_between
from arena_results.ratings.systems.openskill import DEVIATION, START, openskill

from arena.core.errors import BadInput
from arena.core.tournaments.rating import Z95
from benchmarks.summing import sum_results
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


def around(players, deals, truth, rng):
    """Deals that are played from every seat, without luck of the seats; for ``fit_orders``."""
    orders = []
    for _ in range(deals):
        for turn in range(players):
            seated = np.roll(np.arange(players), turn)
            came = truth[seated] + rng.gumbel(size=players)
            orders.append((tuple(seated.tolist()), tuple((-came).argsort().argsort().tolist())))
    return orders, np.repeat(np.arange(deals), players).tolist()


def coverage(players, deals, spread, runs):
    """The share of 95 % intervals that hold the truth, and of those of neighbours' differences."""
    rng = np.random.default_rng([7, players, deals, spread])
    truth = np.linspace(-1.5, 1.5, players) * spread / ELO
    held = between = 0
    for _ in range(runs):
        found = fit_orders(players, *around(players, deals, truth, rng))
        held += (np.abs(found.ratings - truth) < Z95 * found.errors).sum()
        off = np.abs(np.diff(found.ratings) - np.diff(truth))
        between += (off < Z95 * errors_between(found.covariance.tolist()).diagonal(1)).sum()
    return held / runs / players, between / runs / (players - 1)


QUICK = (6, 10, 400, 60, 0.935)
TABLES = [(3, 10, 200), (3, 15, 200), (5, 10, 200), (5, 12, 300), (6, 10, 200), (6, 10, 400)]


@pytest.mark.thorough("more runs, and other tables", everyday=["*-60-*"])
@pytest.mark.parametrize(
    ("players", "deals", "spread", "runs", "least"),
    [QUICK, *((*each, 700, 0.943) for each in TABLES)],
)
def test_intervals_after_few_deals_hold_the_truth(players, deals, spread, runs, least):
    """Without Student's factor 0.92 of them do at tables of six."""
    for share in coverage(players, deals, spread, runs):
        assert least <= share <= 0.985


@pytest.mark.parametrize(("players", "deals"), [(3, 12), (3, 15), (5, 10), (6, 10)])
@pytest.mark.parametrize("kind", ["level", "seats decide"])
def test_deals_that_end_alike_do_not_make_it_sure(kind, players, deals):
    """At the least errors are those of two deals more that differ; here as at tables of two."""
    ranks = [0] * players if kind == "level" else range(players)
    seats = [np.roll(range(players), turn).tolist() for turn in range(players)]
    orders = [(tuple(seated), tuple(ranks)) for _ in range(deals) for seated in seats]
    groups = [deal for deal in range(deals) for _ in range(players)]
    found = fit_orders(players, orders, groups)
    alone = fit_orders(players, orders)
    assert found.ratings == pytest.approx(0, abs=1e-6)
    factor = students_t(deals - 1) / Z95
    assert found.errors == pytest.approx(alone.errors * factor * np.sqrt(2 / (deals + 2)), rel=0.05)


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
