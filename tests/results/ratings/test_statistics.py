from __future__ import annotations

import json
from collections import Counter
from math import comb, inf, log10
from pathlib import Path

import numpy as np
import pytest
from arena_results.ratings.intervals.binomial import share_interval
from arena_results.ratings.intervals.statistics import (
    elo_interval,
    elo_sequence,
    estimate,
    result_block_of,
)
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

PUBLISHED = json.loads((Path(__file__).parent / "data" / "published.json").read_text())
FASTCHESS = PUBLISHED["elo_nelo"]


def same(found, case):
    """True if all figures of the source agree, to the digits that it prints."""
    digits = {"nelo": 2, "nelo_err": 2, "elo": 2, "elo_err": 2, "los": 4, "score": 3}
    names = {"nelo_err": "nelo_error", "elo_err": "elo_error"}
    given = {key: case[key] for key in digits if key in case}
    ours = {key: round(getattr(found, names.get(key, key)), digits[key]) for key in given}
    assert len(given) >= 3
    return ours == given


@pytest.mark.parametrize("case", FASTCHESS["wdl_W_L_D"])
def test_fastchess_numbers_of_single_matches(case):
    assert same(estimate((case["l"], case["d"], case["w"])), case)


@pytest.mark.parametrize("case", FASTCHESS["pentanomial_LL_LD_WL_DD_WD_WW"])
def test_fastchess_numbers_of_pairs(case):
    zero, half, won_lost, both_drawn, more, two = case["counts"]
    assert same(estimate((zero, half, won_lost + both_drawn, more, two)), case)


def test_fishtest_numbers_of_pairs():
    case = PUBLISHED["fishtest_example"]
    found = estimate(case["pentanomial"])
    assert found.los == pytest.approx(case["los"], abs=5e-4)
    assert found.nelo == pytest.approx(case["normalized_elo"], abs=0.5)


WIN, DRAW, LOSS = 1.0, 0.5, 0.0
UNITS = [(WIN, WIN), (WIN, LOSS), (DRAW, DRAW), (DRAW, LOSS), (WIN,)]
"""The scores of one side: four mirrored pairs, and a match without its twin."""


def test_the_block_counts_matches_and_whole_pairs():
    block = result_block_of(Counter(UNITS))
    assert (block.games, block.won, block.lost, block.drawn) == (9, 4, 2, 3)
    assert block.pairs == (0, 1, 2, 0, 1)
    # The leg without its twin counts in the score alone.
    assert block.estimate == replace(estimate((0, 1, 2, 0, 1)), score=5.5 / 9)


def test_the_other_side_sees_the_mirror_image():
    mirrored = Counter(tuple(1 - score for score in unit) for unit in UNITS)
    ours, theirs = result_block_of(Counter(UNITS)), result_block_of(mirrored)
    assert (theirs.won, theirs.lost, theirs.drawn) == (ours.lost, ours.won, ours.drawn)
    assert theirs.pairs is not None
    assert theirs.pairs[::-1] == ours.pairs
    assert theirs.estimate.elo == pytest.approx(-ours.estimate.elo)
    assert theirs.estimate.los == pytest.approx(1 - ours.estimate.los)


def test_matches_alone_are_three_outcomes():
    block = result_block_of({(WIN,): 1, (LOSS,): 1, (DRAW,): 1})
    assert block.pairs is None
    assert block.estimate == estimate((1, 1, 1))


def test_figures_without_enough_results_are_absent():
    swept = estimate((0, 0, 9))
    assert (swept.score, swept.elo, swept.elo_error, swept.nelo, swept.los) == (
        1,
        None,
        None,
        None,
        None,
    )
    level = estimate((0, 0, 7, 0, 0))
    assert (level.score, level.elo, level.elo_error, level.los) == (0.5, 0, None, None)
    few = estimate((1, 0, 2))
    assert few.elo is not None
    assert few.elo_error is None


@given(st.tuples(*[st.integers(1, 500)] * 3))
def test_pairs_of_independent_matches_agree_with_the_matches(counts):
    """Every ordered pair once: the law of two independent matches, so nothing may change."""
    won, drawn, lost = counts
    pairs = (
        lost * lost,
        2 * lost * drawn,
        2 * lost * won + drawn * drawn,
        2 * drawn * won,
        won * won,
    )
    whole, single = estimate(pairs), estimate((lost, drawn, won))
    assert whole.score == pytest.approx(single.score)
    assert whole.nelo == pytest.approx(single.nelo, abs=1e-9)


def coverage(law, units: int, elo: float) -> float:
    """The exact chance that the interval of so many units holds the truth; a law of three cells."""
    low_cell, middle_cell, _ = (cell for cell, chance in enumerate(law) if chance is not None)
    lost, drawn, won = (chance for chance in law if chance is not None)
    total = 0.0
    for low in range(units + 1):
        for middle in range(units + 1 - low):
            counts = [0] * len(law)
            ways = comb(units, low) * comb(units - low, middle)
            chance = ways * lost**low * drawn**middle * won ** (units - low - middle)
            if not chance:
                continue
            counts[low_cell], counts[middle_cell], counts[-1] = low, middle, units - low - middle
            below, above = elo_interval(counts)
            if below <= elo <= above:
                total += chance
    return total


