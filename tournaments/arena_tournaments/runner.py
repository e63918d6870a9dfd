"""Runs a tournament: pairs a round, plays and stores it, until the format is done.

It knows neither where matches run (the executor) nor where they are kept (the storage).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec
import trio

from arena.core.errors import HarnessFault
from arena.core.executor import Executor
from arena.core.record import MatchKey, PlayedMatch
from arena.core.seeding import SeedKeys
from arena.core.tournament import (
    PAIRS,
    Entrant,
    Format,
    Job,
    Pairing,
    PairingResult,
    Round,
    RoundResult,
    Tables,
)
from arena_tournaments.schedule import jobs_of_round

Returns = tuple[float, ...]
"""A match's utilities, one a seat."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament ready to be played.

    Attributes:
        field: The entrants in initial order.
        games: Matches a pairing.
        mirrored: Whether matches are legs of mirrored groups, which share their deal.
    """

    format: Format
    field: tuple[Entrant, ...]
    rounds: int
    games: int
    mirrored: bool
    seeds: SeedKeys
    tables: Tables = PAIRS

    def jobs(self, round: Round) -> tuple[Job, ...]:
        """Returns the matches of a round."""
        return jobs_of_round(round, self.seeds, self.games, self.mirrored)


class Storage(Protocol):
    """Stores the rounds and matches of a tournament."""

    async def save_round(self, round: Round) -> None:
        """Keeps a pairing before any of its matches is played."""

    async def write(self, matches: Sequence[PlayedMatch]) -> None:
        """Stores matches permanently, each exactly once; they count when this has returned."""


class Observer(Protocol):
    """Receives the progress of a tournament; every call must be quick."""

    def round_started(
        self, round: Round, jobs: Sequence[Job], returns: Mapping[MatchKey, Returns]
    ) -> None:
        """Called when a round of these matches begins; some may have been played before a stop."""

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
    label: str = "the executor",
) -> tuple[RoundResult, ...]:
    """Plays a tournament to its end, from the start or from where it stopped.

    Args:
        rounds: Rounds that were paired before a stop.
        played: Returns of the matches that were played before; they are not played again.
        label: The executor in errors.

    Returns:
        The result of every round.

    Raises:
        HarnessFault: The executor did not deliver every match once, and no other.
    """
    results: list[RoundResult] = []
    while True:
        paired = await _pair(plan, rounds, results, storage)
        if paired is None:
            return tuple(results)
        result = await _play_round(plan, paired, played, executor, storage, observer, label)
        observer.round_finished(result)
        results.append(result)


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
    label: str,
) -> RoundResult:
    jobs = plan.jobs(round)
    returns = {job.key: played[job.key] for job in jobs if job.key in played}
    left = {job.key: job for job in jobs if job.key not in returns}
    observer.round_started(round, jobs, returns)
    if left:
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
                returns.update((match.key, match.record.outcome.returns) for match in matches)
                observer.matches_played(matches)
            if left:
                delivered = f"{len(returns)} of {len(jobs)} matches of round {round.number}"
                raise HarnessFault(f"{label} delivered {delivered}")
    return round_result(round, jobs, returns)


def _check_off(matches: Sequence[PlayedMatch], left: dict[MatchKey, Job], label: str) -> None:
    """Takes delivered matches off those that are left to be played."""
    for match in matches:
        if left.pop(match.key, None) is None:
            raise HarnessFault(
                f"{label} delivered match {match.key} twice, or without a job for it"
            )


def round_result(
    round: Round, jobs: Sequence[Job], returns: Mapping[MatchKey, Returns]
) -> RoundResult:
    """Adds up the match points of every pairing (see ``match_points``).

    Args:
        jobs: All matches of the round.
        returns: Utilities of its matches by key; missing matches count nothing.
    """
    matches: list[list[tuple[tuple[int, ...], Returns]]] = [[] for _ in round.pairings]
    for job in jobs:
        if job.key in returns:
            matches[job.key.pairing - 1].append((job.seats, returns[job.key]))
    return RoundResult(round, tuple(map(_result, round.pairings, matches)))


def _result(pairing: Pairing, matches: Sequence[tuple[tuple[int, ...], Returns]]) -> PairingResult:
    """Returns the result of one pairing from the seats and returns of its matches."""
    if len(pairing.seats) > 2:
        return _table_result(pairing, matches)
    taken = dict.fromkeys(pairing.seats, 0.0)
    for seats, utilities in matches:
        for entrant, points in zip(seats, match_points(utilities), strict=True):
            taken[entrant] += points
    return PairingResult(pairing, tuple(taken.values()))


def _table_result(
    pairing: Pairing, matches: Sequence[tuple[tuple[int, ...], Returns]]
) -> PairingResult:
    """Returns the result of a table of more than two, with the points of each against each."""
    size = len(pairing.seats)
    duels = [[0.0] * size for _ in range(size)]
    won = [0] * size
    for seats, utilities in matches:
        gained = [utilities[seats.index(entrant)] for entrant in pairing.seats]
        best = max(gained)
        if gained.count(best) == 1:
            won[gained.index(best)] += 1
        for one, mine in enumerate(gained):
            for other, theirs in enumerate(gained):
                duels[one][other] += (mine > theirs) + (mine == theirs) / 2 if one != other else 0
    # Divided once, at the end: halves add exactly, so that equal points are equal floats.
    points = tuple(sum(row) / (size - 1) for row in duels)
    return PairingResult(pairing, points, tuple(map(tuple, duels)), tuple(won))


def match_points(returns: Returns) -> tuple[float, ...]:
    """Returns each seat's match points: the share of its opponents that it beat, a tie half.

    Of two seats: won 1, drawn 1/2, lost 0. A match gives half a point a seat in all.
    """
    others = len(returns) - 1
    return tuple(
        (sum((mine > theirs) + (mine == theirs) / 2 for theirs in returns) - 0.5) / others
        for mine in returns
    )
