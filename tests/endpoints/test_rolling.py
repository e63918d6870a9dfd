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

from arena.core.errors import BadInput, CostLimit, EndpointFailed
from arena.core.outcome import RULE_ENDINGS
from arena.core.tournaments.executor import Pace
from arena.plugins.registry import Registry
from arena.service.answers.errors import Problems
from arena.service.run.run import begin
from arena.service.run.watching.progress import Progress
from arena.service.setup.field import beside_endpoints, check_executor
from tests.endpoints.answering import (
    Answers,
    endpoint,
    failing_each,
    played_on,
    resolved,
    with_endpoints,
)


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    with open_database(f"sqlite:///{folder}/runs.db") as database:
        yield database


@pytest.fixture(scope="module")
def field(database):
    return resolved(database)


@pytest.fixture
def start(database, field):
    async def start(endpoints, answers, field=field):
        return await begin(database, with_endpoints(field, endpoints, answers))

    return start


def check_finished(stored, played: int) -> None:
    assert (stored.summary.status, len(stored.played)) == (Status.FINISHED, played)
    assert stored.void == ()


async def test_endpoints_and_confined_bots_meet_many_matches_at_a_time(database, start):
    answers = Answers(seconds=0.05)
    field = [endpoint("gpt", parallel=4), endpoint("llm", parallel=2)]
    run = await start(field, answers)
    check_finished(await played_on(run), 24)
    assert answers.most == 6  # as many as may be asked at a time
    assert set(answers.asked.values()) == {1}
    for _, match in matches(database, run.number):
        measured, levels = match.measurement, match.measurement.isolation.split(",")
        seats = [seat.split(" ")[0] for seat in match.record.seats]
        if len(levels) == 1:
            levels *= 2
        for seat, level, took in zip(seats, levels, measured.nanoseconds, strict=True):
            asked = seat.startswith(("gpt", "llm"))
            assert level == ("endpoint" if asked else "process")
            assert (took == 0) is asked


async def test_a_call_that_fails_sets_its_match_aside_and_nothing_is_asked_twice(database, start):
    lines: list[str] = []
    answers = Answers(seconds=0.002, fails=failing_each(5))
    run = await start([endpoint("gpt", 16)], answers)
    stored = await played_on(run, pace=Pace(notice=lines.append))
    check_finished(stored, 24)
    assert lines == ["gpt: HTTP 529; a match is set aside, and goes on later"]
    again = sum(answers.asked.values()) - len(answers.asked)
    assert again == answers.calls // 5  # those that failed
    for _, match in matches(database, run.number):
        assert match.record.outcome.termination in RULE_ENDINGS


async def test_an_endpoint_that_fails_for_a_while_costs_no_match(database, start):
    until = time.monotonic() + 2

    def fails(call: int) -> None:
        if call > 20 and time.monotonic() < until:
            raise EndpointFailed("gpt: HTTP 529")

    answers = Answers(seconds=0.01, fails=fails)
    run = await start([endpoint("gpt")], answers)
    check_finished(await played_on(run), 24)


async def test_an_endpoint_that_fails_for_ever_pauses_the_run_which_goes_on(database, start):
    lines: list[str] = []

    def fails(call: int) -> None:
        if call > 30:
            raise EndpointFailed("gpt: HTTP 401: the key is refused", retry=False)

    answers = Answers(seconds=0.001, fails=fails)
    run = await start([endpoint("gpt", 4)], answers)
    stored = await played_on(run, pace=Pace(notice=lines.append))
    assert stored.summary.status is Status.INTERRUPTED
    assert 0 < len(stored.played) < 24
    assert lines == ["pausing: gpt: HTTP 401: the key is refused"]
    answers.fails = lambda call: None
    check_finished(await played_on(run), 24)
    again = [question for question, count in answers.asked.items() if count > 1]
    assert 1 <= len(again) <= 4  # those in flight when it failed


async def test_tables_of_three_with_two_endpoints(database, start):
    answers = Answers(seconds=0.001, fails=failing_each(40))
    bots = ["random", "target-total", "exact-drawer"]
    keys = {"bots": bots, "game": "sabacc", "format": "tables", "seats": 3, "games": 6}
    tables = await trio.to_thread.run_sync(lambda: resolved(database, **keys))
    run = await start([endpoint("gpt"), endpoint("llm")], answers, tables)
    stored = await played_on(run)
    check_finished(stored, 6)
    assert answers.calls > 40


async def test_a_pause_finishes_what_is_in_progress_and_asks_nothing_twice(database, start):
    answers, pace = Answers(seconds=0.02), Pace()

    class Pausing(Progress):
        def matches_played(self, matches):
            super().matches_played(matches)
            pace.pausing = True

    run = await start([endpoint("gpt", 6)], answers)
    stored = await played_on(run, pace=pace, progress=Pausing(run.plan))
    assert stored.summary.status is Status.INTERRUPTED
    assert 1 <= len(stored.played) <= 1 + 6 + 6
    assert pace.sent == 0
    check_finished(await played_on(run), 24)
    assert set(answers.asked.values()) == {1}


async def test_a_cancelled_run_ends_at_once(database, start):
    answers = Answers(seconds=600)
    run = await start([endpoint("gpt", 6)], answers)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(played_on, run)
        while answers.now < 6:
            await trio.sleep(0.01)
        nursery.cancel_scope.cancel()
    assert tournament(database, run.number).summary.status is Status.INTERRUPTED
    answers.seconds = 0
    check_finished(await played_on(run), 24)


async def test_what_may_begin_is_asked_before_each_match(database, start):
    lines: list[str] = []
    answers = Answers()
    run = await start([endpoint("gpt", 2)], answers)
    budget = iter(range(5))

    def may_begin(match) -> CostLimit | None:
        return None if next(budget, None) is not None else CostLimit("$5 are spent", 10.0)

    access = msgspec.structs.replace(answers.access, may_begin=may_begin)
    resolved = msgspec.structs.replace(run.resolved, access=access)
    run = msgspec.structs.replace(run, resolved=resolved)
    pace = Pace(notice=lines.append)
    stored = await played_on(run, pace=pace)
    assert (stored.summary.status, len(stored.played)) == (Status.INTERRUPTED, 5)
    assert pace.enough == 10.0
    assert lines == ["pausing: $5 are spent"]


CHILD = """
import sys, trio
from pathlib import Path
from arena_results.file.database import open_database
from arena_results.store.queries import tournament
from arena.service.run.run import Run
from tests.endpoints.answering import Answers, endpoint, played_on, resolved, with_endpoints

number, answers = int(sys.argv[2]), Answers(seconds=0.1, kept=Path(sys.argv[3]))
with open_database(sys.argv[1]) as database:
    field = with_endpoints(resolved(database), [endpoint("gpt", 5)], answers)
    trio.run(played_on, Run(field, tournament(database, number), database))
"""


async def test_a_killed_run_asks_at_most_those_in_flight_again(database, start, tmp_path):
    kept = tmp_path / "kept"
    kept.touch()
    run = await start([endpoint("gpt", 5)], Answers())
    command = [sys.executable, "-c", CHILD, database.url, str(run.number), str(kept)]
    with subprocess.Popen(command) as child:
        while kept.stat().st_size < 500:
            assert child.poll() is None
            await trio.sleep(0.01)
        os.kill(child.pid, signal.SIGKILL)
    again = Answers(kept=kept)
    assert 0 < len(again.answered) < 100
    check_finished(await played_on(run, again), 24)
    assert sum(again.asked.values()) - len(again.asked) <= 5


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
