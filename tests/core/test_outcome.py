"""Utilities: estimated from scores, and of matches lost by a fault."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.outcome import WIN_OR_LOSS, Payoffs, estimated_utilities


@given(st.lists(st.integers(-500, 500), min_size=2, max_size=6))
def test_an_unfinished_match_is_evaluated_by_its_leads(scores):
    estimates = estimated_utilities(scores)
    assert sum(estimates) == pytest.approx(0)
    assert all(-1 <= estimate <= 1 for estimate in estimates)
    order = sorted(range(len(scores)), key=scores.__getitem__)
    for lower, higher in pairwise(order):
        assert estimates[lower] <= estimates[higher] + 1e-12
        assert (scores[lower] == scores[higher]) == (estimates[lower] == estimates[higher])


@pytest.mark.parametrize(
    ("payoffs", "seats", "returns"),
    [
        (WIN_OR_LOSS, 2, (1.0, -1.0)),
        (WIN_OR_LOSS, 3, (0.5, -1.0, 0.5)),
        (Payoffs(least=-20, most=20), 2, (20, -20)),
        (Payoffs(least=-6, most=12), 4, (2, -6, 2, 2)),
        (Payoffs(least=0, most=1, total=1), 2, (1, 0)),
        (Payoffs(least=-3, most=9, total=None), 3, (9, -3, 9)),
    ],
)
def test_a_seat_whose_fault_ends_the_match_gets_the_least(payoffs, seats, returns):
    assert payoffs.forfeit(seats, 1) == returns
