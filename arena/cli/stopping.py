"""Ctrl-C, or a polite kill, while a tournament runs: it stops at once, and what is stored stays."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Self

import trio

SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""What asks a tournament to stop."""


class Stop:
    """Answers the signals by cancelling a scope, for as long as it is entered.

    A second Ctrl-C changes nothing: it cannot cut short what the first began, down to the last
    line that the process prints, so that after the first the signals stay ignored.
    """

    def __init__(self) -> None:
        self._asked = False
        self._cancel: Callable[[], None] | None = None

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._answer) for number in SIGNALS}
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_IGN if self._asked else handler)

    def cancels(self, scope: trio.CancelScope) -> None:
        """Cancels that scope of the running loop from now on."""
        token = trio.lowlevel.current_trio_token()
        self._cancel = partial(token.run_sync_soon, scope.cancel)
        if self._asked:
            scope.cancel()

    def _answer(self, number: int, frame: FrameType | None) -> None:
        self._asked = True
        if self._cancel is not None:
            with suppress(trio.RunFinishedError):
                self._cancel()
