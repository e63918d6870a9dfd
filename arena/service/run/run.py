"""Plays tournaments: begins a new one, opens a stored one again, and plays what is left of it."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Protocol

import msgspec
import trio
from arena_results.boards.leaderboard import leaderboard
from arena_results.file.database import Database
from arena_results.file.runner_lock import RunnerLock, refuse_running
from arena_results.ratings.systems.elo import START
from arena_results.schema.rows import (
    EntryRow,
    Status,
    StoredTournament,
    TournamentSummary,
    VoidMatch,
)
from arena_results.store.exchange_sums import spent
from arena_results.store.on_demand import played_spans
from arena_results.store.organising import set_max_cost, set_max_crash_rate
from arena_results.store.queries import match_rows, matches, summary, tournament, tournaments
from arena_results.store.store import Store
from arena_tournaments.play import runner
from arena_tournaments.play.round_play import RoundPlay
from arena_tournaments.play.runner import Observer, Plan
from arena_tournaments.play.schedule import Schedule
from arena_tournaments.spec.files import overrule
from arena_tournaments.spec.keys import LOCAL, STORED_SCORING

from arena.core.errors import AlteredResults, BadInput, BadStore
from arena.core.outcome import Termination
from arena.core.record import MatchKey, PlayedMatch
from arena.core.text.printable import printable_line
from arena.core.tournaments.executor import Executor, Pace
from arena.core.tournaments.format import Job, Round, RoundResult
from arena.host.play.hosts import open_host
from arena.plugins.registry import Registry
from arena.service.answers.errors import known_alone
from arena.service.lookup.isolation import Warn, ignore
from arena.service.lookup.python_bots import PERSON_CONTENT
from arena.service.lookup.resolver import BotResolver
from arena.service.match.replays import Match
from arena.service.run.executors.endpoints import (
    calibrated,
    keep_calibration,
    with_journal,
    without_journal,
)
from arena.service.run.executors.executors import open_checked
from arena.service.run.watching.crashes import CrashLimit
from arena.service.run.watching.events import EventStream, OnEvent
from arena.service.run.watching.progress import Progress
from arena.service.setup.byes import byes_of
from arena.service.setup.field import check_executor
from arena.service.setup.resolve import ResolvedTournament, resolve_stored


class RunObserver(Observer, Protocol):
    """Receives the progress of a run, in which the field may change."""

    def plan_changed(self, plan: Plan) -> None:
        """Called after an organiser's decision; finished rounds come again as after a stop."""


class Run(msgspec.Struct, frozen=True):
    """A stored tournament that can be played on: what was played of it is not played again.

    Attributes:
        calibrated: Whether its endpoints have just been asked a first question.
    """

    resolved: ResolvedTournament
    stored: StoredTournament
    database: Database
    calibrated: bool = False

    @property
    def number(self) -> int:
        """Its number in the database."""
        return self.stored.summary.id

    @property
    def registry(self) -> Registry:
        """The registry that knows its game, format and bots."""
        return self.resolved.resolver.registry

    def pace(self, last_round: int | None = None) -> Pace:
        """The pace at which it begins; it pauses after the last round, if one is given."""
        return Pace(self.resolved.workers, last_round=last_round)

    @property
    def plan(self) -> Plan:
        """The plan that the runner plays."""
        return self.resolved.plan(self.stored.field, self.stored.rulings)


async def begin(
    database: Database, resolved: ResolvedTournament, league: str = "", season: int = 0
) -> Run:
    """Stores a new tournament, of which nothing is played yet.

    The entries have the ratings of the present leaderboard; with ``seed_by = "rating"`` these give
    the initial order.

    Args:
        league: The league of which it is a season, stored in the same transaction.
        season: The number of that season; the negative number for its final.
    """
    resolved, entries = await trio.to_thread.run_sync(seeded, database, resolved)
    asked = await calibrated(resolved)
    byes = byes_of(resolved.spec, resolved.format, resolved.names, resolved.rounds)
    values = resolved.learned.to_bytes() if resolved.learned else None
    number = await Store(database).create_tournament(
        resolved.new(), entries, byes, values, league, season
    )
    await keep_calibration(database, number, asked)
    stored = await trio.to_thread.run_sync(tournament, database, number)
    return Run(resolved, stored, database, calibrated=True)


