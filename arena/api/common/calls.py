"""The common parts of the API's calls: event loop, warnings, and the address of the database."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import trio
from arena_results.file.addresses import DEFAULT_URL

from arena.core.errors import BadInput
from arena.plugins.options import in_python, options_spelled
from arena.plugins.registry import Registry
from arena.service.answers.arguments import checked, text
from arena.service.storage.databases import database_url, file_of

P = ParamSpec("P")
T = TypeVar("T")


def blocking(function: Callable[P, T]) -> Callable[P, T]:
    """Makes a function that plays matches work in notebooks, where asyncio runs in its thread.

    Where trio runs in its thread it raises ``BadInput``: the caller has to await its async form.
    """

    @wraps(function)
    def call(*args: P.args, **keywords: P.kwargs) -> T:
        name = function.__name__
        try:
            trio.lowlevel.current_task()
        except RuntimeError:
            pass
        else:
            raise BadInput(f"{name} would block trio until it is done: await {name}_async")
        with _wakeups_kept():
            try:
                return function(*args, **keywords)
            except BaseExceptionGroup as group:
                raise _alone(group) from group

    return call


def looped(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Makes an async function one that blocks, in a loop of trio of its own."""

    @blocking
    @wraps(function)
    def call(*args: P.args, **keywords: P.kwargs) -> T:
        return trio.run(partial(function, *args, **keywords))

    call.__wrapped__ = function  # type: ignore[attr-defined]  # what ``awaitable`` awaits
    return call


def public(function: Callable[P, T]) -> Callable[P, T]:
    """Makes a function one of the API: its arguments are checked, and errors speak Python."""
    return checked(function, partial(options_spelled, in_python))


def awaitable(function: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Makes the async form of a function.

    It is what ``looped`` made the function of; any other runs in a thread, also to its end when
    cancelled.
    """
    own = getattr(function, "__wrapped__", None)
    ends = "" if iscoroutinefunction(own) else ": cancelled, it ends when it is done"

    @wraps(function)
    async def call(*args: P.args, **keywords: P.kwargs) -> T:
        if iscoroutinefunction(own):
            return cast("T", await own(*args, **keywords))
        return await trio.to_thread.run_sync(partial(function, *args, **keywords))

    call.__name__ += "_async"
    call.__qualname__ += "_async"
    call.__doc__ = f"``{function.__name__}`` for trio programs{ends}."
    return call


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


@contextmanager
def plugins(registry: Registry | None = None) -> Iterator[Registry]:
    """The registry of a call; at its end it warns of the plugins that could not be used."""
    registry = registry or Registry()
    try:
        yield registry
    finally:
        for problem in registry.new_problems():
            warn(problem)


def quiet(*event: object) -> None:
    """Takes any event, and does nothing."""


def warn(text: str) -> None:
    """Gives a warning to Python's ``warnings``."""
    warnings.warn(text, stacklevel=3)


def address(db: str | os.PathLike[str] | None) -> str:
    """The address of a database: of a file, or as given; by default as on the command line.

    Raises:
        BadInput: It is not text, path or open database.
    """
    named = os.environ.get("ARENA_DB") or DEFAULT_URL if db is None else text("db", db)
    url = database_url(named)
    file = file_of(url)
    # Absolute once and for all: a program may go to another folder.
    return f"sqlite:///{Path(file).absolute()}" if file not in ("", ":memory:") else url
