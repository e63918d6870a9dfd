"""Estimates how long a tournament takes, and fits one into a budget of time.

Both go by a short calibration: real matches of the field at its level of isolation, which are
stored nowhere. Their deals come from a key of their own, so that they show nothing of the
tournament's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, count, islice
from math import ceil, lcm
from statistics import fmean

import msgspec
import trio
from arena_results.ratings.systems.elo import START
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.stages import Staged
from arena_tournaments.formats.table_round_robin import TableRoundRobin
from arena_tournaments.play.runner import Plan
from arena_tournaments.play.schedule import Schedule, counted_result, seatings
from arena_tournaments.play.volume import Fixed

from arena.core.actions import unpack_ids
from arena.core.chance.seeding import SeedOrigin, SeedSource, fresh_key
from arena.core.errors import BadInput, HarnessFault
from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournaments.executor import Executor, Pace
from arena.core.tournaments.format import Format, Job, Round, RoundResult
from arena.plugins.entries import BotSource
from arena.plugins.options import option
from arena.service.run.ahead.precision import EQUALS, information
from arena.service.run.executors.executors import open_executor
from arena.service.run.watching.progress import matches_by_round
from arena.service.setup.formats import budget_seconds
from arena.service.setup.resolve import ResolvedTournament

CALIBRATION_SECONDS = 3.0
"""Seconds of a calibration without its start, about; of a budget at most ``SHARE``."""
SHARE = 0.05
STEADY = 4
"""Deliveries a worker in the second half of a calibration that show its rate without the start;
with fewer the whole time counts."""
MAX_ROUNDS = 100
"""Rounds of which a calibration is made, at most."""
MAX_WAVE = 10_000
"""Matches that a calibration has played together, at most."""
MAX_GAMES = 1_000_000
STAND_IN = "random"
"""The bot that sits in the places of language models."""


class Speed(msgspec.Struct, frozen=True):
    """The result of a calibration.

    Attributes:
        matches: Number of matches that it played.
        seconds: Time that it took, with the start of workers and bots.
        start: The part of that which does not grow with the number of matches.
        workers: Number of matches, or chunks of them, that were played at a time.
        information: About a difference of two strengths in a match at a table of two.
        decisions: Mean number of decisions of a seat in a match.
    """

    matches: int
    seconds: float
    start: float
    workers: int
    information: float = EQUALS
    decisions: float = 0.0

    def time(self, matches: int) -> float:
        """Seconds that that many matches take."""
        return self.start + matches * (self.seconds - self.start) / self.matches


async def measured(resolved: ResolvedTournament) -> tuple[ResolvedTournament, Speed]:
    """Calibrates a tournament; one with a budget gets as many matches per pairing as fit into it.

    Raises:
        BadInput: The budget cannot hold one mirrored set a pairing; names the least that can.
        HarnessFault: No match could be played.
    """
    budget = resolved.spec.budget
    if not budget:
        return resolved, await calibrate(resolved)
    most, speed = budget_seconds(budget), None
    with trio.move_on_after(most):
        speed = await calibrate(resolved, min(CALIBRATION_SECONDS, SHARE * most))
    if speed is None:
        raise BadInput(
            f"{option('budget')}: {budget} is too short: no match was finished in that time"
        )
    return _fitted(resolved, speed, most), speed


def _fitted(resolved: ResolvedTournament, speed: Speed, most: float) -> ResolvedTournament:
    """The tournament with as many mirrored sets per pairing as fit, with the calibration."""
    group = lcm(*resolved.tables.sizes(len(resolved.bots))) if resolved.spec.mirrored else 1
    one, two = (most_matches(resolved.with_games(count * group)) for count in (1, 2))
    if one == two:
        raise BadInput(f"{option('budget')}: nothing to decide: every stage says how much it plays")
    left = most - speed.seconds - speed.time(one)
    if left < 0:
        raise BadInput(
            f"{option('budget')}: {resolved.spec.budget} is too short: {one} matches, "
            f"one mirrored group a pairing, take about {ceil(most - left)}s with the calibration"
        )
    more = left / (speed.time(two) - speed.time(one))
    return resolved.with_games(group * min(1 + int(more), MAX_GAMES // group))


def most_matches(resolved: ResolvedTournament) -> int:
    """The number of matches of a tournament; where results decide it, the most."""
    return sum(matches_by_round(_plan(resolved)))


async def calibrate(resolved: ResolvedTournament, seconds: float = CALIBRATION_SECONDS) -> Speed:
    """Plays matches of the field for that many seconds, about; keeps none of them.

    No language model is asked: bots that play at random sit in the places of such.

    Before, for as long at most, every worker plays matches with everybody: what they take longer
    is the start of processes and bots.

    Raises:
        HarnessFault: No match could be played.
    """
    resolved = _without_models(resolved)
    pace, began = Pace(resolved.workers), trio.current_time()
    times: list[tuple[float, int]] = [(0.0, 0)]
    kept: list[tuple[MatchKey, tuple[float, ...]]] = []
    decisions: list[float] = []

    def note(played: Sequence[PlayedMatch]) -> None:
        if resolved.tables.most == 2:
            kept.extend((match.key, match.record.outcome.returns) for match in played)
        for match in played:
            record = match.record
            decisions.append(len(unpack_ids(record.actions)) / len(record.seats))
        times.append((trio.current_time() - began, times[-1][1] + len(played)))

    async with open_executor(resolved, pace) as executor:
        schedule, rounds = _calibration(resolved)
        warm_up = iter([_jobs(schedule, rounds[:1], 0, 2 * pace.concurrency)])
        await _play_for(seconds, pace, executor, warm_up, note)
        first = len(times) - 1
        kept.clear()  # its deals come again
        waves = _waves(schedule, rounds, _wave_length(resolved, rounds[0]))
        await _play_for(seconds, pace, executor, waves, note)
    last, matches = times[-1]
    if matches == times[first][1]:
        raise HarnessFault("no match was played by which the time could be estimated")
    start, workers = _start(times[first:], pace.concurrency), pace.concurrency
    known = information(kept, schedule.group(2))
    return Speed(matches, last, start, workers, known, fmean(decisions))


def _without_models(resolved: ResolvedTournament) -> ResolvedTournament:
    if not any(bot.endpoint for bot in resolved.bots):
        return resolved
    stand_in = resolved.resolver.find(STAND_IN)
    content = stand_in.participant.content

    def instead(bot: BotSource) -> BotSource:
        called = msgspec.structs.replace(bot.participant, content=content)
        return msgspec.structs.replace(stand_in, participant=called)

    bots = [instead(bot) if bot.endpoint else bot for bot in resolved.bots]
    return msgspec.structs.replace(resolved, bots=tuple(bots))


async def _play_for(
    seconds: float,
    pace: Pace,
    executor: Executor,
    waves: Iterator[Sequence[Job]],
    note: Callable[[Sequence[PlayedMatch]], None],
) -> None:

    async def pause() -> None:
        await trio.sleep(seconds)
        pace.pausing = True

    pace.pausing = False
    async with trio.open_nursery() as nursery:
        nursery.start_soon(pause)
        for jobs in waves:
            await _play(executor, jobs, note)
            if pace.pausing:
                break
        nursery.cancel_scope.cancel()


async def _play(
    executor: Executor, jobs: Sequence[Job], note: Callable[[Sequence[PlayedMatch]], None]
) -> None:
    send, receive = trio.open_memory_channel[list[PlayedMatch]](0)

    async def deliver() -> None:
        async with send, send.clone() as deliver:
            await executor.play(jobs, deliver)

    async with receive, trio.open_nursery() as nursery:
        nursery.start_soon(deliver)
        async for played in receive:
            note(played)


def _start(times: Sequence[tuple[float, int]], workers: int) -> float:
    """The time that is left over when all matches come at one rate: that of the second half.

    Args:
        times: Seconds since the beginning and matches until then, from the end of the start.
    """
    (began, _), (last, matches) = times[0], times[-1]
    half = [each for each in times if each[0] <= (began + last) / 2]
    time, before = half[-1] if len(times) - len(half) >= STEADY * workers else half[0]
    return max(0.0, last - matches * (last - time) / (matches - before))


def _calibration(resolved: ResolvedTournament) -> tuple[Schedule, list[Round]]:
    seeds = SeedSource(SeedOrigin.DRAWN_KEY, key=fresh_key(), nonce=fresh_key())
    group = resolved.tables.most if resolved.spec.mirrored else 1
    schedule = Schedule(seeds.keys(), resolved.spec.mirrored, (Fixed(group),))
    return schedule, _sample(resolved)


def _wave_length(resolved: ResolvedTournament, first: Round) -> int:
    """The number of matches that the tournament has played together: the first round's.

    A bot in a process of its own answers many matches at once, so that fewer take longer each. With
    a budget, which will be filled, they are many.
    """
    if resolved.spec.budget:
        return MAX_WAVE
    schedule = _plan(resolved).schedule
    volume = schedule.volume(first.number)
    together = (volume.more([], schedule.group(len(pairing.seats))) for pairing in first.pairings)
    return min(sum(together), MAX_WAVE)


def _waves(schedule: Schedule, rounds: Sequence[Round], length: int) -> Iterator[list[Job]]:
    """Yields lists of that many matches.

    All pairings play a group before any plays its second, so that nobody plays more than others.
    """
    group = schedule.volumes[0].games
    jobs = chain.from_iterable(_jobs(schedule, rounds, n, n + group) for n in count(0, group))
    while True:
        yield list(islice(jobs, length))


def _jobs(schedule: Schedule, rounds: Sequence[Round], done: int, legs: int) -> list[Job]:
    jobs = [
        schedule.job(MatchKey(made.number, pairing, leg), rows[(leg - 1) % len(rows)])
        for made in rounds
        for pairing, rows in enumerate(map(seatings, made.pairings), 1)
        for leg in range(done + 1, legs + 1)
    ]
    return sorted(jobs, key=lambda job: (job.key.leg - 1) // schedule.volumes[0].games)


def _sample(resolved: ResolvedTournament) -> list[Round]:
    """The rounds of which a calibration is made.

    Its own where they are known, else those of a round robin, in which all play equally often.
    """
    plan = _plan(resolved)
    rounds = known_rounds(plan)
    robin: Format = RoundRobin() if plan.tables.most == 2 else TableRoundRobin()
    if len(rounds) < plan.rounds and plan.tables.most in robin.seats:
        length = robin.rounds(len(plan.field), None, plan.tables)
        replaced = msgspec.structs.replace(plan, format=robin, rounds=length)
        rounds = list(islice(unplayed_rounds(replaced), MAX_ROUNDS))
    return rounds[:MAX_ROUNDS]


def _plan(resolved: ResolvedTournament) -> Plan:
    return resolved.plan(resolved.entries([START] * len(resolved.bots)))


def known_rounds(plan: Plan) -> list[Round]:
    """The rounds that are known before any match: the first, or all where everybody meets."""
    format = plan.format
    all_meet = format.scoring().all_meet and not (isinstance(format, Staged) or format.by_strength)
    return list(islice(unplayed_rounds(plan), None if all_meet else 1))


def unplayed_rounds(plan: Plan) -> Iterator[Round]:
    """Yields the rounds that a format pairs when nobody takes a point."""
    results: list[RoundResult] = []
    while made := plan.format.next_round(plan.field, results, plan.rounds, plan.tables):
        yield made
        results.append(counted_result(made, [()] * len(made.pairings)))
