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
from arena.core.outcome import Amounts
from arena.core.record import MatchKey, PlayedMatch
from arena.core.rulings import Ruling, absences
from arena.core.tournament import PAIRS, Entrant, Format, Job, Round, RoundResult, Tables
from arena_tournaments.rulings import field_of_round, paired_by, ruled
from arena_tournaments.schedule import Returns, Schedule


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament ready to be played.

    Attributes:
        field: The entrants in initial order, late entries last.
        schedule: The matches of its rounds.
        rulings: Decisions of the organiser, by which rounds are paired and results count.
    """

    format: Format
    field: tuple[Entrant, ...]
    rounds: int
    schedule: Schedule
    tables: Tables = PAIRS
    rulings: tuple[Ruling, ...] = ()

    def next_round(self, results: Sequence[RoundResult]) -> Round | None:
        """Pairs the round after these; ``None`` when the tournament is over."""
        number = len(results) + 1
        if not self.rulings:
            return self.format.next_round(self.field, results, self.rounds, self.tables)
        field = field_of_round(self.field, self.rulings, number)
        past = ruled(results, paired_by(self.rulings, number))
        made = self.format.next_round(field, past, self.rounds, self.tables)
        if made is None:
            return None
        return msgspec.structs.replace(made, absent=absences(self.rulings, number))


class Storage(Protocol):
    """Stores the rounds and matches of a tournament."""

    async def save_round(self, round: Round) -> bool:
        """Keeps a pairing before any of its matches is played.

        Returns:
            False if a ruling was made that the plan does not know: nothing was kept.
        """

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
        played: Values (``Schedule.values``) of the matches that were played before; they are not
            played again.
        pace: When to pause; the executor looks at it, too.
        label: The executor in errors.

    Returns:
        The result of every round; ``None`` after a pause, when something is left to play, or when
        a ruling was made that the plan does not know (``pace.recalled``).

    Raises:
        HarnessFault: The executor did not deliver every match once, and no other.
    """
    results: list[RoundResult] = []
    while True:
        if len(results) < len(rounds):  # paired before a stop
            paired: Round | None = rounds[len(results)]
        else:
            # A large Swiss takes seconds to pair: in a thread, so that the display stays live.
            paired = await trio.to_thread.run_sync(plan.next_round, results)
            if paired is not None and not await storage.save_round(paired):
                pace.recalled = True
                return None
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
            pace.pausing = True
            return None


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
    schedule, away = plan.schedule, round.away
    jobs: tuple[Job, ...] = ()
    returns: dict[MatchKey, Returns] = {}
    legs: tuple[int, ...] = ()
    more = schedule.legs(round, played)
    while True:
        wave = schedule.jobs(round, more, legs)
        jobs += wave
        returns.update((job.key, played[job.key]) for job in wave if job.key in played)
        observer.round_started(round, jobs, returns)
        left = {
            job.key: job
            for job in wave
            if job.key not in returns and (not away or away.isdisjoint(job.seats))
        }
        if left:
            await _play_wave(
                left, returns, schedule.values, executor, storage, observer, pace, label
            )
        if left:
            return None
        legs, more = more, schedule.legs(round, returns)
        if more == legs:
            await storage.close_round(round.number)
            return schedule.result(round, jobs, returns)


async def _play_wave(
    left: dict[MatchKey, Job],
    returns: dict[MatchKey, Returns],
    values: Amounts,
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
            returns.update((match.key, values(match.record.outcome)) for match in matches)
            observer.matches_played(matches)
        if left and not pace.holding:
            delivered = f"{len(returns)} of {len(returns) + len(left)} matches"
            raise HarnessFault(f"{label} delivered {delivered} of round {next(iter(left)).round}")


def _check_off(matches: Sequence[PlayedMatch], left: dict[MatchKey, Job], label: str) -> None:
    """Takes delivered matches off those that are left to be played."""
    for match in matches:
        if left.pop(match.key, None) is None:
            raise HarnessFault(
                f"{label} delivered match {match.key} twice, or without a job for it"
            )