def seeded(
    database: Database | None, resolved: ResolvedTournament
) -> tuple[ResolvedTournament, list[EntryRow]]:
    """The tournament in its initial order, and its entries with their present ratings."""
    ratings = _ratings(database, resolved) if database else [START] * len(resolved.bots)
    if resolved.spec.seed_by == "rating":
        order = sorted(range(len(ratings)), key=lambda index: -ratings[index])
        resolved = resolved.in_order(order)
        ratings = [ratings[index] for index in order]
    return resolved, resolved.entries(ratings)


def last_unfinished(database: Database) -> TournamentSummary:
    """Finds the tournament to resume: the last interrupted, else running, else waiting one.

    Raises:
        BadInput: Every tournament is finished.
    """
    for status in (Status.INTERRUPTED, Status.RUNNING, Status.WAITING):
        for each in reversed(tournaments(database)):
            if each.status is status and each.rated:
                return each
    raise BadInput(f"every tournament of {database.label} is finished; there is nothing to resume")


def stored_to_resume(
    database: Database,
    number: int,
    max_crash_rate: float | None = None,
    max_cost: float | None = None,
) -> StoredTournament:
    """Reads a tournament that will be played on.

    Args:
        max_crash_rate: Replaces the share of crashed matches at which it stops.
        max_cost: Replaces the dollars that it may cost.

    Raises:
        BadInput: One of them is out of bounds.
        BadStore: Another process plays it; the message names that.
    """
    refuse_running(database, number)
    if max_crash_rate is not None:
        set_max_crash_rate(database, number, max_crash_rate)
    if max_cost is not None:
        set_max_cost(database, number, max_cost)
    return tournament(database, number)


def fork_keys(database: Database, number: int, keys: Mapping[str, object]) -> dict[str, object]:
    """The keys of a new tournament of the bots and settings of a stored one.

    A drawn key is not among them: another is drawn.

    Args:
        database: The database of both.
        number: The stored one.
        keys: Keys that overrule its own.
    """
    spec = msgspec.json.decode(summary(database, number).spec, type=dict[str, object])
    return overrule({"scoring": STORED_SCORING, **spec}, keys)


def reopen(
    resolver: BotResolver, stored: StoredTournament, warn: Warn = ignore, executor: str = LOCAL
) -> Run:
    """Resolves a stored tournament again (``resolve_stored``), so that ``play`` continues with it.

    The resolver, which has its database, stays open until the run has ended.

    Args:
        executor: What plays its matches; it is not stored.

    Raises:
        BadInput: It is a match of a person, which nobody else can continue with, or the executor
            cannot play its bots.
    """
    if any(entry.participant.content == PERSON_CONTENT for entry in stored.field):
        raise BadInput(
            f"tournament {stored.summary.id} is the match of a person that was cut off: it has no "
            "result and cannot go on; play another one: arena play"
        )
    assert resolver.database is not None
    resolved = resolve_stored(resolver, stored, warn)
    check_executor(executor, resolved.bots)
    spec = msgspec.structs.replace(resolved.spec, executor=executor)
    run = Run(msgspec.structs.replace(resolved, spec=spec), stored, resolver.database)
    for bot in resolver.disabled:
        warn(
            f"warning: bot {bot} is disabled; it plays on in tournament {run.number}, which it "
            "had entered before"
        )
    return run


def play_once(resolved: ResolvedTournament) -> Match:
    """Plays the first match of a tournament of one table, in this process; it is stored nowhere."""
    seeds, seats = resolved.seeds.keys(), tuple(range(len(resolved.bots)))
    job = Job(MatchKey(1, 1, 1), seeds.deal(1, 1, 1), seeds.private(1, 1, 1), seats)
    access = without_journal(resolved).access
    with open_host(resolved.settings(), resolved.bots, resolved.load, access) as host:
        (played,) = host.play([job], math.inf)
    players = tuple(bot.participant for bot in resolved.bots)
    return Match(game=resolved.game, players=players, names=resolved.names, played=played)


