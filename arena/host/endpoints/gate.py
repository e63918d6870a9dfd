"""Limits the questions to an endpoint that are under way, and holds them back while it fails."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

from arena.core.errors import EndpointFailed

T = TypeVar("T")

MAX_WAIT_SECONDS = 60.0
"""Longest wait between two probes, whatever the endpoint asks for."""
MAX_PROBES = 10
"""Failures of an endpoint behind a closed gate, which end the run: some five minutes."""
IN_A_ROW = 5
"""Failures one after the other that close a gate; a quarter of its width if that is more."""
NARROWER = 0.5
"""Share of the width that stays when the endpoint says that there are too many questions."""


class Gate:
    """Lets the questions to one endpoint through, as many at a time as it bears.

    One failure closes nothing: the same question is asked again, and the others go on. When the
    endpoint says that there are too many questions, half as many are let through, and one more
    after as many answers as questions fit. This is how TCP finds its rate.

    The gate closes for all if the endpoint asks to wait, or after several failures one after the
    other: for a second, two, four and so on. Then one question goes through, the probe. Its answer
    opens the gate, its failure closes it again.

    Args:
        most: Most questions at a time.
        max_probes: Closings one after the other after which no question is let through any more.
        notice: Takes a line for people at each closing.
    """

    def __init__(
        self,
        most: int,
        max_probes: int = MAX_PROBES,
        notice: Callable[[str], object] = lambda line: None,
    ) -> None:
        self._most, self._width, self._under_way = most, float(most), 0
        self._max_probes, self._notice = max_probes, notice
        self._in_a_row = self._closings = self._closed = self._narrowed = 0
        self._until, self._probe = 0.0, trio.CancelScope()
        self._probing = self._leaving = False
        self._reason = ""
        self._over: EndpointFailed | None = None
        self._waiting, self._resting = trio.lowlevel.ParkingLot(), trio.lowlevel.ParkingLot()

    @property
    def width(self) -> int:
        """Questions that are let through at a time."""
        return int(self._width)

    async def through(self, call: Callable[[], Awaitable[T]]) -> T:
        """Waits for a place, or to be the probe, and returns what the call returns.

        Raises:
            EndpointFailed: The call raised it; ``retry`` is false after the last probe, and for
                questions that wait for a failing endpoint once ``leave`` was called.
        """
        with trio.CancelScope() as scope:
            if probe := await self._enter():
                self._probing, self._probe = True, scope
            self._under_way += 1
            # What was under way as the gate closed, or became narrower, proves nothing more.
            closed, narrowed = self._closed, self._narrowed
            try:
                result = await call()
            except EndpointFailed as failed:
                if failed.retry:
                    self._fail(failed, closed, narrowed)
                raise
            else:
                self._succeed(closed)
                return result
            finally:
                self._under_way -= 1
                self._probing = self._probing and not probe
                self._wake()
        raise EndpointFailed(self._reason, retry=False)  # the probe was called back

    async def wait(self, seconds: float) -> None:
        """Waits until a question may be asked again; shorter once ``leave`` was called."""
        until = trio.current_time() + seconds
        while not self._leaving and trio.current_time() < until:
            with trio.move_on_at(until):
                await self._resting.park()

    def leave(self) -> None:
        """Lets no question wait for a failing endpoint any more, as the run pauses."""
        self._leaving = True
        if self._probing:
            self._probe.cancel()
        self._waiting.unpark_all()
        self._resting.unpark_all()

    async def _enter(self) -> bool:
        """Waits for a place; returns whether this is the probe."""
        while self._over is None:
            open_now = trio.current_time() >= self._until
            if open_now and not self._closings:
                if self._under_way < self.width:
                    return False
            elif self._leaving:
                raise EndpointFailed(self._reason, retry=False)
            elif open_now and not self._probing:
                return True
            with trio.move_on_at(math.inf if open_now else self._until):
                await self._waiting.park()
        raise EndpointFailed(self._over.reason, retry=False)

    def _succeed(self, closed: int) -> None:
        self._width = min(self._most, self._width + 1 / self._width)
        if closed == self._closed:
            self._in_a_row = self._closings = 0

    def _fail(self, failed: EndpointFailed, closed: int, narrowed: int) -> None:
        self._reason = failed.reason
        if failed.busy and narrowed == self._narrowed:
            self._narrow()
        if failed.busy and failed.wait_seconds:
            self._hold(failed.wait_seconds)
        if closed == self._closed:
            self._in_a_row += 1
            if self._closings or self._in_a_row >= max(IN_A_ROW, self.width // 4):
                self._close(failed)

    def _narrow(self) -> None:
        self._width = max(1.0, self._width * NARROWER)
        self._narrowed += 1

    def _close(self, failed: EndpointFailed) -> None:
        self._hold(max(failed.wait_seconds or 0.0, 2.0**self._closings))
        self._closings += 1
        self._closed += 1
        if self._closings < self._max_probes:
            self._notice(f"{failed.reason}; questions wait until it answers")
            return
        self._over = EndpointFailed(
            f"{failed.reason} ({self._closings} failures one after the other)", retry=False
        )
        raise self._over

    def _hold(self, seconds: float) -> None:
        self._until = max(self._until, trio.current_time() + min(seconds, MAX_WAIT_SECONDS))

    def _wake(self) -> None:
        if self._closings or self._over is not None:
            self._waiting.unpark_all()
        else:
            self._waiting.unpark(count=max(0, self.width - self._under_way))
