"""Runs a tournament from the terminal: workers, storage, display, and the user's Ctrl-C."""

from __future__ import annotations

import os

import msgspec
import trio
from arena_results.database import Database
from arena_results.leaderboard import leaderboard
from arena_results.queries import tournament as stored_tournament
from arena_results.ratings.elo import START
from arena_results.rows import EntryRow, NewTournament, Status, StoredTournament
from arena_results.store import Store, TournamentSink
from arena_tournaments.executors.local import open_local_executor
from arena_tournaments.runner import run

from arena.cli.entering import ResolvedTournament
from arena.cli.output import counted, say
from arena.cli.problems import known_error
from arena.cli.progress import Progress
from arena.cli.seating import games_text, seating_text
from arena.cli.seeds_text import open_warning, seeds_text
from arena.cli.stopping import Stop
from arena.cli.wiring import db_option
from arena.core.tournament import Round
from arena.host.worker import play_chunk, start_worker
from arena.plugins.registry import Registry


class Interrupted(msgspec.Struct, frozen=True):
    """The user stopped the run; what was played is kept.

    Attributes:
        resume: The command that goes on.
        signal: Number of the signal that stopped it.
    """

    resume: str
    signal: int


class _Storage:
    """Keeps the rounds and matches of one tournament: a ``Storage`` of the runner."""

    def __init__(self, store: Store, tournament: int) -> None:
        self._store, self._tournament = store, tournament
        self._sink: TournamentSink = store.sink(tournament)
        self.write = self._sink.write

    async def save_round(self, round: Round) -> None:
        await self._store.save_round(self._tournament, round)


def run_new(
    registry: Registry, database: Database, entered: ResolvedTournament
) -> StoredTournament | Interrupted:
    """Creates a tournament and plays it."""
    ratings = _ratings(database, entered)
    if entered.spec.seed_by == "rating":
        order = sorted(range(len(ratings)), key=lambda index: -ratings[index])
        entered = entered.in_order(order)
        ratings = [ratings[index] for index in order]
    new = _new(entered)
    entries = [
        EntryRow(bot.participant, rating) for bot, rating in zip(entered.bots, ratings, strict=True)
    ]
    with Stop() as stop:
        number = trio.run(Store(database).create_tournament, new, entries)
        stored = stored_tournament(database, number)
        say(
            f"Tournament {number}: {new.game} {new.ruleset}, {new.format}, {len(entries)} bots, "
            f"{counted(new.rounds, 'round')}, {new.games} games a pairing; "
            f"{seeds_text(stored.summary)}"
        )
        _say_tables(entered)
        _warn(entered)
        return _run(registry, database, entered, stored, stop)


def _say_tables(entered: ResolvedTournament) -> None:
    """Who sits where, and what is uneven in it; of pairs there is nothing to say."""
    entrants, seats, games = len(entered.bots), entered.tables.most, entered.spec.games
    if seats > 2:
        assert games is not None
        sizes = entered.tables.sizes(entrants)
        say(seating_text(entrants, seats, sizes))
        if uneven := games_text(games, sizes):
            say(uneven)


def _warn(entered: ResolvedTournament) -> None:
    """Warns when the deals are no secret to bots that are not trusted."""
    if warning := open_warning(entered.seeds, entered.bots):
        say(warning)


def _new(entered: ResolvedTournament) -> NewTournament:
    spec = entered.spec
    assert spec.games is not None
    return NewTournament(
        name=spec.name,
        game=entered.game.name,
        ruleset=entered.ruleset.name,
        engine=entered.game.version,
        format=entered.format.name,
        games=spec.games,
        mirrored=spec.mirrored,
        rounds=entered.rounds,
        seed=entered.seeds.seed,
        key=entered.seeds.key,
        seed_origin=entered.seeds.origin,
        stake=spec.stake,
        purse=spec.purse,
        spec=spec.to_json(),
    )


def run_on(
    registry: Registry,
    database: Database,
    entered: ResolvedTournament,
    stored: StoredTournament,
) -> StoredTournament | Interrupted:
    """Plays what is left of a tournament."""
    summary = stored.summary
    say(f"Tournament {summary.id} goes on after {summary.matches} matches; {seeds_text(summary)}")
    _warn(entered)
    with Stop() as stop:
        return _run(registry, database, entered, stored, stop)


def _ratings(database: Database, entered: ResolvedTournament) -> list[float]:
    """The present rating of each bot version under these rules."""
    rows = leaderboard(database, entered.game.name, entered.ruleset.name)
    known = {row.participant.key: row.rating for row in rows}
    return [known.get(bot.participant.key, START) for bot in entered.bots]


def _run(
    registry: Registry,
    database: Database,
    entered: ResolvedTournament,
    stored: StoredTournament,
    stop: Stop,
) -> StoredTournament | Interrupted:
    number = stored.summary.id
    resume = f"arena tournament resume {number}{db_option(database)}"
    try:
        finished = trio.run(_play, registry, Store(database), entered, stored, stop)
    except BaseExceptionGroup as group:
        # trio tells of everything that failed at once; people are told of the first.
        known = known_error(group)
        if known is None:
            raise
        say(f"What was played is kept. Go on with:\n  {resume}")
        raise known from group
    if not finished:
        return Interrupted(resume, stop.number)
    registry.notify("arena_tournament_finished", tournament_id=number)
    return stored_tournament(database, number)


async def _play(
    registry: Registry,
    store: Store,
    entered: ResolvedTournament,
    stored: StoredTournament,
    stop: Stop,
) -> bool:
    """Plays under one nursery; whether the tournament came to its end, here or elsewhere."""
    number = stored.summary.id
    plan = entered.plan([entry.rating for entry in stored.field])
    played = {place: match.returns for place, match in stored.played.items()}
    progress = Progress(plan, number, registry, len(played))
    storage = _Storage(store, number)
    workers = open_local_executor(
        play_chunk,
        entered.setup(),
        entered.spec.concurrency or _cores(),
        start_worker,
        entered.describe,
        entered.patience(),
    )
    finished = False
    status = await store.set_status(number, Status.RUNNING)
    if status is Status.FINISHED:
        return True
    try:
        async with trio.open_nursery() as nursery:
            stop.cancels(nursery.cancel_scope)
            nursery.start_soon(progress.show)
            async with workers as executor:
                await run(plan, stored.rounds, played, executor, storage, progress)
                finished = True
            nursery.cancel_scope.cancel()
    finally:
        # Also when the run fails: what was played is kept, and the tournament can go on.
        with trio.CancelScope(shield=True):
            status = Status.FINISHED if finished else Status.INTERRUPTED
            status = await store.set_status(number, status)
    if status is Status.FINISHED and not finished:
        say(f"Tournament {number} was finished by another process meanwhile")
    return status is Status.FINISHED


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
