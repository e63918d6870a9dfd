"""Tournaments with endpoints: many matches at a time, and no failure of an endpoint is rated."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import msgspec
import pytest
import trio
from arena_results.file.database import open_database
from arena_results.schema.rows import Status
from arena_results.store.queries import matches, tournament
from arena_tournaments.spec.keys import read_spec

from arena.core.errors import BadInput, EndpointFailed
from arena.core.outcome import RULE_ENDINGS
from arena.core.tournaments.executor import Pace
from arena.plugins.registry import Registry
from arena.service.lookup.resolver import BotResolver
from arena.service.run.progress import Progress
from arena.service.setup.field import check_executor
from tests.endpoints.answering import Answers, endpoint, failing_each, played_on, started

BOTS = ["random", "stand(at=17)", "stand(at=18)"]


@pytest.fixture
def database(tmp_path):
    with open_database(f"sqlite:///{tmp_path}/runs.db") as database:
        yield database


@pytest.fixture
def resolver(database):
    with BotResolver(Registry(), database) as resolver:
        yield resolver


def check_finished(stored, played: int) -> None:
    assert (stored.summary.status, len(stored.played)) == (Status.FINISHED, played)
    assert stored.void == ()


async def test_endpoints_and_confined_bots_meet_many_matches_at_a_time(database, resolver):
    answers = Answers(seconds=0.05)
    field = [endpoint("gpt", parallel=8), endpoint("llm", parallel=4)]
    run = await started(database, resolver, field, answers, bots=BOTS, games=20)
    check_finished(await played_on(run), 60)
    assert answers.most == 12  # as many as may be asked at a time
    assert set(answers.asked.values()) == {1}
    for _, match in matches(database, 1):
        measured, levels = match.measurement, match.measurement.isolation.split(",")
        seats = [seat.split(" ")[0] for seat in match.record.seats]
        if len(levels) == 1:
            levels *= 2
        for seat, level, took in zip(seats, levels, measured.nanoseconds, strict=True):
            asked = seat.startswith(("gpt", "llm"))
            assert level == ("endpoint" if asked else "process")
            assert (took == 0) is asked


async def test_a_call_that_fails_sets_its_match_aside_and_nothing_is_asked_twice(
    database, resolver
):
    lines: list[str] = []
    answers = Answers(seconds=0.002, fails=failing_each(5))
    run = await started(database, resolver, [endpoint("gpt", 16)], answers, bots=BOTS, games=12)
    stored = await played_on(run, pace=Pace(notice=lines.append))
    check_finished(stored, 36)
    assert lines == ["gpt: HTTP 529; a match is set aside, and goes on later"]
    again = sum(answers.asked.values()) - len(answers.asked)
    assert again == answers.calls // 5  # those that failed
    for _, match in matches(database, 1):
        assert match.record.outcome.termination in RULE_ENDINGS


async def test_an_endpoint_that_fails_for_a_while_costs_no_match(database, resolver):
    until = time.monotonic() + 2

    def fails(call: int) -> None:
        if call > 20 and time.monotonic() < until:
            raise EndpointFailed("gpt: HTTP 529")

    answers = Answers(seconds=0.01, fails=fails)
    run = await started(database, resolver, [endpoint("gpt")], answers, bots=BOTS)
    check_finished(await played_on(run), 24)


async def test_an_endpoint_that_fails_for_ever_pauses_the_run_which_goes_on(database, resolver):
    lines: list[str] = []

    def fails(call: int) -> None:
        if call > 30:
            raise EndpointFailed("gpt: HTTP 401: the key is refused", retry=False)

    answers = Answers(seconds=0.001, fails=fails)
    run = await started(database, resolver, [endpoint("gpt", 4)], answers, bots=BOTS, games=20)
    stored = await played_on(run, pace=Pace(notice=lines.append))
    assert stored.summary.status is Status.INTERRUPTED
    assert 0 < len(stored.played) < 60
    assert lines == ["pausing: gpt: HTTP 401: the key is refused"]
    answers.fails = lambda call: None
    check_finished(await played_on(run), 60)
    again = [question for question, count in answers.asked.items() if count > 1]
    assert 1 <= len(again) <= 4  # those in flight when it failed


async def test_tables_of_three_with_two_endpoints(database, resolver):
    answers = Answers(seconds=0.001, fails=failing_each(40))
    field = [endpoint("gpt"), endpoint("llm")]
    bots = ["random", "target-total", "exact-drawer"]
    keys = {"bots": bots, "game": "sabacc", "format": "tables", "seats": 3, "games": 6}
    run = await started(database, resolver, field, answers, **keys)
    stored = await played_on(run)
    check_finished(stored, 6)
    assert answers.calls > 40


async def test_a_pause_finishes_what_is_in_progress_and_asks_nothing_twice(database, resolver):
    answers, pace = Answers(seconds=0.02), Pace()

    class Pausing(Progress):
        def matches_played(self, matches):
            super().matches_played(matches)
            pace.pausing = True

    run = await started(database, resolver, [endpoint("gpt", 6)], answers, bots=BOTS, games=20)
    stored = await played_on(run, pace=pace, progress=Pausing(run.plan))
    assert stored.summary.status is Status.INTERRUPTED
    assert 1 <= len(stored.played) <= 1 + 6 + 6
    assert pace.sent == 0
    check_finished(await played_on(run), 60)
    assert set(answers.asked.values()) == {1}


async def test_a_cancelled_run_ends_at_once(database, resolver):
    answers = Answers(seconds=60)
    run = await started(database, resolver, [endpoint("gpt", 6)], answers, bots=BOTS)
    with trio.move_on_after(0.5):
        await played_on(run)
    assert answers.most == 6
    assert tournament(database, 1).summary.status is Status.INTERRUPTED
    answers.seconds = 0
    check_finished(await played_on(run), 24)


async def test_what_may_begin_is_asked_before_each_match(database, resolver):
    lines: list[str] = []
    answers = Answers()
    run = await started(database, resolver, [endpoint("gpt", 2)], answers, bots=BOTS)
    budget = iter(range(5))

    def may_begin() -> str:
        return "" if next(budget, None) is not None else "$5 are spent"

    access = msgspec.structs.replace(answers.access, may_begin=may_begin)
    resolved = msgspec.structs.replace(run.resolved, access=access)
    run = msgspec.structs.replace(run, resolved=resolved)
    stored = await played_on(run, pace=Pace(notice=lines.append))
    assert (stored.summary.status, len(stored.played)) == (Status.INTERRUPTED, 5)
    assert lines == ["pausing: $5 are spent"]


CHILD = """
import sys, trio
from pathlib import Path
from arena_results.file.database import open_database
from arena_results.store.queries import tournament
from arena.plugins.registry import Registry
from arena.service.lookup.resolver import BotResolver
from arena.service.run.run import Run
from tests.endpoints.answering import *
from tests.endpoints.test_rolling import BOTS

