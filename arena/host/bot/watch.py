"""The watchdog of a process that calls bots inline: interrupts a decision that takes too long.

A tick of a timer that finds a decision over its time raises ``OutOfTime`` inside the bot. It does
not stop a bot that swallows every exception or stays in C code: only a process of its own does.

Time in which the whole process stood still (Ctrl-Z, a suspended machine) does not count: ticks were
absent, and the process used no processor. A bot that waits in C code looks the same.
"""

from __future__ import annotations

import signal
import threading
from time import perf_counter_ns, process_time_ns
from types import FrameType
from typing import Final, Self


class OutOfTime(BaseException):
    """Raised inside a bot by the watchdog; bots that catch ``Exception`` do not catch it."""


class LeftTable(BaseException):
    """Raised in the seat of a person who leaves the match, which loses it."""


LATE_NS: Final = 100_000_000
"""Least lateness of a tick that shows that the process stood still."""


class Watch:
    """Interrupts bots of this process, in its main thread; POSIX only.

    A bot in another thread is not interrupted, only found late when it answers.

    Attributes:
        limit_ns: Nanoseconds that a decision may take.
        began: When the present decision began, by ``perf_counter_ns``; 0 while no bot runs.
    """

    __slots__ = ("_before", "_seen", "_still", "_tick_seconds", "began", "limit_ns")

    def __init__(self, limit_ns: int, tick_seconds: float) -> None:
        self.limit_ns = limit_ns
        self._tick_seconds = tick_seconds
        self.began = 0
        self._seen = (0, 0)
        self._still = (0, 0)

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._seen = perf_counter_ns(), process_time_ns()
            self._before = signal.signal(signal.SIGALRM, self._tick)
            signal.setitimer(signal.ITIMER_REAL, self._tick_seconds, self._tick_seconds)
        return self

    def __exit__(self, *exc: object) -> None:
        if threading.current_thread() is threading.main_thread():
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before or signal.SIG_DFL)

    def stood_still_ns(self, began: int) -> int:
        """Returns how long the process stood still in the decision that began at that time."""
        decision, nanoseconds = self._still
        return nanoseconds if decision == began else 0

    def _tick(self, signum: int, frame: FrameType | None) -> None:
        now, used = perf_counter_ns(), process_time_ns()
        last, used_before = self._seen
        self._seen = now, used
        began = self.began
        if not began:
            return
        idle_ns = now - max(last, began) - (used - used_before)
        if idle_ns > self._tick_seconds * 1e9 + LATE_NS:
            self._still = began, self.stood_still_ns(began) + idle_ns
        if now - began - self.stood_still_ns(began) > self.limit_ns:
            raise OutOfTime
