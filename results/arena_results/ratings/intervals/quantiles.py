"""Computes quantiles of Student's t."""

from __future__ import annotations

from arena.core.tournaments.rating import Z95

_FIRST = (12.706205, 4.302653, 3.182446, 2.776445)


def students_t(freedom: float) -> float:
    """Returns the 97.5 % quantile of Student's t.

    A table up to 4 degrees of freedom, then the expansion about the normal quantile (Abramowitz
    and Stegun, Handbook of Mathematical Functions, 26.7.5), right to 0.0005.

    Args:
        freedom: Degrees of freedom: 1, 2, 3, or 4 and more, which need not be whole.
    """
    if freedom <= len(_FIRST):
        return _FIRST[int(freedom) - 1]
    z, n = Z95, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )
