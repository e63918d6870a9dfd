"""Writes results, each exactly once; all writing goes through this module."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TypeVar

import msgspec
import trio
from sqlalchemy import Connection, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import col

from arena.core.described import described
from arena.core.errors import BadInput, BadStore, HarnessFault
from arena.core.record import PlayedMatch
from arena.core.tournaments.executor import Pace
from arena.core.tournaments.format import Participant, Round
from arena.core.tournaments.rulings import Ruling
from arena_results.bots.seasons import Season, insert_season
from arena_results.dialects import NEW
from arena_results.file.database import Database
from arena_results.schema import tables
from arena_results.schema.checksums import MATCH, ROUND, TOURNAMENT, stamp
from arena_results.schema.dictionaries import packed_rows
from arena_results.schema.packing import RECORD_COLUMNS, Packer, match_row
from arena_results.schema.rows import EntryRow, NewTournament, Status, VoidMatch
from arena_results.schema.statements import OWN_ROW
from arena_results.schema.stored import streamed
from arena_results.store.chain import first_head, next_head, rulings_of_round
from arena_results.store.logs import insert_logs, log_rows
from arena_results.store.places import insert_places
from arena_results.store.queries import (
    chained_rounds,
    has_rows_from,
    packer_in,
    row_missing,
    unknown_tournament,
)
from arena_results.store.rulings import insert_ruling, rulings_of
from arena_results.store.tallies import add_sums
from arena_results.store.value_files import keep_file
from arena_results.store.void import insert_void

T = TypeVar("T")
Row = dict[str, object]
"""A row to insert: value by column."""


class Store:
    """The only writer of a database; a call returns when its transaction is committed.

    Each call is one transaction in a thread, one at a time, so that the caller's event loop stays
    free. A cancelled call has either not begun or runs to its end: it is whole or absent.

    Args:
        database: Where to write; the caller closes it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._one_at_a_time = trio.CapacityLimiter(1)

    async def create_tournament(
        self,
        new: NewTournament,
        entries: Sequence[EntryRow],
        rulings: Sequence[Ruling] = (),
        values: bytes | None = None,
        league: str = "",
        season: int = 0,
    ) -> int:
        """Stores a tournament, running, with its field in initial order; returns its number.

        Args:
            values: The file of the learned value function that it fixes, if it does.
            league: The league of which it is a season; empty for none.
            season: The number of that season; the negative number for its final.

        Raises:
            BadInput: The same participant is entered twice.
            BadStore: The season has begun already; nothing was written.
            AlteredResults: The row of an earlier tournament is missing; nothing was written.
        """
        keys = [entry.participant.key for entry in entries]
        for key in keys:
            if keys.count(key) > 1:
                raise BadInput(f"{key} is entered twice; each entry needs a name of its own")

        def create(connection: Connection) -> int:
            number = _create(connection, new, entries, rulings, values)
            if league:
                insert_season(connection, Season(league, season, number))
            return number

        return await self._transaction(create, NEW)

    async def set_status(self, tournament: int, status: Status) -> Status:
        """Changes the status; ``FINISHED`` stores the time, and is never changed again.

        A request to pause ends with it.

        Returns:
            The status that is stored now.

        Raises:
            UnknownName: There is no such tournament.
        """
        return await self._transaction(
            lambda connection: change_status(connection, tournament, status), tournament
        )

    async def save_round(self, tournament: int, round: Round, rulings: int = 0) -> bool:
        """Stores a round's pairings, before any of its matches; the same again changes nothing.

        Args:
            rulings: Number of the decisions that it was paired by.

        Returns:
            False if there are more decisions now; nothing was stored then.

        Raises:
            BadStore: Another pairing of that round is stored; it was not changed.
        """
        return await self._transaction(
            lambda connection: _save_round(connection, tournament, round, rulings), tournament
        )

    async def close_round(self, tournament: int, number: int) -> None:
        """Adds a round whose matches are all stored to the chain; again, it changes nothing.

        Raises:
            BadStore: The round, or the one before it, is not stored or not in the chain.
        """
        await self._transaction(
            lambda connection: _close_round(connection, tournament, number), tournament
        )

    async def save_void(self, tournament: int, matches: Sequence[VoidMatch]) -> None:
        """Stores matches that do not count, each as the next attempt of its key."""

        def save(connection: Connection) -> None:
            insert_void(connection, tournament, matches)
            count(connection, tournament, "void_count", len(matches))

        await self._transaction(save, tournament)

    def sink(self, tournament: int, pace: Pace | None = None, rulings: int = 0) -> TournamentSink:
        """The storage of one tournament's rounds and matches; raises ``UnknownName``."""
        with self._database.reading() as connection:
            packer = packer_in(connection, tournament)
        return TournamentSink(self, tournament, packer, pace or Pace(), rulings)

    def write(
        self, tournament: int, packer: Packer, played: Sequence[PlayedMatch]
    ) -> tuple[str, int | None, int]:
        """Stores played matches, in the caller's thread; see ``TournamentSink``.

        Returns:
            What others ask of the tournament: ``pause``, its concurrency, and how many decisions
            there are.
        """
        try:
            with self._database.writing(tournament) as connection:
                insert_matches(connection, tournament, packer, played)
                return _requests(connection, tournament)
        except IntegrityError:
            # Rare, so that only then is it looked up what is stored: a key came twice.
            with self._database.writing(tournament) as connection:
                _insert_new(connection, tournament, packer, played)
                return _requests(connection, tournament)

    async def _transaction(
        self, work: Callable[[Connection], T], tournament: int | None = None
    ) -> T:
        def transact() -> T:
            try:
                with self._database.writing(tournament) as connection:
                    return work(connection)
            except IntegrityError as error:
                raise self._database.failed(error) from error

        return await self.in_thread(transact)

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Runs blocking work next to the event loop, one at a time."""
        return await trio.to_thread.run_sync(work, limiter=self._one_at_a_time)


class TournamentSink:
    """Stores one tournament's rounds and matches: a ``Storage`` of the runner.

    Args:
        store: Where they are stored.
        tournament: Number of the tournament.
        packer: Packs its matches.
        pace: Changed as others ask through the database, after matches were stored.
        rulings: Number of the decisions that the runner knows.
    """

    def __init__(
        self, store: Store, tournament: int, packer: Packer, pace: Pace, rulings: int = 0
    ) -> None:
        self._store, self._tournament, self._packer = store, tournament, packer
        self._pace, self._rulings = pace, rulings

    async def save_round(self, round: Round) -> bool:
        return await self._store.save_round(self._tournament, round, self._rulings)

    async def close_round(self, number: int) -> None:
        await self._store.close_round(self._tournament, number)

    async def write(self, matches: Sequence[PlayedMatch]) -> None:
        """Stores matches, each exactly once; returns when all of them are committed.

        A match that is stored already is left out if its record is the same, byte for byte.

        Raises:
            BadStore: Another record of one of them is stored, or the disk is full; none of
                them was written.
            HarnessFault: A void match, a bot outside the field, or a round that was not saved.
        """
        if matches:
            store, number, packer = self._store, self._tournament, self._packer
            pause, concurrency, rulings = await store.in_thread(
                lambda: store.write(number, packer, matches)
            )
            self._pace.request(pause, concurrency)
            self._pace.recalled = self._pace.recalled or rulings > self._rulings


def _create(
    connection: Connection,
    new: NewTournament,
    entries: Sequence[EntryRow],
    rulings: Sequence[Ruling],
    values: bytes | None,
) -> int:
    row = msgspec.structs.asdict(new)
    row.update(
        seed_origin=new.seed_origin.value,
        status=Status.RUNNING.value,
        created_at=datetime.now(UTC),
        entry_count=len(entries),
    )
    tournament = new_number(connection)
    connection.execute(insert(tables.Tournament).values(row | {"id": tournament}))
    if has_rows_from(connection, tournament):
        raise row_missing(tournament)
    for index, entry in enumerate(entries):
        insert_entry(connection, tournament, index, entry)
    stamp(connection, "tournament", id=tournament)
    stamp(connection, "entry", tournament_id=tournament)
    for number, ruling in enumerate(rulings, 1):
        insert_ruling(connection, tournament, number, ruling)
    count(connection, tournament, "ruling_count", len(rulings))
    if values is not None and new.value_function and new.value_hash:
        keep_file(connection, new.value_function, new.value_hash, values)
    return tournament


def new_number(connection: Connection) -> int:
    """Returns the number of the next tournament, in the transaction that stores it."""
    last = connection.execute(select(func.max(col(tables.Tournament.id)))).scalar()
    return (last or 0) + 1


def insert_entry(connection: Connection, tournament: int, index: int, entry: EntryRow) -> None:
    """Inserts an entry; the caller stamps and counts it."""
    row = {
        "tournament_id": tournament,
        "index": index,
        "participant_id": _participant_id(connection, entry.participant),
        "rating": entry.rating,
        "author": entry.author,
    }
    connection.execute(insert(tables.Entry).values(row))


def _participant_id(connection: Connection, participant: Participant) -> int:
    known = select(col(tables.Participant.id)).where(col(tables.Participant.key) == participant.key)
    stored = connection.execute(known).scalar()
    if stored is not None:
        return stored
    row = {"key": participant.key, **msgspec.structs.asdict(participant)}
    made = insert(tables.Participant).values(row)
    key = connection.execute(made).inserted_primary_key
    assert key is not None
    return int(key[0])


def change_status(connection: Connection, tournament: int, status: Status) -> Status:
    """Changes the status in a transaction; see ``Store.set_status``."""
    if checked_row(connection, tournament)["status"] == Status.FINISHED.value:
        return Status.FINISHED
    finished_at = datetime.now(UTC) if status is Status.FINISHED else None
    connection.execute(
        update(tables.Tournament)
        .where(col(tables.Tournament.id) == tournament)
        .values(status=status.value, finished_at=finished_at, pause="")
    )
    stamp(connection, "tournament", id=tournament)
    return status


def count(connection: Connection, tournament: int, column: str, more: int) -> Row:
    """Counts added rows in a tournament's row, in their transaction; returns that as it was."""
    row = checked_row(connection, tournament)
    changed = TOURNAMENT.sealed(row | {column: int(str(row[column])) + more})
    connection.execute(
        update(tables.Tournament)
        .where(col(tables.Tournament.id) == tournament)
        .values({name: changed[name] for name in (column, "checksum")})
    )
    return row


