"""Waits for the answers of all bots that are asked: one place for all processes of a host."""

from __future__ import annotations

import math
import select
from time import perf_counter_ns
from typing import Generic, Protocol, Self, TypeVar

import trio


class Readable(Protocol):
    """An open descriptor. Numbers of descriptors come again, so that these objects are compared."""

    def fileno(self) -> int:
        """Returns the number of the descriptor."""


class Expected(Protocol):
    """Somebody who waits for answers: a dispatcher."""

    @property
    def late_from_ns(self) -> int:
        """The time by ``perf_counter_ns`` from which on they are late."""

    @property
    def events(self) -> Readable:
        """Can be read when something has come."""


ExpectedT = TypeVar("ExpectedT", bound=Expected)
_NEVER = 1 << 62


class Arrivals(Generic[ExpectedT]):
    """Finds out which dispatchers have something to receive, or wait for too long already."""

    def __init__(self) -> None:
        self._poll = select.epoll()
        self._expected: dict[int, ExpectedT] = {}
        self._registered: dict[int, Readable] = {}
        self._late_from_ns = _NEVER
        self._sleep = trio.CancelScope()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._poll.close()

    def expect(self, dispatcher: ExpectedT) -> None:
        """Waits for what comes next from a dispatcher that has a batch under way."""
        events = dispatcher.events
        descriptor = events.fileno()
        if self._registered.get(descriptor) is not events:
            self._poll.register(descriptor, select.EPOLLIN)
            self._registered[descriptor] = events
        self._expected[descriptor] = dispatcher
        self._late_from_ns = min(self._late_from_ns, dispatcher.late_from_ns)

    def forget(self, events: Readable) -> None:
        """Stops watching events that may be closed before they are expected again.

        Once closed they could not be found any more, and would be reported for as long as a forked
        process holds a copy of the descriptor.
        """
        descriptor = events.fileno()
        if self._registered.get(descriptor) is events:
            self._poll.unregister(descriptor)
            del self._registered[descriptor]

    def interrupt(self) -> None:
        """Ends the wait that is under way, if there is one: something else has happened."""
        self._sleep.cancel()

    async def wait(self, seconds: float = math.inf) -> list[ExpectedT]:
        """Waits until something arrives, is late, or ``interrupt`` is called; so long at most.

        Returns:
            What ``found`` returns then.
        """
        self._sleep = trio.CancelScope()
        if self._expected:
            ahead_ns = self._late_from_ns - perf_counter_ns()
            seconds = min(seconds, max(0, ahead_ns) / 1e9)
        self._sleep.deadline = trio.current_time() + seconds
        with self._sleep:
            await trio.lowlevel.wait_readable(self._poll)
        return self.found()

    def found(self) -> list[ExpectedT]:
        """Returns the dispatchers for which something has come, or is late, without waiting.

        They are no longer expected.
        """
        found = []
        for descriptor, _ in self._poll.poll(0):
            dispatcher = self._expected.pop(descriptor, None)
            if dispatcher is not None:
                found.append(dispatcher)
            else:  # it would be found again and again
                self.forget(self._registered[descriptor])
        if perf_counter_ns() >= self._late_from_ns:
            found += self._take_late()
        return found

    def _take_late(self) -> list[ExpectedT]:
        now, expected = perf_counter_ns(), self._expected
        late = [each for each, dispatcher in expected.items() if dispatcher.late_from_ns <= now]
        found = [expected.pop(descriptor) for descriptor in late]
        self._late_from_ns = min((each.late_from_ns for each in expected.values()), default=_NEVER)
        return found
