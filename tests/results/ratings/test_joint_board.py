"""Boards that are rated jointly, from counted results: what is known, and what is not."""

from __future__ import annotations

import numpy as np
import pytest
from arena_results.ratings.fits.duels import incomplete
from arena_results.ratings.fits.fitting import ELO
from arena_results.ratings.fits.joint import fit
from arena_results.ratings.fits.remarks import incomplete_remarks, seat_remark
from arena_results.ratings.intervals.ranking import chance, errors_between, rank_ranges
from arena_results.ratings.systems.joint_board import rate_jointly
from arena_results.ratings.systems.systems import Glicko2, Joint, OpenSkill

from arena.core.tournaments.rating import BOUND, MISFIT, Duels, Results
from benchmarks.summing import sum_results

WON, LOST = (1.0, 1.0), (0.0, 0.0)
SPLIT, OTHER_SPLIT = (1.0, 0.0), (0.0, 1.0)
"""Pairs of which the first seat won both, and the second."""


def pair(one, other, points):
    """A mirrored pair by the points of the one, leg by leg."""
    return Duels((one, other), (points[0],)), Duels((other, one), (1 - points[1],))


def rate(counted, players=None, anchors=None):
    size = 1 + max(seat for unit in counted for match in unit for seat in match.players)
    names = players or [f"bot{index}" for index in range(size)]
    units = [unit for unit, times in counted.items() for _ in range(times)]
    return Results(names, counted, lambda: [units], anchors=anchors or {})


def test_many_matches_of_two_close_bots_have_a_narrow_interval():
    """20,000 matches that say +8.3 +- 2.2."""
    splits = {pair(0, 1, SPLIT): 4480, pair(0, 1, OTHER_SPLIT): 4479}
    rated = rate_jointly(rate({pair(0, 1, WON): 640, pair(0, 1, LOST): 401, **splits}))
    one, other = rated.ratings
    between = errors_between(rated.covariance)[0, 1]
    assert one.value - other.value == pytest.approx(8.3, abs=0.05)
    assert 1.96 * between == pytest.approx(2.2, abs=0.05)
    assert one.value + other.value == pytest.approx(3000)
    assert chance(one.value - other.value, between) > 0.999


def test_whoever_won_38_to_2_stands_first():
    rated = rate_jointly(rate({pair(0, 1, LOST): 18, pair(0, 1, SPLIT): 2}))
    values = [each.value for each in rated.ratings]
    assert values[1] - values[0] > 400
    ranges = rank_ranges(values, errors_between(rated.covariance), [1, 1], [False, False])
    assert ranges == [(2, 2), (1, 1)]


def test_a_seat_that_decides_is_no_strength():
    rated = rate_jointly(rate({pair(0, 1, SPLIT): 50}))
    assert [each.value for each in rated.ratings] == pytest.approx([1500, 1500])
    assert rated.notes == []
    assert rated.seat_effect[0] > 0
    assert seat_remark(*rated.seat_effect).startswith("the first seat is worth +")


def test_groups_that_never_met_have_a_zero_each_and_are_noted():
    counted = {pair(0, 1, WON): 9, pair(0, 1, LOST): 3, pair(2, 3, SPLIT): 9, pair(3, 4, WON): 1}
    rated = rate_jointly(rate(counted, ["ann", "bob", "cid", "dot", "eve"]))
    assert [each.component for each in rated.ratings] == [2, 2, 1, 1, 1]
    for group in (rated.ratings[:2], rated.ratings[2:4]):  # eve lost everything
        assert sum(each.value for each in group) == pytest.approx(3000)
    assert rated.notes[0].startswith("2 groups that never met")
    assert "cid, dot, eve | ann, bob" in rated.notes[0]
    assert [BOUND in each.flags for each in rated.ratings] == [False, False, False, False, True]


def test_perfect_scores_are_finite_and_flagged():
    rated = rate_jointly(rate({pair(0, 1, WON): 500}))
    assert all(each.flags == (BOUND,) for each in rated.ratings)
    assert 2000 < rated.ratings[0].value < 5000
    assert "finite by the prior alone (won or lost everything): bot0, bot1" in rated.notes


HOUSE = {
    pair(one, other, points): times
    for one in range(6)
    for other in range(one + 1, 6)
    for points, times in ((WON, 19), (LOST, 25), (SPLIT, 28), (OTHER_SPLIT, 28))
}
"""Six bots with 1,000 matches each, whose ratings differ a little."""
NEWCOMERS = {
    "two losses": {pair(6, 0, LOST): 1},
    "two wins": {pair(6, 0, WON): 1},
    "one of each": {pair(6, 5, SPLIT): 1},
    "two draws": {pair(6, 5, (0.5, 0.5)): 1},
    "one draw": {(Duels((6, 0), (0.5,)),): 1},
    "ten with two losses": {pair(6 + each, 0, LOST): 1 for each in range(10)},
    "eight who met and lost": {
        **{pair(6 + one, 6 + other, SPLIT): 3 for other in range(8) for one in range(other)},
        **{pair(6 + each, 0, LOST): 5 for each in range(8)},
    },
    "two who met nobody else": {pair(6, 7, SPLIT): 1},
}


