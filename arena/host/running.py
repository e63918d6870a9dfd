"""Runs something under trio of its own, and tells of a fault of ours as itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar, TypeVarTuple

import trio

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
