"""Worker processes of tournaments as forks of a process that has the harness loaded.

A spawned worker imports for 0.4 s before it plays the few matches of a test. Processes that tests
start (commands, scripts) spawn theirs, and so do tests that use the
fixture ``spawned_workers``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, Pipe
from unittest.mock import patch

from trio_parallel._impl import WORKER_MAP
from trio_parallel._proc import SpawnProcWorker, WorkerProcCache

from tests.preloaded import PATIENCE, Preloaded, Process

WORK = """
import atexit, os, sys
from multiprocessing.connection import Connection
from _trio_parallel_workers import worker_behavior

os.sched_setaffinity(0, {processors})
sys.path[:], sys.argv[:] = {path!r}, {words!r}
receives, sends = Connection(3, writable=False), Connection(4, readable=False)
worker_behavior(receives, sends, float("{idle}"), {init!r}, {retire!r})
atexit._run_exitfuncs()
sys.stdout.flush()
sys.stderr.flush()
os._exit(0)
"""


class ForkedProcess:
    """A process of a worker, with as much of ``multiprocessing.Process`` as trio-parallel uses."""

    _process: Process | None = None

    def __init__(
        self,
        preloaded: Preloaded,
        connections: tuple[Connection, Connection],
        code: str,
    ) -> None:
        self._preloaded, self._connections, self._code = preloaded, connections, code

    def start(self) -> None:
        descriptors = [connection.fileno() for connection in self._connections]
        self._process = self._preloaded.start(
            (), os.getcwd(), os.environ, stdout=1, stderr=2, first=self._code, more=descriptors
        )

    @property
    def pid(self) -> int | None:
        return self._process and self._process.pid

    @property
    def sentinel(self) -> int:
        return self._process.ended.fileno()

    @property
    def exitcode(self) -> int | None:
        return self._process and self._process.poll()

    def is_alive(self) -> bool:
        return self.exitcode is None

    def join(self, timeout: float = PATIENCE) -> None:
        with suppress(TimeoutError, BlockingIOError):
            self._process.wait(max(0.0, timeout))

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()


@contextmanager
def forked_workers(preloaded: Callable[[], Preloaded]) -> Iterator[None]:
    """Makes trio-parallel start its workers so; the process is asked for with the first one."""

    class Processes:
        """A context of ``multiprocessing``."""

        Pipe = staticmethod(Pipe)

        @staticmethod
        def Process(args, **_):  # noqa: N802 - the name that trio-parallel calls
            *connections, idle, init, retire = args
            code = WORK.format(
                processors=os.sched_getaffinity(0),
                path=[path or os.getcwd() for path in sys.path],
                words=sys.argv,
                idle=idle,
                init=init,
                retire=retire,
            )
            return ForkedProcess(preloaded(), connections, code)

    class ForkedWorker(SpawnProcWorker):
        mp_context = Processes

    with patch.dict(WORKER_MAP, spawn=(ForkedWorker, WorkerProcCache)):
        yield
