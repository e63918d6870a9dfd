"""Functions whose steps block or wait, so that threads and trio programs call the same ones.

Finding bots blocks its thread, and Ctrl-C has to end it; matches are played in a loop of trio,
where nothing may block. A function of both yields each such step. On a thread of its own
``run_steps`` calls the first kind and opens a loop for the second; in a program of trio
``await_steps`` calls the first kind in another thread and awaits the second.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from typing import Any, TypeAlias, TypeVar, cast

import msgspec
import trio

T = TypeVar("T")


class Blocking(msgspec.Struct, frozen=True):
    """A step that blocks its thread."""

    call: Callable[[], Any]


class Waiting(msgspec.Struct, frozen=True):
    """A step that runs in a loop of trio."""

    call: Callable[[], Awaitable[Any]]


Steps: TypeAlias = Generator[Blocking | Waiting, Any, T]
"""A function that yields its steps, and is sent what each returned; it returns a ``T``."""


def blocking(call: Callable[[], T]) -> Steps[T]:
    """Has a step done that blocks; use it with ``yield from``."""
    found: T = yield Blocking(call)
    return found


def waiting(call: Callable[[], Awaitable[T]]) -> Steps[T]:
    """Has a step done that needs a loop of trio; use it with ``yield from``."""
    found: T = yield Waiting(call)
    return found


def run_steps(steps: Steps[T], block: Callable[[Callable[[], Any]], Any] | None = None) -> T:
    """Runs a function of steps where no loop of trio runs, and returns its value.

    Args:
        steps: The function, called.
        block: Calls each step that blocks.
    """
    send, sent = steps.send, None
    while True:
        try:
            step = send(sent)
        except StopIteration as end:
            return cast("T", end.value)
        try:
            if isinstance(step, Waiting):
                sent = trio.run(step.call)
            else:
                sent = block(step.call) if block else step.call()
            send = steps.send
        except BaseException as error:
            send, sent = steps.throw, error


async def await_steps(steps: Steps[T]) -> T:
    """Runs a function of steps in a loop of trio, and returns its value; it may be cancelled."""
    send, sent = steps.send, None
    while True:
        try:
            step = send(sent)
        except StopIteration as end:
            return cast("T", end.value)
        try:
            if isinstance(step, Waiting):
                sent = await step.call()
            else:
                sent = await trio.to_thread.run_sync(step.call)
            send = steps.send
        except BaseException as error:
            send, sent = steps.throw, error
