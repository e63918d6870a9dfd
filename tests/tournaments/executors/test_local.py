"""Real worker processes: every job is played once, however workers end."""

from __future__ import annotations

import math
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
import trio
from arena_tournaments.executors.local import open_local_executor

from arena.core.errors import BadPlugin, HarnessFault
from arena.core.record import MatchKey, Measurement, PlayedMatch
from arena.core.tournaments import lanes
from arena.core.tournaments.executor import Pace, Work
from arena.core.tournaments.format import Job
from arena.core.tournaments.lanes import Chunk
from arena.core.tournaments.wire import PlayedChunk, decode_jobs, encode
from tests.tournaments.executors.plays import jobs, match, play, setup, start_worker, surroundings

pytestmark = pytest.mark.usefixtures("spawned_workers")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def count(log: Path) -> Counter[str]:
    """The number of times that each job was begun."""
    return Counter(log.read_text().split())


def work(prepared: bytes, concurrency: int, **more: object) -> Work:
    return Work(
        setup=prepared,
        **{"play": play, "start_worker": start_worker, "pace": Pace(concurrency)} | more,
    )


async def drain(
    prepared: bytes, todo: Sequence[Job], concurrency: int = 2, **more: object
) -> list[list[PlayedMatch]]:
    """All chunks, as they were delivered."""
    chunks: list[list[PlayedMatch]] = []
    async with open_local_executor(work(prepared, concurrency, **more)) as executor:
        await collect(executor.play, todo, chunks)
    return chunks


async def collect(run, todo, chunks) -> None:
    send, receive = trio.open_memory_channel[list[PlayedMatch]](0)
    async with receive, trio.open_nursery() as nursery:
        nursery.start_soon(run, todo, send)
        async for chunk in receive:
            chunks.append(chunk)


def places(chunks: Sequence[Sequence[PlayedMatch]]) -> list[str]:
    return sorted((str(match.key) for chunk in chunks for match in chunk), key=leg_of)


def leg_of(place: str) -> int:
    return int(place.rpartition(".")[2])


async def test_every_job_is_played_once_by_as_many_processes_as_asked(log):
    todo = jobs(300)
    chunks = await drain(setup(log), todo)
    assert places(chunks) == [str(job.key) for job in todo]
    assert set(count(log).values()) == {1}
    assert len({match.measurement.requests[0] for chunk in chunks for match in chunk}) == 2


async def test_chunks_grow_to_what_there_is_time_for(log, monkeypatch):
    monkeypatch.setattr(lanes, "CHUNK_SECONDS", 0.05)
    chunks = await drain(setup(log), jobs(60), concurrency=1)
    sizes = [len(chunk) for chunk in chunks]
    assert sizes[:2] == [lanes.FIRST_CHUNK, 2 * lanes.FIRST_CHUNK]
    # At 4 ms a match no more than 13 fit into 50 ms, however many were sent.
    assert max(sizes) <= 13
    assert sum(sizes) == 60


async def test_no_jobs_need_no_workers(log):
    assert await drain(setup(log), []) == []


async def test_an_executor_plays_round_after_round(log):
    chunks: list[list[PlayedMatch]] = []
    async with open_local_executor(work(setup(log), 1)) as executor:
        await collect(executor.play, jobs(5), chunks)
        await collect(executor.play, jobs(3), chunks)
    assert [len(chunk) for chunk in chunks] == [1, 2, 2, 1, 2]
    assert len({match.measurement.requests[0] for chunk in chunks for match in chunk}) == 1


async def test_after_a_fault_the_chunk_is_void_and_played_again_one_by_one(log):
    chunks = await drain(setup(log, "once", "1.1.3"), jobs(4), concurrency=1)
    assert places(chunks) == ["1.1.1", "1.1.2", "1.1.3", "1.1.4"]
    assert [len(chunk) for chunk in chunks] == [1, 1, 1, 1]
    assert count(log) == {"1.1.1": 1, "1.1.2": 2, "1.1.3": 2, "1.1.4": 1}


