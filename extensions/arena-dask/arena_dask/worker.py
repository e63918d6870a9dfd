"""What runs inside the cluster: a place on each worker, and the end of all when the runner ends."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import msgspec
from distributed import SchedulerPlugin, WorkerPlugin, get_worker
from distributed.scheduler import Scheduler
from distributed.worker import Worker

from arena.core.errors import BadPlugin, describe
from arena.core.tournaments.executor import PlaceReport
from arena.core.tournaments.wire import Answer, encode
from arena.host.place import Place


class PlacePlugin(WorkerPlugin):
    """Makes a place for one tournament on a worker, and shows its report among the metrics.

    Dask gives it to every worker there is, and to each that comes later before it gets a task.

    Args:
        name: Name of the plugin and of the metric.
        cargo: The packed matches.
    """

    def __init__(self, name: str, cargo: bytes) -> None:
        self.name, self._cargo = name, cargo
        self.place: Place | None = None
        self._over = False

    async def setup(self, worker: Worker) -> None:
        """Makes the place. A worker that cannot play these matches says why."""
        try:
            report = (await asyncio.to_thread(self._open, worker)).report
        except Exception as error:
            line = str(error) if isinstance(error, BadPlugin) else describe(error)
            report = PlaceReport(name=worker.address, refused=line)
        packed = msgspec.msgpack.encode(report)
        worker.metrics[self.name] = lambda _: packed
        await worker.heartbeat()  # it carries the metrics

    def _open(self, worker: Worker) -> Place:
        place = Place(self._cargo, cache_folder(), worker.state.nthreads, worker.address)
        self.place = place
        if self._over:  # the tournament ended meanwhile
            place.close()
        return place

    async def teardown(self, worker: Worker) -> None:
        """Ends the place and its processes."""
        self._over = True
        worker.metrics.pop(self.name, None)
        if self.place is not None:
            await asyncio.to_thread(self.place.close)


class RunnerPlugin(SchedulerPlugin):
    """Takes the places off all workers when the runner is gone, however it ended.

    Args:
        name: Name of the plugin, and of that of the workers.
        client: The runner's name at the scheduler.
    """

    def __init__(self, name: str, client: str) -> None:
        self.name, self._client = name, client

    def remove_client(self, scheduler: Scheduler, client: str) -> None:
        """Called by Dask when a client ends or is lost."""
        if client == self._client:
            scheduler.loop.add_callback(self._leave, scheduler)

    async def _leave(self, scheduler: Scheduler) -> None:
        await scheduler.unregister_scheduler_plugin(self.name)
        if self.name in scheduler.worker_plugins:
            await scheduler.unregister_worker_plugin(None, self.name)


def play_chunk(name: str, jobs: bytes, seconds: float, patience: float) -> bytes:
    """Plays a chunk at this worker's place: the task that Dask runs. It raises nothing."""
    plugin = get_worker().plugins.get(name)
    if not isinstance(plugin, PlacePlugin) or plugin.place is None:
        return encode(Answer("place", b"the worker has no place for the tournament"))
    return plugin.place.play(jobs, seconds, patience)


def worker_ttl(dask_scheduler: Scheduler) -> float | None:
    """Returns the seconds for which the scheduler keeps a worker that shows no sign of life."""
    return dask_scheduler.worker_ttl


def cache_folder() -> Path:
    """Returns the folder of unpacked archives, which all workers of this user share."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "arena")
