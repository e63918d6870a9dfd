"""Runs a league: submissions are decided, entered in the season's tournament, and rated by it.

One task decides submissions. The other enters new bots, withdraws disabled ones, and plays the
tournament of the season while any bot needs matches. Their state is in the database, so that a
league continues after any stop. One process runs the leagues of a database (``LeagueLock``).
"""

from __future__ import annotations

from typing import Protocol

import msgspec
import trio
from arena_results.bots.seasons import Season, seasons
from arena_results.bots.submissions import Submission, SubmissionStatus, submissions
from arena_results.bots.uploads import Upload
from arena_results.file.database import Database
from arena_results.file.runner_lock import LeagueLock
from arena_results.schema.rows import Status, StoredTournament
from arena_results.store.queries import without_matches
from arena_tournaments.play.rulings import has_left

from arena.core.errors import BadInput, BadStore, HarnessFault
from arena.plugins.registry import Registry
from arena.service.answers.errors import known_alone
from arena.service.league.league_file import FORMAT, LeagueSpec
from arena.service.league.league_queue import LOOK_SECONDS, Clock, decide_uploads, now
from arena.service.league.league_time import SeasonProgress, SeasonTime, bring_back, share_time
from arena.service.lookup.isolation import Warn, choose_level, ignore
from arena.service.lookup.resolver import BotResolver
from arena.service.run import rulings
from arena.service.run import run as runs
from arena.service.setup.formats import make_format
from arena.service.setup.resolve import resolve

RETRY_SECONDS = 2.0
"""Time after which a league tries again what could not be done."""
_PASSING = (BadStore, HarnessFault)
"""Errors that do not end a league: another process has the database or plays the season, or the
machine is too busy. Everything played and decided is stored."""


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
    choose_level(spec.tournament.isolation, spec.tournament.require or "confined", warn)
    registry.rated_game(spec.game).ruleset(spec.tournament.ruleset)
    make_format(registry, msgspec.structs.replace(spec.tournament, format=FORMAT))


