"""The watchdog of a process that calls bots inline: interrupts a decision that takes too long.

A timer ticks; a tick that finds a decision over its time raises ``OutOfTime`` inside the bot. It
reaches a bot that computes or sleeps, not one that swallows every exception or sits in C code for
ever: against those only a process of their own helps.
"""

from __future__ import annotations

import signal
import threading
from time import perf_counter_ns
from types import FrameType
from typing import Self


class OutOfTime(BaseException):
    """Raised inside a bot by the watchdog; bots that catch ``Exception`` do not catch it."""


class Watch:
    """Interrupts bots of this process, in its main thread; POSIX only.

    Signals reach no other thread: a bot that is called in one is not interrupted, and what it takes
    too long is only found when it answers.

    Attributes:
        limit_ns: Nanoseconds that a decision may take.
        began: When the present decision began, by ``perf_counter_ns``; 0 while no bot runs.
    """

    __slots__ = ("_before", "_tick_seconds", "began", "limit_ns")

    def __init__(self, limit_ns: int, tick_seconds: float) -> None:
        self.limit_ns = limit_ns
        self._tick_seconds = tick_seconds
        self.began = 0

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGALRM, self._tick)
            signal.setitimer(signal.ITIMER_REAL, self._tick_seconds, self._tick_seconds)
        return self

    def __exit__(self, *exc: object) -> None:
        if threading.current_thread() is threading.main_thread():
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before or signal.SIG_DFL)

    def _tick(self, signum: int, frame: FrameType | None) -> None:
        if self.began and perf_counter_ns() - self.began > self.limit_ns:
            raise OutOfTime
