"""Starts bots once before play: whether each gets ready, and what it says of itself."""

from __future__ import annotations

from collections.abc import Sequence

import trio

from arena.host.forkserver import ForkServer
from arena.host.launch import MatchSettings, ProcessSpec
from arena.host.loss import ProcessLost
from arena.host.messages import Ready
from arena.host.process import BotProcess
from arena.host.trio_helpers import run_alone
from arena.plugins.entries import BotSource

AT_ONCE = 4
"""Bots that are started at a time."""


def handshakes(settings: MatchSettings, bots: Sequence[BotSource]) -> list[Ready | ProcessLost]:
    """Starts each bot in a process of its own, and ends it again.

    Args:
        settings: How bots are kept apart, and what they may use.
        bots: Bots that are not trusted.

    Returns:
        For each bot what it said, or why it did not get ready.
    """
    return run_alone(_handshakes, settings, bots) if bots else []


async def _handshakes(
    settings: MatchSettings, bots: Sequence[BotSource]
) -> list[Ready | ProcessLost]:
    said: dict[int, Ready | ProcessLost] = {}
    at_once = trio.Semaphore(AT_ONCE)
    with ForkServer(settings, bots) as server:

        async def start(index: int) -> None:
            async with at_once:
                lane = BotProcess(server, ProcessSpec.of(bots[index], settings), settings.resources)
                said[index] = await _handshake(lane)

        async with trio.open_nursery() as nursery:
            for index in range(len(bots)):
                nursery.start_soon(start, index)
    return [said[index] for index in range(len(bots))]


async def _handshake(lane: BotProcess) -> Ready | ProcessLost:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lane.attend)
        try:
            answer: Ready | ProcessLost = await lane.start()
        except ProcessLost as lost:
            answer = lost
        nursery.cancel_scope.cancel()
    lane.stop()
    return answer