@pytest.mark.parametrize("anchors", [{}, {0: 1400.0}, {0: None, 1: None}])
@pytest.mark.parametrize("newcomers", [*NEWCOMERS])
def test_newcomers_change_nobodys_rating_or_interval(newcomers, anchors):
    """Zero and errors are measured against those whom results hold."""
    before = rate_jointly(rate(HOUSE, anchors=anchors)).ratings
    rated = rate_jointly(rate(HOUSE | NEWCOMERS[newcomers], anchors=anchors)).ratings
    for old, new in zip(before, rated, strict=False):
        assert new.value == pytest.approx(old.value, abs=1.5)
        assert 1.96 * new.error == pytest.approx(1.96 * old.error, abs=0.3)
        assert 1.96 * new.error < 30
        assert BOUND not in new.flags
    if "met nobody" not in newcomers:
        assert all(1.96 * new.error > 150 for new in rated[6:])


def test_a_board_of_newcomers_alone_has_the_mean_of_all():
    for counted in ({pair(0, 1, WON): 1}, {pair(0, 1, WON): 1, pair(1, 2, WON): 1}):
        rated = rate_jointly(rate(counted)).ratings
        assert np.mean([each.value for each in rated]) == pytest.approx(1500)
        assert all(each.error * 1.96 > 500 for each in rated)


def test_a_league_with_equal_numbers_of_matches_has_the_plain_mean():
    rated = rate_jointly(rate(HOUSE)).ratings
    assert np.mean([each.value for each in rated]) == pytest.approx(1500)


def test_a_circle_is_flagged_with_its_pairings():
    circle = {pair(one, (one + 1) % 3, WON): 40 for one in range(3)}
    rated = rate_jointly(rate(circle))
    assert all(each.flags == (MISFIT,) for each in rated.ratings)
    assert "bot0 against bot1 (100.0%, expected 50.0%)" in rated.notes[0]


def test_a_leg_without_its_twin_counts_and_is_noted():
    leg = (Duels((0, 1), (1.0,)),)
    even = {pair(0, 1, WON): 5, pair(0, 1, LOST): 5}
    rated = rate_jointly(rate({**even, leg: 3}))
    assert rated.ratings[0].value > 1505
    assert "results alone in their pair, which count as a deal each: 3" in rated.notes
    assert not any("alone" in note for note in rate_jointly(rate(even)).notes)
    assert not any("alone in their pair" in note for note in rate_jointly(rate({leg: 9})).notes)


def test_anchors_have_the_ratings_given_and_the_others_follow():
    counted = {pair(0, 1, WON): 30, pair(0, 1, LOST): 10, pair(1, 2, WON): 20, pair(1, 2, LOST): 9}
    free = rate_jointly(rate(counted)).ratings
    held = rate_jointly(rate(counted, anchors={1: 1000.0})).ratings
    assert (held[1].value, held[1].error) == (1000.0, 0.0)
    for one in (0, 2):
        gap = free[one].value - free[1].value
        assert held[one].value - 1000 == pytest.approx(gap, rel=0.02)


def test_anchors_without_a_rating_have_the_mean():
    counted = HOUSE | {pair(6, 0, LOST): 29, pair(6, 0, SPLIT): 1}
    pinned = rate_jointly(rate(counted, anchors={6: 1500.0})).ratings
    assert all(1.96 * each.error > 100 for each in pinned[:6])
    rated = rate_jointly(rate(counted, anchors={6: None, 4: None, 5: None})).ratings
    assert all(1.96 * each.error < 35 for each in rated[:6])
    assert np.mean([each.value for each in rated[4:6]]) == pytest.approx(1500, abs=30)
    even = rate_jointly(rate(counted, anchors={4: None, 5: None})).ratings
    assert np.mean([each.value for each in even[4:6]]) == pytest.approx(1500)
    assert np.mean([each.value for each in even[:6]]) != pytest.approx(1500, abs=5)


