"""The part about workers: a runner with real lanes, a real database, and simulated workers.

The runner, its lanes, the decoding of answers and the storing are the real code. A worker is a
task that sleeps as long as its matches take. Time is simulated: it continues by the processor
time that the runner takes, and jumps to the next event while the runner waits. So a runner that is
too slow for its workers leaves them without work here as it would anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time, sleep
from typing import TypeVar

import msgspec
import trio
import trio.testing
from arena_results.file.database import open_database
from arena_results.store.store import Store
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.play.round_play import RoundPlay
from arena_tournaments.play.runner import Plan, run
from arena_tournaments.play.schedule import Schedule
from arena_tournaments.play.volume import Fixed

from arena.core.errors import PlaceFailed
from arena.core.record import PlayedMatch
from arena.core.tournaments.executor import Pace, Work
from arena.core.tournaments.format import Entrant, Job, Round, RoundResult
from arena.core.tournaments.lanes import Chunk, Lanes
from arena.core.tournaments.wire import PlayedChunk, decode_jobs, encode
from benchmarks.measuring import SEEDS
from benchmarks.scaling.filling import begin, in_seats, pool, rounds_of
from benchmarks.scaling.parts import Measured

T = TypeVar("T")
BOTS = 40
"""Bots of the field."""
SECONDS = {"quick": 6.0, "slow": 30.0}
"""Simulated seconds that the work takes, if all workers have work all the time."""
COUNTED = 0.8
"""Share of the matches that are counted: then workers begin to run out of work."""
MOST = 100_000
"""Most matches of a simulation."""
MEANS = {"quick": 0.02, "slow": 3.0}
"""Mean seconds of a match, of bots that compute a little and of bots that think."""
SPREAD = 0.5
"""Standard deviation of the logarithm of a match's time."""
LATE, LATE_SECONDS = 0.1, 2.0
"""Share of the workers that join late, and when."""
WEAK, FACTOR = 0.1, 2.0
"""Share of the workers that are slow, and by which factor."""
LOST, BACK_SECONDS = 0.002, 2.0
"""Share of the chunks whose worker is lost, and the seconds until another one takes its place."""
CHUNK_SECONDS = 1.0
"""Seconds of a chunk, as on a cluster."""
LONGEST = 120.0
"""Seconds of the longest match that the limits of the bots allow."""
DISK_SECONDS = 0.002
"""Time that the disk takes to confirm a transaction."""

UNITS = {
    f"{name}: {measure}": unit
    for name in MEANS
    for measure, unit in (("workers busy", "%"), ("runner busy", "%"), ("runner, a chunk", "s"))
}
"""Measures of ``of_workers``, with their units."""


class WorkClock(trio.abc.Clock):
    """Continues by the processor time of this process, and jumps while that waits."""

    def __init__(self) -> None:
        self._ahead = self._stopped = 0.0

    @property
    def worked(self) -> float:
        """Processor seconds of the runner."""
        return process_time() - self._stopped

    def start_clock(self) -> None:
        """Does nothing: the clock always runs."""

    def current_time(self) -> float:
        return process_time() + self._ahead

    def deadline_to_sleep_time(self, deadline: float) -> float:
        return deadline - self.current_time()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stops it for work that the runner would not do."""
        began = process_time()
        try:
            yield
        finally:
            spent = process_time() - began
            self._ahead -= spent
            self._stopped += spent

    async def jump(self) -> None:
        """Jumps to the next deadline, again and again, whenever every task waits."""
        while True:
            await trio.testing.wait_all_tasks_blocked()
            with self.stopped():
                left = trio.lowlevel.current_statistics().seconds_to_next_deadline
                if math.isfinite(left):
                    self._ahead += max(0.0, left)
            if not math.isfinite(left):  # a thread works
                await trio.to_thread.run_sync(sleep, 0.001)


class DirectStore(Store):
    """Stores in the runner's thread, as simulated time knows no others; the disk takes its time."""

    async def in_thread(self, work: Callable[[], T]) -> T:
        made = work()
        await trio.sleep(DISK_SECONDS)
        return made


