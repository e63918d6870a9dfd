"""Forks a tournament so that its crashed matches are played again, and all others are stored."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial

import msgspec
from arena_results.file.database import Database
from arena_results.schema.rows import MatchRow, NewTournament, Status, StoredTournament, VoidMatch
from arena_results.store.queries import match_rows, matches
from arena_results.store.store import Store
from arena_tournaments.formats.stages import Staged
from arena_tournaments.play.volume import Fixed

from arena.core.chance.seeding import SeedOrigin
from arena.core.errors import BadInput
from arena.core.outcome import Termination
from arena.core.record import MatchKey, PlayedMatch
from arena.match.adjudication import faults_of
from arena.plugins.options import option
from arena.service.answers.steps import Steps, blocking, waiting
from arena.service.lookup.isolation import Warn, ignore
from arena.service.lookup.resolver import BotResolver
from arena.service.report.sums.ledger import unstarted
from arena.service.run.run import reopen, stored_to_resume
from arena.service.setup.resolve import ResolvedTournament

_AT_ONCE = 1000
"""Matches that are copied in one transaction."""


class Redone(msgspec.Struct, frozen=True):
    """A fork in which crashed matches are played again.

    Attributes:
        number: The new tournament.
        other: The tournament that it is a fork of.
        kept: Number of matches that were copied.
        crashed: Number of those that are played again.
        rounds: Number of rounds that are paired again, as their pairings went by such results.
    """

    number: int
    other: int
    kept: int
    crashed: int
    rounds: int


def refuse_keys(keys: Collection[str]) -> None:
    """Raises ``BadInput`` for settings that differ from those of the stored matches."""
    if keys:
        raise BadInput(
            f"{option('redo_crashed')}: keeps the tournament's settings; leave out "
            f"{', '.join(map(option, sorted(keys)))}"
        )


def store_redone(
    database: Database, resolver: BotResolver, number: int, warn: Warn = ignore
) -> Steps[Redone]:
    """Stores a new tournament with all matches of another but those that crashed or did not start.

    It has the deals of the other. Where pairings go by results, the rounds after the first such
    match are left out, too. The crashed matches are listed as void in it.

    Args:
        resolver: Made with ``resumes=`` the number.
        number: The other tournament; it stays as it is.

    Raises:
        BadInput: No match of it crashed, or it has organiser's decisions.
        BadPlugin: Bots, rules or the game's engine are not what they were.
        BadStore: Some process plays it.
    """
    stored = stored_to_resume(database, number)
    resolved = (yield from blocking(partial(reopen, resolver, stored, warn))).resolved
    rows = [*match_rows(database, number)]
    if stored.rulings:
        raise BadInput(f"tournament {number} has rulings, which a fork cannot take over")
    crashed = _crashed(database, number, rows)
    if not crashed:
        raise BadInput(f"tournament {number} has no match that crashed; there is nothing to redo")
    rounds, race = rounds_that_stand(resolved, stored, crashed), is_race(resolved)
    void = _void(database, number, rows, {key for key in crashed if key.round <= rounds})
    copied = partial(_copied, database, stored, rounds, void, left_out(crashed, rows, race=race))
    new, kept = yield from waiting(copied)
    return Redone(new, number, kept, len(void), len(stored.rounds) - rounds)


def rounds_that_stand(
    resolved: ResolvedTournament, stored: StoredTournament, changed: Collection[MatchKey]
) -> int:
    """Returns the number of rounds that were not paired by matches that change."""
    by_results = isinstance(resolved.format, Staged) or resolved.format.by_strength
    if by_results or not resolved.format.scoring().all_meet:
        return min(key.round for key in changed)
    return len(stored.rounds)


def is_race(resolved: ResolvedTournament) -> bool:
    """Returns whether the matches of a pairing decide how many it has."""
    return not all(isinstance(volume, Fixed) for volume in resolved.volumes)


async def _copied(
    database: Database,
    stored: StoredTournament,
    rounds: int,
    void: Sequence[VoidMatch],
    again: Collection[MatchKey],
) -> tuple[int, int]:
    store = Store(database)
    new = await store.create_tournament(_terms(stored), stored.field)
    for round in stored.rounds[:rounds]:
        await store.save_round(new, round)
    await store.save_void(new, void)
    sink, kept, some = store.sink(new), 0, list[PlayedMatch]()
    for _, played in matches(database, stored.summary.id):
        if played.key.round <= rounds and played.key not in again:
            some.append(played)
            kept += 1
        if len(some) == _AT_ONCE:
            await sink.write(some)
            some = []
    await sink.write(some)
    await store.set_status(new, Status.INTERRUPTED)
    return new, kept


def _crashed(database: Database, number: int, rows: Sequence[MatchRow]) -> set[MatchKey]:
    crashed = {row.key for row in rows for each in row.faults if each.cause is Termination.CRASH}
    return crashed | {key for key, _ in unstarted(database, number, rows)}


def left_out(
    changed: Collection[MatchKey], rows: Iterable[MatchRow], *, race: bool
) -> set[MatchKey]:
    """Returns the matches that cannot stay: of a race, also those of a pairing after the first."""
    if not race:
        return set(changed)
    first = {}
    for key in sorted(changed, reverse=True):
        first[key.round, key.pairing] = key.leg
    return {
        row.key
        for row in rows
        if row.key.leg >= first.get((row.key.round, row.key.pairing), row.key.leg + 1)
    }


def _void(
    database: Database, number: int, rows: Sequence[MatchRow], crashed: Collection[MatchKey]
) -> list[VoidMatch]:
    causes = {fault.cause for row in rows if row.key in crashed for fault in row.faults}
    found = {}
    for cause in causes:
        for row, played in matches(database, number, cause=cause):
            if row.key in crashed:
                faults = faults_of(played.record.outcome)
                fault = next((f for f in faults if f.cause is Termination.CRASH), faults[0])
                reason = f"{fault.reason or fault.cause.value}; in tournament {number}"
                offender = row.seats[fault.seat]
                found[row.key] = VoidMatch(row.key, fault.cause, reason, offender)
    return [found[key] for key in sorted(found)]


def _terms(stored: StoredTournament) -> NewTournament:
    """The terms of the new tournament: a key that is published by now is a given one."""
    summary = stored.summary
    values = {name: getattr(summary, name) for name in NewTournament.__struct_fields__}
    if summary.status is Status.FINISHED and summary.key is not None:
        values |= {"seed_origin": SeedOrigin.GIVEN_KEY, "nonce": None, "commitment": None}
    return NewTournament(**values)
