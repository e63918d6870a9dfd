"""The runner: rounds from the format, every match once, results counted after they are stored."""

from __future__ import annotations

import random
from collections.abc import Sequence
from unittest.mock import ANY

import pytest
import trio
import trio.testing
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.formats.table_swiss import TableSwiss
from arena_tournaments.play.round_play import RoundPlay
from arena_tournaments.play.runner import Plan, run
from arena_tournaments.play.schedule import Schedule, match_points
from arena_tournaments.play.volume import Fixed, WithWinner, volume
from hypothesis import given
from hypothesis import strategies as st

from arena.core.chance.seeding import SeedOrigin, SeedSource
from arena.core.errors import BadStore, HarnessFault
from arena.core.outcome import Outcome, utilities
from arena.core.record import MatchKey, MatchRecord, Measurement, PlayedMatch
from arena.core.tournaments.executor import Pace
from arena.core.tournaments.format import Job, Pairing, PairingResult, Round, Tables
from tests.tournaments.plays import field_of, jobs_of_round, round_result

SEVEN = SeedSource(SeedOrigin.OPEN_SEED, seed=7).keys()
FIRST_TO_THREE = WithWinner(volume(None, 3, None, None, group=2))


def schedule(volume, rounds, mirrored=True) -> Schedule:
    return Schedule(SEVEN, mirrored, (volume,) * rounds)


SWISS = Plan(format=Swiss(), field=tuple(field_of(5)), rounds=3, schedule=schedule(Fixed(4), 3))
CYCLES = Plan(
    format=RoundRobin(), field=tuple(field_of(4)), rounds=6, schedule=schedule(Fixed(2), 6)
)
RACES = Plan(
    format=Swiss(), field=tuple(field_of(5)), rounds=3, schedule=schedule(FIRST_TO_THREE, 3)
)
ONE_ROUND = Plan(format=Swiss(), field=tuple(field_of(4)), rounds=1, schedule=schedule(Fixed(2), 1))
PLANS = {"swiss": SWISS, "cycles": CYCLES, "races": RACES}


def returns_of(job: Job) -> tuple[float, ...]:
    """Decided by the job's seed alone, as real matches of deterministic bots are."""
    rng = random.Random(job.seed + 3 * job.seats[0])
    return utilities([rng.randrange(3) for _ in job.seats])


class Here:
    """Plays in this task, in an order of its own, and stops at a given match."""

    def __init__(self, order: int = 0, chunk: int = 3, stop_after: int | None = None) -> None:
        self.order, self.chunk, self.left = order, chunk, stop_after
        self.jobs: list[Job] = []

    async def play(self, jobs, deliver):
        todo = list(jobs)
        random.Random(self.order).shuffle(todo)
        async with deliver:
            while todo:
                chunk, todo = todo[: self.chunk], todo[self.chunk :]
                if self.left is not None:
                    self.left -= 1
                    if self.left < 0:
                        raise HarnessFault("stopped here")
                self.jobs += chunk
                await deliver.send([played(job) for job in chunk])


def played(job: Job) -> PlayedMatch:
    outcome = Outcome(returns_of(job), (0, 0))
    record = MatchRecord("dice", "standard", "1", job.seed, ("a", "b"), (b"", b""), b"", outcome)
    return PlayedMatch(job.key, record, Measurement((1, 1), (1, 1)))


class Memory:
    """Keeps rounds and matches, and notes in which order."""

    def __init__(self) -> None:
        self.rounds: list[Round] = []
        self.matches: dict[MatchKey, tuple[float, ...]] = {}
        self.events: list[str] = []

    async def save_round(self, round):
        self.events.append(f"round {round.number}")
        self.rounds.append(round)
        return True

    async def write(self, matches):
        await trio.lowlevel.checkpoint()
        self.events.append(f"write {len(matches)}")
        for match in matches:
            assert match.key.round == self.rounds[-1].number
            assert match.key not in self.matches
            self.matches[match.key] = match.record.outcome.returns

    async def close_round(self, number):
        assert number == self.rounds[number - 1].number
        self.events.append(f"close {number}")


