"""Waits for the answers of all bots that are asked: one place for all processes of a host."""

from __future__ import annotations

import select
from time import perf_counter_ns
from typing import Generic, Protocol, Self, TypeVar

import trio


class Expected(Protocol):
    """Somebody who waits for answers: a dispatcher."""

    @property
    def late_from_ns(self) -> int:
        """The time by ``perf_counter_ns`` from which on they are late."""

    def fileno(self) -> int:
        """Returns a descriptor that can be read when something has come."""


ExpectedT = TypeVar("ExpectedT", bound=Expected)
_ONCE = select.EPOLLIN | select.EPOLLONESHOT
_NEVER = 1 << 62


class Arrivals(Generic[ExpectedT]):
    """Finds out which dispatchers have something to receive, or wait for too long already."""

    def __init__(self) -> None:
        self._poll = select.epoll()
        self._expected: dict[int, ExpectedT] = {}
        self._late_from_ns = _NEVER
        self._sleep = trio.CancelScope()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._poll.close()

    def expect(self, dispatcher: ExpectedT) -> None:
        """Waits for what comes next from a dispatcher that has a batch under way."""
        descriptor = dispatcher.fileno()
        try:
            self._poll.modify(descriptor, _ONCE)
        except FileNotFoundError:
            self._poll.register(descriptor, _ONCE)
        self._expected[descriptor] = dispatcher
        self._late_from_ns = min(self._late_from_ns, dispatcher.late_from_ns)

    def interrupt(self) -> None:
        """Ends the wait that is under way, if there is one: something else has happened."""
        self._sleep.cancel()

    async def wait(self) -> list[ExpectedT]:
        """Waits until something arrives, is late, or ``interrupt`` is called.

        Returns:
            The dispatchers that it concerns, which are no longer expected.
        """
        events = self._poll.poll(0)
        if events:
            await trio.lowlevel.checkpoint()
        else:
            self._sleep = trio.CancelScope()
            if self._expected:
                ahead_ns = self._late_from_ns - perf_counter_ns()
                self._sleep.deadline = trio.current_time() + max(0, ahead_ns) / 1e9
            with self._sleep:
                await trio.lowlevel.wait_readable(self._poll)
            events = self._poll.poll(0)
        expected = self._expected
        found = [expected.pop(descriptor) for descriptor, _ in events if descriptor in expected]
        if perf_counter_ns() >= self._late_from_ns:
            found += self._take_late()
        return found

    def _take_late(self) -> list[ExpectedT]:
        """Returns those who are late, and finds out who is the next to be."""
        now, expected = perf_counter_ns(), self._expected
        late = [each for each, dispatcher in expected.items() if dispatcher.late_from_ns <= now]
        found = [expected.pop(descriptor) for descriptor in late]
        self._late_from_ns = min((each.late_from_ns for each in expected.values()), default=_NEVER)
        return found
