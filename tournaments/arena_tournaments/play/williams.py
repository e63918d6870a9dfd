"""Williams squares: the seatings of a table that plays several matches.

Source: E. J. Williams, Experimental designs balanced for the estimation of residual effects of
treatments, Australian Journal of Scientific Research A 2 (1949).
"""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=8)
def williams(seats: int) -> tuple[tuple[int, ...], ...]:
    """Returns the seatings of one table of 2 and up, balanced for seats and for neighbours.

    Over all rows everybody sits in every seat equally often, and everybody sits one seat before
    everybody else equally often (in the row of seats: who sits in the last one before who sits in
    the first is not balanced); within each ``seats`` rows from the first, everybody sits in every
    seat once. For two: ``((0, 1), (1, 0))``.

    Returns:
        One row a match: who, of 0 .. ``seats`` - 1, sits in each seat; the first row is 0, 1, 2,
        ... There are ``seats`` rows, or twice as many for an odd number.
    """
    zigzag = [(place + 1) // 2 if place % 2 else -place // 2 for place in range(seats)]
    square = [[(turn + step) % seats for step in zigzag] for turn in range(seats)]
    if seats % 2:
        square += [row[::-1] for row in square[::-1]]
    # Whoever the first row seats in seat s is called s: new names change nothing of the balance.
    called = {who: seat for seat, who in enumerate(square[0])}
    return tuple(tuple(called[who] for who in row) for row in square)
