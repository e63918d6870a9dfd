"""Signals that ask any command to stop: Ctrl-C, a quit, a closed terminal, a polite kill.

What is stored stays. A signal that was ignored when the process began (``nohup``, a job in the
background of a script) stays ignored.
"""

from __future__ import annotations

import signal
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def heeded() -> list[signal.Signals]:
    """The signals that are not ignored."""
    return [number for number in SIGNALS if signal.getsignal(number) != signal.SIG_IGN]


class Asked:
    """Answers the signals by ``KeyboardInterrupt``, so that the present command can clean up.

    Attributes:
        number: The signal that came first; 0 before any. Those that follow do nothing.
    """

    def __init__(self) -> None:
        self.number = 0
        for number in heeded():
            signal.signal(number, self._answer)

    def _answer(self, number: int, frame: FrameType | None) -> None:
        if not self.number:
            self.number = number
            raise KeyboardInterrupt
