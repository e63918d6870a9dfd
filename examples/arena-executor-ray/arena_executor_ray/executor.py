"""The executor ``ray``: each actor of a Ray cluster is a place with one slot."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import ray
import trio

from arena.core.errors import BadInput, BadPlugin, PlaceFailed, describe
from arena.core.options import Option
from arena.core.tournaments.executor import Executor, Work
from arena.core.tournaments.lanes import Chunk, Lanes
from arena.core.tournaments.wire import decode_answer
from arena.host.place import Place

CHUNK_SECONDS = 1.0
"""Seconds that an actor plays on; a shorter chunk costs more to send."""


class RayOptions(msgspec.Struct, frozen=True):
    """The options of the executor."""

    address: Annotated[str, Option("Address of the cluster. [a new one on this machine]")] = ""
    slots: Annotated[int, msgspec.Meta(ge=0), Option("Actors. [one per CPU]")] = 0


@ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=0)
class RayPlace:
    """A place in a process of Ray's; Ray makes it again when the process ends."""

    def __init__(self, cargo: bytes, name: str) -> None:
        self.refused, cache = "", Path(tempfile.gettempdir(), f"arena-ray-{os.getuid()}")
        cache.mkdir(mode=0o700, exist_ok=True)
        try:
            self.place = Place(cargo, cache, 1, name)
        except BadPlugin as refused:
            self.refused = str(refused)

    def why_not(self) -> str:
        """Returns why it can play nothing; empty if it can."""
        return self.refused

    def play(self, jobs: bytes, seconds: float, patience: float) -> bytes:
        """Plays a chunk."""
        return self.place.play(jobs, seconds, patience)


class RayExecutors:
    """The kind of executor."""

    name, summary, options = "ray", "actors of a Ray cluster", RayOptions

    def open(self, work: Work, options: RayOptions) -> AbstractAsyncContextManager[Executor]:
        """Connects to the cluster, and disconnects at the end."""
        return _open(work, options)


@asynccontextmanager
async def _open(work: Work, options: RayOptions) -> AsyncIterator[Executor]:
    address = options.address or None
    more = {} if address else {"include_dashboard": False}
    await _in_thread(ray.init, address, log_to_driver=False, configure_logging=False, **more)
    try:
        number, cargo = options.slots or int(ray.cluster_resources()["CPU"]), work.cargo()
        names = [f"actor {each}" for each in range(1, number + 1)]
        places = {name: RayPlace.remote(cargo, name) for name in names}
        refused = {name: await _get(name, each.why_not.remote()) for name, each in places.items()}
        able = [name for name in names if not refused[name]]
        if not able:
            raise BadInput("; ".join(f"{name}: {why}" for name, why in refused.items()))
        busy = set[str]()

        async def play_chunk(chunk: Chunk) -> bytes:
            good = [name for name in able if name not in chunk.avoid] or able
            while not (free := [name for name in good if name not in busy]):
                await trio.sleep(0.01)
            name = free[0]
            busy.add(name)
            try:
                with trio.move_on_after(chunk.deadline):
                    jobs = places[name].play.remote(chunk.jobs, chunk.seconds, chunk.patience)
                    return decode_answer(await _get(name, jobs))
                raise PlaceFailed(name, "did not answer in time")
            finally:
                busy.discard(name)

        yield Lanes(work, play_chunk, lambda: len(able), CHUNK_SECONDS)
    finally:
        await _in_thread(ray.shutdown)


async def _get(name: str, reference: Any) -> Any:  # noqa: ANN401 # of an untyped library
    try:
        return await _in_thread(ray.get, reference)
    except ray.exceptions.RayError as error:
        raise PlaceFailed(name, describe(error)[:200]) from None


async def _in_thread(call: Any, *of: Any, **more: Any) -> Any:  # noqa: ANN401 # the same
    return await trio.to_thread.run_sync(partial(call, *of, **more), abandon_on_cancel=True)


def arena_executors() -> Iterator[RayExecutors]:
    """Registers the executor."""
    yield RayExecutors()
