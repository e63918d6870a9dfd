"""Limits the time of a process, less the time in which others used the processors."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import perf_counter_ns

from arena.core.errors import HarnessFault

LATE_NS = 100_000_000
"""Nanoseconds by which the host itself must be late for a deadline to excuse a bot."""
EXCUSES = 3
"""Number of such excuses in a row."""
MEASURED_FROM = 8
"""Starvation is measured after 1/MEASURED_FROM of a limit."""
PATIENCE = 10
"""Most times its limit that a starved process may take."""
STARVED = "a bot's process hardly ever had a processor: this machine has too much to do"


class Waits:
    """Measures a process from now on.

    Args:
        process: Its number.
        cpu_ns: Returns the CPU time of all its threads so far, ended ones included.

    Attributes:
        began: When it began, by ``perf_counter_ns``.
    """

    def __init__(self, process: int, cpu_ns: Callable[[], int]) -> None:
        self._process, self._cpu_ns = process, cpu_ns
        self.began = perf_counter_ns()
        self._cpu_before = cpu_ns()
        self._before = _times_of(process)

    def starved_ns(self, elapsed_ns: int) -> int:
        """Returns the time that others kept it from running, if that is more than half; else 0.

        It is the time that one of its threads waited for a processor, less the time in which its
        other threads had or wanted one. So a process cannot starve itself, and one that computes in
        several threads is never excused. Some kernels do not count it.
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


async def in_time(
    began_ns: int,
    limit_ns: int,
    measure: Callable[[], Waits],
    ends_by: Callable[[int], Awaitable[bool]],
) -> int | None:
    """Waits for a process within a limit; returns the nanoseconds that it took, ``None`` if more.

    Time in which others kept it from running does not count (see ``Waits``). The time begins again
    when this process was itself late: the machine stood still, or was too busy.

    Args:
        began_ns: When it was asked, by ``perf_counter_ns``.
        limit_ns: Nanoseconds that it has.
        measure: Measures the process from now on.
        ends_by: Waits until that time at most; returns whether it has answered.

    Raises:
        HarnessFault: The process hardly had a processor at all: the machine is to blame.
    """
    quick_ns = limit_ns // MEASURED_FROM
    if await ends_by(began_ns + quick_ns):
        return perf_counter_ns() - began_ns
    used_ns, excuses = quick_ns, EXCUSES
    while used_ns < limit_ns:
        waits = measure()
        window_ns = max(limit_ns - used_ns, quick_ns)
        ended = await ends_by(waits.began + window_ns)
        took_ns = perf_counter_ns() - waits.began
        own_ns = took_ns - waits.starved_ns(took_ns)
        if ended:
            return used_ns + own_ns
        if took_ns - window_ns >= LATE_NS and excuses:
            used_ns, excuses = 0, excuses - 1
            continue
        used_ns += own_ns
        if perf_counter_ns() - began_ns > PATIENCE * limit_ns:
            raise HarnessFault(STARVED)
    return None


def _times_of(process: int) -> dict[int, tuple[int, int]]:
    """Returns for each thread its nanoseconds on a processor, and ready to run without one.

    Empty when the process is gone, or if the kernel does not count (Linux,
    Documentation/scheduler/sched-stats).
    """
    times: dict[int, tuple[int, int]] = {}
    with suppress(OSError):
        for name in os.listdir(f"/proc/{process}/task"):
            path = f"/proc/{process}/task/{name}/schedstat"
            with suppress(OSError), open(path, "rb", buffering=0) as file:
                ran, waited, *_ = map(int, file.read(128).split())
                times[int(name)] = ran, waited
    return times
