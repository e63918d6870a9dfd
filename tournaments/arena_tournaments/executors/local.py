"""Plays matches in worker processes of this machine, chunk by chunk: the local executor.

The processes are trio-parallel's: kept warm, killed when they are cancelled.
"""

from __future__ import annotations

import errno
import math
import os
import sys
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from importlib.machinery import ModuleSpec

import trio
import trio_parallel

from arena.core.errors import HarnessFault
from arena.core.record import PlayedMatch
from arena.core.tournaments.executor import Pace, ReportVoid, Work, unreported
from arena.core.tournaments.format import Job
from arena.core.tournaments.wire import decode_matches, encode

CHUNK_SECONDS = 0.2
"""Seconds that a worker plays on: far more than it costs to send, far less than a person waits."""
FIRST_CHUNK = 1
"""Matches of a first chunk, and of one with a bot that is slow or of which nothing is known."""
TAIL_SECONDS = 0.01
"""Seconds between two looks of an idle lane for work that another has put back."""
TRIES = 3
"""Tries of a match that the harness failed, before the tournament stops."""
SLOW_SECONDS = 1.0
"""Time of a bot in a match from which on its matches wait for those of quicker ones."""
PAUSE_SECONDS = 0.3
"""Time that a lane waits before a slow chunk, so that what was played can change the pace."""
GRACE_SECONDS = 0.5
"""Seconds that an idle worker may take to end; then it is killed."""

PlayChunk = Callable[[bytes, float], Awaitable[bytes]]
"""Plays packed jobs, at least one, until that many seconds are over; gives the packed matches."""


