from __future__ import annotations

import json
from pathlib import Path

import pytest
from arena_results.ratings.statistics import pentanomial, result_block, trinomial
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import BadInput
from arena.core.rating import Duels

PUBLISHED = json.loads((Path(__file__).parent / "data" / "published.json").read_text())
FASTCHESS = PUBLISHED["elo_nelo"]


def same(estimate, case):
    """True if all figures of the source agree, to the digits that it prints."""
    digits = {"nelo": 2, "nelo_err": 2, "elo": 2, "elo_err": 2, "los": 4, "score": 3}
    names = {"nelo_err": "nelo_error", "elo_err": "elo_error"}
    given = {key: case[key] for key in digits if key in case}
    ours = {key: round(getattr(estimate, names.get(key, key)), digits[key]) for key in given}
    assert len(given) >= 3
    return ours == given


@pytest.mark.parametrize("case", FASTCHESS["wdl_W_L_D"])
def test_fastchess_numbers_of_single_matches(case):
    assert same(trinomial(case["w"], case["d"], case["l"]), case)


@pytest.mark.parametrize("case", FASTCHESS["pentanomial_LL_LD_WL_DD_WD_WW"])
def test_fastchess_numbers_of_pairs(case):
    zero, half, won_lost, both_drawn, more, two = case["counts"]
    assert same(pentanomial((zero, half, won_lost + both_drawn, more, two)), case)


def test_fishtest_numbers_of_pairs():
    case = PUBLISHED["fishtest_example"]
    estimate = pentanomial(case["pentanomial"])
    assert estimate.los == pytest.approx(case["los"], abs=5e-4)
    assert estimate.nelo == pytest.approx(case["normalized_elo"], abs=0.5)


WIN, DRAW, LOSS = 1.0, 0.5, 0.0


def pair(first: float, second: float):
    """A mirrored pair by the scores of player 3 against player 8, first seated, then second."""
    return (Duels((3, 8), (first,)), Duels((8, 3), (1 - second,)))


def single(first: int, second: int, score: float):
    return (Duels((first, second), (score,)),)


UNITS = [pair(WIN, WIN), pair(WIN, LOSS), pair(DRAW, DRAW), pair(DRAW, LOSS), single(3, 8, WIN)]


def test_the_block_counts_matches_and_whole_pairs():
    block = result_block(UNITS, 3)
    assert (block.games, block.won, block.lost, block.drawn) == (9, 4, 2, 3)
    assert block.pairs == (0, 1, 2, 0, 1)
    assert block.estimate == pentanomial((0, 1, 2, 0, 1))


def test_the_other_side_sees_the_mirror_image():
    ours, theirs = result_block(UNITS, 3), result_block(UNITS, 8)
    assert (theirs.won, theirs.lost, theirs.drawn) == (ours.lost, ours.won, ours.drawn)
    assert theirs.pairs is not None
    assert theirs.pairs[::-1] == ours.pairs
    assert theirs.estimate.elo == pytest.approx(-ours.estimate.elo)
    assert theirs.estimate.los == pytest.approx(1 - ours.estimate.los)


def test_matches_alone_are_three_outcomes():
    block = result_block([single(3, 8, WIN), single(8, 3, WIN), single(3, 8, DRAW)], 3)
    assert block.pairs is None
    assert block.estimate == trinomial(1, 1, 1)


def test_a_table_of_three_has_no_result_block():
    with pytest.raises(BadInput, match="a result block is of two seats; a match has 3"):
        result_block([(Duels((3, 8, 5), (WIN, WIN, DRAW)),)], 3)


def test_figures_without_enough_results_are_absent():
    swept = trinomial(9, 0, 0)
    assert (swept.score, swept.elo, swept.elo_error, swept.nelo, swept.los) == (
        1,
        None,
        None,
        None,
        None,
    )
    level = pentanomial((0, 0, 7, 0, 0))
    assert (level.score, level.elo, level.elo_error, level.los) == (0.5, 0, None, None)
    few = trinomial(2, 0, 1)
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
    whole, single = pentanomial(pairs), trinomial(won, drawn, lost)
    assert whole.score == pytest.approx(single.score)
    assert whole.nelo == pytest.approx(single.nelo, abs=1e-9)