class Workers:
    """Simulates workers that sleep as long as their matches take.

    Args:
        number: How many there are, the late ones as well.
        mean: Seconds of a match.

    Attributes:
        slots: Number of workers that are there.
        played: Seconds of play of all workers, up to the last change of ``playing``.
        chunks: Number of chunks.
    """

    def __init__(self, clock: WorkClock, number: int, mean: float) -> None:
        self._clock, self._mean, self._rng = clock, mean, Random(number)
        late = max(1, round(number * LATE))
        self.free = [self._speed() for _ in range(number - late)]
        self._late = [self._speed() for _ in range(late)]
        self.slots = len(self.free)
        self._pool = pool()
        self._keys: list[str] = []
        self.played, self.chunks = 0.0, 0
        self._playing, self._since = 0, 0.0

    def _speed(self) -> float:
        return FACTOR if self._rng.random() < WEAK else 1.0

    def seat(self, keys: list[str]) -> None:
        """Gives the keys of the field."""
        self._keys = keys

    async def join(self) -> None:
        """Lets the late ones come."""
        await trio.sleep(LATE_SECONDS)
        self.free += self._late
        self.slots += len(self._late)

    def count(self, change: int = 0) -> None:
        """Counts the workers that play, and the time that they have played."""
        now = trio.current_time()
        self.played += self._playing * (now - self._since)
        self._playing, self._since = self._playing + change, now

    async def play_chunk(self, chunk: Chunk) -> PlayedChunk:
        """Plays jobs by sleeping; sometimes the worker is lost."""
        with self._clock.stopped():
            self.chunks += 1
            factor, rng = self.free.pop(), self._rng
            lost = rng.random() < LOST
            played: list[PlayedMatch] = []
            spent = 0.0
            for job in decode_jobs(chunk.jobs):
                took = factor * self._mean * rng.lognormvariate(-(SPREAD**2) / 2, SPREAD)
                played.append(self._match(job, took))
                spent += took
                if spent >= chunk.seconds:
                    break
            answer = PlayedChunk(encode(played))
        self.count(1)
        try:
            if lost:
                await trio.sleep(spent * rng.random() + BACK_SECONDS)
                raise PlaceFailed("somewhere", "the worker was lost")
            await trio.sleep(spent)
        finally:
            self.free.append(factor)
            self.count(-1)
        return answer

    def _match(self, job: Job, seconds: float) -> PlayedMatch:
        keys = [self._keys[index] for index in job.seats]
        made = in_seats(self._pool[hash(job.key) % len(self._pool)], job.key, keys)
        times = (int(seconds * 5e8),) * len(keys)
        return msgspec.structs.replace(
            made, measurement=msgspec.structs.replace(made.measurement, nanoseconds=times)
        )


class Watch:
    """Notes time, the runner's work and the workers' when a round begins and near its end."""

    def __init__(self, clock: WorkClock, workers: Workers, matches: int) -> None:
        self._clock, self._workers = clock, workers
        self._left = matches * COUNTED
        self.began = self.ended = self._now()

    def _now(self) -> tuple[float, float, float, int]:
        self._workers.count()
        return (
            trio.current_time(), self._clock.worked, self._workers.played, self._workers.chunks
        )  # fmt: skip

    def round_started(self, play: RoundPlay) -> None:
        self.began = self._now()

    def matches_played(self, matches: list[PlayedMatch]) -> None:
        if self._left > 0:
            self._left -= len(matches)
            self.ended = self._now()

    def round_finished(self, result: RoundResult) -> None:
        pass


def of_workers(workers: int) -> Measured:
    """Measures a tournament with a number of workers, of quick bots and of slow ones."""
    for name in MEANS:
        clock = WorkClock()
        yield from trio.run(_simulate, clock, workers, name, clock=clock)


def _work(pace: Pace) -> Work:
    def plays(setup: bytes, jobs: bytes, seconds: float) -> bytes:
        raise NotImplementedError

    return Work(play=plays, setup=b"", pace=pace, start_worker=bool, longest=LONGEST)


async def _simulate(clock: WorkClock, number: int, name: str) -> list[tuple[str, float]]:
    mean, boards = MEANS[name], BOTS // 2
    games = max(2, round(min(MOST, number * SECONDS[name] / mean) / boards / 2) * 2)
    workers, pace = Workers(clock, number, mean), Pace()
    watch = Watch(clock, workers, games * boards)
    with TemporaryDirectory() as folder, open_database(f"sqlite:///{Path(folder)}/w.db") as opened:
        store = DirectStore(opened)
        _, field = await begin(store, BOTS, 1, games)
        workers.seat([who.key for who in field])
        schedule = Schedule(SEEDS, True, (Fixed(games),))
        plan = Plan(
            format=RoundRobin(),
            field=tuple([Entrant(who.name) for who in field]),
            rounds=1,
            schedule=schedule,
        )
        (paired,) = rounds_of(BOTS, 1)
        sink = store.sink(1, pace)
        await sink.save_round(paired)

        def begun(round: Round) -> RoundPlay:
            return RoundPlay(schedule, round)

        lanes = Lanes(_work(pace), workers.play_chunk, lambda: workers.slots, CHUNK_SECONDS)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(clock.jump)
            nursery.start_soon(workers.join)
            await run(plan, [paired], begun, lanes, sink, watch, pace)
            nursery.cancel_scope.cancel()
    passed = [end - start for start, end in zip(watch.began, watch.ended, strict=True)]
    elapsed, worked, played, chunks = passed
    return [
        (f"{name}: workers busy", played / elapsed / number),
        (f"{name}: runner busy", worked / elapsed),
        (f"{name}: runner, a chunk", worked / chunks),
    ]
