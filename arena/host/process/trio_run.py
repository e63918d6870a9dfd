"""Runs trio from code that is not asynchronous."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar, TypeVarTuple

import trio

from arena.core.errors import HarnessFault

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


def run_trio(work: Callable[[*Ts], Awaitable[T]], *arguments: *Ts) -> T:
    """Runs an asynchronous function to its end.

    Raises:
        HarnessFault: It failed by one; the first of several.
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
