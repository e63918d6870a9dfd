"""Performances by ratings (C.07, 10), with the tables of FIDE's rating regulations (B.02, 8.1)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

_DIFFERENCES = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158),
    *(166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351),
    *(366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800),
)
"""Rating difference of a score of 50, 51, ... 100 per cent (B.02, 8.1.1)."""
_BOUNDS = (
    *(4, 11, 18, 26, 33, 40, 47, 54, 62, 69, 77, 84, 92, 99, 107, 114, 122, 130, 138, 146, 154),
    *(163, 171, 180, 189, 198, 207, 216, 226, 236, 246, 257, 268, 279, 291, 303, 316, 329, 345),
    *(358, 375, 392, 412, 433, 457, 485, 518, 560, 620, 736),
)
"""Rating differences from which 51, 52, ... 100 per cent are expected (B.02, 8.1.2)."""


def average(ratings: Sequence[float]) -> int | None:
    """Returns the average as a whole number, halves up; ``None`` of nothing."""
    if not ratings:
        return None
    return int((2 * sum(ratings) + len(ratings)) // (2 * len(ratings)))


def tournament_performance(ratings: Sequence[int], score: float) -> int | None:
    """Returns the average of the opponents' ratings and the difference of the score (10.2)."""
    level = average(ratings)
    if level is None:
        return None
    per_cent = int((200 * score + len(ratings)) // (2 * len(ratings)))
    difference = _DIFFERENCES[min(abs(per_cent - 50), 50)]
    return level + (difference if per_cent >= 50 else -difference)


def perfect_performance(ratings: Sequence[int], score: float) -> int | None:
    """Returns the lowest rating of which at least this score is expected (10.3)."""
    if not ratings:
        return None
    if score <= 0:
        return min(ratings) - 800
    low, high = min(ratings) - 800, max(ratings) + 800
    while high - low > 1:
        middle = (low + high) // 2
        if _expected(middle, ratings) >= round(100 * score):
            high = middle
        else:
            low = middle
    return high


def _expected(rating: int, opponents: Sequence[int]) -> int:
    total = 0
    for opponent in opponents:
        above = bisect_right(_BOUNDS, abs(rating - opponent))
        total += 50 + above if rating >= opponent else 50 - above
    return total
