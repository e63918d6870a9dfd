"""Limits of visitors: requests per minute, and open streams, by address."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from math import ceil

import trio

from arena.service.league.league_file import LeagueLimits
from arena.web.site.guard.errors import Refused
from arena.web.site.guard.settings import Limits

MINUTE, HOUR = 60.0, 3600.0
READERS = 2
"""Most processes that read submitted files at a time."""
MAX_ADDRESSES = 20_000
"""Addresses that are remembered; the one that was heard of longest ago is forgotten."""


def who(address: str) -> str:
    """Returns one visitor's name: an IPv4 address, or a network of IPv6 (/64).

    A proxy may have added a port: ``192.0.2.7:443``, ``[2001:db8::1]:443``.
    """
    if address.startswith("["):
        address = address[1:].partition("]")[0]
    elif address.count(":") == 1:
        address = address.partition(":")[0]
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(IPv6Address(int(found) >> 64 << 64))
    return str(found)


class Allowance:
    """Allows each address ``most`` requests per ``seconds``, also all at once.

    ``things`` names them in the message.
    """

    def __init__(self, most: int, seconds: float = MINUTE, things: str = "requests") -> None:
        self._most, self._seconds = most, seconds
        self._things = f"{most} {things} {'a minute' if seconds == MINUTE else 'an hour'}"
        self._spent: dict[str, tuple[float, float]] = {}

    def spend(self, address: str) -> None:
        """Counts a request.

        Raises:
            Refused: Too many came; it says when to try again.
        """
        now = trio.current_time()
        spent, last = self._spent.pop(address, (0.0, now))
        spent = max(0.0, spent - (now - last) * self._most / self._seconds)
        if len(self._spent) >= MAX_ADDRESSES:
            del self._spent[next(iter(self._spent))]
        if spent + 1 > self._most:
            self._spent[address] = spent, now
            wait = ceil((spent + 1 - self._most) * self._seconds / self._most)
            raise Refused(
                HTTPStatus.TOO_MANY_REQUESTS,
                f"more than {self._things} from {address}; try again in {wait} s",
                wait,
            )
        self._spent[address] = spent + 1, now


class SentFiles:
    """Limits the files that are sent to a league: each costs a process that reads it."""

    def __init__(self, limits: LeagueLimits) -> None:
        self._of_author = Allowance(limits.hour, HOUR, "files")
        self._of_address = Allowance(limits.address_hour, HOUR, "files")
        self._readers = trio.CapacityLimiter(READERS)
        self._turns: dict[str, trio.Lock] = {}

    def count(self, author: str, address: str) -> None:
        """Counts a file before it is received; raises ``Refused`` beyond a limit."""
        self._of_address.spend(address)
        self._of_author.spend(author)

    @asynccontextmanager
    async def reading(self, author: str) -> AsyncIterator[None]:
        """Holds one of the ``READERS`` while a file is read.

        Files of one author are read one after another, so that no author waits for another's queue.
        """
        turn = self._turns.setdefault(author, trio.Lock())
        try:
            async with turn, self._readers:
                yield
        finally:
            if not turn.locked():  # else the next of them has it
                self._turns.pop(author, None)


class Streams:
    """Counts open streams, which are limited for each address and in all."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[str] = Counter()

    @contextmanager
    def one(self, address: str) -> Iterator[None]:
        """Holds a place for a stream.

        Raises:
            Refused: Too many are open.
        """
        if self._open[address] >= self._limits.streams:
            message = f"more than {self._limits.streams} live pages are open from {address}"
            raise Refused(HTTPStatus.TOO_MANY_REQUESTS, message, 10)
        if self._open.total() >= self._limits.all_streams:
            raise Refused(HTTPStatus.TOO_MANY_REQUESTS, "too many live pages are open", 10)
        self._open[address] += 1
        try:
            yield
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]
