"""Elo differences with their intervals, and numbers of matches, in words."""

from __future__ import annotations

from math import floor, isinf, log10

NARROW = 20.0
"""Width of an interval, in Elo, below which it is shown with a decimal."""


def size_text(value: float | None, low: float, high: float, confidence: float = 95) -> str:
    """An Elo difference with its interval."""
    bounds = bounds_text(low, high)
    if value is None and isinf(low) and isinf(high):
        return bounds
    if value is None:
        return f"{bounds} Elo ({confidence:g} %)"
    return f"{value:+z.{_digits(low, high)}f} Elo ({confidence:g} %: {bounds})"


def bounds_text(low: float, high: float) -> str:
    """An interval, as far as it is bounded."""
    digits = _digits(low, high)
    if isinf(low) and isinf(high):
        return "no bounds yet"
    if isinf(high):
        return f"at least {low:+z.{digits}f}"
    if isinf(low):
        return f"at most {high:+z.{digits}f}"
    return f"{low:+z.{digits}f} .. {high:+z.{digits}f}"


def _digits(low: float, high: float) -> int:
    return 1 if high - low < NARROW else 0


def more_text(matches: float) -> str:
    """A number of further matches, to two digits, e.g. ``2,600 more matches``."""
    about = max(1, round(matches, 1 - floor(log10(matches)))) if matches >= 1 else 1
    return f"{about:,.0f} more {'match' if about == 1 else 'matches'}"