answers = Answers(seconds=0.05, kept=Path(sys.argv[2]))
with open_database(sys.argv[1]) as database, BotResolver(Registry(), database) as resolver:
    resolved = with_endpoints(resolver, [endpoint("gpt", 5)], answers, bots=BOTS, games=20)
    trio.run(played_on, Run(resolved, tournament(database, 1), database))
"""


async def test_a_killed_run_asks_at_most_those_in_flight_again(database, resolver, tmp_path):
    kept = tmp_path / "kept"
    answers = Answers(kept=kept)
    run = await started(database, resolver, [endpoint("gpt", 5)], answers, bots=BOTS, games=20)
    kills = 0
    while kills < 2:
        command = [sys.executable, "-c", CHILD, database.url, str(kept)]
        with subprocess.Popen(command) as child:
            had = kept.stat().st_size if kept.exists() else 0
            while not kept.exists() or kept.stat().st_size < had + 1000:
                assert child.poll() is None
                await trio.sleep(0.01)
            os.kill(child.pid, signal.SIGKILL)
        kills += 1
    again = Answers(kept=kept)
    check_finished(await played_on(run, again), 60)
    twice = sum(again.asked.values()) - len(again.asked)
    assert twice <= 5 * kills


def test_built_in_bots_have_processes_beside_endpoints():
    """One that computes for long would hold up all questions."""
    house, gpt = Registry().resolve_bot("search"), endpoint("gpt")

    def answered(*bots, **keys):
        problems = Problems()
        found = beside_endpoints(read_spec(keys, problems), [*bots], problems)
        return [bot.answered_by for bot in found], [*problems]

    assert answered(house, gpt) == (["process", "endpoint"], [])
    assert answered(house, gpt, isolation="trusted") == (["host", "endpoint"], [])
    assert answered(house, house) == (["host", "host"], [])


def test_a_cluster_asks_no_endpoints():
    with pytest.raises(
        BadInput, match=r"^gpt: endpoints are asked from here; leave out --executor"
    ):
        check_executor("dask", [endpoint("gpt")])
    check_executor("local", [endpoint("gpt")])
