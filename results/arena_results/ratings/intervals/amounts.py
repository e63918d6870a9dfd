"""Estimates mean amounts a match, with intervals over independent deals.

The matches of one deal share their luck, so the deal (a mirrored set) is the unit: the mean is a
ratio of the units' sums to their matches, and its variance the cluster-robust one (W. G. Cochran,
Sampling Techniques, 3rd edition, 1977, sections 6.3 and 9.2), with Student's t for few units.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import msgspec

from arena_results.ratings.intervals.quantiles import students_t

ENOUGH = 30
"""Deals from which an interval hardly depends on how amounts are distributed."""


class AmountEstimate(msgspec.Struct, frozen=True):
    """A mean amount per match.

    Attributes:
        mean: The mean; 0 without matches.
        error: Half its 95 % interval; ``None`` with fewer than two deals, or if all were alike.
        matches: Number of matches.
        deals: Number of deals (mirrored sets).
    """

    mean: float
    error: float | None
    matches: int
    deals: int


def estimate_amount(deals: Sequence[tuple[float, int]]) -> AmountEstimate:
    """Estimates the mean amount per match from the sum and the number of matches of each deal."""
    matches = sum(count for _, count in deals)
    if not matches:
        return AmountEstimate(0.0, None, 0, 0)
    mean = sum(amount for amount, _ in deals) / matches
    squares = sum((amount - count * mean) ** 2 for amount, count in deals)
    return _estimate(mean, squares, matches, len(deals))


def estimate_sums(
    matches: int, deals: int, counts: float, amount: float, by_count: float, squared: float
) -> AmountEstimate:
    """Estimates the mean amount per match from sums over deals.

    Args:
        matches: Number of matches.
        deals: Number of deals.
        counts: Sum of the squared numbers of matches of a deal.
        amount: Sum of the amounts of deals.
        by_count: Sum of their products with the numbers of matches.
        squared: Sum of their squares.
    """
    mean = amount / matches if matches else 0.0
    squares = squared - 2 * mean * by_count + mean * mean * counts
    if squares <= 1e-12 * squared:  # nothing but rounding
        squares = 0.0
    return _estimate(mean, squares, matches, deals)


def _estimate(mean: float, squares: float, matches: int, units: int) -> AmountEstimate:
    if units < 2 or not squares:
        return AmountEstimate(mean, None, matches, units)
    deviation = sqrt(squares * units / (units - 1)) / matches
    return AmountEstimate(mean, students_t(units - 1) * deviation, matches, units)
