"""Starts bots once before play: whether each gets ready, and what it says of itself."""

from __future__ import annotations

from collections.abc import Sequence

import trio

from arena.host.forkserver import ForkServer
from arena.host.lane import Lane
from arena.host.launch import Launch, MatchSettings
from arena.host.loss import Lost
from arena.host.messages import Ready
from arena.host.running import run_alone
from arena.plugins.entries import BotSource

AT_ONCE = 4
"""Bots that are started at a time."""


def greet(settings: MatchSettings, bots: Sequence[BotSource]) -> list[Ready | Lost]:
    """Starts each bot in a process of its own, and ends it again.

    Args:
        settings: How bots are kept apart, and what they may use.
        bots: Bots that are not trusted.

    Returns:
        For each bot what it said, or why it did not get ready.
    """
    return run_alone(_greet, settings, bots) if bots else []


async def _greet(settings: MatchSettings, bots: Sequence[BotSource]) -> list[Ready | Lost]:
    said: dict[int, Ready | Lost] = {}
    at_once = trio.Semaphore(AT_ONCE)
    with ForkServer(settings, bots) as server:

        async def meet(index: int) -> None:
            async with at_once:
                lane = Lane(server, Launch.of(bots[index], settings), settings.resources)
                said[index] = await _meet(lane)

        async with trio.open_nursery() as nursery:
            for index in range(len(bots)):
                nursery.start_soon(meet, index)
    return [said[index] for index in range(len(bots))]


async def _meet(lane: Lane) -> Ready | Lost:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lane.attend)
        try:
            answer: Ready | Lost = await lane.start()
        except Lost as lost:
            answer = lost
        nursery.cancel_scope.cancel()
    lane.stop()
    return answer
