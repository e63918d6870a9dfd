"""What we need of trio beside what it offers: to run something alone, and to wait for either."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from typing import TypeVar, TypeVarTuple

import trio
from trio.lowlevel import wait_readable, wait_writable

from arena.core.errors import HarnessFault

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


def run_alone(work: Callable[[*Ts], Awaitable[T]], *arguments: *Ts) -> T:
    """Runs it to its end.

    Raises:
        HarnessFault: It failed by one; trio tells of everything that failed at once, in groups,
            and the first of them is told of here.
    """
    fault: BaseException | None = None
    try:
        return trio.run(work, *arguments)
    except* HarnessFault as group:
        fault = group
    while isinstance(fault, BaseExceptionGroup):
        fault = fault.exceptions[0]
    assert fault is not None
    raise fault


async def wait_for_either(talk: socket.socket) -> None:
    """Waits until more can be sent, or something has come."""
    async with trio.open_nursery() as nursery:

        async def wait(ready: Callable[[socket.socket], Awaitable[None]]) -> None:
            await ready(talk)
            nursery.cancel_scope.cancel()

        nursery.start_soon(wait, wait_readable)
        nursery.start_soon(wait, wait_writable)
