"""The local executor: matches in worker processes of this machine, chunk by chunk.

The processes are trio-parallel's: kept warm, killed when they are cancelled.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import trio
import trio_parallel

from arena.core.errors import HarnessFault
from arena.core.record import PlayedMatch
from arena.core.tournament import Job
from arena.core.wire import decode_matches, encode

CHUNK_SECONDS = 0.2
"""How long a chunk should take: far more than it costs to send, far less than a person waits."""
FIRST_CHUNK = 4
"""Matches of the first chunk, before anything is known of their speed."""
TRIES = 3
"""How often a match that the harness failed is played again before the tournament stops."""

Play = Callable[[bytes, bytes], bytes]
"""Plays the jobs of the second argument under the setup of the first (see ``arena.host``)."""


class LocalExecutor:
    """Plays jobs in worker processes; made by ``open_local_executor``.

    Attributes:
        concurrency: Chunks that run at a time.
    """

    def __init__(
        self, workers: trio_parallel.WorkerContext, play: Play, setup: bytes, concurrency: int
    ) -> None:
        self._workers, self._play, self._setup = workers, play, setup
        self._limiter = trio.CapacityLimiter(concurrency)
        self._seconds_a_match = 0.0
        self.concurrency = concurrency

    async def play(
        self, jobs: Sequence[Job], deliver: trio.MemorySendChannel[list[PlayedMatch]]
    ) -> None:
        """Plays every job exactly once and delivers the matches in chunks, in no fixed order.

        Raises:
            HarnessFault: A match was void ``TRIES`` times; the others' results stand.
        """
        waiting = deque(jobs)
        async with deliver, trio.open_nursery() as nursery:
            for _ in range(self.concurrency):
                nursery.start_soon(self._lane, waiting, deliver.clone())

    async def _lane(
        self, waiting: deque[Job], deliver: trio.MemorySendChannel[list[PlayedMatch]]
    ) -> None:
        async with deliver:
            while waiting:
                size = self._chunk_size(len(waiting))
                chunk = [waiting.popleft() for _ in range(size)]
                began = trio.current_time()
                played = await self._chunk(chunk)
                self._seconds_a_match = (trio.current_time() - began) / len(chunk)
                await deliver.send(played)

    def _chunk_size(self, waiting: int) -> int:
        """By the speed seen so far; at the end small, so that all workers finish together."""
        wanted = FIRST_CHUNK
        if self._seconds_a_match:
            wanted = int(CHUNK_SECONDS / self._seconds_a_match)
        return max(1, min(wanted, math.ceil(waiting / self.concurrency)))

    async def _chunk(self, chunk: list[Job]) -> list[PlayedMatch]:
        """Plays a chunk; after a fault its matches are void and played again, one by one."""
        try:
            return await self._send(chunk)
        except (HarnessFault, trio_parallel.BrokenWorkerError):
            return [match for job in chunk for match in await self._alone(job)]

    async def _alone(self, job: Job) -> list[PlayedMatch]:
        trouble = ""
        for _ in range(TRIES):
            try:
                return await self._send([job])
            except HarnessFault as fault:
                trouble = str(fault)
            except trio_parallel.BrokenWorkerError:
                trouble = "the worker process died (a bot may have ended it)"
        raise HarnessFault(f"match {job.place} was void {TRIES} times: {trouble}")

    async def _send(self, chunk: list[Job]) -> list[PlayedMatch]:
        data = await self._workers.run_sync(
            self._play, self._setup, encode(chunk), kill_on_cancel=True, limiter=self._limiter
        )
        return decode_matches(data)


@asynccontextmanager
async def open_local_executor(
    play: Play, setup: bytes, concurrency: int, start_worker: Callable[[], bool]
) -> AsyncIterator[LocalExecutor]:
    """Worker processes for one tournament.

    Args:
        play: A top-level function that workers can import.
        setup: What the tournament's matches have in common.
        concurrency: Number of worker processes.
        start_worker: Readies a new worker process.
    """
    async with trio_parallel.open_worker_context(
        init=start_worker, idle_timeout=math.inf, grace_period=5.0
    ) as workers:
        yield LocalExecutor(workers, play, setup, concurrency)
