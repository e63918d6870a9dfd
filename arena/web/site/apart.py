"""Runs tasks that take much memory or time in other processes, which end when they idle.

They are forks of an idle process that was forked from the server before it had threads, has
everything loaded and shares its memory. The server itself never loads numpy.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from select import select
from threading import BoundedSemaphore
from typing import Self, TypeVar, cast

from arena.core.errors import ArenaError, HarnessFault, describe

T = TypeVar("T")
AT_ONCE = 2
"""Processes at once."""
IDLE_SECONDS = 20.0
"""Seconds after which a process without a request ends."""
_PR_SET_PDEATHSIG = 1


class Apart:
    """Starts such processes inside a ``with`` statement, which a process without threads must
    enter.

    The process that forks calls ``load`` once.
    """

    def __init__(self, load: Callable[[], object] = bool) -> None:
        self._load = load
        self._free = BoundedSemaphore(AT_ONCE)
        self._idle: list[_Worker] = []
        self._process = 0

    def __enter__(self) -> Self:
        self._requests, others = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = os.fork()
        if not self._process:
            try:
                self._requests.close()
                _fork_when_asked(others, self._load)
            finally:
                os._exit(0)
        others.close()
        return self

    def __exit__(self, *error: object) -> None:
        self._requests.close()
        for worker in self._idle:
            worker.close()
        os.waitpid(self._process, 0)

    def run(self, function: Callable[..., T], *args: object) -> T:
        """Returns the result of a module's function, for arguments that can be pickled; for
        threads.

        Without the process that forks, the function runs here.

        Raises:
            ArenaError: The function did.
            HarnessFault: It failed otherwise, or its process was ended.
        """
        request = pickle.dumps((function, args))
        with self._free:
            while self._idle:
                with suppress(_Ended):  # just now, as it had nothing to do
                    return cast("T", self._answer(self._idle.pop(), request))
            started = self._started()
            if started is None:
                return function(*args)
            try:
                return cast("T", self._answer(started, request))
            except _Ended:
                message = "a process of the site was ended before it answered"
                raise HarnessFault(message) from None

    def _started(self) -> _Worker | None:
        mine, its = socket.socketpair()
        with its:
            try:
                socket.send_fds(self._requests, [b"."], [its.fileno()])
            except OSError:
                mine.close()
                return None
        return _Worker(mine)

    def _answer(self, worker: _Worker, request: bytes) -> object:
        try:
            value, error = worker.answer(request)
        except (OSError, EOFError):
            worker.close()
            raise _Ended from None
        self._idle.append(worker)
        if error is not None:
            raise error
        return value


class _Ended(Exception):
    """Raised when a process ended before it answered."""


class _Worker:
    def __init__(self, connection: socket.socket) -> None:
        with connection:  # it stays open as long as the stream
            self._stream = connection.makefile("rwb")

    def answer(self, request: bytes) -> tuple[object, ArenaError | None]:
        self._stream.write(request)
        self._stream.flush()
        return cast("tuple[object, ArenaError | None]", pickle.load(self._stream))

    def close(self) -> None:
        with suppress(OSError):  # what was not sent
            self._stream.close()


def _fork_when_asked(requests: socket.socket, load: Callable[[], object]) -> None:
    """Forks for each request, which is a connection, until the server is gone."""
    for each in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(each, signal.SIG_IGN)  # the server decides when it ends
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    with suppress(Exception):
        load()
    while True:
        _, files, _, _ = socket.recv_fds(requests, 1, 1)
        if not files:
            return
        with socket.socket(fileno=files[0]) as connection:
            if not os.fork():
                requests.close()
                with suppress(BaseException):
                    _end_with_parent()
                    _work(connection)
                os._exit(0)


def _end_with_parent() -> None:
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _work(connection: socket.socket) -> None:
    """Answers the requests of a connection, until none comes for some time."""
    with connection.makefile("rwb") as stream:
        while select([connection], [], [], IDLE_SECONDS)[0]:
            pickle.dump(_answered(*pickle.load(stream)), stream)
            stream.flush()


def _answered(
    function: Callable[..., object], args: tuple[object, ...]
) -> tuple[object, ArenaError | None]:
    try:
        return function(*args), None
    except ArenaError as error:
        return None, error
    except Exception as error:
        return None, HarnessFault(describe(error))
