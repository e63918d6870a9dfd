"""Worker processes of tournaments as forks of a process that has the harness loaded.

A spawned worker imports for 0.4 s before it plays the few matches of a test. Processes that tests
start (commands, scripts) spawn theirs, and so do tests that use the
fixture ``spawned_workers``.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from socket import socketpair
from unittest.mock import patch

import trio
import trio_parallel

from tests.preloaded import Preloaded

WORK = """
import os, pickle, signal, sys
from multiprocessing.connection import Connection

signal.signal(signal.SIGINT, signal.SIG_IGN)
os.sched_setaffinity(0, {processors})
sys.path[:], sys.argv[:] = {path!r}, {words!r}
calls = Connection(3)
try:
    pickle.loads({init!r})()
    while True:
        function, *arguments = calls.recv()
        try:
            answer = function(*arguments), None
        except Exception as error:
            answer = None, error
        calls.send(answer)
except (EOFError, OSError):
    sys.exit(0)
"""


class ForkedWorker:
    """A process that is asked to call functions."""

    def __init__(self, preloaded: Preloaded, init: Callable[[], bool]) -> None:
        code = WORK.format(
            processors=os.sched_getaffinity(0),
            path=[path or os.getcwd() for path in sys.path],
            words=sys.argv,
            init=pickle.dumps(init),
        )
        ours, theirs = socketpair()
        with theirs:
            self.process = preloaded.start(
                (), os.getcwd(), os.environ, stdout=1, stderr=2, first=code, more=[theirs.fileno()]
            )
        self._calls = Connection(ours.detach())

    def call(self, function: Callable[..., bytes], *arguments: object) -> bytes:
        try:
            self._calls.send((function, *arguments))
            # Children of the process can keep its end open.
            if self._calls not in wait([self._calls, self.process.ended]):
                raise trio_parallel.BrokenWorkerError
            answer, error = self._calls.recv()
        except (EOFError, OSError):
            raise trio_parallel.BrokenWorkerError from None
        if error:
            raise error
        return answer

    def end(self, patience: float) -> None:
        """Lets it end, and kills it if it does not."""
        self._calls.close()
        try:
            self.process.wait(patience)
        except TimeoutError:
            self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


class ForkedWorkers:
    """Stands for the context of ``trio_parallel.open_worker_context``, as far as it is used."""

    def __init__(
        self,
        preloaded: Callable[[], Preloaded],
        *,
        init: Callable[[], bool],
        grace_period: float,
        **_: object,
    ) -> None:
        self._preloaded, self._init, self._grace = preloaded, init, grace_period
        self._idle: list[ForkedWorker] = []

    async def __aenter__(self) -> ForkedWorkers:
        return self

    async def __aexit__(self, *_: object) -> None:
        with trio.CancelScope(shield=True):
            for worker in self._idle:
                await trio.to_thread.run_sync(worker.end, self._grace)

    async def run_sync(
        self,
        function: Callable[..., bytes],
        *arguments: object,
        kill_on_cancel: bool,
        limiter: trio.CapacityLimiter,
    ) -> bytes:
        worker = self._idle.pop() if self._idle else ForkedWorker(self._preloaded(), self._init)
        try:
            answer = await trio.to_thread.run_sync(
                worker.call, function, *arguments, abandon_on_cancel=True, limiter=limiter
            )
        except (trio.Cancelled, trio_parallel.BrokenWorkerError):
            worker.kill()
            raise
        except BaseException:
            self._idle.append(worker)
            raise
        self._idle.append(worker)
        return answer


@contextmanager
def forked_workers(preloaded: Callable[[], Preloaded]) -> Iterator[None]:
    """Has the harness start its workers so; the process is asked for with the first one."""

    def opened(**options: object) -> ForkedWorkers:
        return ForkedWorkers(preloaded, **options)  # type: ignore[arg-type]

    with patch.object(trio_parallel, "open_worker_context", opened):
        yield
