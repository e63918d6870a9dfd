"""Functions of steps do the same on a thread of their own and in a program of trio."""

from __future__ import annotations

import threading

import pytest
import trio

from arena.service.answers.steps import Steps, await_steps, blocking, run_steps, waiting


def both(threads: list[str]) -> Steps[int]:
    """Blocks, waits, survives an error of a step, and returns a number."""
    threads.append(threading.current_thread().name)
    one = yield from blocking(lambda: 1)

    async def two() -> int:
        await trio.lowlevel.checkpoint()
        return 2

    with pytest.raises(ZeroDivisionError):
        yield from blocking(lambda: 1 // 0)
    return one + (yield from waiting(two))


def refused() -> Steps[int]:
    async def fails() -> int:
        raise KeyError("no such step")

    return (yield from waiting(fails))


def test_steps_run_where_no_loop_runs():
    blocked = []

    def block(call):
        blocked.append(call)
        return call()

    assert run_steps(both([]), block) == 3
    assert len(blocked) == 2
    with pytest.raises(KeyError):
        run_steps(refused())


async def test_steps_are_awaited_in_a_loop_that_nothing_blocks():
    threads: list[str] = []

    def block() -> Steps[str]:
        return (yield from blocking(lambda: threading.current_thread().name))

    assert await await_steps(both(threads)) == 3
    assert threads == [threading.current_thread().name]
    assert await await_steps(block()) not in threads
    with pytest.raises(KeyError):
        await await_steps(refused())


async def test_cancelled_steps_leave_their_blocks():
    left = []

    def waits() -> Steps[None]:
        try:
            yield from waiting(trio.sleep_forever)
        finally:
            left.append(True)

    with trio.move_on_after(0.01):
        await await_steps(waits())
    assert left == [True]