class Listener:
    """Records events, and checks that their matches are stored already."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.events = memory, []

    def round_started(self, play):
        assert play.round in self.memory.rounds
        self.events.append(f"round {play.round.number}: {play.matches} matches, {play.done} before")

    def matches_played(self, matches):
        assert all(match.key in self.memory.matches for match in matches)

    def round_finished(self, result):
        self.events.append(f"round {result.round.number} done")


async def tournament(
    plan: Plan, executor=None, memory: Memory | None = None, pace: Pace | None = None
):
    memory = memory or Memory()
    listener, before = Listener(memory), dict(memory.matches)

    def begin(round: Round) -> RoundPlay:
        play = RoundPlay(plan.schedule, round)
        for key, returns in before.items():
            if key.round == round.number:
                play.add(key, returns)
        return play

    results = await run(
        plan, tuple(memory.rounds), begin, executor or Here(), memory, listener, pace or Pace()
    )
    return results, memory, listener


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
async def test_no_order_of_execution_can_change_a_result(plan):
    expected, memory, _ = await tournament(plan)
    assert len(expected) == plan.rounds
    for order in (1, 2, 3):
        results, other, _ = await tournament(plan, Here(order, chunk=order))
        assert results == expected
        assert other.matches == memory.matches


class Faulty(Here):
    """Delivers other matches than its jobs are, and perhaps leaves its channels open."""

    def __init__(self, change, *, closes: bool = True) -> None:
        super().__init__()
        self.change, self.closes, self.kept = change, closes, []

    async def play(self, jobs, deliver):
        self.kept = [] if self.closes else [deliver, deliver.clone()]
        await deliver.send([played(job) for job in self.change(jobs)])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda jobs: [], "the executor delivered 0 of 8 matches of round 1"),
        (lambda jobs: jobs[1:], "the executor delivered 7 of 8 matches of round 1"),
        (lambda jobs: [*jobs, jobs[0]], "the executor delivered match 1.1.1 twice, or"),
        (
            lambda jobs: [Job(MatchKey(9, 1, 1), 1, 1, (0, 1)), *jobs],
            "the executor delivered match 9.1.1 twice, or without a job",
        ),
    ],
)
async def test_an_executor_that_delivers_other_matches_than_its_jobs_is_a_fault(change, says):
    memory = Memory()
    with trio.fail_after(60), pytest.RaisesGroup(pytest.RaisesExc(HarnessFault, match=says)):
        await tournament(SWISS, Faulty(change), memory)
    assert memory.rounds[1:] == []
    results, _, _ = await tournament(SWISS, memory=memory)
    assert len(results) == SWISS.rounds


async def test_an_executor_that_leaves_its_channels_open_does_not_hang():
    executor = Faulty(lambda jobs: jobs, closes=False)
    with trio.fail_after(60):
        results, _, _ = await tournament(SWISS, executor)
    for channel in executor.kept:
        channel.close()
    assert len(results) == SWISS.rounds


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
async def test_a_tournament_stopped_anywhere_is_resumed_to_the_same_end(plan):
    expected, whole, _ = await tournament(plan)
    for stop_after in range(8):
        memory, stopped = Memory(), Here(order=stop_after, stop_after=stop_after)
        with pytest.RaisesGroup(HarnessFault, flatten_subgroups=True):
            await tournament(plan, stopped, memory)
        goes_on = Here(order=9)
        results, _, _ = await tournament(plan, goes_on, memory)
        assert results == expected
        assert memory.matches == whole.matches
        kept = {job.key for job in stopped.jobs} & {job.key for job in goes_on.jobs}
        assert len(kept) <= stopped.chunk  # the chunk that was on its way when it stopped
        assert [round.number for round in memory.rounds] == list(range(1, plan.rounds + 1))


async def test_a_round_is_played_in_waves_until_every_pairing_is_decided():
    results, memory, listener = await tournament(RACES, Here(chunk=99))
    starts = [line for line in listener.events if line.startswith("round 1: ")]
    assert starts[0] == "round 1: 8 matches, 0 before"
    assert len(starts) > 1
    for past in results:
        for result in past.results:
            one, other = result.points
            assert one != other
            assert max(one, other) >= 3
    assert len(memory.matches) == sum(sum(each.points) for past in results for each in past.results)


async def test_a_finished_tournament_plays_nothing_more():
    expected, memory, _ = await tournament(SWISS)
    idle = Here(stop_after=0)
    results, _, listener = await tournament(SWISS, idle, memory)
    assert (results, idle.jobs) == (expected, [])
    assert listener.events[0] == "round 1: 8 matches, 8 before"


async def test_rounds_are_stored_before_matches_and_matches_before_events():
    _, memory, listener = await tournament(SWISS, Here(chunk=8))
    assert memory.events == [
        line for number in (1, 2, 3) for line in (f"round {number}", "write 8", f"close {number}")
    ]
    assert listener.events == [
        line
        for number in (1, 2, 3)
        for line in (f"round {number}: 8 matches, 0 before", f"round {number} done")
    ]


async def test_chunks_that_wait_are_stored_together():
    begun = trio.Event()

    class Many:
        async def play(self, jobs, deliver):
            async def lane(chunk, first):
                if not first:
                    await begun.wait()
                await deliver.send([played(job) for job in chunk])

            async with deliver, trio.open_nursery() as nursery:
                for place in range(0, len(jobs), 2):
                    nursery.start_soon(lane, jobs[place : place + 2], place == 0)

    class Slow(Memory):
        async def write(self, matches):
            begun.set()
            await trio.testing.wait_all_tasks_blocked()
            await super().write(matches)

    plan = Plan(format=Swiss(), field=tuple(field_of(40)), rounds=1, schedule=SWISS.schedule)
    _, memory, _ = await tournament(plan, Many(), Slow())
    assert memory.events == ["round 1", "write 2", "write 78", "close 1"]


async def test_a_failing_store_stops_the_tournament():
    class Full(Memory):
        async def write(self, matches):
            raise BadStore("the disk is full")

    with pytest.RaisesGroup(BadStore, flatten_subgroups=True):
        await tournament(SWISS, memory=Full())


async def test_a_matchs_place_gives_its_seed_and_mirrored_legs_share_it():
    executor = Here()
    await tournament(SWISS, executor)
    by_place = {job.key: job for job in executor.jobs}
    for place, job in by_place.items():
        other = place.leg + 1 if place.leg % 2 else place.leg - 1
        twin = by_place[MatchKey(place.round, place.pairing, other)]
        assert (job.seed, job.seats) == (twin.seed, twin.seats[::-1])
        assert job.bot_seed != twin.bot_seed
    assert len({job.seed for job in executor.jobs}) == len(executor.jobs) // 2


def result(points: Sequence[tuple[float, float]], legs: Sequence[tuple[int, int]]):
    round = Round(1, (Pairing((0, 1)),), (2,))
    jobs = [Job(MatchKey(1, 1, leg), 1, 1, seats) for leg, seats in enumerate(legs, start=1)]
    returns = {MatchKey(1, 1, leg): pair for leg, pair in enumerate(points, start=1)}
    return round_result(round, jobs, returns).results[0].points


def test_match_points_go_to_the_entrant_in_any_seat():
    assert result([(1, -1), (1, -1)], [(0, 1), (1, 0)]) == (1, 1)
    assert result([(1, -1), (-1, 1)], [(0, 1), (1, 0)]) == (2, 0)
    assert result([(0, 0), (0.5, -0.5)], [(0, 1), (1, 0)]) == (0.5, 1.5)


def test_matches_that_are_not_played_yet_count_nothing():
    assert result([(1, -1)], [(0, 1), (1, 0), (0, 1)]) == (1, 0)
    assert result([], [(0, 1)]) == (0, 0)


def test_a_match_of_two_is_worth_one_a_half_or_nothing():
    values = [match_points((utility, -utility))[0] for utility in (1.0, 0.25, 0.0, -0.5)]
    assert values == [1, 1, 0.5, 0]


def test_a_match_at_a_table_is_worth_the_share_of_the_opponents_beaten():
    assert match_points((1.0, 1 / 3, -1 / 3, -1.0)) == (1, 2 / 3, 1 / 3, 0)
    assert match_points((0.5, 0.5, -1.0)) == (0.75, 0.75, 0)
    assert match_points((0.0,) * 5) == (0.5,) * 5


@given(places=st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_utilities_give_exact_match_points_that_sum_to_half_a_point_a_seat(places):
    returns = utilities(places)
    points = match_points(returns)
    assert points == pytest.approx([(utility + 1) / 2 for utility in returns])
    assert sum(points) == pytest.approx(len(places) / 2)


def test_a_table_has_the_points_of_each_pair_and_its_sole_winner():
    round = Round(1, (Pairing((4, 7, 2)),))
    jobs = jobs_of_round(round, SEVEN, 3)
    assert [job.seats for job in jobs] == [(4, 7, 2), (7, 2, 4), (2, 4, 7)]
    orders = [(1, 2, 3), (1, 1, 3), (3, 1, 2)]
    returns = {job.key: utilities(order) for job, order in zip(jobs, orders, strict=True)}
    (table,) = round_result(round, jobs, returns).results
    # 4 finished first, third, first; 7 second, first with 2, second; 2 third, first with 7, third.
    assert table.won == (2, 0, 0)
    assert table.duels == ((0, 2, 2), (1, 0, 2.5), (1, 0.5, 0))
    assert table.points == (2, 1.75, 0.75)
    assert (table.against(0, 1), table.against(1, 2)) == (2, 2.5)


def test_at_a_table_of_two_the_points_are_those_of_the_pair():
    table = PairingResult(Pairing((3, 1)), (1.5, 0.5))
    assert (table.against(0, 1), table.against(1, 0)) == (1.5, 0.5)


async def test_tables_are_played_like_pairs():
    plan = Plan(
        format=TableSwiss(),
        field=tuple(field_of(7)),
        rounds=3,
        schedule=schedule(Fixed(4), 3),
        tables=Tables(4, 2),
    )
    executor = Here()
    results, memory, _ = await tournament(plan, executor)
    assert [len(past.results) for past in results] == [2, 2, 2]
    assert {len(job.seats) for job in executor.jobs} == {3, 4}
    assert len(memory.matches) == 3 * 2 * 4
    again, _, _ = await tournament(plan, Here(order=5, chunk=1))
    assert again == results


@pytest.mark.parametrize("last", [0, 1])
async def test_a_pause_after_a_round_pairs_no_other_and_changes_no_result(last):
    expected, _, _ = await tournament(SWISS)
    results, memory, listener = await tournament(SWISS, pace=Pace(last_round=last))
    assert results is None
    assert len(memory.rounds) == 1
    assert listener.events[-1] == "round 1 done"
    assert await tournament(SWISS, memory=memory, pace=Pace(last_round=3)) == (
        expected,
        memory,
        ANY,
    )


class Pausing(Here):
    """Looks at the pace before every chunk; a pause is asked for after the second."""

    def __init__(self, pace: Pace) -> None:
        super().__init__()
        self.pace = pace

    async def play(self, jobs, deliver):
        async with deliver:
            for job in jobs:
                if self.pace.pausing:
                    return
                await deliver.send([played(job)])
                self.jobs.append(job)
                self.pace.request("match" if len(self.jobs) == 2 else "", None)


async def test_a_pause_after_a_match_leaves_the_others_for_later():
    expected, _, _ = await tournament(SWISS)
    pace = Pace()
    results, memory, _ = await tournament(SWISS, Pausing(pace), pace=pace)
    assert (results, len(memory.matches), len(memory.rounds)) == (None, 2, 1)
    results, _, _ = await tournament(SWISS, memory=memory)
    assert results == expected


async def test_a_tournament_that_pauses_with_its_last_match_is_finished():
    pace = Pace(pausing=True)
    results, _, _ = await tournament(ONE_ROUND, pace=pace)
    assert len(results) == 1
