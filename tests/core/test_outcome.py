"""Utilities that are estimated from scores."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.outcome import estimated_utilities


@given(st.lists(st.integers(-500, 500), min_size=2, max_size=6))
def test_an_unfinished_match_is_evaluated_by_its_leads(scores):
    estimates = estimated_utilities(scores)
    assert sum(estimates) == pytest.approx(0)
    assert all(-1 <= estimate <= 1 for estimate in estimates)
    order = sorted(range(len(scores)), key=scores.__getitem__)
    for lower, higher in pairwise(order):
        assert estimates[lower] <= estimates[higher] + 1e-12
        assert (scores[lower] == scores[higher]) == (estimates[lower] == estimates[higher])
