from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations

import pytest
from arena_tournaments.play.williams import williams

SIZES = pytest.mark.parametrize("seats", range(2, 11))


def test_two_swap_their_seats():
    assert williams(2) == ((0, 1), (1, 0))


def test_the_square_of_four():
    assert williams(4) == ((0, 1, 2, 3), (1, 3, 0, 2), (3, 2, 1, 0), (2, 0, 3, 1))


@SIZES
def test_the_first_row_is_the_order_of_the_pairing(seats):
    rows = williams(seats)
    assert rows[0] == tuple(range(seats))
    assert len(rows) == len(set(rows)) == (2 * seats if seats % 2 else seats)


@SIZES
def test_everybody_sits_in_every_seat_once_in_each_block_of_rows(seats):
    rows = williams(seats)
    for start in range(0, len(rows), seats):
        for column in zip(*rows[start : start + seats], strict=True):
            assert sorted(column) == list(range(seats))


@SIZES
def test_everybody_sits_directly_before_everybody_else_equally_often(seats):
    rows = williams(seats)
    before = Counter(pair for row in rows for pair in pairwise(row))
    assert before == dict.fromkeys(permutations(range(seats), 2), len(rows) // seats)
