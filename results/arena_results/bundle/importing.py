"""Places the tournament of a bundle into a database, and copies tournaments between databases."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, TypeAlias

from sqlalchemy import Connection, update
from sqlmodel import col

from arena.core.errors import ArenaError, BadInput
from arena_results.bots.submissions import SubmissionStatus, add, archive, set_status, submissions
from arena_results.bundle.bundle_reading import Bundle
from arena_results.bundle.bundles import ROWS, declared
from arena_results.file.database import Database
from arena_results.schema import tables
from arena_results.schema.checksums import COLUMN, stamp
from arena_results.schema.rows import NewTournament, Status
from arena_results.schema.tables import METADATA
from arena_results.store.queries import has_rows_from, reading_whole, row_missing
from arena_results.store.store import Store
from arena_results.store.value_files import file_by_hash, keep_file

AT_ONCE = 2000
"""Matches that are stored in one transaction."""
Row: TypeAlias = Mapping[str, Any]
_OWNER, _WHO = "tournament_id", "participant_id"
_NUMBERED = ("tournament", "participant")
"""Tables whose rows get their numbers from the database."""
_IDENTITY = ("created_at", "key", "seed")
"""Columns that no two tournaments have in common."""


async def load_bundle(bundle: Bundle, database: Database) -> None:
    """Stores a bundle's tournament, and its submitted bots, in a new database.

    Raises:
        BadStore: A member cannot be read.
        AlteredResults: A member is not what was written: the chain computed from the matches is
            another than that of the rounds, say.
    """
    about, rounds, store = bundle.about(), bundle.rounds(), Store(database)
    for bot, files in bundle.bots():
        add(database, bot, files)
    try:
        names = NewTournament.__struct_fields__
        new = NewTournament(**{name: getattr(about, name) for name in names})
        rulings = bundle.rulings()
        number = await store.create_tournament(new, bundle.field(), rulings, bundle.values())
        for each in rounds:
            await store.save_round(number, each.round, len(rulings))
    except ArenaError as error:
        raise bundle.differs("tournament.json", f"is not what was written: {error}") from None
    sink, matches = store.sink(number), bundle.matches()
    while some := list(islice(matches, AT_ONCE)):
        try:
            await sink.write(some)
        except ArenaError as error:
            name = f"matches/{some[0].key.round:05}.frames"
            raise bundle.differs(name, f"is not what was written: {error}") from None
    for each in rounds:
        await store.close_round(number, each.round.number)
    await store.set_status(number, Status.FINISHED)
    _check_heads(database, bundle, number)
    counts: Counter[str] = Counter()
    with database.writing() as connection:
        for table in ROWS:
            found = _checked_rows(bundle, table, counts)
            _insert(connection, table, ({**row, _OWNER: number, COLUMN: b""} for row in found))
            stamp(connection, table, tournament_id=number)
        times = {"created_at": about.created_at, "finished_at": about.finished_at}
        this = col(tables.Tournament.id) == number
        connection.execute(update(tables.Tournament).where(this).values({**times, **counts}))
        stamp(connection, "tournament", id=number)


def _check_heads(database: Database, bundle: Bundle, number: int) -> None:
    with reading_whole(database, number) as (stored, _):
        heads = stored.heads
    for each, head in zip(bundle.rounds(), heads, strict=True):
        if head != each.head:
            raise bundle.differs(
                "rounds.json",
                f"differs in round {each.round.number}: the head of its chain is not that of its "
                "results",
            )


def _checked_rows(
    bundle: Bundle, table: str, counts: Counter[str]
) -> Iterator[dict[str, str | int | float | None]]:
    expected = {column.name for column in METADATA.tables[table].c} - {_OWNER, COLUMN}
    for row in bundle.rows(table):
        if row.keys() != expected:
            columns = ", ".join(sorted(expected))
            raise bundle.differs(f"rows/{table}.jsonl", f"has not these columns: {columns}")
        counts[f"{table}_count"] += 1
        yield row


def copy_tournament(source: Database, number: int, target: Database) -> int:
    """Copies a finished tournament into another database, in one transaction there.

    Returns:
        Its number there.

    Raises:
        BadInput: It is there already.
    """
    with source.reading() as there, target.writing() as here:
        (row,) = _rows(there, "tournament", "id", number)
        _refuse_known(here, row)
        new = _insert(here, "tournament", iter([{**row, "id": None}]))
        if has_rows_from(here, new):
            raise row_missing(new)
        participants = _copied_participants(there, here)
        for table in (str(table.name) for table in METADATA.sorted_tables if _OWNER in table.c):
            rows = ({**row, _OWNER: new} for row in _rows(there, table, _OWNER, number))
            if table == "entry":
                rows = ({**row, _WHO: participants[row[_WHO]]} for row in rows)
            _insert(here, table, rows)
            if COLUMN in METADATA.tables[table].c:
                stamp(here, table, tournament_id=new)
        stamp(here, "tournament", id=new)
        name, hash = row["value_function"], row["value_hash"]
        if hash is not None and (content := file_by_hash(there, hash)) is not None:
            keep_file(here, name, hash, content)
        return new


def _refuse_known(connection: Connection, row: Row) -> None:
    """Raises ``BadInput`` if the tournament that was begun at that moment by that key is there."""
    file = _file(connection)
    same = " AND ".join(f"{name} IS ?" for name in _IDENTITY)
    known = file.execute(
        f"SELECT id, name FROM tournament WHERE status <> ? AND {same}",
        (Status.DELETED.value, *(row[name] for name in _IDENTITY)),
    ).fetchone()
    if known is not None:
        number, name = known
        called = f": {name}" if name else ""
        raise BadInput(f"it is in this database already, as tournament {number}{called}")


def _copied_participants(there: Connection, here: Connection) -> dict[object, object]:
    numbers: dict[object, object] = {}
    file = _file(here)
    for row in _rows(there, "participant"):
        known = "SELECT id FROM participant WHERE key = ?"
        if file.execute(known, (row["key"],)).fetchone() is None:
            _insert(here, "participant", iter([{**row, "id": None}]))
        (numbers[row["id"]],) = file.execute(known, (row["key"],)).fetchone()
    return numbers


def _rows(
    connection: Connection, table: str, column: str = "", value: int | None = None
) -> Iterator[Row]:
    names = [each.name for each in METADATA.tables[table].c]
    chosen = f' WHERE "{column}" = ?' if column else ""
    listed = ", ".join(f'"{name}"' for name in names)
    given = (value,) if column else ()
    for row in _file(connection).execute(f'SELECT {listed} FROM "{table}"{chosen}', given):
        yield dict(zip(names, row, strict=True))


def _insert(connection: Connection, table: str, rows: Iterator[Row]) -> int:
    names = [each.name for each in METADATA.tables[table].c]
    listed = ", ".join(f'"{name}"' for name in names)
    statement = f'INSERT INTO "{table}" ({listed}) VALUES ({", ".join("?" * len(names))})'
    if table in _NUMBERED:
        (row,) = rows
        return _file(connection).execute(statement, [row[name] for name in names]).lastrowid or 0
    _file(connection).executemany(statement, ([row[name] for name in names] for row in rows))
    return 0


def _file(connection: Connection) -> sqlite3.Connection:
    """The driver's connection: its rows are values as they are stored."""
    file = connection.connection.driver_connection
    assert isinstance(file, sqlite3.Connection)
    return file


def copy_bots(source: Database, target: Database) -> dict[str, str]:
    """Copies submitted bots with their files into another database, disabled.

    Returns:
        By ``NAME@VERSION`` of each the reason why it was left out, empty for those that are there.
    """
    known = {each.spelling: each for each in submissions(target)}
    left_out: dict[str, str] = {}
    for bot in submissions(source):
        left_out[bot.spelling] = ""
        if (other := known.get(bot.spelling)) is None:
            add(target, declared(bot), archive(source, bot.id))
            set_status(target, bot.name, bot.version, SubmissionStatus.DISABLED)
        elif other.content != bot.content:
            left_out[bot.spelling] = "another bot of that name and version is there"
    return left_out