class LocalExecutor:
    """Plays jobs chunk by chunk on this machine; see ``open_local_executor``.

    Args:
        play_chunk: Has a chunk played, e.g. in a worker process.
        pace: The number of chunks that run at a time, and whether further ones begin.
        describe: What to call a match in errors.
        patience: Seconds after which a chunk is given up.
        most: Chunks that can run at a time, whatever the pace.
        report_void: Awaited with the matches of a chunk that failed: each of them was sent to a
            worker, and none of them counts.
    """

    def __init__(
        self,
        play_chunk: PlayChunk,
        pace: Pace,
        describe: Callable[[Job], str],
        patience: float = math.inf,
        most: float = math.inf,
        report_void: ReportVoid = unreported,
    ) -> None:
        self._play_chunk, self._describe, self._patience = play_chunk, describe, patience
        self._report_void = report_void
        self._pace, self._most = pace, most
        self._lanes = 0
        self._slow = self._slow_entries()
        self._tried = set[int]()
        """Entries that are playing a match, and have not finished any."""

    @property
    def concurrency(self) -> int:
        """Number of chunks that run at a time, at present."""
        return int(min(self._pace.concurrency, self._most))

    async def play(
        self, jobs: Sequence[Job], deliver: trio.MemorySendChannel[list[PlayedMatch]]
    ) -> None:
        """Plays every job exactly once and delivers the matches in chunks, in no fixed order.

        During a pause it returns when the chunks under way are delivered.

        Raises:
            HarnessFault: A match was void again and again; the others' results stand.
        """
        waiting = deque(self._quick_first(jobs))
        async with deliver, trio.open_nursery() as nursery:
            self._pace.sent = self._lanes = 0
            self._open_lanes(nursery, waiting, deliver)

    def _open_lanes(
        self,
        nursery: trio.Nursery,
        waiting: deque[Job],
        deliver: trio.MemorySendChannel[list[PlayedMatch]],
    ) -> None:
        while self._lanes < self.concurrency:
            self._lanes += 1
            nursery.start_soon(self._lane, nursery, waiting, deliver.clone())

    async def _lane(
        self,
        nursery: trio.Nursery,
        waiting: deque[Job],
        deliver: trio.MemorySendChannel[list[PlayedMatch]],
    ) -> None:
        """Sends chunks twice as long as the last played, and returns jobs that had no time.

        Slow ones are sent one by one: nobody can pause in the middle of a chunk.
        """
        size, pace, paused = FIRST_CHUNK, self._pace, False
        async with deliver:
            while (waiting or pace.sent) and not pace.holding and self._lanes <= self.concurrency:
                self._open_lanes(nursery, waiting, deliver)
                if not waiting or pace.deciding:
                    await trio.sleep(TAIL_SECONDS)
                    continue
                if self._is_slow(waiting[0]) and not paused:
                    paused = True
                    await trio.sleep(PAUSE_SECONDS)
                    continue
                share = math.ceil(len(waiting) / self.concurrency)
                chunk = self._next_chunk(waiting, min(size, share))
                tried, slow, paused = self._unknown(chunk[0]), self._slow, False
                self._tried |= tried
                pace.sent += len(chunk)
                try:
                    played = await self._send(chunk)
                except HarnessFault as fault:
                    await self._report_void(chunk, str(fault))
                    for job in chunk:  # one by one, so that only the guilty match fails again
                        await deliver.send(await self._alone(job))
                else:
                    done = {match.key for match in played}
                    left = [job for job in chunk if job.key not in done]
                    waiting.extendleft(reversed(left))
                    if self._slow - slow or (left and self._slow):
                        ordered = self._quick_first(waiting)
                        waiting.clear()
                        waiting.extend(ordered)
                    size = FIRST_CHUNK if self._is_slow(chunk[0]) else 2 * len(played)
                    await deliver.send(played)
                self._tried -= tried
                pace.sent -= len(chunk)
            self._lanes -= 1

    def _quick_first(self, jobs: Iterable[Job]) -> list[Job]:
        """Returns jobs with those of slow bots at the end: nobody else waits for them."""
        return sorted(jobs, key=self._is_slow)

    def _is_slow(self, job: Job) -> bool:
        return not self._slow.isdisjoint(job.seats)

    def _unknown(self, job: Job) -> set[int]:
        return {entry for entry in job.seats if entry not in self._pace.seconds}

    def _next_chunk(self, waiting: deque[Job], size: int) -> list[Job]:
        """Takes the next jobs: that many of quick bots, or one of a slow or unknown bot.

        Matches of a bot that another lane tries wait for others, so that a slow one keeps one lane.
        """
        place = 0
        if self._tried:
            free = (each for each, job in enumerate(waiting) if self._tried.isdisjoint(job.seats))
            place = next(free, 0)
        chunk: list[Job] = []
        while place < len(waiting) and len(chunk) < size:
            job = waiting[place]
            alone = self._is_slow(job) or bool(self._unknown(job))
            if alone and chunk:
                break
            chunk.append(job)
            del waiting[place]
            if alone:
                break
        return chunk

    def _note_times(self, chunk: Sequence[Job], played: Sequence[PlayedMatch]) -> None:
        seats, known = {job.key: job.seats for job in chunk}, self._pace.seconds
        for match in played:
            for entry, time in zip(seats[match.key], match.measurement.nanoseconds, strict=True):
                known[entry] = max(time / 1e9, known.get(entry, 0.0) / 2)
        self._slow = self._slow_entries()

    def _slow_entries(self) -> frozenset[int]:
        known = self._pace.seconds.items()
        return frozenset([entry for entry, seconds in known if seconds >= SLOW_SECONDS])

    async def _alone(self, job: Job) -> list[PlayedMatch]:
        reason = ""
        for _ in range(TRIES):
            try:
                return await self._send([job])
            except HarnessFault as fault:
                reason = str(fault)
                await self._report_void([job], reason)
        raise HarnessFault(f"{self._describe(job)} was void {TRIES} times: {reason}")

    async def _send(self, chunk: list[Job]) -> list[PlayedMatch]:
        with trio.move_on_after(self._patience):
            try:
                data = await self._play_chunk(encode(chunk), CHUNK_SECONDS)
            except trio_parallel.BrokenWorkerError:
                raise HarnessFault("the worker process died; a bot may have ended it") from None
            except (OSError, RuntimeError) as error:  # no more processes, or no more threads
                if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
                    raise  # our own descriptors are used up: trying again gains none
                raise HarnessFault(f"a worker process cannot be started: {error}") from None
            played = decode_matches(data)
            self._note_times(chunk, played)
            return played
        raise HarnessFault(
            f"the worker process did not answer for {self._patience:g} s and was killed; "
            "a bot may have stopped it"
        )


@asynccontextmanager
async def open_local_executor(work: Work) -> AsyncIterator[LocalExecutor]:
    """Opens worker processes for one tournament; one that does not answer in time is killed."""
    context = trio_parallel.open_worker_context(
        init=work.start_worker, idle_timeout=math.inf, grace_period=GRACE_SECONDS
    )
    with _prepared_for_workers():
        workers = await context.__aenter__()
        limiter = trio.CapacityLimiter(math.inf)  # the lanes are the limit

        async def play_chunk(jobs: bytes, seconds: float) -> bytes:
            packed: bytes = await workers.run_sync(
                work.play, work.setup, jobs, seconds, kill_on_cancel=True, limiter=limiter
            )
            return packed

        try:
            yield LocalExecutor(
                play_chunk, work.pace, work.describe, work.patience, report_void=work.report_void
            )
        finally:
            # A process that a bot keeps from ending is killed; what it played was delivered.
            with suppress(trio_parallel.BrokenWorkerError):
                await context.__aexit__(None, None, None)


class LocalExecutors:
    """The kind of executor that plays on this machine."""

    name = "local"
    summary = "worker processes of this machine"
    open = staticmethod(open_local_executor)


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
