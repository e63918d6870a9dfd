"""Runs a tournament: pairs a round, plays and stores it, until the format is done.

It knows neither where matches run (the executor) nor where they are kept (the storage).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec
import trio

from arena.core.errors import HarnessFault
from arena.core.executor import Executor, Pace
from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournament import PAIRS, Entrant, Format, Job, Round, RoundResult, Tables
from arena_tournaments.schedule import Returns, Schedule, round_result


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament ready to be played.

    Attributes:
        field: The entrants in initial order.
        schedule: The matches of its rounds.
    """

    format: Format
    field: tuple[Entrant, ...]
    rounds: int
    schedule: Schedule
    tables: Tables = PAIRS


class Storage(Protocol):
    """Stores the rounds and matches of a tournament."""

    async def save_round(self, round: Round) -> None:
        """Keeps a pairing before any of its matches is played."""

    async def write(self, matches: Sequence[PlayedMatch]) -> None:
        """Stores matches permanently, each exactly once; they count when this has returned."""

    async def close_round(self, number: int) -> None:
        """Called when every match of a round is stored; again for each round when a run goes on."""


class Observer(Protocol):
    """Receives the progress of a tournament; every call must be quick."""

    def round_started(
        self, round: Round, jobs: Sequence[Job], returns: Mapping[MatchKey, Returns]
    ) -> None:
        """Called when a round begins, and again whenever its results call for more matches.

        Args:
            jobs: All of its matches so far.
            returns: Results of those that are played; some may have been before a stop.
        """

    def matches_played(self, matches: Sequence[PlayedMatch]) -> None:
        """Called when these matches are played and stored."""

    def round_finished(self, result: RoundResult) -> None:
        """Called when all matches of a round are played and stored."""


async def run(
    plan: Plan,
    rounds: Sequence[Round],
    played: Mapping[MatchKey, Returns],
    executor: Executor,
    storage: Storage,
    observer: Observer,
    pace: Pace,
    label: str = "the executor",
) -> tuple[RoundResult, ...] | None:
    """Plays a tournament to its end, from the start or from where it stopped.

    Args:
        rounds: Rounds that were paired before a stop.
        played: Returns of the matches that were played before; they are not played again.
        pace: When to pause; the executor looks at it, too.
        label: The executor in errors.

    Returns:
        The result of every round; ``None`` after a pause, when something is left to play.

    Raises:
        HarnessFault: The executor did not deliver every match once, and no other.
    """
    results: list[RoundResult] = []
    while True:
        paired = await _pair(plan, rounds, results, storage)
        if paired is None:
            return tuple(results)
        before = pace.stored
        result = await _play_round(plan, paired, played, executor, storage, observer, pace, label)
        if result is None:
            return None
        observer.round_finished(result)
        results.append(result)
        played_now = pace.stored > before  # else it was finished before the stop
        if played_now and pace.pauses_after(paired.number) and len(results) < plan.rounds:
            return None


async def _pair(
    plan: Plan, rounds: Sequence[Round], results: Sequence[RoundResult], storage: Storage
) -> Round | None:
    """Returns the next round, as it was paired before a stop, or paired now and stored."""
    if len(results) < len(rounds):
        return rounds[len(results)]
    # A large Swiss takes seconds to pair: in a thread, so that the display stays live.
    paired = await trio.to_thread.run_sync(
        plan.format.next_round, plan.field, results, plan.rounds, plan.tables
    )
    if paired is not None:
        await storage.save_round(paired)
    return paired


async def _play_round(
    plan: Plan,
    round: Round,
    played: Mapping[MatchKey, Returns],
    executor: Executor,
    storage: Storage,
    observer: Observer,
    pace: Pace,
    label: str,
) -> RoundResult | None:
    """Plays a round wave by wave, until no pairing is to play any more; ``None`` after a pause."""
    schedule = plan.schedule
    jobs: tuple[Job, ...] = ()
    returns: dict[MatchKey, Returns] = {}
    legs: tuple[int, ...] = ()
    more = schedule.legs(round, played)
    while True:
        wave = schedule.jobs(round, more, legs)
        jobs += wave
        returns.update((job.key, played[job.key]) for job in wave if job.key in played)
        observer.round_started(round, jobs, returns)
        left = {job.key: job for job in wave if job.key not in returns}
        if left:
            await _play_wave(left, returns, executor, storage, observer, pace, label)
        if left:
            return None
        legs, more = more, schedule.legs(round, returns)
        if more == legs:
            await storage.close_round(round.number)
            return round_result(round, jobs, returns)


async def _play_wave(
    left: dict[MatchKey, Job],
    returns: dict[MatchKey, Returns],
    executor: Executor,
    storage: Storage,
    observer: Observer,
    pace: Pace,
    label: str,
) -> None:
    """Plays and stores the matches that are left, and takes them off; results go to ``returns``."""
    send, receive = trio.open_memory_channel[list[PlayedMatch] | None](0)

    async def play() -> None:
        async with send.clone() as deliver:
            await executor.play([*left.values()], deliver)
        await send.send(None)  # the end, even if the executor left a channel open

    # The channels close last: what fails here cancels the executor before it could notice.
    async with send, receive, trio.open_nursery() as nursery:
        nursery.start_soon(play)
        while (matches := await receive.receive()) is not None:
            _check_off(matches, left, label)
            await storage.write(matches)
            pace.stored += len(matches)
            returns.update((match.key, match.record.outcome.returns) for match in matches)
            observer.matches_played(matches)
        if left and not pace.pausing:
            delivered = f"{len(returns)} of {len(returns) + len(left)} matches"
            raise HarnessFault(f"{label} delivered {delivered} of round {next(iter(left)).round}")


def _check_off(matches: Sequence[PlayedMatch], left: dict[MatchKey, Job], label: str) -> None:
    """Takes delivered matches off those that are left to be played."""
    for match in matches:
        if left.pop(match.key, None) is None:
            raise HarnessFault(
                f"{label} delivered match {match.key} twice, or without a job for it"
            )
