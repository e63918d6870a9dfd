from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import BadInput
from arena.core.tournaments.format import PAIRS, Participant, Tables, shown_names


@pytest.mark.parametrize(
    ("entrants", "most", "least", "sizes"),
    [
        (7, 6, 2, (4, 3)),
        (13, 6, 2, (5, 4, 4)),
        (12, 6, 2, (6, 6)),
        (4, 6, 2, (4,)),
        (7, 3, 2, (3, 2, 2)),
        (7, 3, 3, (3, 3)),
        (7, 6, 5, (6,)),
        (9, 2, 2, (2, 2, 2, 2)),
    ],
)
def test_tables_are_as_equal_as_possible_and_the_others_rest(entrants, most, least, sizes):
    assert Tables(most, least).sizes(entrants) == sizes


def test_pairs_are_the_default():
    assert Tables() == PAIRS == Tables(2, 2)


def test_too_few_for_one_table_are_bad_input():
    with pytest.raises(BadInput, match="a table needs at least 4 entrants, not 3"):
        Tables(6, 4).sizes(3)


@given(data=st.data(), most=st.integers(2, 10))
def test_table_sizes_are_within_bounds_and_rests_are_minimal(data, most):
    least = data.draw(st.integers(2, most))
    entrants = data.draw(st.integers(least, 300))
    sizes = Tables(most, least).sizes(entrants)
    assert least <= min(sizes) <= max(sizes) <= most
    assert max(sizes) - min(sizes) <= 1
    assert list(sizes) == sorted(sizes, reverse=True)
    rest = entrants - sum(sizes)
    assert rest >= 0
    if rest:
        # The tables are full, and one more could not be filled.
        assert min(sizes) == most
        assert (len(sizes) + 1) * least > entrants
    # One table less could not hold as many.
    assert (len(sizes) - 1) * most < sum(sizes)


def test_versions_are_shown_where_two_of_one_name_meet_and_can_be_typed():
    field = [
        Participant("ann", "1.0", "a"),
        Participant("bob(at=3) with hard", "1.0", "b"),
        Participant("bob(at=3) with hard", "1.1", "c"),
        Participant("bob(at=4)", "1.1", "c"),
    ]
    assert shown_names(field) == (
        "ann",
        "bob@1.0(at=3) with hard",
        "bob@1.1(at=3) with hard",
        "bob(at=4)",
    )
