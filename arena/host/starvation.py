"""Measures the time in which a process had to wait, since others held the processors."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter_ns


class Waits:
    """Measures a process from now on.

    Args:
        process: Its number.
        cpu_ns: Returns the CPU time of all its threads so far, those included that have ended.

    Attributes:
        began: When it began, by ``perf_counter_ns``.
    """

    def __init__(self, process: int, cpu_ns: Callable[[], int]) -> None:
        self._process, self._cpu_ns = process, cpu_ns
        self.began = perf_counter_ns()
        self._cpu_before = cpu_ns()
        self._before = _times_of(process)

    def starved_ns(self, elapsed_ns: int) -> int:
        """Returns the time that others kept it from running, if that was more than half of it all.

        That is the time that one of its threads waited for a processor, less the time for which
        its other threads had one or wanted one: in that they may have been in its way. So a process
        cannot starve itself; and one that computes in several threads is never excused. It is 0 if
        the kernel does not count it.
        """
        used = self._cpu_ns() - self._cpu_before
        wanted, waited = [], []
        for thread, (ran, waiting) in _times_of(self._process).items():
            ran_before, waited_before = self._before.get(thread, (0, 0))
            ran -= ran_before
            waited.append(waiting - waited_before)
            wanted.append(ran + waited[-1])
            used -= ran  # what is left at the end was used by threads that have ended
        everybody = sum(wanted) + max(0, used)
        longest = max(
            (one - (everybody - own) for one, own in zip(waited, wanted, strict=True)), default=0
        )
        return longest if 2 * longest > elapsed_ns else 0


def _times_of(process: int) -> dict[int, tuple[int, int]]:
    """Reads the kernel's counters of each thread of a process, by its number.

    Nanoseconds on a processor, and nanoseconds ready to run, but not on one. Empty when the process
    is gone, or if the kernel does not count (Linux, Documentation/scheduler/sched-stats).
    """
    times: dict[int, tuple[int, int]] = {}
    with suppress(OSError):
        for name in os.listdir(f"/proc/{process}/task"):
            path = f"/proc/{process}/task/{name}/schedstat"
            with suppress(OSError), open(path, "rb", buffering=0) as file:
                ran, waited, *_ = map(int, file.read(128).split())
                times[int(name)] = ran, waited
    return times