def test_tables_go_by_the_finishing_order_and_a_deal_is_one_observation():
    def table(*order):
        return Duels(order, tuple([1.0] * (len(order) * (len(order) - 1) // 2)))

    orders = [table(0, 1, 2), table(0, 2, 1), table(1, 0, 2), table(2, 0, 1)]
    alone = rate_jointly(rate({(each,): 60 for each in orders}))
    assert alone.ratings[0].value > 1510
    assert alone.ratings[1].value == pytest.approx(alone.ratings[2].value)
    legs = rate_jointly(rate({(each,) * 3: 20 for each in orders}))
    assert legs.ratings[0].value == pytest.approx(alone.ratings[0].value)
    assert legs.ratings[0].error > 1.1 * alone.ratings[0].error
    assert not incomplete({(each,): 60 for each in orders})
    assert not incomplete({(each,) * 3: 20 for each in orders})


def test_a_board_of_tables_says_which_deals_miss_matches():
    def table(*order):
        return Duels(order, (1.0, 1.0, 1.0))

    whole = (table(0, 1, 2), table(1, 2, 0), table(2, 0, 1))
    cut = {whole[:2]: 2, (table(3, 0, 1),): 1}
    names = ["ann", "bob", "cid", "dot"]
    (note,) = incomplete_remarks(names, incomplete({whole: 12, **cut}))
    assert note == (
        "deals that were not played from every seat, and count as they are: 3: "
        "ann, bob, cid (2 of 3 matches, 2 times); ann, bob, dot (1 of 3 matches)"
    )


@pytest.mark.parametrize("system", [Glicko2(), OpenSkill()])
def test_systems_that_go_match_by_match_rate_the_better_bot_higher(system):
    rated = system.rate(rate({pair(0, 1, LOST): 5, pair(0, 1, WON): 20}))
    one, other = rated.ratings
    assert one.value > other.value
    assert one.low < one.value < one.high
    assert errors_between(rated.covariance)[0, 1] == pytest.approx(np.hypot(one.error, other.error))


def test_ranks_are_open_where_an_interval_has_0_in_it_or_matches_are_few():
    values, errors = [1600.0, 1550.0, 1500.0], np.full((3, 3), 40.0)
    assert rank_ranges(values, errors, [1, 1, 1], [False] * 3) == [(1, 2), (1, 3), (2, 3)]
    assert rank_ranges(values, errors, [1, 1, 1], [True, False, False]) == [(1, 3)] * 3
    assert rank_ranges(values, errors, [1, 1, 2], [False] * 3) == [(1, 2), (1, 2), (1, 1)]


def test_intervals_and_ranks_are_wrong_no_more_often_than_they_say():
    """100 populations of 8 bots, 30 mirrored pairs a pairing; legs share their luck."""
    rng = np.random.default_rng(4)
    one, other = (np.repeat(each, 30) for each in np.triu_indices(8, 1))
    held, wrong, decided, close = 0, 0, 0, 0
    for _ in range(100):
        truth = rng.normal(0, 60 / ELO, 8)
        truth -= truth.mean()
        odds = 1 / (1 + np.exp(truth[other] - truth[one]))
        luck = rng.random(len(one))
        again = np.where(rng.random(len(one)) < 0.8, 1 - luck, rng.random(len(one)))
        scores = np.concatenate([luck < odds, again >= odds]) * 1.0
        deals = np.tile(np.arange(len(one)), 2)
        first, second = np.append(one, other), np.append(other, one)
        fitted = fit(sum_results(8, first, second, scores, deals), seat_effect=True)
        held += int((np.abs(fitted.ratings - truth) < 1.96 * fitted.errors).sum())
        errors = errors_between(fitted.covariance.tolist())
        gap = fitted.ratings[:, None] - fitted.ratings
        ahead = gap > 1.96 * errors
        reverse = truth[:, None] < truth
        wrong, decided = wrong + int((ahead & reverse).sum()), decided + int(ahead.sum())
        close += int(reverse.sum())
        ranges = rank_ranges(fitted.ratings.tolist(), errors, [1] * 8, [False] * 8)
        assert all(low == 1 + ahead[:, place].sum() for place, (low, _) in enumerate(ranges))
    assert 0.93 < held / 800 < 0.97
    assert decided > 500
    assert wrong / close < 0.025


def test_by_amount_the_rating_is_the_mean_with_an_interval_over_deals():
    rng = np.random.default_rng(2)
    gains = rng.normal(3, 10, (200, 2)).round()
    legs = [[((0, 1), (one, -one)), ((1, 0), (-other, other))] for one, other in gains.tolist()]
    worths = [*legs, [((2, 3), (1.0, -1.0))]]
    names = ["ann", "bob", "cid", "dot"]
    rated = Joint().rate(Results(names, {(): 1}, list, worths=worths))
    ann, bob, cid, _ = rated.ratings
    deals = gains.mean(axis=1)
    assert ann.value == pytest.approx(gains.mean()) == -bob.value
    assert ann.error == pytest.approx(deals.std(ddof=1) / np.sqrt(200))
    assert ann.high - ann.value == pytest.approx(1.97 * ann.error, rel=0.01)
    # What the one wins the other loses: the difference is twice as unsure as either.
    assert errors_between(rated.covariance)[0, 1] == pytest.approx(2 * ann.error)
    assert (ann.component, cid.component, cid.value) == (1, 2, 1.0)
    assert rated.notes[0].endswith("ann, bob | cid, dot")
