"""Lanes over places that fail, by the clock of the tests."""

from __future__ import annotations

import re

import pytest
import trio

from arena.core.errors import BadInput, HarnessFault, PlaceFailed
from arena.core.tournaments import lanes
from arena.core.tournaments.executor import NoOptions, Pace, Work
from arena.core.tournaments.lanes import Chunk, Lanes
from arena.core.tournaments.wire import Answer, PlayedChunk, decode_answer, decode_jobs, encode
from arena.plugins.registry import Registry
from tests.tournaments.executors.plays import jobs, match, start_worker
from tests.tournaments.executors.test_local import collect, pairing, places

LONGEST = 280.0


class Cluster:
    """Places by name, each with what it does to a chunk."""

    def __init__(self, **behaviours) -> None:
        self.behaviours, self.sent, self.void = behaviours, [], []
        self.work = Work(
            play=lambda *_: b"",
            setup=b"",
            pace=Pace(len(behaviours)),
            start_worker=start_worker,
            longest=LONGEST,
            report_void=self.report_void,
        )

    async def report_void(self, todo, reason) -> None:
        self.void += [(str(job.key), reason) for job in todo]

    async def play_chunk(self, chunk: Chunk) -> PlayedChunk:
        names = [*self.behaviours]
        name = next((each for each in names if each not in chunk.avoid), names[0])
        todo = decode_jobs(chunk.jobs)
        self.sent.append((name, [str(job.key) for job in todo]))
        with trio.move_on_after(chunk.deadline):
            return PlayedChunk(await self.behaviours[name](name, todo), name)
        raise PlaceFailed(name, "is frozen")

    async def play(self, number: int) -> list[str]:
        chunks: list = []
        executor = Lanes(self.work, self.play_chunk, lambda: 1)
        try:
            await collect(executor.play, jobs(number), chunks)
        finally:
            self.played = places(chunks)
        return self.played


def stopped(says: str):
    """Expects that a tournament stops with a line that begins so."""
    return pytest.RaisesGroup(
        pytest.RaisesExc(HarnessFault, match=f"^{re.escape(says)}"), flatten_subgroups=True
    )


async def well(name, todo) -> bytes:
    await trio.sleep(0.01)
    return encode([match(job) for job in todo])


async def fails(name, todo) -> bytes:
    raise PlaceFailed(name, "the disk is full")


async def frozen(name, todo) -> bytes:
    await trio.sleep_forever()
    raise AssertionError


def kills(key):
    async def play(name, todo) -> bytes:
        if key in [str(job.key) for job in todo]:
            raise PlaceFailed(name, "died")
        return await well(name, todo)

    return play


async def test_a_chunk_of_a_place_that_failed_is_played_elsewhere(autojump_clock):
    cluster = Cluster(a=fails, b=well)
    assert len(await cluster.play(30)) == 30
    assert cluster.sent[0] == ("a", ["1.1.1"])
    assert ("b", ["1.1.1"]) in cluster.sent
    assert cluster.void == []
    # Tried again from time to time, and not for every chunk.
    assert sum(name == "a" for name, _ in cluster.sent) <= 3


async def test_a_match_that_kills_three_places_is_void_and_the_others_go_on(autojump_clock):
    cluster = Cluster(**dict.fromkeys("abcd", kills("1.1.5")))
    with stopped("match 1.1.5 was void: 3 places failed with it; the last: "):
        await cluster.play(30)
    assert cluster.played == [str(job.key) for job in jobs(30) if job.key.leg != 5]
    assert [key for key, _ in cluster.void] == ["1.1.5"]
    killed = {name for name, keys in cluster.sent if keys == ["1.1.5"]}
    assert len(killed) == lanes.TRIES  # other places each time
    assert cluster.void[0][1] in {f"{name}: died" for name in killed}


async def test_a_frozen_place_costs_its_deadline_and_no_match(autojump_clock):
    cluster = Cluster(a=well, b=well)
    cluster.work.pace.seconds.update({0: 0.01, 1: 0.01})
    cluster.behaviours["a"] = frozen
    began = trio.current_time()
    assert len(await cluster.play(30)) == 30
    assert 10 < trio.current_time() - began < 30
    assert cluster.void == []


async def test_a_bot_that_is_not_known_has_all_the_time_of_its_limits(autojump_clock):
    async def late(name, todo) -> bytes:
        await trio.sleep(LONGEST)
        return await well(name, todo)

    cluster = Cluster(a=late)
    assert len(await cluster.play(1)) == 1


async def test_where_every_place_fails_the_tournament_stops_with_each_reason(autojump_clock):
    cluster = Cluster(a=fails, b=fails)
    with stopped("no place can play: a: the disk is full; b: the disk is full"):
        await cluster.play(200)


@pytest.mark.parametrize(
    "answer",
    [
        b"\xc1",
        encode([]),
        encode([match(jobs(9)[8])]),
        encode([match(jobs(1)[0]), match(jobs(1)[0])]),
    ],
    ids=["no matches", "none", "another", "twice"],
)
async def test_an_answer_that_is_wrong_is_a_failure_of_the_place(answer, autojump_clock):
    async def lies(name, todo) -> bytes:
        return answer

    cluster = Cluster(a=lies)
    with stopped("match 1.1.1 was void: 3 places failed with it; the last: a: sent "):
        await cluster.play(1)


@pytest.mark.parametrize(
    "data", [b"", b"\xc1", encode(["run", b""]), encode(Answer("place", b"full\n!"))]
)
def test_bytes_of_a_place_that_are_no_answer_are_its_failure(data):
    with pytest.raises(PlaceFailed) as raised:
        decode_answer(data, "w1")
    assert raised.value.place == "w1"


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("local(slots=2)", "slots: not available for executor local, which takes no options"),
        ("local(slots", "cannot read 'local.slots'"),
        ("grid", "unknown executor 'grid'"),
    ],
)
def test_an_option_that_an_executor_has_not_is_one_line(typed, says):
    with pytest.raises(BadInput, match=says):
        Registry().executor(typed)
    assert Registry().executor("local").options == NoOptions()


async def test_a_lane_that_has_nothing_to_play_sleeps_until_it_has(autojump_clock):
    class Steps(trio.abc.Instrument):
        number = 0

        def before_task_step(self, task) -> None:
            self.number += 1

    async def long(name, todo) -> bytes:
        await trio.sleep(100)
        return await well(name, todo)

    cluster, steps = Cluster(a=long), Steps()
    executor = Lanes(cluster.work, cluster.play_chunk, lambda: 8)
    trio.lowlevel.add_instrument(steps)
    await collect(executor.play, jobs(1), [])
    trio.lowlevel.remove_instrument(steps)
    assert steps.number < 200


def test_a_job_that_stands_aside_is_looked_at_once():
    class Counted(set):
        looks = 0

        def isdisjoint(self, seats) -> bool:
            self.looks += 1
            return super().isdisjoint(seats)

    tried, blocked = Counted([2, 3]), pairing(1, 1000, (2, 3))
    free = pairing(2, 1000, (0, 1))
    waiting = lanes._Waiting([*blocked, *free])
    assert [waiting.take(tried) for _ in free] == free
    assert tried.looks <= 2000
    assert waiting.take(tried) == blocked[0]  # there are no others
    waiting.join_again()
    waiting.put_first(blocked[:1])
    assert [waiting.take(set()) for _ in range(len(waiting))] == blocked