async def play(
    run: Run, progress: Progress, pace: Pace | None = None, on_event: OnEvent | None = None
) -> None:
    """Plays what is left of a tournament in worker processes.

    Returns when every match is played and stored, or after a pause (``pace``, or asked for through
    the database). To stop it, cancel it: everything played is stored. In both cases the tournament
    is marked as interrupted, or as waiting where an open-ended one has nothing to pair. The hooks
    of extensions that observe tournaments are called too. While it runs, nobody else can play the
    tournament (``RunnerLock``). After an organiser's decision, which may come from another process,
    it continues with the field as it is then.

    Args:
        run: The tournament (``begin``, ``reopen``).
        progress: Gets what happens, in this task.
        pace: Changes it while it runs; by default ``run.pace()``.
        on_event: Gets the events; its calls must be quick.

    Raises:
        BadStore: Another process plays it, or has played on since the run was opened.
        ArenaError: It cannot continue; everything played is stored. Never a group of errors.
    """
    with known_alone(), RunnerLock(run.database, run.number):
        _check_current(run)
        if not run.calibrated:
            before = await trio.to_thread.run_sync(spent, run.database, run.number)
            asked = await calibrated(run.resolved, before)
            await keep_calibration(run.database, run.number, asked)
        pace = pace or run.pace()
        if on_event is None:
            await _play(run, progress, pace)
        else:
            stream = EventStream(progress, run.database, run.stored.summary, run.plan, on_event)
            await _play_reported(run, stream, pace)


def _check_current(run: Run) -> None:
    """Checks that nobody has played on since the run was opened; the caller has the lock."""
    now = summary(run.database, run.number)
    if now.status is not Status.FINISHED and now.matches != run.stored.summary.matches:
        raise BadStore(f"tournament {run.number} was played on by another process; resume it again")


async def _play_reported(run: Run, stream: EventStream, pace: Pace) -> None:
    stream.began()
    failed: BaseException | None = None
    try:
        await _play(run, stream, pace)
    except BaseException as error:
        failed = error
        raise
    finally:
        stream.ended(summary(run.database, run.number).status, failed)


async def _play(run: Run, observer: RunObserver, pace: Pace) -> None:
    number, store = run.number, Store(run.database)
    events = _Events(run.registry, number, observer)
    status = await store.set_status(number, Status.RUNNING)
    try:
        while status is Status.RUNNING:
            resolved, void = run.resolved, partial(_save_void, store, number)
            played = await trio.to_thread.run_sync(with_journal, resolved, run.database, number)
            redo = partial(redo_command, run.database, number)
            async with open_checked(played, pace, void, redo) as executor:
                while status is Status.RUNNING and run.resolved is resolved:
                    if await _play_field(run, store, executor, events, pace):
                        status = Status.FINISHED
                    elif pace.recalled and not pace.pausing:
                        pace.recalled = False
                        run = await trio.to_thread.run_sync(_reread, run)
                        observer.plan_changed(run.plan)
                    else:
                        status = Status.WAITING if pace.waiting else Status.INTERRUPTED
    finally:
        # Also when the run fails: what was played is kept, and the tournament can go on.
        with trio.CancelScope(shield=True):
            last = Status.INTERRUPTED if status is Status.RUNNING else status
            status = await store.set_status(number, last)
        if status is Status.FINISHED:
            run.registry.notify("arena_tournament_finished", tournament_id=number)


def redo_command(database: Database, number: int, place: str) -> str:
    """Returns the command that plays the matches of a place again."""
    return f"arena tournament redo {number} --place {shlex.quote(place)}{database.option}"


async def _save_void(store: Store, number: int, jobs: Sequence[Job], reason: str) -> None:
    fault, line = Termination.HARNESS_FAULT, printable_line(reason)
    await store.save_void(number, [VoidMatch(job.key, fault, line) for job in jobs])


