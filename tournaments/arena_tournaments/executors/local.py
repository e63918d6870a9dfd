"""Plays matches in worker processes of this machine, chunk by chunk: the local executor.

The processes are trio-parallel's: kept warm, killed when they are cancelled.
"""

from __future__ import annotations

import errno
import math
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from functools import partial
from importlib.machinery import ModuleSpec

import trio
import trio_parallel

from arena.core.errors import HarnessFault
from arena.core.tournaments.executor import Executor, NoOptions, Work
from arena.core.tournaments.lanes import Chunk, Lanes
from arena.core.tournaments.wire import PlayedChunk

GRACE_SECONDS = 0.5
"""Seconds that an idle worker may take to end; then it is killed."""


@asynccontextmanager
async def open_local_executor(work: Work) -> AsyncIterator[Lanes]:
    """Opens worker processes for one tournament; one that does not answer in time is killed."""
    context = trio_parallel.open_worker_context(
        init=work.start_worker, idle_timeout=math.inf, grace_period=GRACE_SECONDS
    )
    with _prepared_for_workers():
        workers = await context.__aenter__()
        try:
            yield Lanes(work, partial(_play_chunk, workers, work), late_seconds=math.inf)
        finally:
            # A process that a bot keeps from ending is killed; what it played was delivered.
            with suppress(trio_parallel.BrokenWorkerError):
                await context.__aexit__(None, None, None)


async def _play_chunk(
    workers: trio_parallel.WorkerContext, work: Work, chunk: Chunk
) -> PlayedChunk:
    with trio.move_on_after(work.patience):
        try:
            packed: bytes = await workers.run_sync(
                work.play,
                work.setup,
                chunk.jobs,
                chunk.seconds,
                kill_on_cancel=True,
                limiter=trio.CapacityLimiter(1),  # the lanes are the limit
            )
        except trio_parallel.BrokenWorkerError:
            raise HarnessFault("the worker process died; a bot may have ended it") from None
        except (OSError, RuntimeError) as error:  # no more processes, or no more threads
            if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
                raise  # our own descriptors are used up: trying again gains none
            raise HarnessFault(f"a worker process cannot be started: {error}") from None
        return PlayedChunk(packed)
    raise HarnessFault(
        f"the worker process did not answer for {work.patience:g} s and was killed; "
        "a bot may have stopped it"
    )


class LocalExecutors:
    """The kind of executor that plays on this machine."""

    name = "local"
    summary = "worker processes of this machine"
    options = NoOptions

    def open(self, work: Work, options: NoOptions) -> AbstractAsyncContextManager[Executor]:
        """Opens worker processes for one tournament."""
        return open_local_executor(work)


@contextmanager
def _prepared_for_workers() -> Iterator[None]:
    """Starts workers in an environment of theirs, and without the caller's main module.

    Workers need nothing of it; ``multiprocessing`` would run it again in each of them, so that a
    script that plays a tournament without ``if __name__ == "__main__"`` would begin another. It
    leaves alone a main module of this name.
    """
    main = sys.modules["__main__"]
    spec, environment = main.__spec__, dict(os.environ)
    main.__spec__ = ModuleSpec("__main__", None)
    # The order of a bot's sets must not change from run to run; and numpy, which is used for no
    # linear algebra, would start a thread a core.
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", **environment, "PYTHONHASHSEED": "0"}
    try:
        yield
    finally:
        main.__spec__ = spec
        for name in ("OPENBLAS_NUM_THREADS", "PYTHONHASHSEED"):
            os.environ.pop(name, None)
            os.environ |= {name: environment[name]} if name in environment else {}
