"""Holds the questions of one bot back while its endpoint fails, and lets one try at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

from arena.core.errors import EndpointFailed

T = TypeVar("T")

MAX_WAIT_SECONDS = 60.0
"""Longest wait between two probes, whatever the endpoint asks for."""
MAX_PROBES = 10
"""Failures one after the other that end the run: some five minutes."""


class Gate:
    """Lets the questions of one bot through, or holds them back while its endpoint fails.

    After a failure it is closed for a second, two, four and so on, or for as long as the endpoint
    asks if that is longer. Then one question goes through, the probe. Its answer opens the gate,
    its failure closes it again.

    Args:
        max_probes: Failures one after the other after which no question is let through any more.
    """

    def __init__(self, max_probes: int = MAX_PROBES) -> None:
        self._max_probes = max_probes
        self._failures = 0
        self._closings = 0
        self._until = 0.0
        self._probing = False
        self._over: EndpointFailed | None = None
        self._changed = trio.Event()

    async def through(self, call: Callable[[], Awaitable[T]]) -> T:
        """Waits until the gate is open, or this is the probe, and returns what the call returns.

        Raises:
            EndpointFailed: The call raised it; ``retry`` is false after the last probe.
        """
        await self._wait()
        closings = self._closings  # a call that was under way as the gate closed proves nothing
        try:
            result = await call()
        except EndpointFailed as failed:
            if failed.retry:
                self._fail(failed, closings)
            raise
        else:
            if closings == self._closings:
                self._failures = 0
            return result
        finally:
            if closings == self._closings:
                self._probing = False
            self._notify()

    async def _wait(self) -> None:
        while self._over is None and self._failures:
            if not self._probing and trio.current_time() >= self._until:
                self._probing = True
                return
            with trio.move_on_at(float("inf") if self._probing else self._until):
                await self._changed.wait()
        if self._over is not None:
            raise EndpointFailed(self._over.reason, retry=False)

    def _fail(self, failed: EndpointFailed, closings: int) -> None:
        wait = failed.wait_seconds or 0.0
        if closings == self._closings:
            wait = max(wait, 2.0**self._failures)
            self._failures += 1
            self._closings += 1
            self._probing = False
        self._until = max(self._until, trio.current_time() + min(wait, MAX_WAIT_SECONDS))
        if self._failures >= self._max_probes and self._over is None:
            self._over = EndpointFailed(
                f"{failed.reason} ({self._failures} failures one after the other)", retry=False
            )
            raise self._over

    def _notify(self) -> None:
        self._changed.set()
        self._changed = trio.Event()
