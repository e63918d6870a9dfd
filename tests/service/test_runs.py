"""Runs of tournaments without a face: events, hooks, stops and errors as values."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing

import pytest
import trio
from arena_results.file import files
from arena_results.file.database import open_database
from arena_results.file.runner_lock import RunnerLock
from arena_results.schema.rows import Status
from arena_results.store.queries import summary, tournament
from arena_tournaments.play.volume import Fixed

from arena.core.errors import BadInput, BadPlugin, BadSpec, BadStore, HarnessFault
from arena.plugins.registry import Registry
from arena.service.lookup.resolver import BotResolver
from arena.service.run import run as runs
from arena.service.run.changes.rulings import Rulings
from arena.service.run.run import begin, last_unfinished, play, reopen, stored_to_resume
from arena.service.run.watching.progress import Progress
from arena.service.setup.resolve import resolve

KEYS = {"bots": ["random", "stand(at=17)"], "games": 8, "seed": 5, "concurrency": 1}


class Noting(Registry):
    """A registry that records the hooks of observers instead of calling extensions."""

    def __init__(self) -> None:
        super().__init__()
        self.hooks: list[str] = []

    def notify(self, hook: str, **arguments: object) -> None:
        assert arguments["tournament_id"] == 1
        self.hooks.append(hook)


@pytest.fixture
def registry():
    return Noting()


@pytest.fixture
def database(tmp_path):
    with open_database(f"sqlite:///{tmp_path}/runs.db") as database:
        yield database


@pytest.fixture
def resolver(registry, database):
    with BotResolver(registry, database) as resolver:
        yield resolver


async def test_a_run_is_observed_by_its_face_and_by_extensions(registry, database, resolver):
    run = await begin(database, resolve(resolver, KEYS))
    assert (run.number, run.resolved.volumes, len(run.stored.played)) == (1, (Fixed(8),), 0)
    progress = Progress(run.plan)
    assert (progress.done, progress.total, progress.round) == (0, 8, 0)
    await play(run, progress)
    assert (progress.done, progress.round, progress.rounds) == (8, 1, 1)
    assert sum(line.match_points for line in progress.standings()) == 8
    assert registry.hooks == [
        *["arena_match_finished"] * 8,
        "arena_round_finished",
        "arena_tournament_finished",
    ]
    stored = tournament(database, 1)
    assert (stored.summary.status, len(stored.played)) == (Status.FINISHED, 8)
    await play(run, progress)
    assert (progress.done, len(tournament(database, 1).played)) == (8, 8)


async def test_a_cancelled_run_is_interrupted_and_resumed(registry, database, resolver):
    run = await begin(database, resolve(resolver, KEYS | {"games": 400}))

    class Stopping(Progress):
        def matches_played(self, matches):
            super().matches_played(matches)
            scope.cancel()

    with trio.CancelScope() as scope:
        await play(run, Stopping(run.plan))
    assert scope.cancelled_caught
    assert summary(database, 1).status is Status.INTERRUPTED
    assert "arena_tournament_finished" not in registry.hooks
    stored = tournament(database, 1)
    assert 0 < len(stored.played) < 400
    again = reopen(resolver, stored)
    assert again.plan == run.plan
    await play(again, progress := Progress(again.plan, stored.sums))
    assert (progress.before, progress.done) == (len(stored.played), 400)
    assert summary(database, 1).status is Status.FINISHED


async def test_a_failing_run_raises_one_error_and_can_go_on(registry, database, resolver):
    run = await begin(database, resolve(resolver, KEYS))

    class Failing(Progress):
        def matches_played(self, matches):
            raise OSError(28, "No space left on device", "scratch")

    with pytest.raises(HarnessFault, match="scratch: No space left on device"):
        await play(run, Failing(run.plan))
    stored = tournament(database, 1)
    assert stored.summary.status is Status.INTERRUPTED
    await play(reopen(resolver, stored), Progress(run.plan))
    assert summary(database, 1).status is Status.FINISHED


async def test_a_run_is_played_by_one_at_a_time_and_losses_go_on(
    registry, database, resolver, tmp_path
):
    bot = tmp_path / "clumsy.py"
    bot.write_text(
        "from arena import Bot\nclass Clumsy(Bot):\n    def act(self, o): return 1 / 0\n"
    )
    keys = KEYS | {"bots": ["random", str(bot)], "trust": [str(bot)]}
    run = await begin(database, resolve(resolver, keys))
    assert last_unfinished(database) == run.stored.summary
    assert run.stored.summary.status is Status.INTERRUPTED

    class Second(Progress):
        def matches_played(self, matches):
            super().matches_played(matches)
            assert summary(database, 1).status is Status.RUNNING
            with pytest.raises(BadStore, match=rf"being played by process {os.getpid()} \("):
                stored_to_resume(database, 1)
            with pytest.raises(BadStore, match="being played by"):
                RunnerLock(database, 1).__enter__()
            scope.cancel()

    with trio.CancelScope() as scope:
        await play(run, first := Second(run.plan))
    assert 0 < first.losses["crash"] == first.done < 8
    with pytest.raises(BadStore, match="tournament 1 was played on by another process"):
        await play(run, Progress(run.plan))
    assert summary(database, 1).status is Status.INTERRUPTED
    stored = stored_to_resume(database, 1)
    again = reopen(resolver, stored)
    await play(again, second := Progress(run.plan, stored.sums))
    assert second.losses["crash"] == second.done == 8
    with pytest.raises(BadInput, match="is finished; there is nothing to resume"):
        last_unfinished(database)


async def test_a_database_that_is_locked_during_a_run_keeps_what_was_played(
    registry, tmp_path, monkeypatch
):
    monkeypatch.setattr(files, "BUSY_SECONDS", 0.1)
    with (
        open_database(f"sqlite:///{tmp_path}/locked.db") as database,
        closing(sqlite3.connect(database.place.path, isolation_level=None)) as other,
        BotResolver(registry, database) as resolver,
    ):
        run = await begin(database, resolve(resolver, KEYS | {"games": 400}))

        class Locking(Progress):
            def matches_played(self, matches):
                super().matches_played(matches)
                other.execute("BEGIN IMMEDIATE")

        with pytest.raises(BadStore, match=rf"locked\.db is locked by process {os.getpid()} \("):
            await play(run, Locking(run.plan))
        other.execute("ROLLBACK")
        stored = stored_to_resume(database, 1)
        assert stored.summary.status is Status.INTERRUPTED
        assert 0 < len(stored.played) < 400
        again = reopen(resolver, stored)
        await play(again, Progress(run.plan, stored.sums))
        assert summary(database, 1).status is Status.FINISHED


async def test_after_a_ruling_the_workers_play_on_and_a_late_entry_starts_others(
    registry, database, resolver, monkeypatch
):
    calls = []

    def counted(name, function):
        def call(*args, **named):
            calls.append(name)
            return function(*args, **named)

        monkeypatch.setattr(runs, name, call)

    counted("open_checked", runs.open_checked)
    counted("reopen", reopen)
    bots = ["random", "stand(at=17)", "counter", "optimal"]
    swiss = KEYS | {"bots": bots, "format": "swiss", "rounds": 3}
    run, rulings = await begin(database, resolve(resolver, swiss)), Rulings(registry, database, 1)
    steps = [lambda: rulings.withdraw("optimal"), lambda: rulings.add("hand-saver")]

    class Ruling(Progress):
        def plan_changed(self, plan):
            super().plan_changed(plan)
            self.next = steps.pop(0) if steps else None
            calls.append("changed")

        def matches_played(self, matches):
            super().matches_played(matches)
            if self.next is not None:
                self.next()
                self.next = None

    await play(run, Ruling(run.plan))
    assert summary(database, 1).status is Status.FINISHED
    one, other = "open_checked", "reopen"
    assert calls == ["changed", one, "changed", other, "changed", one]


async def test_ratings_give_the_initial_order(registry, database, resolver):
    first = await begin(database, resolve(resolver, KEYS))
    await play(first, Progress(first.plan))
    keys = KEYS | {"seed_by": "rating"}
    run = await begin(database, resolve(resolver, keys))
    ratings = [entry.rating for entry in run.stored.field]
    assert ratings == sorted(ratings, reverse=True)
    assert len(set(ratings)) == 2


def test_every_problem_of_a_spec_is_reported_at_once(resolver):
    keys = {"bots": ["random", "nobody"], "games": 0, "format": "lottery"}
    with pytest.raises(BadSpec) as raised:
        resolve(resolver, keys, "cup.toml")
    assert raised.value.where == "cup.toml"
    assert {problem.partition(":")[0] for problem in raised.value.problems} == {
        "games",
        "format",
        "bots",
    }


async def test_a_run_with_a_changed_bot_is_not_resumed(database, resolver, tmp_path):
    bot = tmp_path / "mine.py"
    code = (
        "from arena import Bot\nclass Mine(Bot):\n    def act(self, o): return o.legal_actions[0]\n"
    )
    bot.write_text(code)
    keys = KEYS | {"bots": ["random", str(bot)], "trust": [str(bot)]}
    run = await begin(database, resolve(resolver, keys))
    bot.write_text(code + "# changed\n")
    with pytest.raises(BadPlugin, match="bot mine has changed since the tournament began"):
        reopen(resolver, run.stored)
