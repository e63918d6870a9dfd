"""Pictures of bots: a pattern of squares that follows from the name."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

SIZE = 5
"""Squares side by side; the pattern is the same from the left and from the right."""


@lru_cache(1024)
def face(name: str) -> tuple[tuple[int, int], ...]:
    """Returns the squares of a face, column and row, from 0.

    Args:
        name: Without a version: all versions of a bot have one face.
    """
    digest = sha256(name.encode()).digest()
    half = (SIZE + 1) // 2
    squares: set[tuple[int, int]] = set()
    for place in range(half * SIZE):
        column, row = place % half, place // half
        if digest[place] < 128:  # half of them
            squares |= {(column, row), (SIZE - 1 - column, row)}
    return tuple(sorted(squares)) or ((half - 1, half - 1),)
