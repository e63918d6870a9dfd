"""Plays tournaments for the Python API, with warnings as Python's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import trio
from arena_results.database import Database

from arena.api.calls import plugins, warn, whole
from arena.plugins.registry import Registry
from arena.service.local_bots import LocalBot
from arena.service.progress import OnProgress, Progress
from arena.service.resolve import resolve
from arena.service.resolver import BotResolver
from arena.service.runs import Run, begin, play


async def play_new(
    database: Database,
    registry: Registry,
    keys: Mapping[str, object],
    local: Sequence[LocalBot],
    where: str,
    progress: OnProgress | None,
    pause_after_round: int | None = None,
) -> int:
    """Plays a new tournament; returns its number.

    Args:
        database: Where it is stored.
        registry: Knows games, formats and bots.
        keys: The keys of a tournament file.
        local: Its bots of this program.
        where: The source of the keys in errors.
        progress: Called after every event.
        pause_after_round: The round after which it pauses; 0 for the first.
    """
    with (
        plugins(registry) as used,
        BotResolver(used, database, local=local) as resolver,
    ):
        resolved = await trio.to_thread.run_sync(resolve, resolver, keys, where, warn)
        run = await begin(database, resolved)
        await play_run(database, registry, run, progress, pause_after_round)
        return run.number


async def play_run(
    database: Database,
    registry: Registry,
    run: Run,
    progress: OnProgress | None,
    pause_after_round: int | None = None,
) -> None:
    """Plays what is left of a tournament, as ``play_new``."""
    if run.resolved.seeds_warning:
        warn(run.resolved.seeds_warning)
    observer = Progress(run.plan, run.stored.played.values(), progress)
    if pause_after_round is not None:
        pause_after_round = whole("pause_after_round", pause_after_round)
    await play(run, registry, database, observer, run.pace(pause_after_round))
