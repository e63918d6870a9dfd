"""Stops a tournament at a signal: at once, and what is stored stays."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Self

import trio

from arena.cli.signals import heeded


class Stop:
    """Answers the signals by cancelling a scope, for as long as it is entered.

    A second Ctrl-C changes nothing: it cannot cut short what the first began, down to the last
    line that the process prints, so that after the first the signals stay ignored.

    Attributes:
        number: The signal that came first; 0 before any.
    """

    def __init__(self) -> None:
        self.number = 0
        self._cancel: Callable[[], None] | None = None

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._answer) for number in heeded()}
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_IGN if self.number else handler)

    def cancels(self, scope: trio.CancelScope) -> None:
        """Cancels that scope of the running loop from now on."""
        token = trio.lowlevel.current_trio_token()
        self._cancel = partial(token.run_sync_soon, scope.cancel)
        if self.number:
            scope.cancel()

    def _answer(self, number: int, frame: FrameType | None) -> None:
        self.number = self.number or number
        if self._cancel is not None:
            with suppress(trio.RunFinishedError):
                self._cancel()
