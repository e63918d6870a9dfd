from __future__ import annotations

import pytest
from arena_results.boards.purses import purses
from arena_results.schema.rows import MatchRow
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import BadInput
from arena.core.outcome import Termination
from arena.core.record import MatchKey


def match(first: int, second: int, gain: int):
    returns = (float(gain), float(-gain))
    place = MatchKey(1, 1, 1)
    return MatchRow(place, (first, second), 1, returns, (0, 0), Termination.RULES, None, None)


def test_purses_settle_in_schedule_order_capped_at_what_the_loser_holds():
    assert purses([match(0, 1, 1)], 3, 100, 60) == (160, 40, 100)
    assert purses([match(0, 1, 1), match(1, 0, -1)], 3, 100, 60) == (200, 0, 100)
    assert purses([match(0, 1, 1), match(1, 0, -1), match(1, 2, 1)], 3, 100, 60) == (200, 60, 40)
    assert purses([match(1, 2, 1), match(0, 1, 1), match(1, 0, -1)], 3, 100, 60) == (220, 40, 40)


def test_no_stake_is_paid_for_a_drawn_match():
    assert purses([match(0, 1, 0)], 2, 100, 60) == (100, 100)


def test_a_table_of_three_has_no_stake():
    table = MatchRow(
        MatchKey(2, 1, 4), (0, 1, 2), 1, (1.0, 0.0, -1.0), (0, 0, 0), Termination.RULES, None, None
    )
    with pytest.raises(BadInput, match=r"stakes are for two seats; match 2\.1\.4 has 3; play"):
        purses([match(0, 1, 1), table], 3, 100, 60)


@given(
    st.lists(st.builds(match, st.just(0), st.integers(1, 2), st.integers(-1, 1))),
    st.integers(0, 300),
    st.integers(0, 300),
)
def test_credits_are_conserved_and_never_negative(played, purse, stake):
    held = purses(played, 3, purse, stake)
    assert sum(held) == 3 * purse
    assert min(held) >= 0
