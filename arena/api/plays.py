"""Plays tournaments for the Python API, with warnings as Python's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path

import trio
from arena_results.database import Database
from arena_tournaments.spec import load_keys, overrule

from arena.api.calls import plugins, warn
from arena.api.keys import TournamentKeys
from arena.plugins.registry import Registry
from arena.service.arguments import text, whole
from arena.service.estimate import measured
from arena.service.events import OnEvent
from arena.service.local_bots import AnyBot, LocalBot, spell
from arena.service.progress import OnProgress, Progress
from arena.service.redo import redo_crashed
from arena.service.resolve import resolve
from arena.service.resolver import BotResolver
from arena.service.runs import Run, begin, play


def chosen_keys(
    bots: Sequence[AnyBot], file: str | PathLike[str] | None, keys: TournamentKeys
) -> tuple[dict[str, object], list[LocalBot], str]:
    """The keys of a new tournament, its bots of this program, and what to call it in errors."""
    names, local = spell(bots)
    where = text("file", file) if file else ""
    given = {**keys, "bots": names} if names else dict(keys)
    return overrule(load_keys(Path(where)) if where else {}, given), local, where or "arguments"


async def fork_redone(
    database: Database, registry: Registry, number: int, local: Sequence[LocalBot]
) -> int:
    """Stores a fork of which crashed matches are left to be played; returns its number."""
    with (
        plugins(registry) as used,
        BotResolver(used, database, resumes=number, local=local) as resolver,
    ):
        return (await redo_crashed(database, resolver, number, warn)).number


async def play_new(
    database: Database,
    registry: Registry,
    keys: Mapping[str, object],
    local: Sequence[LocalBot],
    where: str,
    progress: OnProgress | None,
    pause_after_round: int | None = None,
    events: OnEvent | None = None,
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
        events: Called with every event.
    """
    with (
        plugins(registry) as used,
        BotResolver(used, database, local=local) as resolver,
    ):
        resolved = await trio.to_thread.run_sync(resolve, resolver, keys, where, warn)
        if resolved.spec.budget:
            resolved, _ = await measured(used, resolved)
        run = await begin(database, resolved)
        await play_run(database, registry, run, progress, pause_after_round, events)
        return run.number


async def play_run(
    database: Database,
    registry: Registry,
    run: Run,
    progress: OnProgress | None,
    pause_after_round: int | None = None,
    events: OnEvent | None = None,
) -> None:
    """Plays what is left of a tournament, as ``play_new``."""
    if run.resolved.seeds_warning:
        warn(run.resolved.seeds_warning)
    observer = Progress(run.plan, run.stored.sums, progress)
    if pause_after_round is not None:
        pause_after_round = whole("pause_after_round", pause_after_round)
    await play(run, registry, database, observer, run.pace(pause_after_round), events)
