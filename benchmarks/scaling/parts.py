"""The contract of a part: what is measured at which sizes, and how its figures are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log
from typing import NamedTuple

import msgspec

Measured = Iterator[tuple[str, float]]
"""Names of measures, each with its value."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the page: one thing grows, the rest stays.

    Attributes:
        counts: What grows, as the heading of its column.
        measure: Measures one size.
        sizes: The sizes that are measured, ascending.
        units: The unit of each measure, in the order of the columns: ``s``, ``B``, ``%``, or
            nothing for a plain number.
        reckoned: Larger sizes; their values follow from the last two measured ones.
        patience: Seconds; after a size that took longer, no larger one is measured.
    """

    counts: str
    measure: Callable[[int], Measured]
    sizes: tuple[int, ...]
    units: dict[str, str]
    reckoned: tuple[int, ...] = ()
    patience: float = 120.0


class Point(NamedTuple):
    """One value of one measure, a line of ``scale.csv``; ``about`` is its day and machine."""

    part: str
    size: int
    measure: str
    value: float
    about: str = ""


def slope(points: list[tuple[int, float]]) -> float | None:
    """Returns the power of the size by which a measure grows, between its last two sizes."""
    if len(points) < 2:
        return None
    (before, low), (size, high) = points[-2:]
    return log(high / low) / log(size / before) if low > 0 and high > 0 else None


def reckoned(points: list[tuple[int, float]], size: int) -> float | None:
    """Returns what a measure is at a larger size, if it continues to grow by the same power."""
    power = slope(points)
    if power is None:
        return None
    last, value = points[-1]
    return float(value * (size / last) ** max(0.0, power))


def shown(value: float, unit: str) -> str:
    """Returns a value with three digits, in the unit that makes it short."""
    if unit == "s":
        return _scaled(value, _TIMES)
    if unit == "B":
        return _scaled(value, _BYTES)
    return f"{value:.0%}" if unit == "%" else _digits(value)


def count(size: int) -> str:
    """Returns a size: by a power of ten from a million on."""
    power = len(str(size)) - 1
    if size < 10**6:
        return f"{size:,}"
    raised = "10" + str(power).translate(_RAISED)
    return raised if size == 10**power else f"{size / 10**power:g} x {raised}"


def _scaled(value: float, units: tuple[tuple[float, float, str], ...]) -> str:
    _, factor, name = next(each for each in units if value >= each[0] or each is units[-1])
    return f"{_digits(value / factor)} {name}"


def _digits(value: float) -> str:
    if value >= 100 or value == int(value):
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}"


_TIMES = (
    *((172_800, 86_400, "days"), (7_200, 3_600, "h"), (120, 60, "min")),
    *((1, 1, "s"), (1e-3, 1e-3, "ms"), (0, 1e-6, "µs")),
)
"""From which value on, divided by what, as which unit."""
_BYTES = ((1e12, 1e12, "TB"), (1e9, 1e9, "GB"), (1e6, 1e6, "MB"), (1e3, 1e3, "KB"), (0, 1, "B"))
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