async def test_matches_that_failed_are_reported_before_they_are_played_again(log):
    reports = []

    async def report_void(todo, reason):
        reports.append(([str(job.key) for job in todo], reason, dict(count(log))))

    await drain(setup(log, "once", "1.1.3"), jobs(4), concurrency=1, report_void=report_void)
    begun = {"1.1.1": 1, "1.1.2": 1, "1.1.3": 1}
    chunk = ["1.1.2", "1.1.3"]
    assert reports == [(chunk, "the first time only", begun)]
    reports.clear()
    log.unlink()
    with pytest.RaisesGroup(HarnessFault, allow_unwrapped=True, flatten_subgroups=True):
        await drain(setup(log, "die", "1.1.1"), jobs(1), concurrency=1, report_void=report_void)
    assert [each[0] for each in reports] == [["1.1.1"]] * (1 + lanes.TRIES)
    assert {each[1] for each in reports} == {"the worker process died; a bot may have ended it"}


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("fault", "the dice are loaded"),
        ("die", "the worker process died; a bot may have ended it"),
        ("hang", "did not answer for 3 s and was killed; a bot may have stopped it"),
    ],
)
async def test_a_match_that_is_void_again_and_again_stops_only_itself(log, behaviour, message):
    chunks: list[list[PlayedMatch]] = []
    patience = 3.0 if behaviour == "hang" else math.inf
    with pytest.RaisesGroup(HarnessFault, allow_unwrapped=True, flatten_subgroups=True) as raised:
        prepared = work(
            setup(log, behaviour, "1.1.3"),
            1,
            describe=lambda job: f"match {job.key} (a against b)",
            patience=patience,
        )
        async with open_local_executor(prepared) as executor:
            await collect(executor.play, jobs(4), chunks)
    error = raised.value
    while isinstance(error, BaseExceptionGroup):
        (error,) = error.exceptions
    assert str(error).startswith("match 1.1.3 (a against b) was void 3 times: ")
    assert str(error).endswith(message)
    assert places(chunks) == ["1.1.1", "1.1.2", "1.1.4"]
    assert count(log)["1.1.3"] == 1 + lanes.TRIES


async def test_bad_input_in_a_worker_is_not_tried_again(log):
    with pytest.RaisesGroup(BadPlugin, flatten_subgroups=True):
        await drain(setup(log, "plugin", "1.1.1"), jobs(4), concurrency=1)
    assert count(log) == {"1.1.1": 1}


async def test_a_worker_that_will_not_end_is_killed_and_its_matches_stand(log):
    chunks = await drain(setup(log, "linger", "1.1.2"), jobs(3), concurrency=1)
    assert places(chunks) == ["1.1.1", "1.1.2", "1.1.3"]
    assert trio_workers() == []