def checked_row(connection: Connection, tournament: int) -> Row:
    """Returns a tournament's stored row, checked, lest an update confirm an edited one."""
    row = connection.execute(OWN_ROW, {"id": tournament}).first()
    if row is None:
        raise unknown_tournament(connection, tournament)
    TOURNAMENT.check(row, lambda: f"tournament {tournament}: its row")
    return dict(zip(TOURNAMENT.names, row, strict=False))


def _requests(connection: Connection, tournament: int) -> tuple[str, int | None, int]:
    row = tables.Tournament
    wanted = select(col(row.pause), col(row.spec), col(row.ruling_count))
    pause, spec, rulings = connection.execute(wanted.where(col(row.id) == tournament)).one()
    return pause, _decode_concurrency(spec).concurrency, rulings


def _save_round(connection: Connection, tournament: int, round: Round, rulings: int) -> bool:
    if int(str(checked_row(connection, tournament)["ruling_count"])) > rulings:
        return False
    row: dict[str, object] = {
        "pairings": _json([pairing.seats for pairing in round.pairings]),
        "byes": _json(round.byes),
    }
    stored = connection.execute(
        select(col(tables.Round.pairings), col(tables.Round.byes)).where(
            col(tables.Round.tournament_id) == tournament, col(tables.Round.number) == round.number
        )
    ).first()
    if stored is None:
        key = {"tournament_id": tournament, "number": round.number, "chain": None}
        connection.execute(insert(tables.Round), [ROUND.sealed(key | row)])
        count(connection, tournament, "round_count", 1)
    elif stored._asdict() != row:
        raise BadStore(
            f"round {round.number} of tournament {tournament} is stored with other pairings"
        )
    return True


