"""The workers of a cluster, as ``arena doctor --executor`` shows them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

import msgspec
import trio
from distributed import Client
from distributed.worker import Worker

from arena.core.errors import describe
from arena.core.tournaments.executor import PlaceReport
from arena.host.place import engine, examined
from arena_dask.cluster import connected, decoded_report, in_thread, listed
from arena_dask.kind import ClusterOptions

ANSWER_SECONDS = 20.0
"""Seconds in which a worker has to answer."""


async def examine(options: ClusterOptions) -> Sequence[PlaceReport]:
    """Asks every worker for its version, isolation level, slots and speed.

    Raises:
        BadInput: The scheduler cannot be reached.
    """
    found: dict[str, PlaceReport] = {}
    async with connected(options) as client:
        workers = await listed(client)
        async with trio.open_nursery() as nursery:
            for address in workers:
                nursery.start_soon(_ask, client, address, found)
    return [found[address] for address in sorted(found)]


async def _ask(client: Client, address: str, found: dict[str, PlaceReport]) -> None:
    found[address] = PlaceReport(name=address, refused=f"no answer for {ANSWER_SECONDS:g} s")
    with trio.move_on_after(ANSWER_SECONDS):
        try:
            ask = partial(client.run, report_here, engine(), workers=[address])
            answers = await in_thread(ask)
        except Exception as error:
            found[address] = PlaceReport(name=address, refused=describe(error))
        else:
            found[address] = decoded_report(address, answers.get(address))


async def report_here(engine: bytes, dask_worker: Worker) -> bytes:
    """Returns the report of this worker, packed; it plays nothing yet. Dask passes the worker."""
    here = partial(examined, dask_worker.address, dask_worker.state.nthreads, engine)
    return msgspec.msgpack.encode(await asyncio.to_thread(here))
