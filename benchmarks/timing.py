"""The timing that benchmarks share: processor time beside a calibration loop; it needs no package.

Machines differ, and a shared one differs from minute to minute. So figures of one core are taken in
processor time, beside a fixed piece of pure Python that has nothing of Arena: the calibration loop.
The ratio of a figure is how much is done in the time of one such loop. On another machine with the
same Python it is about the same, while the figure itself may be half or double.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from typing import NamedTuple

RUNS = 5
"""Timed runs of each figure; odd, so that a median is one of them."""


def best(work: Callable[[], object]) -> float:
    """Returns the seconds of the fastest run, as a busy machine only ever slows down."""
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


class _Tally:
    """Counts hands and adds them up."""

    __slots__ = ("seen", "total")

    def __init__(self) -> None:
        self.seen: dict[tuple[int, ...], int] = {}
        self.total = 0

    def add(self, hand: tuple[int, ...]) -> bool:
        """Takes a hand; returns true if it is new."""
        count = self.seen.get(hand, 0)
        self.seen[hand] = count + 1
        self.total += sum(hand)
        return not count


def calibration_loop() -> int:
    """Shuffles and counts in pure Python, always the same; never to be changed (its sum is tested).

    What it does is what an interpreter does all day: small integers, lists, tuples, dictionaries,
    attributes, calls. It takes about 60 ms.
    """
    draw, cards, tally, new = 1, list(range(40)), _Tally(), 0
    for _ in range(10_000):
        for last in range(39, 7, -1):
            draw = (draw * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
            other = (draw >> 8) % (last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        if tally.add((cards[39] // 4, cards[38] // 4, cards[37] // 4)):
            new += 1
    return tally.total + new


def processor_seconds(work: Callable[[], object]) -> float:
    """Returns the processor time of work in this process and in processes that it starts."""
    began = _processor_seconds()
    work()
    return _processor_seconds() - began


def _processor_seconds() -> float:
    ended = getrusage(RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


class Speed(NamedTuple):
    """The speed of work on one core, measured beside the calibration loop.

    Attributes:
        rate: Units a second of processor time.
        ratio: Units in the time of one calibration loop.
        loop: Seconds of processor time of that loop.
    """

    rate: float
    ratio: float
    loop: float


def speed(work: Callable[[], object], units: float) -> Speed:
    """Measures work of so many units: medians of ``RUNS`` runs, each between two loops."""
    rates, ratios, loops = [], [], [processor_seconds(calibration_loop)]
    for _ in range(RUNS):
        rates.append(units / processor_seconds(work))
        loops.append(processor_seconds(calibration_loop))
        ratios.append(rates[-1] * (loops[-2] + loops[-1]) / 2)
    return Speed(median(rates), median(ratios), median(loops))


def print_calibration() -> None:
    """Prints the line by which figures of machines are compared."""
    loop = median(processor_seconds(calibration_loop) for _ in range(RUNS))
    print(f"calibration loop        {loop * 1e3:10.1f} ms of processor time, median of {RUNS}")
