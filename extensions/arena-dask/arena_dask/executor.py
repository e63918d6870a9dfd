"""Plays the matches of one tournament on the workers of a cluster."""

from __future__ import annotations

import math
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import trio
from distributed import CancelledError, Client, Future

from arena.core.errors import PlaceFailed, describe
from arena.core.tournaments.executor import Work
from arena.core.tournaments.lanes import LATE_SECONDS, Chunk, Lanes
from arena.core.tournaments.wire import PlayedChunk, decode_answer
from arena_dask.cluster import connected, in_thread, late_notice, register
from arena_dask.kind import ClusterOptions
from arena_dask.roster import Roster
from arena_dask.worker import play_chunk

CHUNK_SECONDS = 1.0
"""Seconds that a worker plays on: shorter chunks cost 5 % more processor time, longer gain none."""


@asynccontextmanager
async def open_executor(work: Work, options: ClusterOptions) -> AsyncIterator[Lanes]:
    """Opens an executor for one tournament; what it started on the workers ends with it.

    Raises:
        BadInput: The scheduler cannot be reached, or no worker can play; names each reason.
    """
    name = f"arena-{secrets.token_hex(8)}"
    async with connected(options) as client, trio.open_nursery() as nursery:
        await register(client, nursery, name, work.cargo())
        if line := await late_notice(client):
            work.pace.notice(f"warning: {line}")
        roster = Roster(client, name, work.pace)
        await nursery.start(roster.watch)
        player = _Player(client, name, roster)
        yield Lanes(work, player.play, lambda: roster.slots, CHUNK_SECONDS, math.inf)
        nursery.cancel_scope.cancel()


class _Player:
    """Has chunks played by a cluster's workers."""

    def __init__(self, client: Client, name: str, roster: Roster) -> None:
        self._client, self._name, self._roster = client, name, roster
        self._token = trio.lowlevel.current_trio_token()

    async def play(self, chunk: Chunk) -> PlayedChunk:
        """Has a chunk played by a worker; see ``arena.core.tournaments.lanes.PlayChunk``."""
        address, worker = await self._roster.free_worker(chunk.avoid)
        with trio.CancelScope(deadline=worker.deadline(chunk.patience + 2 * LATE_SECONDS)) as scope:
            worker.chunks.add(scope)
            try:
                answer = await self._answer(address, chunk)
            finally:
                worker.chunks.discard(scope)
            return decode_answer(answer, address)
        lost = address not in self._roster.workers
        raise PlaceFailed(address, "is lost, or frozen" if lost else "did not answer in time")

    async def _answer(self, address: str, chunk: Chunk) -> bytes:
        """Returns the bytes with which a worker answers."""
        future: Future[bytes] = self._client.submit(
            play_chunk,
            self._name,
            chunk.jobs,
            chunk.seconds,
            chunk.patience,
            workers=[address],
            pure=False,
        )
        done = trio.Event()
        future.add_done_callback(lambda _: self._wake(done))
        try:
            await done.wait()
            if future.status != "finished":  # its exception would be a pickle of the worker
                raise PlaceFailed(address, f"the task is {future.status}")
            return await in_thread(future.result)
        except (OSError, RuntimeError, TypeError, CancelledError) as error:
            raise PlaceFailed(address, describe(error)) from None
        finally:
            future.release()

    def _wake(self, done: trio.Event) -> None:
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(done.set)
