"""Plays a tournament's matches in this process, for bots that no worker process could make."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import trio

from arena.core.errors import HarnessFault
from arena.core.tournaments.executor import Work
from arena.core.tournaments.lanes import Chunk, Lanes
from arena.core.tournaments.wire import PlayedChunk, decode_jobs, encode
from arena.host.bot.watch import OutOfTime
from arena.host.play.hosts import Host, open_host
from arena.service.setup.resolve import ResolvedTournament


@asynccontextmanager
async def open_in_process_executor(
    resolved: ResolvedTournament, work: Work
) -> AsyncIterator[Lanes]:
    """An executor that plays one match after the other here.

    Only trusted bots are called between two events of the loop, where the watchdog can interrupt
    them; with others, or a person, among them the matches have a thread of their own.
    """
    host = open_host(resolved.settings(), resolved.bots, resolved.load)
    if all(bot.answered_by == "host" for bot in resolved.bots):

        async def play_here(chunk: Chunk) -> PlayedChunk:
            await trio.lowlevel.checkpoint()
            return _play(host, chunk)

        with host:
            yield Lanes(work, play_here, lambda: 1, late_seconds=math.inf)
        return
    # One thread to the end: processes of bots end with the thread that started them.
    with ThreadPoolExecutor(1) as thread:

        async def play_apart(chunk: Chunk) -> PlayedChunk:
            return await trio.to_thread.run_sync(lambda: thread.submit(_play, host, chunk).result())

        try:
            yield Lanes(work, play_apart, lambda: 1, late_seconds=math.inf)
        finally:
            thread.submit(host.close).result()


def _play(host: Host, chunk: Chunk) -> PlayedChunk:
    try:
        return PlayedChunk(encode(host.play(decode_jobs(chunk.jobs), chunk.seconds)))
    except OutOfTime:  # a tick of the watchdog that came too late for its bot
        raise HarnessFault("a match failed: OutOfTime") from None