def _close_round(connection: Connection, tournament: int, number: int) -> None:
    rulings = rulings_of(connection, tournament)
    rounds = chained_rounds(connection, tournament, rulings, (number - 1, number))
    heads = {round.number: head for round, head in rounds}
    if heads.get(number):
        return
    before = heads.get(number - 1)
    terms = msgspec.convert(
        checked_row(connection, tournament), described(NewTournament), strict=False
    )
    if number == 1:
        before = first_head(terms)
    if before is None or number not in heads:
        raise BadStore(f"round {number} of tournament {tournament} follows none in the chain")
    chosen = {"tournament_id": tournament, "number": number}
    first = rulings_of_round(rulings, number, terms.rounds)
    records = _records(connection, tournament, number)
    head = next_head(before, rounds[-1][0], records, first)
    this = (col(tables.Round.tournament_id) == tournament, col(tables.Round.number) == number)
    connection.execute(update(tables.Round).where(*this).values(chain=head))
    stamp(connection, "round", **chosen)


def _records(
    connection: Connection, tournament: int, number: int
) -> Iterator[tuple[int, int, bytes]]:
    packer = packer_in(connection, tournament)
    given = {"tournament": tournament, "round": number}
    found = streamed(connection, _RECORDS, given)
    for pairing, leg, *values in found:
        yield pairing, leg, packer.record(values).to_bytes()


def insert_matches(
    connection: Connection, tournament: int, packer: Packer, played: Sequence[PlayedMatch]
) -> None:
    """Inserts matches with their logs and places, and counts and adds them up."""
    rows = packed_rows(connection, tournament, packer, played)
    MATCH.insert(connection, rows)
    row = count(connection, tournament, "match_count", len(rows))
    add_sums(connection, tournament, map(match_row, rows), bool(row["mirrored"]))
    insert_places(connection, tournament, played)
    if kept := insert_logs(connection, log_rows(tournament, packer.indices, played)):
        count(connection, tournament, "log_count", kept)


def _insert_new(
    connection: Connection, tournament: int, packer: Packer, played: Sequence[PlayedMatch]
) -> None:
    for match in played:
        key = {"tournament_id": tournament, **msgspec.structs.asdict(match.key)}
        where = f"match {match.key} of tournament {tournament}"
        same_key = [tables.METADATA.tables["match"].c[name] == value for name, value in key.items()]
        stored = connection.execute(select(*_RECORD).where(*same_key)).first()
        if stored is None:
            try:
                insert_matches(connection, tournament, packer, [match])
            except IntegrityError:
                raise HarnessFault(f"{where} came before its round was saved") from None
        elif packer.record(stored) != match.record:
            raise BadStore(f"{where} is stored with another record; nothing was written")


def _json(value: object) -> str:
    return _encode(value).decode()


class _Concurrency(msgspec.Struct):
    concurrency: int | None = None


_decode_concurrency = msgspec.json.Decoder(described(_Concurrency)).decode
_encode = msgspec.json.Encoder().encode
_RECORD = [tables.METADATA.tables["match"].c[name] for name in RECORD_COLUMNS]
# Of a text, as SQLAlchemy then looks at no value of a row.
_RECORDS = text(f"""SELECT pairing, leg, {", ".join(RECORD_COLUMNS)} FROM "match"
WHERE tournament_id = :tournament AND round = :round ORDER BY pairing, leg""")
