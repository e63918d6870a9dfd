"""The common parts of the API's calls: event loop, warnings, and the address of the database."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import trio
from arena_results.database import DEFAULT_URL

from arena.core.errors import BadInput

T = TypeVar("T")


def run_blocking(work: Callable[[], Awaitable[T]]) -> T:
    """Runs an async function to its end in this thread, also where asyncio runs (in notebooks).

    Raises:
        BadInput: trio runs in this thread: the caller has to await the async function.
    """
    try:
        trio.lowlevel.current_task()
    except RuntimeError:
        pass
    else:
        raise BadInput(
            "this call plays to its end, which would block trio: await run_async or resume_async, "
            "or call it by trio.to_thread.run_sync"
        )
    with _wakeups_kept():
        try:
            return trio.run(work)
        except BaseExceptionGroup as group:
            raise _alone(group) from group


def _alone(error: BaseException) -> BaseException:
    """The error of a group of one, of whatever depth; Ctrl-C wins over what it caused."""
    if isinstance(error, BaseExceptionGroup):
        if error.subgroup(KeyboardInterrupt):
            return KeyboardInterrupt()
        if len(error.exceptions) == 1:
            return _alone(error.exceptions[0])
    return error


@contextmanager
def _wakeups_kept() -> Iterator[None]:
    """Lends trio the descriptor that signals write to, which a loop of asyncio may hold."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.set_wakeup_fd(-1)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)


def warn(text: str) -> None:
    """Gives a warning to Python's ``warnings``."""
    warnings.warn(text, stacklevel=3)


def address(db: str | Path | None) -> str:
    """The address of a database: of a file, or as given; by default as on the command line."""
    named = str(db if db is not None else os.environ.get("ARENA_DB") or DEFAULT_URL)
    return named if "://" in named else f"sqlite:///{named}"
