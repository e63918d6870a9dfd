"""Runs a tournament from the terminal: workers, storage, display, and the user's Ctrl-C."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence

import msgspec
import trio

from arena.cli.entering import Entered
from arena.cli.output import say
from arena.cli.progress import Progress
from arena.core.record import Place
from arena.core.tournament import Round
from arena.host.worker import play_chunk, start_worker
from arena.plugins.registry import Registry
from results.database import Database
from results.leaderboard import leaderboard
from results.queries import tournament as stored_tournament
from results.ratings.elo import START
from results.rows import EntryRow, NewTournament, Status, StoredTournament
from results.store import Store, TournamentSink
from tournaments.executors.local import open_local_executor
from tournaments.runner import Plan, Returns, run


class Interrupted(msgspec.Struct, frozen=True):
    """The user stopped the run; what was played is kept.

    Attributes:
        tournament: Number to resume.
    """

    tournament: int


class _Keeper:
    """Keeps the rounds and matches of one tournament: a ``Keeper`` of the runner."""

    def __init__(self, store: Store, tournament: int) -> None:
        self._store, self._tournament = store, tournament
        self._sink: TournamentSink = store.sink(tournament)
        self.write = self._sink.write

    async def save_round(self, round: Round) -> None:
        await self._store.save_round(self._tournament, round)


def run_new(
    registry: Registry, database: Database, entered: Entered
) -> StoredTournament | Interrupted:
    """Creates a tournament and plays it."""
    ratings = _ratings(database, entered)
    if entered.spec.seed_by == "rating":
        order = sorted(range(len(ratings)), key=lambda index: -ratings[index])
        entered = entered.in_order(order)
        ratings = [ratings[index] for index in order]
    spec = entered.spec
    assert spec.seed is not None
    new = NewTournament(
        name=spec.name,
        game=entered.game.name,
        ruleset=entered.ruleset.name,
        engine=entered.game.version,
        format=entered.format.name,
        games=spec.games,
        mirrored=spec.mirrored,
        rounds=entered.rounds,
        seed=spec.seed,
        stake=spec.stake,
        purse=spec.purse,
        spec=spec.to_json(),
    )
    entries = [
        EntryRow(bot.participant, rating) for bot, rating in zip(entered.bots, ratings, strict=True)
    ]
    number = trio.run(Store(database).create_tournament, new, entries)
    say(
        f"Tournament {number}: {new.game} {new.ruleset}, {new.format}, {len(entries)} bots, "
        f"{new.rounds} rounds, {new.games} games a pairing; seed {new.seed}"
    )
    return _run(registry, database, entered, number, (), {})


def run_on(
    registry: Registry,
    database: Database,
    entered: Entered,
    stored: StoredTournament,
) -> StoredTournament | Interrupted:
    """Plays what is left of a tournament."""
    number = stored.summary.id
    played = {place: match.returns for place, match in stored.played.items()}
    say(f"Tournament {number} goes on after {len(played)} matches; seed {stored.summary.seed}")
    return _run(registry, database, entered, number, stored.rounds, played)


def _ratings(database: Database, entered: Entered) -> list[float]:
    """The present rating of each bot version under these rules."""
    rows = leaderboard(database)
    known = {
        row.participant.key: row.rating
        for row in rows
        if (row.game, row.ruleset) == (entered.game.name, entered.ruleset.name)
    }
    return [known.get(bot.participant.key, START) for bot in entered.bots]


def _run(
    registry: Registry,
    database: Database,
    entered: Entered,
    number: int,
    rounds: Sequence[Round],
    played: dict[Place, Returns],
) -> StoredTournament | Interrupted:
    plan = entered.plan([entry.rating for entry in stored_tournament(database, number).field])
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    concurrency = entered.spec.concurrency or cores or 1
    finished = trio.run(
        _play, registry, Store(database), entered, plan, number, rounds, played, concurrency
    )
    if not finished:
        return Interrupted(number)
    registry.notify("arena_tournament_finished", tournament_id=number)
    return stored_tournament(database, number)


async def _play(
    registry: Registry,
    store: Store,
    entered: Entered,
    plan: Plan,
    number: int,
    rounds: Sequence[Round],
    played: dict[Place, Returns],
    concurrency: int,
) -> bool:
    """Plays under one nursery; whether the tournament came to its end."""
    progress = Progress(plan, number, registry, len(played))
    keeper = _Keeper(store, number)
    finished = False
    await store.set_status(number, Status.RUNNING)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_stop_on_signal, nursery.cancel_scope)
            nursery.start_soon(progress.show)
            async with open_local_executor(
                play_chunk, entered.setup(), concurrency, start_worker
            ) as executor:
                await run(plan, rounds, played, executor, keeper, progress)
                finished = True
            nursery.cancel_scope.cancel()
    finally:
        # Also when the run fails: what was played is kept, and the tournament can go on.
        with trio.CancelScope(shield=True):
            await store.set_status(number, Status.FINISHED if finished else Status.INTERRUPTED)
    return finished


async def _stop_on_signal(scope: trio.CancelScope) -> None:
    """Ctrl-C, or a polite kill: everything stops at once, and what is committed stays."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            scope.cancel()
            return
