"""An executor that plays the matches of a tournament on a Ray cluster: an actor is a place."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path
from typing import Annotated, Any

import msgspec
import trio

from arena.core.errors import BadInput, BadPlugin, PlaceFailed, describe
from arena.core.options import Option
from arena.core.tournaments.executor import Work
from arena.core.tournaments.lanes import LATE_SECONDS, Chunk, Lanes
from arena.core.tournaments.wire import PlayedChunk, decode_answer
from arena.host.place import Place


class RayOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The address of the cluster, and how many of its processors play."""

    address: Annotated[str, Option("Address of the cluster, or auto; empty for one here.")] = ""
    actors: Annotated[int, msgspec.Meta(ge=1, le=10_000), Option("Matches at a time.")] = 2


class RayExecutors:
    """The kind of executor that plays on a Ray cluster."""

    name, summary, options = "ray", "actors of a Ray cluster", RayOptions

    @asynccontextmanager
    async def open(self, work: Work, options: RayOptions) -> AsyncIterator[Lanes]:
        import ray

        where = {"address": options.address} if options.address else {"include_dashboard": False}
        try:
            await trio.to_thread.run_sync(lambda: ray.init(log_to_driver=False, **where))
        except (ConnectionError, ValueError) as error:
            raise BadInput(f"address: {describe(error)}") from None
        try:
            actor, cargo = ray.remote(max_restarts=-1, num_cpus=1)(_Actor), work.cargo()
            idle = [actor.remote(cargo, f"actor {number + 1}") for number in range(options.actors)]
            player = _Player(ray, idle)
            yield Lanes(work, player.play, lambda: options.actors, 1.0, inf)
        finally:
            await trio.to_thread.run_sync(ray.shutdown)


class _Actor:
    """One process of the cluster, with one place, which is made anew when Ray restarts it."""

    def __init__(self, cargo: bytes, name: str) -> None:
        self._place, self._refused = None, ""
        try:
            self._place = Place(cargo, Path.home() / ".cache" / "arena", name=name)
        except BadPlugin as refused:
            self._refused = f"{name}: {refused}"

    def play(self, jobs: bytes, seconds: float, patience: float) -> bytes | str:
        return self._place.play(jobs, seconds, patience) if self._place else self._refused


class _Player:
    def __init__(self, ray: Any, actors: list[Any]) -> None:  # noqa: ANN401 # Ray has no types
        self._ray, self._idle = ray, {f"actor {at + 1}": each for at, each in enumerate(actors)}

    async def play(self, chunk: Chunk) -> PlayedChunk:
        """Has a chunk played by an idle actor, if possible by one that is not to be avoided."""
        name = min(self._idle, key=lambda each: each in chunk.avoid)
        actor, errors = self._idle.pop(name), self._ray.exceptions
        asked = actor.play.remote(chunk.jobs, chunk.seconds, chunk.patience)
        late = None if chunk.patience == inf else chunk.patience + 2 * LATE_SECONDS
        try:
            get = lambda: self._ray.get(asked, timeout=late)  # noqa: E731
            answer = await trio.to_thread.run_sync(get, abandon_on_cancel=True)
        except (errors.RayError, errors.GetTimeoutError) as error:
            raise PlaceFailed(name, describe(error)[:200]) from None
        finally:
            self._idle[name] = actor
        if isinstance(answer, str):
            raise BadPlugin(answer)
        return decode_answer(answer, name)


def arena_executors() -> list[RayExecutors]:
    """Adds the kind to Arena."""
    return [RayExecutors()]
