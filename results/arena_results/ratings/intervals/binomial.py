"""Computes the interval of C. J. Clopper and E. S. Pearson (Biometrika 26, 1934) for a share.

Its ends are quantiles of the beta distribution, so that the numbers need not be whole.
"""

from __future__ import annotations

from math import exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

_MANY = 100_000
"""Hits and misses from which the beta distribution is a normal one to a thousandth of its width."""
_TINY, _STEPS = 1e-300, 200


def share_interval(share: float, trials: float, miss: float) -> tuple[float, float]:
    """Returns the interval of a chance.

    Args:
        share: The share of hits.
        trials: Number of trials, more than 0.
        miss: The chance at most that the interval does not hold the truth.
    """
    hits, rest = share * trials, (1 - share) * trials
    low = _quantile(hits, rest + 1, miss / 2) if hits else 0.0
    high = _quantile(hits + 1, rest, 1 - miss / 2) if rest else 1.0
    return low, high


def _quantile(a: float, b: float, chance: float) -> float:
    mean = a / (a + b)
    if min(a, b) > _MANY:
        deviation = sqrt(mean * (1 - mean) / (a + b + 1))
        return NormalDist(mean, deviation).inv_cdf(chance)
    # Newton's method, between two bounds within which it has to stay.
    low, high, found = 0.0, 1.0, mean
    constant = lgamma(a + b) - lgamma(a) - lgamma(b)
    for _ in range(_STEPS):
        weight = exp(constant + a * log(found) + b * log1p(-found))
        off = _below(a, b, found, weight) - chance
        low, high = (low, found) if off > 0 else (found, high)
        step = off * found * (1 - found) / max(weight, _TINY)
        last, found = found, found - step
        if not low < found < high:
            found = (low + high) / 2
        if abs(found - last) <= 1e-13 * last:
            break
    return found


def _below(a: float, b: float, value: float, weight: float) -> float:
    """The chance of a beta distribution to be below a value: the incomplete beta function.

    Args:
        weight: The density there, times the value, and 1 less it.
    """
    if value > (a + 1) / (a + b + 2):
        return 1 - weight * _fraction(b, a, 1 - value) / b
    return weight * _fraction(a, b, value) / a


def _fraction(a: float, b: float, value: float) -> float:
    """The continued fraction of the incomplete beta function (dlmf.nist.gov, 8.17.22).

    It goes by Lentz's method, as modified by I. J. Thompson and A. R. Barnett (1986).
    """
    above, below = 1.0, 1 / (1 - (a + b) * value / (a + 1))
    found, step = below, 0
    while True:
        step += 1
        two = a + 2 * step
        even = step * (b - step) * value / ((two - 1) * two)
        odd = -(a + step) * (a + b + step) * value / (two * (two + 1))
        for term in (even, odd):
            below = 1 / ((1 + term * below) or _TINY)
            above = (1 + term / above) or _TINY
            found *= above * below
        if abs(above * below - 1) < 1e-14:
            return found
