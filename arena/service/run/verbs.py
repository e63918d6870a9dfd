"""Runs, resumes, forks and forecasts tournaments: one function each, for every interface.

Each is a function of steps (``arena.service.answers.steps``): the command line runs it, and the
Python API awaits it. What it takes besides the spec is one value, its ``RunContext``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import Unpack

import trio
from arena_results.file.database import Database
from arena_results.schema.rows import Status, TournamentSummary
from arena_results.store.queries import summary, tournament
from arena_tournaments.spec.keys import LOCAL

from arena.core.tournaments.executor import Pace
from arena.plugins.registry import Registry
from arena.service.answers.errors import COMMAND_LINE, Problems, spec_error
from arena.service.answers.steps import Steps, blocking, waiting
from arena.service.lookup.python_bots import LocalBot
from arena.service.lookup.resolver import BotResolver
from arena.service.run.ahead.dry_run import DryRun, dry_run
from arena.service.run.ahead.estimate import measured
from arena.service.run.changes.redo import Redone, refuse_keys, store_redone
from arena.service.run.changes.redo_place import PlaceRedone, redo_place
from arena.service.run.executors.endpoints import question_figures
from arena.service.run.options import ResumeKeys, RunOptions
from arena.service.run.run import (
    Run,
    begin,
    fork_keys,
    last_unfinished,
    play,
    reopen,
    stored_to_resume,
)
from arena.service.run.watching.events import OnEvent
from arena.service.run.watching.progress import OnProgress, Progress
from arena.service.setup.resolve import resolve


class RunContext:
    """The place and options of a run besides its spec; interfaces derive theirs to show a run.

    All methods but ``playing`` are called outside of the loop that plays.

    Args:
        registry: Knows games, formats and bots.
        database: Where tournaments are stored, and submitted bots are found; ``None`` if there is
            none yet.
        options: Options that are no keys of a spec.
        local: The bots of this program.
        on_progress: Called after every event of the run.
        on_event: Called with every event as a document.
    """

    def __init__(
        self,
        registry: Registry,
        database: Database | None,
        options: RunOptions = RunOptions(),  # noqa: B008 # it is frozen
        *,
        local: Sequence[LocalBot] = (),
        on_progress: OnProgress | None = None,
        on_event: OnEvent | None = None,
    ) -> None:
        self.registry, self.database, self.options, self.local = registry, database, options, local
        self.on_progress, self.on_event = on_progress, on_event

    def store(self) -> Database:
        """Returns the database in which tournaments are stored."""
        assert self.database is not None
        return self.database

    def warn(self, line: str) -> None:
        """Shows a warning."""

    def calibrating(self) -> None:
        """Called before matches are played to estimate the time; they are not stored."""

    def resolved(self) -> None:
        """Called when bots and settings of a new tournament are found; it is stored next."""

    def began(self, run: Run, budget: str) -> None:
        """Called when a new tournament is stored; ``budget`` is empty without one."""

    def chose(self, last: TournamentSummary) -> None:
        """Called with the last unfinished tournament, where none was named."""

    def resumed(self, run: Run) -> None:
        """Called before a stored tournament is played on."""

    def has_nothing_left(self, number: int) -> None:
        """Called where the tournament to resume is finished."""

    def copied(self, redone: Redone) -> None:
        """Called when a fork has the matches that are not played again."""

    def redone(self, redone: PlaceRedone) -> None:
        """Called when the matches of a place were played again."""

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


def run_new(context: RunContext, keys: Mapping[str, object], where: str) -> Steps[int]:
    """Plays a new tournament until it is finished, pauses or is cancelled; returns its number.

    Args:
        keys: The keys of a tournament file.
        where: The source of the keys in errors.

    Raises:
        BadSpec: With every problem of the bots and the keys; nothing was stored.
        HarnessFault: It cannot continue; everything played is stored.
    """
    with BotResolver(context.registry, context.database, local=context.local) as resolver:
        resolved = yield from blocking(partial(resolve, resolver, keys, where, context.warn))
        budget = resolved.spec.budget or ""
        if budget:
            context.calibrating()
            resolved, _ = yield from waiting(partial(measured, resolved))
        store = context.store()
        context.resolved()
        run = yield from waiting(partial(begin, store, resolved))
        context.began(run, budget)
        yield from _played(context, run)
        return run.number


def resume(context: RunContext, number: int | None, **keys: Unpack[ResumeKeys]) -> Steps[int]:
    """Plays what is left of a stored tournament, as ``run_new``; returns its number.

    Args:
        number: Its number; ``None`` for the last unfinished one.
        keys: Replace those of its spec.

    Raises:
        BadInput: There is no number, and every tournament is finished.
        BadSpec: Something of it cannot be found any more.
        BadPlugin: A bot, or the game, is not what it was when the tournament began.
        BadStore: Another process plays it.
        HarnessFault: As ``run_new``.
    """
    database = context.store()
    executor, problems = keys.get("executor") or LOCAL, Problems()
    problems.attempt("executor", partial(context.registry.executor, executor))
    if problems:
        raise spec_error(COMMAND_LINE, problems)
    if number is None:
        last = last_unfinished(database)
        context.chose(last)
        number = last.id
    if summary(database, number).status is Status.FINISHED:
        tournament(database, number)  # raises where what is stored is not what was written
        context.has_nothing_left(number)
        return number
    stored = stored_to_resume(database, number, keys.get("max_crash_rate"), keys.get("max_cost"))
    with BotResolver(context.registry, database, resumes=number, local=context.local) as resolver:
        run = yield from blocking(partial(reopen, resolver, stored, context.warn, executor))
        context.resumed(run)
        yield from _played(context, run)
    return number


def fork(
    context: RunContext, number: int, keys: Mapping[str, object], *, redo_crashed: bool = False
) -> Steps[int]:
    """Plays a new tournament of the bots and settings of another; returns its number.

    Args:
        number: Number of the other.
        keys: Keys that overrule its own.
        redo_crashed: Whether only its crashed matches are played (``store_redone``).

    Raises:
        BadSpec: As ``run_new``.
        BadInput: As ``store_redone``, or there are keys with ``redo_crashed``.
        HarnessFault: As ``run_new``.
    """
    database = context.store()
    if not redo_crashed:
        chosen = fork_keys(database, number, keys)
        return (yield from run_new(context, chosen, f"tournament {number}"))
    refuse_keys(keys)
    with BotResolver(context.registry, database, resumes=number, local=context.local) as resolver:
        redone = yield from store_redone(database, resolver, number, context.warn)
    context.copied(redone)
    return (yield from resume(context, redone.number))


def redo(context: RunContext, number: int, place: str) -> Steps[int]:
    """Plays all matches of a place again, and replaces wrong ones (``redo_place``).

    A tournament that was finished is finished again.

    Args:
        place: The name of the place.

    Raises:
        BadInput: As ``redo_place``.
        HarnessFault: As ``run_new``.
    """
    database = context.store()
    finished = summary(database, number).status is Status.FINISHED
    with BotResolver(context.registry, database, resumes=number, local=context.local) as resolver:
        redone = yield from redo_place(database, resolver, number, place, context.warn)
    context.redone(redone)
    if finished and redone.differ:
        yield from resume(context, number)
    return number


def forecast(
    context: RunContext, keys: Mapping[str, object], where: str, precision: float | None = None
) -> Steps[DryRun]:
    """Shows what a new tournament would play, and estimates its time; stores nothing.

    The arguments are those of ``run_new``, and ``precision`` as of ``dry_run``.

    Raises:
        BadSpec: As ``run_new``.
        BadInput: The budget is too short, or the precision cannot be reached.
        HarnessFault: No match could be played.
    """
    with BotResolver(context.registry, context.database, local=context.local) as resolver:
        resolved = yield from blocking(partial(resolve, resolver, keys, where, context.warn))
        context.calibrating()
        figures = yield from waiting(partial(question_figures, resolved))
        return (yield from waiting(partial(dry_run, resolved, precision, figures)))


def _played(context: RunContext, run: Run) -> Steps[None]:
    progress = Progress(run.plan, run.stored.sums, context.on_progress)
    pace = run.pace(context.options.pause_after_round)
    pace.notice = context.warn

    async def play_in_context() -> None:
        async with context.playing(run, progress, pace):
            await trio.lowlevel.checkpoint_if_cancelled()  # a signal came before: nothing begins
            await play(run, progress, pace, context.on_event)

    yield from waiting(play_in_context)
