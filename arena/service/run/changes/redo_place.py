"""Plays all matches of a place again, on this machine, and replaces wrong ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec
from arena_results.file.database import Database
from arena_results.file.runner_lock import RunnerLock
from arena_results.schema.rows import Status, VoidMatch
from arena_results.store.places import places, played_at
from arena_results.store.queries import match_rows, matches
from arena_results.store.replacing import forget_place, replace_matches
from arena_results.store.store import Store
from arena_tournaments.play.round_play import RoundPlay

from arena.core.errors import BadInput
from arena.core.outcome import Termination
from arena.core.record import MatchKey, PlayedMatch
from arena.core.text.printable import printable_line
from arena.core.tournaments.format import Job
from arena.service.answers.errors import known_alone
from arena.service.answers.steps import Steps, blocking, waiting
from arena.service.lookup.isolation import Warn, ignore
from arena.service.lookup.resolver import BotResolver
from arena.service.run.changes.redo import is_race, left_out, rounds_that_stand
from arena.service.run.executors.checked import played_by, same
from arena.service.run.executors.executors import open_here
from arena.service.run.run import Run, reopen, stored_to_resume

_AT_ONCE = 1000
"""Matches that are in memory at a time."""


class PlaceRedone(msgspec.Struct, frozen=True):
    """A tournament of which the matches of a place were played again.

    Attributes:
        number: The tournament.
        matches: Number of matches that were played again.
        differ: Number of them that the place had sent with other records; they were replaced.
        finished: Whether the tournament was finished before.
        rounds: Number of later rounds that were deleted, as their pairings went by such matches.
    """

    number: int
    place: str
    matches: int
    differ: int
    finished: bool
    rounds: int


def redo_place(
    database: Database, resolver: BotResolver, number: int, place: str, warn: Warn = ignore
) -> Steps[PlaceRedone]:
    """Plays all matches of a place again, and replaces wrong ones.

    Where some do, the tournament is interrupted then. The replaced ones are listed as void.

    Args:
        resolver: Made with ``resumes=`` the number.
        place: The name of the place.

    Raises:
        BadInput: The place played nothing of it; or decisions of an organiser are about rounds that
            would be paired again.
        BadPlugin: Bots, rules or the game's engine have changed.
        BadStore: Some process plays it.
    """
    stored = stored_to_resume(database, number)
    keys = played_at(database, number, place)
    if not keys:
        known = ", ".join(places(database, number)) or "none, all of it was played here"
        raise BadInput(f"no match of tournament {number} was played at {place}; places: {known}")
    run = yield from blocking(partial(reopen, resolver, stored, warn))
    return (yield from waiting(partial(_redone, run, place, frozenset(keys))))


async def _redone(run: Run, place: str, keys: frozenset[MatchKey]) -> PlaceRedone:
    database, number = run.database, run.number
    with known_alone(), RunnerLock(database, number):
        differ = await _differing(run, keys)
        rounds = len(run.stored.rounds)
        if differ:
            rounds = _replace(run, place, differ)
            if not is_race(run.resolved):  # else matches may be left to play
                await _close(run, rounds)
        forget_place(database, number, place)
    gone = len(run.stored.rounds) - rounds
    finished = run.stored.summary.status is Status.FINISHED
    return PlaceRedone(number, place, len(keys), len(differ), finished, gone)


async def _differing(run: Run, keys: frozenset[MatchKey]) -> list[PlayedMatch]:
    """Plays matches again; returns the ones that differ, as they are now."""
    schedule = run.plan.schedule
    rounds = [RoundPlay(schedule, round) for round in run.stored.rounds]
    differ: list[PlayedMatch] = []
    async with open_here(run.resolved) as here:
        for some in _stored(run, keys):
            jobs: list[Job] = []
            for match in some:
                job = rounds[match.key.round - 1].job(match.key)
                assert job is not None
                jobs.append(job)
            ours = await played_by(here, jobs)
            differ += [
                ours[match.key] for match in some if not same(match.record, ours[match.key].record)
            ]
    return differ


def _stored(run: Run, keys: frozenset[MatchKey]) -> Iterator[list[PlayedMatch]]:
    some: list[PlayedMatch] = []
    for _, match in matches(run.database, run.number):
        if match.key in keys:
            some.append(match)
        if len(some) == _AT_ONCE:
            yield some
            some = []
    if some:
        yield some


async def _close(run: Run, rounds: int) -> None:
    """Makes the chain again of the rounds that stand and were complete."""
    store = Store(run.database)
    for number, head in enumerate(run.stored.heads[:rounds], start=1):
        if head:
            await store.close_round(run.number, number)


def _replace(run: Run, place: str, differ: Sequence[PlayedMatch]) -> int:
    """Replaces matches that differ; returns the number of rounds that stand."""
    stored, number = run.stored, run.number
    changed = {match.key for match in differ}
    rounds, race = rounds_that_stand(run.resolved, stored, changed), is_race(run.resolved)
    if rounds < len(stored.rounds) and stored.rulings:
        raise BadInput(
            f"{len(differ)} matches of {place} differ, and rounds after {rounds} were paired by "
            f"them; tournament {number} has rulings, which cannot be taken over to other pairings"
        )
    changed = {key for key in changed if key.round <= rounds}
    gone = left_out(changed, match_rows(run.database, number), race=race)
    first = {(key.round, key.pairing): key for key in sorted(changed, reverse=True)}
    kept = set(first.values()) if race else changed
    reason = printable_line(f"{place}: its record is not what this machine plays")
    void = [VoidMatch(key, Termination.HARNESS_FAULT, reason) for key in sorted(changed)]
    instead = [match for match in differ if match.key in kept]
    replace_matches(run.database, number, gone, void, instead, rounds)
    return rounds
