"""Bots made by this process: alone, with house bots, and with untrusted ones."""

from __future__ import annotations

import os
import threading

import pytest
import trio
from arena_results.database import open_database
from arena_results.queries import played_matches, summary, tournament
from arena_results.rows import EntryRow, Status

from arena.core.bot import Bot
from arena.core.errors import BadPlugin, BadSpec
from arena.core.tournament import Participant
from arena.plugins.registry import Registry
from arena.service.local_bots import LocalBot
from arena.service.progress import Progress
from arena.service.resolve import resolve
from arena.service.resolver import BotResolver
from arena.service.runs import begin, play, reopen

FILE_BOT = """
from arena import Bot

class Last(Bot):
    def act(self, observation):
        return observation.legal_actions[-1]
"""
PLAYED_IN = set()


class First(Bot):
    """Takes the first legal action."""

    def act(self, observation):
        PLAYED_IN.add((os.getpid(), threading.current_thread() is threading.main_thread()))
        return observation.legal_actions[0]


FIRST = LocalBot(Participant("First", "1", "0" * 64), First)


@pytest.fixture
def database(tmp_path):
    PLAYED_IN.clear()
    with open_database(f"sqlite:///{tmp_path}/runs.db") as database:
        yield database


async def run(database, *others, local=(FIRST,), **keys):
    with BotResolver(Registry(), database, local=local) as resolver:
        keys = {"bots": ["First", *others], "games": 8, "seed": 5, **keys}
        resolved = await trio.to_thread.run_sync(resolve, resolver, keys)
        await play(await begin(database, resolved), Registry(), database, progress_of(resolved))


def progress_of(resolved):
    return Progress(resolved.plan([EntryRow(bot.participant) for bot in resolved.bots]))


async def test_a_local_bot_plays_in_this_process_with_trusted_bots(database):
    await run(database, "random", "stand(at=17)")
    assert {(os.getpid(), True)} == PLAYED_IN
    stored = tournament(database, 1)
    assert (stored.summary.status, len(stored.played)) == (Status.FINISHED, 24)
    assert stored.field[0].participant.name == "First"


async def test_with_an_untrusted_bot_only_the_local_one_plays_in_this_process(database, tmp_path):
    (tmp_path / "last.py").write_text(FILE_BOT)
    await run(database, str(tmp_path / "last.py"), isolation="process")
    assert {(os.getpid(), False)} == PLAYED_IN
    levels = {match.measurement.isolation for match in played_matches(database, 1)}
    assert levels == {"trusted,process", "process,trusted"}


async def test_it_plays_the_same_as_the_same_code_in_a_worker(database, tmp_path):
    (tmp_path / "First.py").write_text(FILE_BOT.replace("[-1]", "[0]").replace("Last", "First"))
    await run(database, "counter")
    with BotResolver(Registry(), database) as resolver:
        keys = {"bots": [str(tmp_path / "First.py"), "counter"], "trust": ["First"]}
        resolved = resolve(resolver, keys | {"games": 8, "seed": 5, "concurrency": 1})
        await play(await begin(database, resolved), Registry(), database, progress_of(resolved))
    here, there = (
        [(match.record.actions, match.record.outcome) for match in played_matches(database, number)]
        for number in (1, 2)
    )
    assert here == there


async def test_a_resumed_run_needs_the_local_bot_unchanged(database):
    class Stopping(Progress):
        def matches_played(self, matches):
            super().matches_played(matches)
            scope.cancel()

    registry = Registry()
    with BotResolver(registry, database, local=[FIRST]) as resolver:
        resolved = resolve(resolver, {"bots": ["First", "random"], "games": 2000})
        begun = await begin(database, resolved)
        with trio.CancelScope() as scope:
            await play(begun, registry, database, Stopping(begun.plan))
    stored = tournament(database, 1)
    assert stored.summary.status is Status.INTERRUPTED
    assert 0 < len(stored.played) < 2000
    with BotResolver(registry, database, resumes=1) as resolver, pytest.raises(BadSpec) as bad:
        reopen(resolver, stored)
    assert "unknown bot 'First'" in str(bad.value)
    assert "resume there: db.resume(1, [First])" in str(bad.value)
    changed = LocalBot(Participant("First", "1", "1" * 64), First)
    with (
        BotResolver(registry, database, resumes=1, local=[changed]) as resolver,
        pytest.raises(BadPlugin, match="bot First has changed since the tournament began"),
    ):
        reopen(resolver, stored)
    with BotResolver(registry, database, resumes=1, local=[FIRST]) as resolver:
        again = reopen(resolver, stored)
        await play(again, registry, database, Progress(again.plan))
    assert summary(database, 1).status is Status.FINISHED
    assert summary(database, 1).matches == 2000


async def test_a_local_bot_may_have_a_loadout_and_be_confined_on_request(database):
    with BotResolver(Registry(), database, local=[FIRST]) as resolver:
        keys = {"bots": ["First with hard", "random"], "games": 2}
        resolved = resolve(resolver, keys)
        await play(await begin(database, resolved), Registry(), database, progress_of(resolved))
        with pytest.raises(BadSpec, match="First is trusted, not process"):
            resolve(resolver, {"bots": ["First", "random"], "require": "process"})
    assert tournament(database, 1).field[0].participant.name == "First with hard"
