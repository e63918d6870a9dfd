"""Checksums of rows: about every column, and the same however they are computed."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
import trio
from arena_results.file.database import open_database
from arena_results.schema.checksums import OWNER, stamp
from arena_results.schema.dictionaries import dictionary_of
from arena_results.schema.rows import LuckSums, MemberLuck, Status, VoidMatch
from arena_results.schema.tables import METADATA
from arena_results.store.logs import logs
from arena_results.store.luck_sums import keep_luck, read_luck
from arena_results.store.organising import make_ruling
from arena_results.store.places import places
from arena_results.store.queries import tournament, tournaments
from arena_results.store.store import Store
from arena_results.store.value_files import file_by_hash

from arena.core.errors import AlteredResults
from arena.core.outcome import Fault, Termination
from arena.core.record import MatchKey, SeatLog
from arena.core.tournaments.format import Pairing, Round
from arena.core.tournaments.rulings import Ruling, RulingKind

HASH = "a" * 64
SEALED = [name for name, table in METADATA.tables.items() if "checksum" in table.c]
COLUMNS = [(name, column.name) for name in SEALED for column in METADATA.tables[name].c] + [
    (owner, name) for owner, names in OWNER.values() for name in names
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """The file with the tournament; the first test of files makes it, and the others get a copy."""
    return tmp_path_factory.mktemp("prepared") / "cup.db"


@pytest.fixture
def database(url, prepared):
    if is_file(url) and prepared.exists():
        shutil.copy(prepared, url.removeprefix("sqlite:///"))
    with open_database(url) as database:
        yield database


@pytest.fixture
def cup(database, prepared, run, new, played):
    """A finished tournament, every kind of row of which was added or changed after the first."""
    if tournaments(database):
        return 1
    faults = (Fault(2, Termination.CRASH, 1, "sorry"),)
    sent = [
        played((1, 1, 1), (0, 1), 1, termination=Termination.TIMEOUT),
        played((1, 1, 2), (1, 0, 2), places=(1, 2, 3), expelled=faults),
    ]
    measured = msgspec.structs.replace(sent[0].measurement, logs=(SeatLog(1, "hello\n"),))
    sent[0] = msgspec.structs.replace(sent[0], measurement=measured, place="far")
    number = run(new(value_function="dice-learned 9", value_hash=HASH), sent, values=b"values")
    ruling = Ruling(kind=RulingKind.BYE, entry=1, round=2, points=0.5, reason="away")
    assert make_ruling(database, tournament(database, number, matches=False), ruling)

    async def go_on() -> None:
        store = Store(database)
        await store.save_round(number, Round(2, (Pairing((0, 2)),), byes=(3,)), rulings=1)
        await store.sink(number).write([*sent, played((2, 1, 1), (0, 2), -1)])
        lost = VoidMatch(MatchKey(2, 1, 1), Termination.HARNESS_FAULT, "the worker process died")
        await store.save_void(number, [lost])
        taken_back = msgspec.structs.replace(lost, cause=Termination.CRASH, offender=2)
        await store.save_void(number, [taken_back, taken_back])
        await store.set_status(number, Status.FINISHED)

    trio.run(go_on)
    keep_luck(database, number, {(2, 1): LuckSums(1, 1, 1, (MemberLuck(0, *[0.5] * 10),))})
    if is_file(database.url):
        with (
            closing(sqlite3.connect(database.place.path)) as file,
            closing(sqlite3.connect(prepared)) as copy,
        ):
            file.backup(copy)
    return number


def is_file(url):
    return url.startswith("sqlite:")


def test_every_table_of_a_tournament_has_checksums():
    rows = {name for name, table in METADATA.tables.items() if "tournament_id" in table.c}
    beside_it = {"season", "exchange"}
    assert set(SEALED) == rows - beside_it | {"tournament", "value_function"}


def read_all(database, number, table):
    """Reads a tournament; of rows that are not counted, also those that an edit gave another."""
    if table == "place":
        return [places(database, owner) for owner in (number, number + 77)]
    with database.reading() as connection:
        if table == "value_function":
            return file_by_hash(connection, HASH)
        if read := {"log": logs, "luck": read_luck, "dictionary": dictionary_of}.get(table):
            return [read(connection, owner) for owner in (number, number + 77)]
    return list(tournament(database, number).played)


@pytest.mark.on_files
@pytest.mark.parametrize(("table", "column"), COLUMNS)
@pytest.mark.thorough(
    "tests/service/test_verification.py changes every column every day", everyday=["tournament-*"]
)
def test_another_value_in_any_column_is_found(database, cup, table, column):
    assert len(tournament(database, cup).played) == 3
    key = ", ".join(f'"{each.name}"' for each in METADATA.tables[table].primary_key)
    with closing(sqlite3.connect(database.place.path)) as file:
        # A number becomes another one, a text longer, and what is empty gets a value.
        changed = file.execute(
            f'UPDATE "{table}" SET "{column}" = CASE typeof("{column}") '
            f"""WHEN 'integer' THEN "{column}" + 77 WHEN 'real' THEN "{column}" + 0.25 """
            f"""WHEN 'null' THEN 7 WHEN 'blob' THEN x'00' """
            f"""ELSE "{column}" || ' ' END WHERE ({key}) = (SELECT {key} FROM "{table}" LIMIT 1)"""
        )
        assert changed.rowcount == 1
        file.commit()
    number = 78 if (table, column) == ("tournament", "id") else cup
    where = r"^(tournament \d+|value function a{12}: ).* \(in .*results\.db\)$"
    with pytest.raises(AlteredResults, match=where):
        read_all(database, number, table)


def test_void_matches_are_stored_as_the_next_attempts_of_their_keys(database, cup):
    void = tournament(database, cup).void
    assert [(each.attempt, each.cause.value, each.offender) for each in void] == [
        (1, "harness fault", None),
        (2, "crash", 2),
        (3, "crash", 2),
    ]
    assert {(each.key, each.reason) for each in void} == {
        (MatchKey(2, 1, 1), "the worker process died")
    }
    assert all(datetime.now(UTC) - each.at < timedelta(hours=1) for each in void)


def test_what_is_written_has_the_checksums_that_a_migration_computes(database, cup):
    def checksums() -> list[object]:
        with database.reading() as connection:
            return [
                connection.exec_driver_sql(f'SELECT checksum FROM "{table}"').all()
                for table in SEALED
            ]

    written = checksums()
    assert [len(rows) for rows in written] == [len(rows) for rows in map(set, written)]
    with database.writing() as connection:
        for table in SEALED:
            stamp(connection, table)
    assert checksums() == written