async def run_league(
    registry: Registry,
    database: Database,
    spec: LeagueSpec,
    observer: LeagueObserver | None = None,
    shared: SeasonTime | None = None,
    clock: Clock = now,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Runs a league until it is cancelled.

    Args:
        shared: Gets the time that bots use, for those who look on.
        task_status: Is called when no other process can run a league on the database any more.

    Raises:
        BadInput: As ``check_league``, or the season of a higher number has begun already.
        BadStore: Another process runs a league on the database.
    """
    seen, shared = observer or Unobserved(), shared or SeasonTime(spec.limits.bot_seconds)
    await trio.to_thread.run_sync(check_league, registry, spec)
    with LeagueLock(database):
        task_status.started()
        number = await begin_season(registry, database, spec, seen)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_decide, database, spec, seen, clock)
            nursery.start_soon(_play_season, registry, database, number, spec, seen, shared)


async def _decide(
    database: Database, spec: LeagueSpec, observer: LeagueObserver, clock: Clock
) -> None:
    """Decides submissions until it is cancelled.

    What keeps it from that for a while is reported once; it begins again as after a stop.
    """
    problem = ""
    while True:
        try:
            await decide_uploads(database, spec, observer.decided, observer.changed, clock)
        except _PASSING as error:
            if str(error) != problem:
                problem = str(error)
                observer.changed(problem)
        await trio.sleep(RETRY_SECONDS)


async def begin_season(
    registry: Registry, database: Database, spec: LeagueSpec, observer: LeagueObserver
) -> int:
    """Returns the number of the tournament of the season, which is created if it is new.

    The season before is finished then.

    Raises:
        BadInput: A later season has begun.
    """
    past = await trio.to_thread.run_sync(seasons, database, spec.name)
    if past and past[-1].number > spec.season:
        raise BadInput(
            f"season {past[-1].number} of {spec.name} has begun; season {spec.season} cannot be "
            "played any more"
        )
    if past and past[-1].number == spec.season:
        return past[-1].tournament_id
    if past:
        await _end(registry, database, past[-1], spec, observer)
    entered = await trio.to_thread.run_sync(_enabled, database, spec.game)
    bots = (*spec.house, *(each.spelling for each in entered))
    with BotResolver(registry, database) as resolver:
        resolved = await trio.to_thread.run_sync(resolve, resolver, spec.keys(bots), spec.title)
        run = await runs.begin(database, resolved, spec.name, spec.season)
    observer.changed(f"{spec.title} begins as tournament {run.number} with {len(bots)} bots")
    return run.number


async def _end(
    registry: Registry,
    database: Database,
    season: Season,
    spec: LeagueSpec,
    observer: LeagueObserver,
) -> None:
    """Finishes a season; a round of it that was cut off is played to its end before."""
    number = season.tournament_id
    stored = await trio.to_thread.run_sync(without_matches, database, number)
    if stored.summary.status is Status.FINISHED:
        return
    if stored.heads and stored.heads[-1] is None:
        shared = SeasonTime(spec.limits.bot_seconds)
        await _play(registry, database, number, shared, pause_after_round=0)
    await trio.to_thread.run_sync(rulings.finish, registry, database, number)
    observer.changed(f"season {season.number} of {season.league} is finished")


async def _play_season(
    registry: Registry, database: Database, number: int, spec: LeagueSpec, observer: LeagueObserver,
    shared: SeasonTime,
) -> None:  # fmt: skip
    """Plays the tournament of a season whenever somebody needs matches, until it is cancelled.

    What keeps it from that for a while, such as a command that plays it, is reported once.
    """
    news = trio.Event()
    async with trio.open_nursery() as nursery:

        async def look() -> None:
            roster = Roster(registry, database, number, spec.game)
            problem = ""
            while True:
                try:
                    lines = await trio.to_thread.run_sync(roster.bring_up_to_date)
                    back = await bring_back(registry, database, number, shared, everybody=False)
                except _PASSING as error:
                    back, lines = (), () if str(error) == problem else (str(error),)
                    problem = str(error)
                    news.set()  # some may have entered before
                for line in lines:
                    observer.changed(line)
                if lines or back:
                    news.set()
                await trio.sleep(LOOK_SECONDS)

        nursery.start_soon(look)
        problem = ""
        while True:
            try:
                await _play(registry, database, number, shared)
                back = await bring_back(registry, database, number, shared, everybody=True)
            except _PASSING as error:
                if str(error) != problem:
                    problem = str(error)
                    observer.changed(problem)
                await trio.sleep(RETRY_SECONDS)
                continue
            problem = ""
            if not back:
                await news.wait()
            news = trio.Event()


async def _play(
    registry: Registry,
    database: Database,
    number: int,
    shared: SeasonTime,
    pause_after_round: int | None = None,
) -> None:
    """Plays on until nobody needs a match; bots that enter meanwhile join at the next round."""
    stored = await trio.to_thread.run_sync(runs.stored_to_resume, database, number)
    shared.see_field(stored)
    with BotResolver(registry, database, resumes=number) as resolver:
        run = await trio.to_thread.run_sync(runs.reopen, resolver, stored)
        pace = run.pace(pause_after_round)
        pace.seconds = shared.match_seconds
        progress = SeasonProgress(run.plan, stored.sums, shared, pace)
        with known_alone():
            async with trio.open_nursery() as nursery:
                nursery.start_soon(share_time, registry, database, number, progress)
                await runs.play(run, registry, database, progress, pace)
                nursery.cancel_scope.cancel()


class Roster:
    """Keeps the field of a season equal to the submitted bots that are enabled.

    Args:
        number: The tournament of the season.
        game: The game of the league.
    """

    def __init__(self, registry: Registry, database: Database, number: int, game: str) -> None:
        self._place, self._game = (registry, database, number), game
        self._seen: list[tuple[int, SubmissionStatus]] = []

    def bring_up_to_date(self) -> tuple[str, ...]:
        """Enters the enabled bots that are not in the tournament, and withdraws disabled ones.

        A bot that has left does not come back: a new version of it enters. One that cannot enter is
        not tried again until some bot changes.

        Returns:
            A line for people for each change.
        """
        _, database, number = self._place
        bots = [each for each in submissions(database) if self._game in each.games]
        now = [(each.id, each.status) for each in bots]
        if now == self._seen:
            return ()
        stored = without_matches(database, number)
        found = [self._change(stored, each) for each in bots]
        self._seen = now  # what raises an error is tried again
        return tuple(line for line in found if line)

    def _change(self, stored: StoredTournament, bot: Submission) -> str:
        entry, enabled = _entry(stored, bot), bot.status is SubmissionStatus.ENABLED
        try:
            if enabled and entry is None:
                rulings.add(*self._place, bot.spelling)
                return f"{bot.spelling} enters"
            if not enabled and entry is not None and not has_left(stored.rulings, entry):
                rulings.withdraw(*self._place, _name(without_matches(*self._place[1:]), bot))
                return f"{bot.spelling} leaves"
        except BadInput as error:
            return f"{bot.spelling} cannot {'enter' if enabled else 'leave'}: {error}"
        return ""


def _name(stored: StoredTournament, bot: Submission) -> str:
    entry = _entry(stored, bot)
    assert entry is not None
    return stored.names[entry]


def _entry(stored: StoredTournament, bot: Submission) -> int | None:
    for index, entry in enumerate(stored.field):
        about = entry.participant
        same = (about.name, about.version) == (bot.name, bot.version)
        if same and about.content == bot.content:
            return index
    return None


def _enabled(database: Database, game: str) -> list[Submission]:
    return [
        each
        for each in submissions(database)
        if each.status is SubmissionStatus.ENABLED and game in each.games
    ]
