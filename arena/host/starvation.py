"""Measures the time in which a process had to wait, since others held the processors."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter_ns
from typing import NamedTuple


class ThreadTimes(NamedTuple):
    """The kernel's counters of one thread so far, in nanoseconds.

    Attributes:
        ran: On a processor.
        waited: Ready to run, and not on a processor.
    """

    ran: int
    waited: int


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
        self._before = times_of(process)

    def starved_ns(self, elapsed_ns: int) -> int:
        """Returns the time that others kept it from running, if that was more than half of it all.

        That is the time that one of its threads waited for a processor, less the time for which
        its other threads had one or wanted one: in that they may have been in its way. So a process
        cannot starve itself; and one that computes in several threads is never excused.

        Args:
            elapsed_ns: The time since it began.

        Returns:
            Nanoseconds; 0 if it was not most of the time, or if the kernel does not count it.
        """
        used = self._cpu_ns() - self._cpu_before
        wanted, waited = [], []
        for thread, now in times_of(self._process).items():
            before = self._before.get(thread, ThreadTimes(0, 0))
            ran = now.ran - before.ran
            waited.append(now.waited - before.waited)
            wanted.append(ran + waited[-1])
            used -= ran  # what is left at the end was used by threads that have ended
        everybody = sum(wanted) + max(0, used)
        longest = max(
            (one - (everybody - own) for one, own in zip(waited, wanted, strict=True)), default=0
        )
        return longest if 2 * longest > elapsed_ns else 0


def times_of(process: int) -> dict[int, ThreadTimes]:
    """Reads the times of each thread of a process, by its number; empty when it is gone."""
    times: dict[int, ThreadTimes] = {}
    with suppress(OSError):
        for name in os.listdir(f"/proc/{process}/task"):
            with suppress(OSError):
                times[int(name)] = read_times(f"/proc/{process}/task/{name}/schedstat")
    return times


def read_times(path: str) -> ThreadTimes:
    """Reads a ``schedstat`` file of one thread (Linux, Documentation/scheduler/sched-stats).

    Raises:
        OSError: There is none.
    """
    with open(path, "rb", buffering=0) as file:
        ran, waited, *_ = file.read(128).split()
    return ThreadTimes(int(ran), int(waited))
