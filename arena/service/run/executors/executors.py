"""Opens the executor that plays the matches of a tournament."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

from arena_tournaments.executors.local import LocalExecutors, open_local_executor

from arena.core.errors import BadInput, NoPlace
from arena.core.tournaments.executor import Executor, Pace, ReportVoid, Work, unreported
from arena.host.cargo import pack
from arena.host.play.worker import play_chunk, start_worker
from arena.plugins.executor_options import ChosenExecutor
from arena.service.answers.errors import known_alone
from arena.service.run.executors.checked import Advice, Checked
from arena.service.run.executors.endpoints import without_journal
from arena.service.run.executors.in_process import open_in_process_executor
from arena.service.run.executors.rolling import open_rolling_executor
from arena.service.setup.resolve import ResolvedTournament


def open_executor(
    resolved: ResolvedTournament, pace: Pace
) -> AbstractAsyncContextManager[Executor]:
    """Opens the executor that was asked for, for matches that are not stored."""
    return _opened(without_journal(resolved), _work(resolved, pace, unreported))


def open_checked(
    resolved: ResolvedTournament, pace: Pace, report_void: ReportVoid, advice: Advice
) -> AbstractAsyncContextManager[Executor]:
    """Opens the executor that was asked for; what other machines play for it is checked.

    Args:
        advice: From the name of a place to the command that plays its matches again.
    """
    work = _work(resolved, pace, report_void)
    opened = _opened(resolved, work)
    if _only_here(resolved) or _kind(resolved).name == LocalExecutors.name:
        return opened
    return _checked(resolved, opened, work, advice)


@asynccontextmanager
async def _checked(
    resolved: ResolvedTournament,
    opened: AbstractAsyncContextManager[Executor],
    work: Work,
    advice: Advice,
) -> AsyncIterator[Executor]:
    try:
        with known_alone():
            async with opened as there, open_here(resolved) as here:
                yield Checked(there, here, work, resolved.game, advice)
    except BadInput as error:
        if type(error) is not BadInput:  # such as a bot that cannot be sent
            raise
        raise NoPlace(str(error)) from error


def open_here(resolved: ResolvedTournament) -> AbstractAsyncContextManager[Executor]:
    """Opens worker processes of this machine, for matches that other machines have played."""
    return open_local_executor(_work(resolved, Pace(resolved.workers), unreported))


def _opened(resolved: ResolvedTournament, work: Work) -> AbstractAsyncContextManager[Executor]:
    if any(bot.answered_by == "endpoint" for bot in resolved.bots):
        return open_rolling_executor(resolved, work)
    if _only_here(resolved):
        return open_in_process_executor(resolved, work)
    return _kind(resolved).open(work)


def _only_here(resolved: ResolvedTournament) -> bool:
    """Returns whether only this process can make the bots, or ask for their answers."""
    return any(bot.kind == "local" or bot.answered_by == "endpoint" for bot in resolved.bots)


def _kind(resolved: ResolvedTournament) -> ChosenExecutor:
    return resolved.resolver.registry.executor(resolved.spec.executor)


def _work(resolved: ResolvedTournament, pace: Pace, report_void: ReportVoid) -> Work:
    setup = resolved.setup()
    return Work(
        play=play_chunk,
        setup=setup,
        pace=pace,
        start_worker=start_worker,
        describe=resolved.describe,
        patience=resolved.patience(),
        longest=resolved.longest(),
        report_void=report_void,
        cargo=partial(pack, setup),
    )
