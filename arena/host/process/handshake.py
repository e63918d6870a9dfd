"""Starts bots once before play: each returns its handshake, or the reason why it cannot start."""

from __future__ import annotations

from collections.abc import Sequence

import trio

from arena.host.process.forkserver import ForkServer
from arena.host.process.launch import MatchSettings
from arena.host.process.loss import ProcessLost
from arena.host.process.process import BotProcess
from arena.host.process.trio_run import run_trio
from arena.host.wire.messages import Ready
from arena.plugins.entries import BotSource

AT_ONCE = 4
"""Bots that are started at a time."""


def handshakes(settings: MatchSettings, bots: Sequence[BotSource]) -> list[Ready | ProcessLost]:
    """Starts each untrusted bot in a process of its own, and ends it again.

    Returns:
        For each bot its handshake, or the reason why it did not get ready.
    """
    return run_trio(_handshakes, settings, bots) if bots else []


async def _handshakes(
    settings: MatchSettings, bots: Sequence[BotSource]
) -> list[Ready | ProcessLost]:
    found: dict[int, Ready | ProcessLost] = {}
    at_once = trio.Semaphore(AT_ONCE)
    with ForkServer(settings, bots) as server:

        async def start(index: int) -> None:
            try:
                async with at_once, BotProcess(server, bots[index]) as process:
                    found[index] = process.ready
            except ProcessLost as lost:
                found[index] = lost

        async with trio.open_nursery() as nursery:
            for index in range(len(bots)):
                nursery.start_soon(start, index)
    return [found[index] for index in range(len(bots))]
