"""Runs a league: submissions are decided, entered in the season's tournament, and rated by it.

One task decides submissions. The other enters new bots, withdraws disabled ones, and plays the
tournament of the season while any bot needs matches. Where the file has a final, the season ends
for it. Their state is in the database, so that a league continues after any stop. One process runs
the leagues of a database (``LeagueLock``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Protocol

import msgspec
import trio
from arena_results.bots.seasons import Season, final_of, seasons
from arena_results.bots.submissions import Submission, SubmissionStatus, submissions
from arena_results.bots.uploads import Upload, undecided
from arena_results.file.database import Database
from arena_results.file.runner_lock import LeagueLock
from arena_results.schema.rows import Status
from arena_results.store.queries import summary
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import BadInput, BadSpec, BadStore, HarnessFault, NoPlace
from arena.core.text.printable import joined
from arena.plugins.entries import BotSource
from arena.plugins.registry import Registry
from arena.service.answers.errors import Problems, known_alone
from arena.service.league.final import check_final, entrants, winner
from arena.service.league.league_file import FORMAT, LeagueSpec
from arena.service.league.league_queue import LOOK_SECONDS, Clock, decide_uploads, now
from arena.service.league.league_time import SeasonProgress, SeasonTime, bring_back, share_time
from arena.service.league.roster import Roster
from arena.service.lookup.isolation import Warn, choose_level, ignore
from arena.service.lookup.resolver import BotResolver
from arena.service.run import run as runs
from arena.service.run.changes.rulings import Rulings
from arena.service.run.watching.progress import Progress
from arena.service.setup.field import enter
from arena.service.setup.formats import make_format
from arena.service.setup.money import check_models
from arena.service.setup.resolve import resolve

RETRY_SECONDS = 2.0
"""Time after which a league tries again what could not be done."""
_PASSING = (BadStore, HarnessFault, NoPlace)
"""Errors that do not end a league: another process has the database or plays the season, the
machine is too busy, or the executor cannot play. Everything played and decided is stored."""


class LeagueObserver(Protocol):
    """Receives what happens in a league; every call must be quick."""

    def decided(self, upload: Upload) -> None:
        """Called with each submission that was decided."""

    def changed(self, line: str) -> None:
        """Called with a line for people when the field or the season changes."""


class Unobserved:
    """A ``LeagueObserver`` that drops what happens."""

    def decided(self, upload: Upload) -> None:
        """Drops the decision."""

    def changed(self, line: str) -> None:
        """Drops the line."""


def check_league(registry: Registry, spec: LeagueSpec, warn: Warn = ignore) -> None:
    """Checks that this machine can run a league.

    Raises:
        BadInput: Its game, ruleset or a built-in bot does not exist, or untrusted bots cannot be
            confined here.
    """
    keys = msgspec.structs.replace(spec.tournament, format=FORMAT, bots=spec.house)
    choose_level(keys.isolation, keys.require or "confined", warn)
    game = registry.rated_game(spec.game)
    ruleset = game.ruleset(keys.ruleset)
    make_format(registry, keys)
    problems = Problems()
    problems.attempt("tournament.executor", lambda: registry.executor(keys.executor))
    if problems:
        raise BadSpec(spec.name, problems)
    with BotResolver(registry) as resolver:
        bots = enter(resolver, keys, game, ruleset, problems)
    problems.attempt("bots", lambda: check_models(keys, bots))
    problems.attempt("bots", lambda: _check_cost(keys, bots))
    if problems:
        raise BadSpec(spec.name, [f"house: {each.removeprefix('bots: ')}" for each in problems])


def _check_cost(keys: TournamentSpec, bots: Sequence[BotSource]) -> None:
    """Refuses language models with prices in a season that has no limit of cost."""
    paid = [
        bot.participant.name
        for bot in bots
        if bot.endpoint and (bot.endpoint.price_in or bot.endpoint.price_out)
    ]
    if paid and keys.max_cost is None:
        raise BadInput(
            f"calls of {joined(paid)} are paid as long as the season lasts; give "
            "tournament.max_cost, in dollars"
        )


class LeagueRun:
    """Runs a league on a database.

    Args:
        shared: Gets the time that bots use, for those who look on.
        clock: Gives the time of submissions.
    """

    def __init__(
        self,
        registry: Registry,
        database: Database,
        spec: LeagueSpec,
        observer: LeagueObserver | None = None,
        shared: SeasonTime | None = None,
        clock: Clock = now,
    ) -> None:
        self._registry, self._database, self._spec = registry, database, spec
        self._observer, self._clock = observer or Unobserved(), clock
        self._shared = shared or SeasonTime(spec.limits.bot_seconds)
        self._paused = self._once()

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Runs it until it is cancelled.

        Args:
            task_status: Is called when no other process can run a league on the database any more.

        Raises:
            BadInput: As ``check_league``, or the season of a higher number has begun already.
            BadStore: Another process runs a league on the database.
        """
        await trio.to_thread.run_sync(check_league, self._registry, self._spec)
        with LeagueLock(self._database):
            task_status.started()
            number = await self.begin_season()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._decide)
                if not (self._spec.final and await self._is_finished(number)):
                    await self._play_season(number)
                await self._play_final(number)

    async def _decide(self) -> None:
        """Decides submissions until it is cancelled.

        What keeps it from that for a while is reported once; it begins again as after a stop.
        """
        observer, report = self._observer, self._once()
        while True:
            try:
                await decide_uploads(
                    self._database, self._spec, observer.decided, observer.changed, self._clock
                )
            except _PASSING as error:
                report(str(error))
            await trio.sleep(RETRY_SECONDS)

    async def begin_season(self) -> int:
        """Returns the number of the tournament of the season, which is created if it is new.

        The season before is finished then.

        Raises:
            BadInput: A later season has begun, the final of the season before is not over, or the
                file has another final than the one that has begun.
        """
        database, spec = self._database, self._spec
        past = await trio.to_thread.run_sync(seasons, database, spec.name)
        if past and past[-1].number > spec.season:
            raise BadInput(
                f"season {past[-1].number} of {spec.name} has begun; season {spec.season} cannot "
                "be played any more"
            )
        if past and past[-1].number == spec.season:
            season = past[-1].tournament_id
            await trio.to_thread.run_sync(check_final, self._registry, database, spec, season)
            return season
        if spec.final and self._is_closed():
            raise BadInput(
                f"final.at: {spec.final.when} is past; {spec.title} would be closed when it begins"
            )
        if past:
            await trio.to_thread.run_sync(self._check_over, past[-1])
            await self._end(past[-1])
        entered = await trio.to_thread.run_sync(_enabled, database, spec.game)
        bots = (*spec.house, *(each.spelling for each in entered))
        with BotResolver(self._registry, database) as resolver:
            resolved = await trio.to_thread.run_sync(resolve, resolver, spec.keys(bots), spec.title)
            run = await runs.begin(database, resolved, spec.name, spec.season)
        began = f"{spec.title} begins as tournament {run.number} with {len(bots)} bots"
        self._observer.changed(began)
        return run.number

    def _check_over(self, season: Season) -> None:
        final = final_of(self._database, season.league, season.number)
        if final and summary(self._database, final).status is not Status.FINISHED:
            raise BadInput(
                f"season: the final of season {season.number} is not over; {self._spec.title} can "
                f"begin when tournament {final} is finished"
            )

    async def _end(self, season: Season) -> None:
        """Finishes a season; a round of it that was cut off is played to its end before."""
        rulings = self._rulings(season.tournament_id)
        stored = await trio.to_thread.run_sync(rulings.stored)
        if stored.summary.status is Status.FINISHED:
            return
        if stored.heads and stored.heads[-1] is None:
            shared = SeasonTime(self._spec.limits.bot_seconds)
            await self._play(season.tournament_id, shared, last_round=0)
        await trio.to_thread.run_sync(rulings.finish)
        self._observer.changed(f"season {season.number} of {season.league} is finished")

    def _rulings(self, number: int) -> Rulings:
        return Rulings(self._registry, self._database, number)

    async def _play_season(self, number: int) -> None:
        """Plays the tournament of a season whenever somebody needs matches.

        Returns when it is finished for its final, and otherwise goes on until it is cancelled. What
        keeps it from that for a while, such as a command that plays it, is reported once.
        """
        news, rulings, shared = trio.Event(), self._rulings(number), self._shared
        roster, turn = Roster(rulings, self._database, self._spec.game), trio.Lock()

        async def change_field() -> tuple[str, ...]:
            async with turn:
                lines = await trio.to_thread.run_sync(roster.bring_up_to_date)
            for line in lines:
                self._observer.changed(line)
            return lines

        async def look() -> None:
            report, closed, complete = self._once(), self._once(), False
            while True:
                try:
                    lines = await change_field()
                    back = await bring_back(rulings, shared, everybody=False)
                    was, complete = complete, await self._is_complete()
                    if self._is_closed():
                        closed(f"{self._spec.title} takes no submissions any more")
                except _PASSING as error:
                    report(str(error))
                    news.set()  # some may have entered before
                else:
                    if lines or back or (complete and not was):
                        news.set()
                await trio.sleep(LOOK_SECONDS)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(look)
            report = self._once()
            while True:
                try:
                    closing = await self._is_complete()
                    if closing:  # the last ones enter before it is known that nobody needs a match
                        await change_field()
                    await self._play(number, shared)
                    back = await bring_back(rulings, shared, everybody=True)
                    if closing and not back and await self._ended(number):
                        break
                except _PASSING as error:
                    report(str(error))
                    await trio.sleep(RETRY_SECONDS)
                    continue
                report("")
                if not back:
                    await news.wait()
                news = trio.Event()
            nursery.cancel_scope.cancel()

    async def _is_complete(self) -> bool:
        """Returns whether no submission can come any more, and all are decided."""
        return self._is_closed() and not await trio.to_thread.run_sync(undecided, self._database)

    def _is_closed(self) -> bool:
        final = self._spec.final
        return final is not None and final.is_due(self._clock())

    async def _ended(self, number: int) -> bool:
        """Finishes a season in which nobody needs a match; returns whether it is finished."""
        found = await trio.to_thread.run_sync(summary, self._database, number)
        if found.status is Status.WAITING:
            await self._end(Season(self._spec.name, self._spec.season, number))
        return found.status in (Status.WAITING, Status.FINISHED)

    async def _play_final(self, season: int) -> None:
        """Begins the final of a season when that is complete, and plays it to its end.

        One that an organiser pauses is left to ``arena tournament resume``.
        """
        report, spec, paused = self._once(), self._spec, False
        while True:
            try:
                if await self._is_complete():
                    number = await self._begin_final(season)
                    if not number:
                        report(f"{spec.title} is over without a final: it has too few bots")
                        return
                    if not (paused or await self._is_finished(number)):
                        await self._play_on(number)
                    if await self._is_finished(number):
                        break
                    report(f"{spec.final_title} is paused: arena tournament resume {number}")
                    paused = True
            except _PASSING as error:
                report(str(error))
            await trio.sleep(RETRY_SECONDS)
        won = await trio.to_thread.run_sync(winner, self._registry, self._database, number)
        report(f"{spec.final_title} is over: {won} has won")

    async def _begin_final(self, season: int) -> int:
        """Returns the number of the final of a season, which is created if it is new; 0 for none.

        The transaction that creates it notes it as the final, so that there is one.
        """
        database, spec = self._database, self._spec
        number = await trio.to_thread.run_sync(final_of, database, spec.name, spec.season)
        if number:
            return number
        bots = await trio.to_thread.run_sync(entrants, self._registry, database, spec, season)
        if len(bots) < 2:
            return 0
        keys = spec.final_keys(bots)
        with BotResolver(self._registry, database) as resolver:
            resolved = await trio.to_thread.run_sync(resolve, resolver, keys, spec.final_title)
            run = await runs.begin(database, resolved, spec.name, -spec.season)
        self._observer.changed(
            f"{spec.final_title} begins as tournament {run.number} with {len(bots)} bots"
        )
        return run.number

    async def _is_finished(self, number: int) -> bool:
        found = await trio.to_thread.run_sync(summary, self._database, number)
        return found.status is Status.FINISHED

    async def _play_on(self, number: int) -> None:
        """Plays a final on; a bot that is disabled meanwhile leaves it."""
        database = self._database
        stored = await trio.to_thread.run_sync(runs.stored_to_resume, database, number)
        roster = Roster(self._rulings(number), database, self._spec.game, enters=False)

        async def look() -> None:
            while True:
                with suppress(*_PASSING):  # it is tried again
                    for line in await trio.to_thread.run_sync(roster.bring_up_to_date):
                        self._observer.changed(line)
                await trio.sleep(LOOK_SECONDS)

        with BotResolver(self._registry, database, resumes=number) as resolver:
            reopen = partial(runs.reopen, executor=self._spec.tournament.executor)
            run = await trio.to_thread.run_sync(reopen, resolver, stored)
            pace = run.pace()
            pace.notice = self._observer.changed
            with known_alone():
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(look)
                    await runs.play(run, Progress(run.plan, stored.sums), pace)
                    nursery.cancel_scope.cancel()

    def _once(self) -> _Once:
        return _Once(self._observer.changed)

    async def _play(self, number: int, shared: SeasonTime, last_round: int | None = None) -> None:
        """Plays on until nobody needs a match; bots that enter meanwhile join at the next round."""
        database = self._database
        limit = self._spec.tournament.max_cost
        stored = await trio.to_thread.run_sync(runs.stored_to_resume, database, number, None, limit)
        shared.see_field(stored)
        with BotResolver(self._registry, database, resumes=number) as resolver:
            reopen = partial(runs.reopen, executor=self._spec.tournament.executor)
            run = await trio.to_thread.run_sync(reopen, resolver, stored)
            pace = run.pace(last_round)
            pace.seconds, pace.notice = shared.match_seconds, self._observer.changed
            progress = SeasonProgress(run.plan, stored.sums, shared, pace)
            with known_alone():
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(share_time, self._rulings(number), progress)
                    await runs.play(run, progress, pace)
                    nursery.cancel_scope.cancel()
        if pace.pausing and not pace.waiting and limit is not None:
            self._paused(
                f"{self._spec.title} goes on with a higher max_cost in its file, after a new start"
            )


class _Once:
    """Reports a line once, until there is another one, or none."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report, self._last = report, ""

    def __call__(self, line: str) -> None:
        if line and line != self._last:
            self._report(line)
        self._last = line


def _enabled(database: Database, game: str) -> list[Submission]:
    return [
        each
        for each in submissions(database)
        if each.status is SubmissionStatus.ENABLED and game in each.games
    ]
