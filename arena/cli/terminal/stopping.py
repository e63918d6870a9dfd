"""Stops a tournament at a signal: Ctrl-C lets matches in progress finish; what is stored stays."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Self

import trio

from arena.cli.terminal.signals import heeded


class Stop:
    """Answers the signals, for as long as it is entered.

    The first Ctrl-C pauses; the second, and any other signal, cancels a scope. Further ones change
    nothing: they cannot cut short what was begun, down to the last line that the process prints,
    so that after the first the signals stay ignored.

    Attributes:
        number: The signal that came first; 0 before any.
    """

    def __init__(self) -> None:
        self.number = 0
        self._pause: Callable[[], None] | None = None
        self._cancel: Callable[[], None] | None = None

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._answer) for number in heeded()}
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_IGN if self.number else handler)

    def stops(self, scope: trio.CancelScope, pause: Callable[[], None]) -> None:
        """Cancels that scope of the running loop from now on; ``pause`` is called there before."""
        token = trio.lowlevel.current_trio_token()
        self._pause = partial(token.run_sync_soon, pause)
        self._cancel = partial(token.run_sync_soon, scope.cancel)
        if self.number:
            scope.cancel()

    def _answer(self, number: int, frame: FrameType | None) -> None:
        first = not self.number
        self.number = self.number or number
        answer = self._pause if first and number == signal.SIGINT else self._cancel
        if answer is not None:
            with suppress(trio.RunFinishedError):
                answer()
