"""Reading results: typed functions that return immutable values, in an order that never varies.

Each call reads one consistent view. Matches come in schedule order: (round, pairing, leg).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Select, func, select
from sqlmodel import col

from arena.core.errors import BadInput, UnknownName
from arena.core.outcome import Fault, Termination
from arena.core.record import MatchRecord, Measurement, Place, PlayedMatch
from arena.core.seeding import SeedOrigin
from arena.core.tournament import Pairing, Participant, Round
from results import tables
from results.database import Database
from results.rows import (
    EntryRow,
    MatchRow,
    Status,
    StoredTournament,
    TournamentSummary,
)

_PLACE = (col(tables.Match.round), col(tables.Match.pairing), col(tables.Match.leg))


def tournaments(database: Database) -> tuple[TournamentSummary, ...]:
    """Every tournament, oldest first."""
    with database.reading() as connection:
        return tuple(map(_summary, connection.execute(_summaries())))


def tournament(database: Database, id: int) -> StoredTournament:
    """One tournament with everything a resumed run needs.

    Raises:
        UnknownName: There is no such tournament.
    """
    with database.reading() as connection:
        return StoredTournament(
            summary=_summary_of(connection, id),
            field=field_of(connection, id),
            rounds=_rounds(connection, id),
            played={match.place: match for match in _matches(connection, id)},
        )


def summary(database: Database, id: int) -> TournamentSummary:
    """One tournament without its matches.

    Raises:
        UnknownName: There is no such tournament.
    """
    with database.reading() as connection:
        return _summary_of(connection, id)


def field(database: Database, id: int) -> tuple[EntryRow, ...]:
    """The field of one tournament, in initial order; empty if there is no such tournament."""
    with database.reading() as connection:
        return field_of(connection, id)


def participants(database: Database) -> tuple[Participant, ...]:
    """Every bot version that was ever entered, by key."""
    with database.reading() as connection:
        rows = connection.execute(_PARTICIPANTS.order_by(col(tables.Participant.key)))
        return tuple(Participant(*row) for row in rows)


def ages(database: Database) -> dict[Participant, tuple[int, int]]:
    """When each bot version came, to sort by: its number as a submission, then as a participant.

    Those that were not submitted come first, by their numbers as participants.
    """
    submitted = select(
        col(tables.Submission.name),
        col(tables.Submission.version),
        col(tables.Submission.content),
        col(tables.Submission.id),
    )
    with database.reading() as connection:
        numbers = {tuple(key): number or 0 for *key, number in connection.execute(submitted)}
        rows = connection.execute(_PARTICIPANTS.add_columns(col(tables.Participant.id)))
        return {
            Participant(name, version, content): (
                numbers.get((name.partition("(")[0], version, content), 0),
                number,
            )
            for name, version, content, number in rows
        }


def matches(database: Database, id: int) -> tuple[MatchRow, ...]:
    """The stored matches of one tournament, in schedule order; empty if there are none."""
    with database.reading() as connection:
        return tuple(_matches(connection, id))


def played_matches(database: Database, id: int) -> Iterator[PlayedMatch]:
    """The stored matches of one tournament whole, in schedule order, read as they are taken."""
    with database.reading() as connection:
        rows = connection.execution_options(yield_per=1000).execute(_played(id).order_by(*_PLACE))
        yield from map(_played_match, rows)


def played_match(database: Database, id: int, place: Place) -> PlayedMatch:
    """One stored match whole.

    Raises:
        UnknownName: There is no such tournament.
        BadInput: The tournament has no such match (yet).
    """
    one = _played(id).where(
        col(tables.Match.round) == place.round,
        col(tables.Match.pairing) == place.pairing,
        col(tables.Match.leg) == place.leg,
    )
    with database.reading() as connection:
        row = connection.execute(one).first()
        if row is None:
            raise _no_match(connection, id, place)
        return _played_match(row)


def field_of(connection: Connection, id: int) -> tuple[EntryRow, ...]:
    """As ``field``, within a transaction."""
    rows = connection.execute(
        _PARTICIPANTS.add_columns(col(tables.Entry.rating))
        .join(tables.Entry, col(tables.Entry.participant_id) == col(tables.Participant.id))
        .where(col(tables.Entry.tournament_id) == id)
        .order_by(col(tables.Entry.index))
    )
    return tuple(EntryRow(Participant(*row[:3]), row[3]) for row in rows)


def unknown_tournament(connection: Connection, id: int) -> UnknownName:
    """The error that says which tournaments there are."""
    ids = connection.execute(select(col(tables.Tournament.id))).scalars()
    return UnknownName("tournament", str(id), map(str, ids))


_PARTICIPANTS = select(
    col(tables.Participant.name), col(tables.Participant.version), col(tables.Participant.content)
)

_SUMMARY = [
    name
    for name in TournamentSummary.__struct_fields__
    if name not in ("seed_origin", "status", "entries", "matches")
]


def _summaries() -> Select[*tuple[Any, ...]]:
    entries = (
        select(func.count())
        .where(col(tables.Entry.tournament_id) == col(tables.Tournament.id))
        .scalar_subquery()
    )
    stored = (
        select(func.count())
        .where(col(tables.Match.tournament_id) == col(tables.Tournament.id))
        .scalar_subquery()
    )
    return select(
        tables.Tournament,
        entries.label("entries"),
        stored.label("matches"),
    ).order_by(col(tables.Tournament.id))


def _summary_of(connection: Connection, id: int) -> TournamentSummary:
    row = connection.execute(_summaries().where(col(tables.Tournament.id) == id)).first()
    if row is None:
        raise unknown_tournament(connection, id)
    return _summary(row)


def _summary(row: Row[*tuple[Any, ...]]) -> TournamentSummary:
    values = row._mapping
    return TournamentSummary(
        **{name: values[name] for name in _SUMMARY},
        seed_origin=SeedOrigin(values["seed_origin"]),
        status=Status(values["status"]),
        entries=values["entries"],
        matches=values["matches"],
    )


def _rounds(connection: Connection, id: int) -> tuple[Round, ...]:
    rows = connection.execute(
        select(col(tables.Round.number), col(tables.Round.pairings), col(tables.Round.byes))
        .where(col(tables.Round.tournament_id) == id)
        .order_by(col(tables.Round.number))
    )
    return tuple(
        Round(number, tuple(map(Pairing, _tables(pairings))), _ints(byes))
        for number, pairings, byes in rows
    )


def _matches(connection: Connection, id: int) -> Iterator[MatchRow]:
    rows = connection.execute(
        select(
            *_PLACE,
            col(tables.Match.seats),
            col(tables.Match.seed),
            col(tables.Match.returns),
            col(tables.Match.scores),
            col(tables.Match.termination),
            col(tables.Match.offender),
            col(tables.Match.move),
            col(tables.Match.expelled),
        )
        .where(col(tables.Match.tournament_id) == id)
        .order_by(*_PLACE)
    )
    for *place, seats, seed, returns, scores, termination, offender, move, expelled in rows:
        yield MatchRow(
            Place(*place),
            _ints(seats),
            seed,
            _floats(returns),
            _ints(scores),
            Termination(termination),
            offender,
            move,
            _faults(expelled),
        )


def isolation_levels(database: Database, id: int) -> dict[int, set[str]]:
    """Where the bots of a tournament ran: every level, by index into the field."""
    levels: dict[int, set[str]] = {}
    kinds = (
        select(col(tables.Match.seats), col(tables.Measurement.isolation))
        .join(tables.Measurement)
        .where(col(tables.Match.tournament_id) == id)
        .distinct()
    )
    with database.reading() as connection:
        for seats, isolation in connection.execute(kinds):
            entrants, told = _ints(seats), isolation.split(",")
            if len(told) == 1:
                told *= len(entrants)
            for entrant, level in zip(entrants, told, strict=True):
                levels.setdefault(entrant, set()).add(level)
    return levels


def _played(id: int) -> Select[*tuple[Any, ...]]:
    return (
        select(
            *_PLACE,
            col(tables.Match.record),
            col(tables.Measurement.nanoseconds),
            col(tables.Measurement.requests),
            col(tables.Measurement.isolation),
            col(tables.Measurement.error),
            col(tables.Measurement.cpu_nanoseconds),
        )
        .join(tables.Measurement)
        .where(col(tables.Match.tournament_id) == id)
    )


def _played_match(row: Row[*tuple[Any, ...]]) -> PlayedMatch:
    *place, record, nanoseconds, requests, isolation, error, cpu_nanoseconds = row
    return PlayedMatch(
        Place(*place),
        MatchRecord.from_bytes(record),
        Measurement(_ints(nanoseconds), _ints(requests), isolation, error, _ints(cpu_nanoseconds)),
    )


def _no_match(connection: Connection, id: int, place: Place) -> BadInput:
    if not field_of(connection, id):
        return unknown_tournament(connection, id)
    places = select(*_PLACE).where(col(tables.Match.tournament_id) == id)
    first = connection.execute(places.order_by(*_PLACE)).first()
    if first is None:
        return BadInput(f"tournament {id} has no matches yet")
    last = connection.execute(places.order_by(*(part.desc() for part in _PLACE))).first()
    assert last is not None
    return BadInput(
        f"tournament {id} has no match {place}; its matches go from {Place(*first)} "
        f"to {Place(*last)} (round.pairing.leg)"
    )


# The same few texts come back in match after match.
_ints = lru_cache(4096)(msgspec.json.Decoder(tuple[int, ...]).decode)
_floats = lru_cache(4096)(msgspec.json.Decoder(tuple[float, ...]).decode)
_faults = lru_cache(4096)(msgspec.json.Decoder(tuple[Fault, ...]).decode)
_tables = msgspec.json.Decoder(tuple[tuple[int, ...], ...]).decode
