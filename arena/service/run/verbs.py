"""Runs, resumes, forks and forecasts tournaments: one function each, the same for every face.

Each is a function of steps (``arena.service.answers.steps``): the command line runs it, and the
Python API awaits it. A face gets what happens by its ``Attendance``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import TypeAlias

import msgspec
import trio
from arena_results.file.database import Database
from arena_results.schema.rows import Status, TournamentSummary
from arena_results.store.queries import summary, tournament

from arena.core.executor import Pace
from arena.plugins.registry import Registry
from arena.service.answers.steps import Steps, blocking, waiting
from arena.service.lookup.python_bots import LocalBot
from arena.service.lookup.resolver import BotResolver
from arena.service.run.dry_run import DryRun, dry_run
from arena.service.run.estimate import measured
from arena.service.run.events import OnEvent
from arena.service.run.progress import OnProgress, Progress
from arena.service.run.redo import Redone, redo_crashed, refuse_keys
from arena.service.run.run import (
    Run,
    begin,
    fork_keys,
    last_unfinished,
    play,
    reopen,
    stored_to_resume,
)
from arena.service.setup.resolve import ResolvedTournament, resolve


class Calibrating(msgspec.Struct, frozen=True):
    """Matches are played to estimate the time; they are not stored."""


class Resolved(msgspec.Struct, frozen=True):
    """Bots and settings of a new tournament were found and checked; it is stored next."""

    resolved: ResolvedTournament


class Began(msgspec.Struct, frozen=True):
    """A new tournament is stored and played next.

    Attributes:
        run: The tournament.
        budget: The time from which its number of matches follows; empty without one.
    """

    run: Run
    budget: str


class LastUnfinished(msgspec.Struct, frozen=True):
    """The tournament to resume, where none was named."""

    summary: TournamentSummary


class NothingLeft(msgspec.Struct, frozen=True):
    """A tournament to resume that is finished."""

    number: int


class Resumed(msgspec.Struct, frozen=True):
    """A stored tournament is played on next."""

    run: Run


Announcement: TypeAlias = (
    Calibrating | Resolved | Began | LastUnfinished | NothingLeft | Resumed | Redone
)


class Attendance:
    """Receives what happens while a tournament is prepared and played; this one drops it.

    Attributes:
        on_progress: Called after every event of the run.
        on_event: Gets every event as a document.
    """

    on_progress: OnProgress | None = None
    on_event: OnEvent | None = None

    def warn(self, line: str) -> None:
        """Shows a warning."""

    def announce(self, announcement: Announcement) -> None:
        """Shows what was found, or begins; called outside of the loop that plays."""

    def playing(
        self, run: Run, progress: Progress, pace: Pace
    ) -> AbstractAsyncContextManager[object]:
        """A context, in the loop that plays, in which the tournament is played.

        Args:
            run: The tournament.
            progress: Its numbers while it is played.
            pace: Changes it while it is played.
        """
        return nullcontext()


def run_new(
    registry: Registry,
    database: Database | None,
    keys: Mapping[str, object],
    where: str,
    attendance: Attendance,
    *,
    made: Callable[[], Database] | None = None,
    local: Sequence[LocalBot] = (),
    pause_after_round: int | None = None,
) -> Steps[int]:
    """Plays a new tournament until it is finished, pauses or is cancelled; returns its number.

    Args:
        registry: Knows games, formats and bots.
        database: Where it is stored, and submitted bots are found; ``None`` without one.
        keys: The keys of a tournament file.
        where: The source of the keys in errors.
        attendance: Gets what happens.
        made: Opens the database that it is stored in, once its bots and settings were found; by
            default it is stored in ``database``.
        local: Its bots of this program.
        pause_after_round: The round after which it pauses; 0 for the first.

    Raises:
        BadSpec: With every problem of the bots and the keys; nothing was stored.
        HarnessFault: It cannot continue; everything played is stored.
    """
    with BotResolver(registry, database, local=local) as resolver:
        resolved = yield from blocking(partial(resolve, resolver, keys, where, attendance.warn))
        budget = resolved.spec.budget or ""
        if budget:
            attendance.announce(Calibrating())
            resolved, _ = yield from waiting(partial(measured, registry, resolved))
        store = made() if made else database
        assert store is not None
        attendance.announce(Resolved(resolved))
        run = yield from waiting(partial(begin, store, resolved))
        attendance.announce(Began(run, budget))
        yield from _played(run, registry, store, attendance, pause_after_round)
        return run.number


def resume(
    registry: Registry,
    database: Database,
    number: int | None,
    attendance: Attendance,
    *,
    local: Sequence[LocalBot] = (),
    pause_after_round: int | None = None,
    max_crash_rate: float | None = None,
) -> Steps[int]:
    """Plays what is left of a stored tournament, as ``run_new``; returns its number.

    Args:
        registry: Knows games, formats and bots.
        database: Where it is stored.
        number: Its number; ``None`` for the last unfinished one.
        attendance: Gets what happens.
        local: Its bots of this program.
        pause_after_round: The round after which it pauses; 0 for the running one.
        max_crash_rate: Replaces the share of crashed matches at which it stops.

    Raises:
        BadInput: There is no number, and every tournament is finished.
        BadSpec: Something of it cannot be found any more.
        BadPlugin: A bot, or the game, is not what it was when the tournament began.
        BadStore: Another process plays it.
        HarnessFault: As ``run_new``.
    """
    if number is None:
        last = last_unfinished(database)
        attendance.announce(LastUnfinished(last))
        number = last.id
    if summary(database, number).status is Status.FINISHED:
        tournament(database, number)  # raises where what is stored is not what was written
        attendance.announce(NothingLeft(number))
        return number
    stored = stored_to_resume(database, number, max_crash_rate)
    with BotResolver(registry, database, resumes=number, local=local) as resolver:
        run = yield from blocking(partial(reopen, resolver, stored, attendance.warn))
        attendance.announce(Resumed(run))
        yield from _played(run, registry, database, attendance, pause_after_round)
    return number


def fork(
    registry: Registry,
    database: Database,
    number: int,
    keys: Mapping[str, object],
    attendance: Attendance,
    *,
    local: Sequence[LocalBot] = (),
    pause_after_round: int | None = None,
) -> Steps[int]:
    """Plays a new tournament of the bots and settings of another; returns its number.

    Args:
        registry: Knows games, formats and bots.
        database: Where both are stored.
        number: Number of the other.
        keys: Keys that overrule its own.
        attendance: Gets what happens.
        local: Its bots of this program.
        pause_after_round: As for ``run_new``.

    Raises:
        BadSpec: As ``run_new``.
        HarnessFault: As ``run_new``.
    """
    chosen, where = fork_keys(database, number, keys), f"tournament {number}"
    return (
        yield from run_new(
            registry,
            database,
            chosen,
            where,
            attendance,
            local=local,
            pause_after_round=pause_after_round,
        )
    )


def redo(
    registry: Registry,
    database: Database,
    number: int,
    keys: Mapping[str, object],
    attendance: Attendance,
    *,
    local: Sequence[LocalBot] = (),
    pause_after_round: int | None = None,
) -> Steps[int]:
    """Plays the crashed matches of a tournament again, in a fork that has all its others.

    The arguments are those of ``fork``; there may be no keys. Returns the number of the fork.

    Raises:
        BadInput: There are keys, no match of it crashed, or it has organiser's decisions.
        BadPlugin: Bots, rules or the game's engine are not what they were.
        BadStore: Some process plays it.
        HarnessFault: As ``run_new``.
    """
    refuse_keys(keys)
    with BotResolver(registry, database, resumes=number, local=local) as resolver:
        redone = yield from redo_crashed(database, resolver, number, attendance.warn)
    attendance.announce(redone)
    return (
        yield from resume(
            registry,
            database,
            redone.number,
            attendance,
            local=local,
            pause_after_round=pause_after_round,
        )
    )


def forecast(
    registry: Registry,
    database: Database | None,
    keys: Mapping[str, object],
    where: str,
    attendance: Attendance,
    *,
    local: Sequence[LocalBot] = (),
    precision: float | None = None,
) -> Steps[DryRun]:
    """Shows what a new tournament would play, and estimates its time; stores nothing.

    The arguments are those of ``run_new``, and ``precision`` as of ``dry_run``.

    Raises:
        BadSpec: As ``run_new``.
        BadInput: The budget is too short, or the precision cannot be reached.
        HarnessFault: No match could be played.
    """
    with BotResolver(registry, database, local=local) as resolver:
        resolved = yield from blocking(partial(resolve, resolver, keys, where, attendance.warn))
        attendance.announce(Calibrating())
        return (yield from waiting(partial(dry_run, registry, database, resolved, precision)))


def _played(
    run: Run,
    registry: Registry,
    database: Database,
    attendance: Attendance,
    pause_after_round: int | None,
) -> Steps[None]:
    progress = Progress(run.plan, run.stored.sums, attendance.on_progress)
    pace = run.pace(pause_after_round)

    async def attended() -> None:
        async with attendance.playing(run, progress, pace):
            await trio.lowlevel.checkpoint_if_cancelled()  # a signal came before: nothing begins
            await play(run, registry, database, progress, pace, attendance.on_event)

    yield from waiting(attended)
