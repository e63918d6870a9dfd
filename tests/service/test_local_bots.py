"""Bots made by this process: alone, with house bots, and with untrusted ones."""

from __future__ import annotations

import os
import threading
from functools import partial

import pytest
import trio
from arena_bots.pazaak.stand_at import StandAt
from arena_results.file.database import open_database
from arena_results.schema.rows import EntryRow, Status
from arena_results.store.queries import matches, summary, tournament

from arena.core.bot import Bot
from arena.core.errors import BadPlugin, BadSpec
from arena.core.parts.value import ValueFunction
from arena.core.tournaments.format import Participant
from arena.games.pazaak.game import PazaakLuck
from arena.plugins.registry import Registry
from arena.service.lookup.python_bots import LocalBot
from arena.service.lookup.resolver import BotResolver
from arena.service.report.report import stored_report
from arena.service.report.tables.documents import comparison_document
from arena.service.run.run import begin, play, reopen
from arena.service.run.watching.progress import Progress
from arena.service.setup.resolve import resolve

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
        await play(await begin(database, resolved), progress_of(resolved))


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
    levels = {match.measurement.isolation for _, match in matches(database, 1)}
    assert levels == {"trusted,process", "process,trusted"}


async def test_it_plays_the_same_as_the_same_code_in_a_worker(database, tmp_path):
    (tmp_path / "First.py").write_text(FILE_BOT.replace("[-1]", "[0]").replace("Last", "First"))
    await run(database, "counter")
    with BotResolver(Registry(), database) as resolver:
        keys = {"bots": [str(tmp_path / "First.py"), "counter"], "trust": ["First"]}
        resolved = resolve(resolver, keys | {"games": 8, "seed": 5, "concurrency": 1})
        await play(await begin(database, resolved), progress_of(resolved))
    here, there = (
        [(match.record.actions, match.record.outcome) for _, match in matches(database, number)]
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
            await play(begun, Stopping(begun.plan))
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
        await play(again, Progress(again.plan))
    assert summary(database, 1).status is Status.FINISHED
    assert summary(database, 1).matches == 2000


async def test_a_local_bot_may_have_a_loadout_and_be_confined_on_request(database):
    with BotResolver(Registry(), database, local=[FIRST]) as resolver:
        keys = {"bots": ["First with hard", "random"], "games": 2}
        resolved = resolve(resolver, keys)
        await play(await begin(database, resolved), progress_of(resolved))
        with pytest.raises(BadSpec, match="First is trusted, not process"):
            resolve(resolver, {"bots": ["First", "random"], "require": "process"})
    assert tournament(database, 1).field[0].participant.name == "First with hard"


class Even(ValueFunction):
    name, hash = "even 1", "e" * 64

    def value(self, state):
        return 0.0, 0.0


async def test_by_scores_without_luck_a_stopped_run_ends_at_the_same_match(database, monkeypatch):
    names = [f"until-{total}" for total in (16, 17)]
    local = [
        LocalBot(Participant(name, "1", str(total) * 32), partial(StandAt, at=total))
        for name, total in zip(names, (16, 17), strict=True)
    ]
    test = {"test": "sprt(elo1=30,model=logistic)", "adjusted": True}
    registry, scope = Registry(), trio.CancelScope()
    with BotResolver(registry, database, local=local) as resolver:
        resolved = resolve(resolver, {"bots": names, "seed": 7, **test})
        whole, stopped = await begin(database, resolved), await begin(database, resolved)
        await play(whole, Progress(whole.plan))

        class Stopping(Progress):
            def matches_played(self, matches):
                super().matches_played(matches)
                assert len(self.luck) == len(self.points)
                scope.cancel()

        with scope:
            await play(stopped, Stopping(stopped.plan))
        before = tournament(database, 2)
        assert 0 < len(before.played) < 150
        resolver.resumes = 2
        with monkeypatch.context() as patch:
            patch.setattr(PazaakLuck, "value_function", lambda self, ruleset: Even())
            with pytest.raises(BadPlugin, match="and now is another one"):
                reopen(resolver, before)
        again = reopen(resolver, before)
        await play(again, Progress(again.plan, before.sums))
    one, other = (tournament(database, number) for number in (1, 2))
    assert 150 <= len(one.played) < 400
    assert one.played == other.played
    assert one.sums == other.sums
    assert comparison_document(stored_report(registry, other)).keys() == {
        *("tournament", "status", "losses_by_cause")
    }
    found = [comparison_document(stored_report(registry, each, database)) for each in (one, other)]
    assert found[0] | {"tournament": 2} == found[1]
    assert found[1]["decision"] != "continue"