@pytest.mark.parametrize("elo", [0, 100, 400])
@pytest.mark.parametrize("units", [5, 10, 20, 49])
@pytest.mark.thorough("other numbers of units", everyday=["5-*", "10-*"])
def test_the_interval_of_few_units_holds_the_truth(units, elo):
    """Matches without draws and with a tenth, and pairs of which most are divided."""
    score = 1 / (1 + 10 ** (-elo / 400))
    for drawn in (0.0, 0.1 * (1 - score)):
        won = score - drawn / 2
        assert coverage((1 - won - drawn, drawn, won), units, elo) >= 0.95
    divided = 0.8 * (2 - 2 * score)
    won = score - divided / 2
    assert coverage((1 - won - divided, None, divided, None, won), units, elo) >= 0.95


@pytest.mark.thorough("test_the_interval_keeps_its_word_at_every_strength sweeps strengths")
@pytest.mark.parametrize("score", [0.5, 0.7, 0.9, 0.94, 0.95, 0.97])
@pytest.mark.parametrize("units", [10, 12, 43, 50, 60, 100])
def test_the_interval_holds_the_truth_of_lopsided_results(units, score):
    """Matches without draws, and pairs that are won or lost as a whole."""
    elo = 400 * log10(score / (1 - score))
    for law in ((1 - score, 0.0, score), (1 - score, None, 0.0, None, score)):
        assert coverage(law, units, elo) >= 0.95


STRENGTHS = np.linspace(0, 800, 81)
"""Differences in Elo."""


@pytest.mark.thorough("other numbers, and pairs", everyday=["1*-match"])
@pytest.mark.parametrize("unit", ["match", "pair"])
@pytest.mark.parametrize("units", [10, 12, 20, 50])
def test_the_interval_keeps_its_word_at_every_strength(units, unit):
    """By enumeration; matches with shares of draws, and pairs with shares that are divided."""
    splits = [(low, middle) for low in range(units + 1) for middle in range(units + 1 - low)]
    cells = np.array([(low, middle, units - low - middle) for low, middle in splits])
    tallies = [(one, two, three) if unit == "match" else (one, 0, two, 0, three)
               for one, two, three in cells.tolist()]  # fmt: skip
    low, high = np.array([elo_interval(each) for each in tallies]).T
    ways = np.array([float(comb(units, one) * comb(units - one, two)) for one, two in splits])
    for elo in (*STRENGTHS, 516):
        score = 1 / (1 + 10 ** (-elo / 400))
        for level in (0.0, 0.1, 0.3, 0.5, 0.8, 1.0):  # shares of the most that can be even
            middle = level * 2 * (1 - score)
            law = np.array([1 - score - middle / 2, middle, score - middle / 2])
            chances = ways * np.prod(np.maximum(law, 0) ** cells, axis=1)
            assert chances.sum() == pytest.approx(1)
            assert chances[(low <= elo + 1e-9) & (elo - 1e-9 <= high)].sum() >= 0.95


def test_clopper_and_pearson_as_published():
    """Their interval for 4 of 20 (A. Agresti, Categorical Data Analysis), and at the edges."""
    assert share_interval(0.2, 20, 0.05) == pytest.approx((0.0573, 0.4366), abs=5e-5)
    assert share_interval(1.0, 10, 0.05) == pytest.approx((0.025 ** (1 / 10), 1.0))
    exact, normal = share_interval(0.3, 330_000, 0.05), share_interval(0.3, 340_000, 0.05)
    assert np.diff(exact) == pytest.approx(np.diff(normal) * (34 / 33) ** 0.5, rel=2e-3)


def test_the_interval_of_many_units_is_the_normal_one():
    counts = (100_000, 50_000, 150_000)
    found = estimate(counts)
    low, high = elo_interval(counts)
    assert (high - low) / 2 == pytest.approx(found.elo_error, rel=1e-3)


LAWS = {
    0: [(0.1, 0.0, 0.8, 0.0, 0.1), (0.1, 0.2, 0.4, 0.2, 0.1)],
    400: [(1 / 55, 0.0, 8 / 55, 0.0, 46 / 55)],
}
"""Chances of pairs by the difference in Elo."""


def alarms(interval, elo: float, law, looks: int, runs: int = 300) -> float:
    """The share of runs of 20 pairs a look in which some interval excludes the truth."""
    drawn = np.random.default_rng(7).multinomial(20, law, size=(runs, looks)).cumsum(axis=1)
    return sum(
        any(not low <= elo <= high for low, high in map(interval, run)) for run in drawn.tolist()
    ) / len(drawn)


@pytest.mark.parametrize(("elo", "law"), [(elo, law) for elo in LAWS for law in LAWS[elo]])
@pytest.mark.thorough("other laws", everyday=["400-*"])
def test_200_looks_raise_few_false_alarms(elo, law):
    assert alarms(elo_sequence, elo, law, looks=200) <= 0.05


def test_200_looks_at_intervals_for_one_raise_many():
    assert alarms(elo_interval, 0, LAWS[0][0], looks=200, runs=50) >= 0.3


def test_an_interval_for_any_number_of_looks_finds_a_difference():
    """It begins at 50 units, and is at most twice as wide as the interval for one look."""
    assert elo_sequence((0, 10, 29, 10, 0)) == (-inf, inf)
    for times in (5, 50, 500):
        counts = (5 * times, 0, 40 * times, 0, 10 * times)
        once, ever = elo_interval(counts), elo_sequence(counts)
        assert ever[0] < once[0] < once[1] < ever[1]
        assert ever[1] - ever[0] < 2 * (once[1] - once[0])
    assert elo_sequence((5_000, 0, 40_000, 0, 10_000))[0] > 0
