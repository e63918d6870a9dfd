"""Plays a tournament's matches in this process, for bots that no worker process could make."""

from __future__ import annotations

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import trio
from arena_tournaments.executors.local import LocalExecutor

from arena.core.errors import HarnessFault
from arena.core.tournaments.executor import Pace, ReportVoid
from arena.core.tournaments.wire import decode_jobs, encode
from arena.host.bot.watch import OutOfTime
from arena.host.play.hosts import Host, open_host
from arena.service.setup.resolve import ResolvedTournament


@asynccontextmanager
async def open_in_process_executor(
    resolved: ResolvedTournament, pace: Pace, report_void: ReportVoid
) -> AsyncIterator[LocalExecutor]:
    """An executor that plays one match after the other here.

    Trusted bots alone are called between two events of the loop, where the watchdog can interrupt
    them; with others, or a person, among them the matches have a thread of their own.
    """
    host = open_host(resolved.settings(), resolved.bots, resolved.load)
    if all(bot.trusted and not bot.person_ns for bot in resolved.bots):

        async def play_here(jobs: bytes, seconds: float) -> bytes:
            await trio.lowlevel.checkpoint()
            return _play(host, jobs, seconds)

        with host:
            yield LocalExecutor(play_here, pace, resolved.describe, most=1, report_void=report_void)
        return
    # One thread to the end: processes of bots end with the thread that started them.
    with ThreadPoolExecutor(1) as thread:

        async def play_apart(jobs: bytes, seconds: float) -> bytes:
            return await trio.to_thread.run_sync(
                lambda: thread.submit(_play, host, jobs, seconds).result()
            )

        try:
            yield LocalExecutor(
                play_apart, pace, resolved.describe, most=1, report_void=report_void
            )
        finally:
            thread.submit(host.close).result()


def _play(host: Host, jobs: bytes, seconds: float) -> bytes:
    try:
        return encode(host.play(decode_jobs(jobs), seconds))
    except OutOfTime:  # a tick of the watchdog that came too late for its bot
        raise HarnessFault("a match failed: OutOfTime") from None
