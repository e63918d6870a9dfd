"""One place waits for all processes: what has come, what is late, and what interrupts it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from time import perf_counter_ns

import pytest
import trio

from arena.host.play.arrivals import Arrivals
from tests.host.confined_plays import SECOND

FAR = 1000 * SECOND


class Asked:
    """Somebody who waits for what comes out of a pipe."""

    def __init__(self, late_in_ns: int = FAR) -> None:
        self.reads, self.writes = os.pipe()
        self.late_from_ns = perf_counter_ns() + late_in_ns

    @property
    def events(self) -> Asked:
        return self

    def fileno(self) -> int:
        return self.reads

    def answer(self) -> None:
        os.write(self.writes, b".")

    def close(self) -> None:
        os.close(self.reads)
        os.close(self.writes)


def another_of_its_number(gone: Asked) -> Asked:
    gone.close()
    again = Asked()
    assert again.reads == gone.reads
    return again


@pytest.fixture
def asked() -> Iterator[list[Asked]]:
    everybody = [Asked() for _ in range(3)]
    yield everybody
    for one in everybody:
        one.close()


def test_those_are_found_who_have_been_answered_and_each_once(asked):
    async def main() -> None:
        with Arrivals[Asked]() as arrivals:
            for one in asked:
                arrivals.expect(one)
            asked[2].answer()
            asked[0].answer()
            assert {*await arrivals.wait()} == {asked[0], asked[2]}
            asked[1].answer()
            assert await arrivals.wait() == [asked[1]]
            arrivals.expect(asked[2])  # there is still something to read
            assert await arrivals.wait() == [asked[2]]

    trio.run(main)


def test_nobody_is_found_who_is_not_expected(asked):
    async def main() -> None:
        with Arrivals[Asked]() as arrivals:
            arrivals.expect(asked[0])
            asked[1].answer()
            with trio.move_on_after(0.05) as scope:
                await arrivals.wait()
            assert scope.cancelled_caught

    trio.run(main)


def test_a_wait_ends_when_somebody_is_late_or_it_is_interrupted(asked):
    async def main() -> None:
        late = Asked(late_in_ns=SECOND // 100)
        with Arrivals[Asked]() as arrivals:
            arrivals.expect(asked[0])
            arrivals.expect(late)
            assert await arrivals.wait() == [late]
            async with trio.open_nursery() as nursery:
                nursery.start_soon(interrupt, arrivals)
                assert await arrivals.wait() == []
        late.close()

    async def interrupt(arrivals: Arrivals[Asked]) -> None:
        arrivals.interrupt()

    trio.run(main)


def test_an_answer_in_time_is_not_late_because_others_come_first(asked):
    async def main() -> None:
        late = Asked(late_in_ns=1)
        with Arrivals[Asked]() as arrivals:
            arrivals.expect(late)
            late.answer()
            assert await arrivals.wait() == [late]  # once
            asked[0].answer()
            arrivals.expect(asked[0])
            assert await arrivals.wait() == [asked[0]]
        late.close()

    trio.run(main)


def test_a_number_of_a_descriptor_may_come_again(asked):
    async def main() -> None:
        with Arrivals[Asked]() as arrivals:
            gone = Asked()
            arrivals.expect(gone)
            gone.answer()
            assert await arrivals.wait() == [gone]
            again = another_of_its_number(gone)
            arrivals.expect(again)
            again.answer()
            assert await arrivals.wait() == [again]
            again.close()

    trio.run(main)


def test_what_is_let_go_is_not_found_though_a_fork_still_holds_it(asked):
    async def main() -> None:
        with Arrivals[Asked]() as arrivals:
            gone = Asked()
            arrivals.expect(gone)
            gone.answer()
            assert await arrivals.wait() == [gone]
            copy = os.dup(gone.reads)  # as a fork has one
            arrivals.forget(gone.events)
            again = another_of_its_number(gone)
            arrivals.expect(again)
            assert arrivals.found() == []
            again.answer()
            assert arrivals.found() == [again]
            again.close()
            os.close(copy)

    trio.run(main)