async def _play_field(
    run: Run, store: Store, executor: Executor, events: _Events, pace: Pace
) -> bool:
    stored = run.stored
    sink = store.sink(run.number, pace, len(stored.rulings))

    def begin(round: Round) -> RoundPlay:
        return begin_round(run.database, stored, run.plan.schedule, round)

    events.limit = _crash_limit(run)
    if events.limit is not None:
        events.limit.check()
    name = run.registry.executor(run.resolved.spec.executor).name
    label = run.registry.label("executor", name)
    results = await runner.run(run.plan, stored.rounds, begin, executor, sink, events, pace, label)
    return results is not None


def begin_round(
    database: Database, stored: StoredTournament, schedule: Schedule, round: Round
) -> RoundPlay:
    """The matches of a round of a stored tournament, with those that are stored.

    Raises:
        AlteredResults: Some of them were not to be played, or are not those of the sums.
    """
    play, number = RoundPlay(schedule, round), stored.summary.id
    if round.number > len(stored.rounds):
        return play
    if schedule.luck:
        for _, match in matches(database, number, round.number):
            play.add(*schedule.measured(match))
        play.extend()
    elif play.counts_alone:
        for pairing, spans in played_spans(database, stored, round.number).items():
            endings = stored.sums[round.number, pairing].endings
            play.add_alike(pairing, spans, [(one.seats, one.returns, one.count) for one in endings])
    else:
        for row in match_rows(database, number, round.number):
            play.add(row.key, schedule.values(row))
        play.extend()
    if play.surplus is not None:
        raise AlteredResults(
            f"tournament {number}, match {play.surplus}: it was not to be played; see "
            f"arena tournament verify {number}{database.option}"
        )
    return play


def _reread(run: Run) -> Run:
    """Reads a tournament again after an organiser's decision; its bots are found again only if
    others entered.

    Bots that were disabled meanwhile play on.
    """
    stored, resolver = tournament(run.database, run.number), run.resolved.resolver
    if len(stored.field) == len(run.stored.field):
        return msgspec.structs.replace(run, stored=stored)
    resolver.database, resolver.resumes = run.database, run.number
    return reopen(resolver, stored, executor=run.resolved.spec.executor)


def _crash_limit(run: Run) -> CrashLimit | None:
    limit, stored = run.resolved.spec.max_crash_rate, run.stored
    if limit is None:
        return None
    played = match_rows(run.database, run.number)
    return CrashLimit(run.number, stored.field, run.resolved.names, limit, played)


class _Events:
    """Hands each event to the face's observer, then to the hooks of extensions.

    Hooks get each round once, also when the rounds before an organiser's decision are gone through
    again.

    Attributes:
        limit: Gets the matches last; it may stop the run.
    """

    def __init__(self, registry: Registry, tournament: int, observer: RunObserver) -> None:
        self._registry, self._tournament, self._observer = registry, tournament, observer
        self._finished = 0
        self.limit: CrashLimit | None = None

    def round_started(self, play: RoundPlay) -> None:
        self._observer.round_started(play)

    def matches_played(self, matches: Sequence[PlayedMatch]) -> None:
        self._observer.matches_played(matches)
        for match in matches:
            self._registry.notify(
                "arena_match_finished", tournament_id=self._tournament, match=match
            )
        if self.limit is not None:
            self.limit.add(matches)

    def round_finished(self, result: RoundResult) -> None:
        self._observer.round_finished(result)
        if result.round.number > self._finished:
            self._finished = result.round.number
            number = self._tournament
            self._registry.notify("arena_round_finished", tournament_id=number, result=result)


def _ratings(database: Database, resolved: ResolvedTournament) -> list[float]:
    rows = leaderboard(database, resolved.game.name, resolved.ruleset.name)
    known = {row.participant.key: row.rating for row in rows}
    return [known.get(bot.participant.key, START) for bot in resolved.bots]