async def test_cancelling_kills_running_workers_at_once(log):
    """The hanging match never ends by itself."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(drain, setup(log, "hang", "1.1.1"), jobs(2))
        while not log.exists():
            await trio.sleep(0.01)
        nursery.cancel_scope.cancel()
    assert trio_workers() == []


def trio_workers() -> list[str]:
    import multiprocessing

    return [child.name for child in multiprocessing.active_children()]


async def test_workers_have_a_fixed_hash_seed_and_not_the_callers_main_module(log, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "77")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    main = sys.modules["__main__"]
    before = main.__spec__
    async with open_local_executor(work(b"", 1, play=surroundings)) as executor:
        with pytest.raises(ExceptionGroup) as group:
            await collect(executor.play, jobs(1), [])
    (fault,) = unpacked(group.value)
    assert "seed 0, main " in str(fault)
    assert str(getattr(main, "__file__", "?")) not in str(fault)
    assert (main.__spec__, os.environ["PYTHONHASHSEED"]) == (before, "77")
    assert "OPENBLAS_NUM_THREADS" not in os.environ


def unpacked(error: BaseException) -> list[BaseException]:
    """The errors of a group of groups."""
    if isinstance(error, BaseExceptionGroup):
        return [leaf for each in error.exceptions for leaf in unpacked(each)]
    return [error]


async def test_a_pause_lets_the_chunks_under_way_finish(log):
    pace = Pace(2)
    chunks: list[list[PlayedMatch]] = []
    async with open_local_executor(work(setup(log), 2, pace=pace)) as executor:

        async def pausing(todo, deliver):
            await executor.play(todo, deliver)

        send, receive = trio.open_memory_channel[list[PlayedMatch]](0)
        async with receive, trio.open_nursery() as nursery:
            nursery.start_soon(pausing, jobs(10_000), send)
            async for chunk in receive:
                chunks.append(chunk)
                pace.pausing = True
    assert places(chunks) == sorted(count(log), key=leg_of)
    assert 1 <= len(chunks) <= 3
    assert pace.sent == 0


@pytest.mark.thorough("tests/cli/test_organising.py changes it from another terminal")
async def test_the_concurrency_may_change_while_it_plays(log, monkeypatch):
    monkeypatch.setattr(lanes, "CHUNK_SECONDS", 0.01)
    pace, workers = Pace(1), []
    todo = jobs(2_000)
    async with open_local_executor(work(setup(log), 1, pace=pace)) as executor:
        send, receive = trio.open_memory_channel[list[PlayedMatch]](0)
        async with receive, trio.open_nursery() as nursery:
            nursery.start_soon(executor.play, todo, send)
            async for chunk in receive:
                workers += [match.measurement.requests[0] for match in chunk]
                pace.request("", 2 if len(workers) < 1_000 else 1)
    assert len(workers) == 2_000
    assert set(count(log).values()) == {1}
    assert len(set(workers)) == 2
    assert len(set(workers[-200:])) == 1


def pairing(number: int, legs: int, seats: tuple[int, int]) -> list[Job]:
    return [Job(MatchKey(1, number, leg), leg, leg, seats) for leg in range(1, legs + 1)]


def slow_of_2(job: Job) -> PlayedMatch:
    """A match in which entry 2 is slow."""
    times = tuple([2_000_000_000 * (seat == 2) for seat in job.seats])
    return msgspec.structs.replace(match(job), measurement=Measurement(times, (1, 1)))


async def test_matches_of_a_slow_bot_are_sent_singly_after_quick_ones(monkeypatch):
    monkeypatch.setattr(lanes, "PAUSE_SECONDS", 0)
    sent: list[list[str]] = []

    async def play_chunk(chunk: Chunk) -> PlayedChunk:
        todo = decode_jobs(chunk.jobs)
        sent.append([str(job.key) for job in todo])
        return PlayedChunk(encode([slow_of_2(job) for job in todo]))

    pace = Pace(1)
    executor = lanes.Lanes(work(b"", 1, pace=pace), play_chunk)
    await collect(executor.play, [*pairing(1, 3, (2, 0)), *pairing(2, 3, (0, 1))], [])
    assert sent == [["1.1.1"], ["1.2.1"], ["1.2.2", "1.2.3"], ["1.1.2"], ["1.1.3"]]
    sent.clear()  # after a ruling another executor goes on at the same pace
    executor = lanes.Lanes(work(b"", 1, pace=pace), play_chunk)
    await collect(executor.play, [*pairing(3, 3, (0, 2)), *pairing(4, 3, (1, 0))], [])
    assert sent == [["1.4.1"], ["1.4.2", "1.4.3"], ["1.3.1"], ["1.3.2"], ["1.3.3"]]


async def test_an_unknown_bot_keeps_one_lane_while_others_have_matches():
    sent: list[str] = []

    async def play_chunk(chunk: Chunk) -> PlayedChunk:
        todo = decode_jobs(chunk.jobs)
        sent.extend(str(job.key) for job in todo)
        assert todo[0].seats == (0, 1) or len(todo) == 1
        while 2 in todo[0].seats and len(sent) < 6:
            await trio.sleep(0)
        return PlayedChunk(encode([slow_of_2(job) for job in todo]))

    executor = lanes.Lanes(work(b"", 2), play_chunk)
    with trio.fail_after(20):
        todo = [*pairing(1, 2, (2, 3)), *pairing(2, 4, (0, 1))]
        await collect(executor.play, todo, [])
    assert sent == ["1.1.1", "1.2.1", "1.2.2", "1.2.3", "1.2.4", "1.1.2"]


async def test_a_match_of_a_slow_bot_waits_until_it_is_known_what_others_played():
    sent: list[str] = []
    pace = Pace(1, seconds={0: 0.0, 1: 0.0, 2: 5.0})

    async def play_chunk(chunk: Chunk) -> PlayedChunk:
        todo = decode_jobs(chunk.jobs)
        sent.extend(str(job.key) for job in todo)
        return PlayedChunk(encode([slow_of_2(job) for job in todo]))

    executor = lanes.Lanes(work(b"", 1, pace=pace), play_chunk)
    send, receive = trio.open_memory_channel[list[PlayedMatch]](1)
    async with receive, trio.open_nursery() as nursery:
        nursery.start_soon(executor.play, [*pairing(1, 1, (0, 2)), *pairing(2, 1, (0, 1))], send)
        async for _ in receive:
            await trio.sleep(lanes.PAUSE_SECONDS / 10)  # until it is stored
            pace.recalled = True  # entry 2 rests
    assert sent == ["1.2.1"]


async def test_jobs_of_a_slow_bot_that_are_put_back_wait_for_those_of_quick_ones(monkeypatch):
    monkeypatch.setattr(lanes, "PAUSE_SECONDS", 0)
    sent: list[str] = []
    waits = {"1.2.1": "1.2.3", "1.2.3": "1.3.1", "1.3.1": "1.2.4"}  # or 1.3.2, as it should be

    async def play_chunk(chunk: Chunk) -> PlayedChunk:
        todo = decode_jobs(chunk.jobs)
        first, slow = todo[0], 2 in todo[0].seats
        sent.append(str(first.key))
        other = waits.get(sent[-1])
        while other is not None and other not in sent and "1.3.2" not in sent:
            await trio.sleep(0)
        await trio.sleep(0)
        assert slow or len(todo) == 1
        return PlayedChunk(encode([slow_of_2(first)]))

    pace = Pace(2, seconds=dict.fromkeys(range(3), 0.0))  # entry 2 was quick before
    executor = lanes.Lanes(work(b"", 1, pace=pace), play_chunk)
    todo = [*pairing(1, 2, (0, 1)), *pairing(2, 4, (2, 0)), *pairing(3, 2, (0, 1))]
    with trio.fail_after(20):
        await collect(executor.play, todo, [])
    assert sent[:6] == ["1.1.1", "1.1.2", "1.2.1", "1.2.3", "1.3.1", "1.3.2"]
    assert sorted(sent[6:]) == ["1.2.2", "1.2.4"]
