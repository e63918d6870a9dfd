"""The workers of a cluster that can play one tournament, and the chunks that each has."""

from __future__ import annotations

import math

import msgspec
import trio
from distributed import Client

from arena.core.errors import PlaceFailed
from arena.core.tournaments.executor import Pace
from arena_dask.cluster import FROZEN, NO_REPORT, Seen, no_worker, workers_of

AHEAD = 1
"""Chunks that wait at each worker, so that it never waits for the network."""
LOOK_SECONDS = 0.25
"""Seconds between two looks at the workers."""
SILENT_SECONDS = 10.0
"""Seconds after the last sign of life of a worker from which on it counts as frozen or cut off."""
STOP_SECONDS = 4.0
"""The same while the run stops: its chunks are given up then, and played when it is resumed."""
REPORT_SECONDS = 15.0
"""Seconds that a worker has to say whether it can play."""
FIT_SECONDS = 20.0
"""Seconds that a run waits for a worker that can play its matches."""
WAIT_SECONDS = 0.05
"""Seconds between two looks for a worker that has nothing to do."""


class Worker(msgspec.Struct, eq=False):
    """A worker that can play the tournament's matches.

    Attributes:
        slots: Chunks that it plays at a time.
        heard: Its last sign of life, by the scheduler's clock.
        since: When this machine noticed that.
        chunks: For each chunk that it has, the wait for it.
    """

    slots: int
    heard: float = -math.inf
    since: float = -math.inf
    chunks: set[trio.CancelScope] = msgspec.field(default_factory=set)

    @property
    def load(self) -> float:
        """Chunks that it has for each slot."""
        return len(self.chunks) / self.slots

    def deadline(self, seconds: float) -> float:
        """Returns when a chunk of that many seconds has to be answered, after those before it."""
        ends = sorted(scope.deadline for scope in self.chunks)
        waits = len(ends) >= self.slots
        return seconds + (ends[len(ends) - self.slots] if waits else trio.current_time())


class Roster:
    """The workers that can play one tournament. Each chunk goes to a worker that is chosen here.

    Args:
        client: It is connected to the scheduler.
        name: Name of the tournament's places (``arena_dask.worker.PlacePlugin``).
        pace: Learns how many workers there are, and takes notices of those that cannot play.
    """

    def __init__(self, client: Client, name: str, pace: Pace) -> None:
        self._client, self._name, self._pace = client, name, pace
        self._since: dict[str, float] = {}
        """When a worker was first seen, by address."""
        self._told: dict[str, str] = {}
        """Why a worker cannot play at present, as was told, by address."""
        self._known: dict[str, Worker] = {}
        self.workers: dict[str, Worker] = {}
        """Those of the known that are there, and not silent; by address."""
        self._seen: dict[str, Seen] = {}
        self._fit = trio.current_time()
        """When there was a worker that can play, most lately."""

    @property
    def slots(self) -> int:
        """Number of chunks that can be sent at a time."""
        return sum(worker.slots + AHEAD for worker in self.workers.values())

    async def watch(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Looks at the workers from time to time; has started when there is one that can play.

        It has started, too, when the run is to stop before there is any.

        Raises:
            BadInput: There has been none for some time, or the scheduler is gone.
        """
        started = False
        while True:
            self._update(await workers_of(self._client, self._name), trio.current_time())
            if (self.workers or self._pace.holding) and not started:
                task_status.started()
                started = True
            if trio.current_time() > self._fit + FIT_SECONDS:
                raise no_worker(self._seen, self._pace.barred, FIT_SECONDS)
            await trio.sleep(LOOK_SECONDS)

    def _update(self, seen: dict[str, Seen], now: float) -> None:
        """Takes in what the scheduler says; gives up the chunks of workers that are lost."""
        self._seen = seen
        silent = STOP_SECONDS if self._pace.holding else SILENT_SECONDS
        for address, each in seen.items():
            if each.report and each.report.slots and not each.report.refused:
                worker = self._known.setdefault(address, Worker(each.report.slots))
                if worker.heard != each.heard:
                    worker.heard, worker.since = each.heard, now
        self.workers = {
            address: worker
            for address, worker in self._known.items()
            if address in seen.keys() - self._pace.barred and now < worker.since + silent
        }
        for address, worker in self._known.items():
            if address not in self.workers:
                for scope in worker.chunks:
                    scope.cancel()
        if self.workers:
            self._fit = now
        slots = sum(worker.slots for worker in self.workers.values())
        workers, counted = len(self.workers), "slot" if slots == 1 else "slots"
        self._pace.places = f"{workers} worker{'s'[: workers != 1]}, {slots} {counted}"
        self._tell(now)

    def _tell(self, now: float) -> None:
        """Tells once why a worker cannot play, while others may."""
        reasons = {}
        for address, each in self._seen.items():
            late = now > self._since.setdefault(address, now) + REPORT_SECONDS
            if each.report is None:
                reasons[address] = NO_REPORT if late else ""
            elif each.report.refused:
                reasons[address] = each.report.refused
            elif address not in self.workers and address not in self._pace.barred:
                reasons[address] = FROZEN
        for address in self._known:
            if address not in self._seen:
                reasons[address] = "is gone"
        for address, reason in reasons.items():
            if reason and self._told.get(address) != reason:
                self._pace.notice(f"worker {address}: {reason}")
        self._told = reasons

    async def free_worker(self, avoid: frozenset[str]) -> tuple[str, Worker]:
        """Returns the worker that has least to do; waits for one.

        Raises:
            PlaceFailed: The run stops.
        """
        while not self._pace.holding:
            usable = self.workers.items()
            better = [pair for pair in usable if pair[0] not in avoid] or [*usable]
            free = [pair for pair in better if len(pair[1].chunks) < pair[1].slots + AHEAD]
            if free:
                return min(free, key=lambda pair: pair[1].load)
            await trio.sleep(WAIT_SECONDS)
        raise PlaceFailed("", "the run stops")
