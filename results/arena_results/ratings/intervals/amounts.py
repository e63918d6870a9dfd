"""Estimates mean amounts a match, with intervals over independent deals.

The matches of one deal share their luck, so the deal (a mirrored group) is the unit: the mean is a
ratio of the units' sums to their matches, and its variance the cluster-robust one (W. G. Cochran,
Sampling Techniques, 3rd edition, 1977, sections 6.3 and 9.2), with Student's t for few units.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import msgspec

ENOUGH = 30
"""Deals from which an interval hardly depends on how amounts are distributed."""
_FIRST = (12.706205, 4.302653, 3.182446, 2.776445)
_Z95 = 1.959963984540054


class AmountEstimate(msgspec.Struct, frozen=True):
    """A mean amount a match.

    Attributes:
        mean: The mean; 0 without matches.
        error: Half its 95 % interval; ``None`` with fewer than two deals, or if all were alike.
        matches: Number of matches.
        deals: Number of deals (mirrored groups).
    """

    mean: float
    error: float | None
    matches: int
    deals: int


def estimate_amount(deals: Sequence[tuple[float, int]]) -> AmountEstimate:
    """Estimates the mean amount a match from the sum and the number of matches of each deal."""
    matches = sum(count for _, count in deals)
    if not matches:
        return AmountEstimate(0.0, None, 0, 0)
    mean = sum(amount for amount, _ in deals) / matches
    squares = sum((amount - count * mean) ** 2 for amount, count in deals)
    return _estimate(mean, squares, matches, len(deals))


def estimate_sums(
    matches: int, deals: int, counts: float, amount: float, by_count: float, squared: float
) -> AmountEstimate:
    """Estimates the mean amount a match from sums over deals.

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
    """Returns the estimate from the sum of the deals' squared residuals."""
    if units < 2 or not squares:
        return AmountEstimate(mean, None, matches, units)
    deviation = sqrt(squares * units / (units - 1)) / matches
    return AmountEstimate(mean, students_t(units - 1) * deviation, matches, units)


def students_t(freedom: int) -> float:
    """Returns the 97.5 % quantile of Student's t.

    A table up to 4 degrees of freedom, then the expansion about the normal quantile (Abramowitz
    and Stegun, Handbook of Mathematical Functions, 26.7.5), right to 0.0005.
    """
    if freedom <= len(_FIRST):
        return _FIRST[freedom - 1]
    z, n = _Z95, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )
