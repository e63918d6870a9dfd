"""Stored matches changed as any writer of the file can change them: with checksums that fit."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress

import msgspec
from arena_results.file.database import open_database
from arena_results.schema import tables
from arena_results.schema.checksums import MATCH, stamp
from arena_results.schema.packing import ROW_COLUMNS, match_row_of, pack
from arena_results.store.logs import insert_logs, log_rows
from arena_results.store.places import insert_places
from arena_results.store.queries import match, packer_in
from sqlalchemy import update
from sqlmodel import col

from arena.core.record import MatchKey, MatchRecord, SeatLog
from tests.pairing_sums import sums_of

SEALED = [name for name, table in tables.METADATA.tables.items() if "checksum" in table.c]


def seal_again(url: str) -> None:
    """Makes the sums and checksums fit the edited rows."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file, file:
        for number, mirrored in file.execute("SELECT id, mirrored FROM tournament").fetchall():
            rows = file.execute(
                f'SELECT {", ".join(ROW_COLUMNS)} FROM "match" WHERE tournament_id = ? '
                "ORDER BY round, pairing, leg",
                (number,),
            )
            with suppress(ValueError):  # edited to what is no match: then the sums stay
                found = sums_of(map(match_row_of, rows), bool(mirrored))
                file.execute("DELETE FROM tally WHERE tournament_id = ?", (number,))
                for board, sums in found.items():
                    row = (number, *board, pack(sums))
                    file.execute("INSERT INTO tally VALUES (x'', ?, ?, ?, ?)", row)
    with open_database(url) as database, database.writing() as connection:
        for table in SEALED:
            stamp(connection, table)


def add_log(url: str, key: MatchKey, log: SeatLog, tournament: int = 1) -> None:
    """Adds the log of a match, as if it had been stored with it."""
    with open_database(url) as database:
        played = match(database, tournament, key)[1]
        measured = msgspec.structs.replace(played.measurement, logs=(log,))
        with database.writing() as connection:
            indices = packer_in(connection, tournament).indices
            sent = msgspec.structs.replace(played, measurement=measured)
            insert_logs(connection, log_rows(tournament, indices, [sent]))
            counted = update(tables.Tournament).where(col(tables.Tournament.id) == tournament)
            connection.execute(counted.values(log_count=tables.Tournament.log_count + 1))
            stamp(connection, "tournament")


def add_place(url: str, key: MatchKey, place: str, tournament: int = 1) -> None:
    """Adds the place of a match, as if another machine had played it."""
    with open_database(url) as database:
        played = msgspec.structs.replace(match(database, tournament, key)[1], place=place)
        with database.writing() as connection:
            insert_places(connection, tournament, [played])


def put_record(url: str, record: MatchRecord, key: MatchKey, tournament: int = 1) -> None:
    """Puts another record in the place of a match's own."""
    with open_database(url) as database:
        played = msgspec.structs.replace(match(database, tournament, key)[1], record=record)
        with database.writing() as connection:
            row = packer_in(connection, tournament).row(tournament, played)
            columns = dict(zip((*MATCH.names, "checksum"), row, strict=True))
            connection.execute(
                update(tables.Match)
                .where(
                    col(tables.Match.tournament_id) == tournament,
                    col(tables.Match.round) == key.round,
                    col(tables.Match.pairing) == key.pairing,
                    col(tables.Match.leg) == key.leg,
                )
                .values(columns)
            )


def stored_record(url: str, key: MatchKey, tournament: int = 1) -> MatchRecord:
    with open_database(url) as database:
        return match(database, tournament, key)[1].record


def edit(file, *statements):
    """Edits a database; a statement may be a tuple, with its values."""
    with closing(sqlite3.connect(file)) as opened, opened:
        for statement, *values in (
            each if isinstance(each, tuple) else (each,) for each in statements
        ):
            assert opened.execute(statement, values).rowcount > 0


def forge(file, *statements):
    """Edits a database, and computes its checksums anew."""
    edit(file, *statements)
    seal_again(f"sqlite:///{file}")


def dropped(where, matches, rounds=0):
    """Returns statements that leave out so many matches and rounds."""
    return [
        f"DELETE FROM match WHERE {where}",
        f"UPDATE tournament SET match_count = match_count - {matches}",
        f"UPDATE tournament SET round_count = round_count - {rounds}",
    ]
