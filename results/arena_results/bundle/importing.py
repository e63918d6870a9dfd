"""Places the tournament of a bundle into a database, and copies tournaments between databases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from operator import itemgetter
from typing import Any, TypeAlias

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import col

from arena.core.errors import ArenaError, BadInput
from arena_results.bots.submissions import SubmissionStatus, add, archive, set_status, submissions
from arena_results.bundle.bundle_reading import Bundle
from arena_results.bundle.bundles import ROWS, declared
from arena_results.dialects import dialect_of
from arena_results.file.database import Database
from arena_results.schema import tables
from arena_results.schema.checksums import COLUMN, Seal, stamp
from arena_results.schema.rows import NewTournament, Status
from arena_results.schema.stored import as_stored, streamed
from arena_results.schema.tables import METADATA
from arena_results.store.queries import has_rows_from, reading_whole, row_missing
from arena_results.store.store import Store, new_number
from arena_results.store.value_files import file_by_hash, keep_file

AT_ONCE = 2000
"""Matches that are stored in one transaction."""
Row: TypeAlias = Mapping[str, Any]
_OWNER, _WHO = "tournament_id", "participant_id"
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
    with database.writing(number) as connection:
        for table in ROWS:
            found = _checked_rows(bundle, table, counts)
            rows: Iterator[Row] = ({**row, _OWNER: number, COLUMN: b""} for row in found)
            _insert_bundled(bundle, connection, table, rows)
            stamp(connection, table, tournament_id=number)
        unsaid = {_OWNER: number, "asked": b"", "answer": b""}
        rows = ({**row, **unsaid} for row in bundle.exchanges())
        _insert_bundled(bundle, connection, "exchange", rows)
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
        new = new_number(here)
        _insert(here, "tournament", iter([{**row, "id": new}]))
        if has_rows_from(here, new):
            raise row_missing(new)
        participants = _copied_participants(there, here)
        for table in (str(table.name) for table in METADATA.sorted_tables if _OWNER in table.c):
            found = _rows(there, table, _OWNER, number)
            rows: Iterator[Row] = ({**row, _OWNER: new} for row in found)
            if table == "entry":
                rows = ({**row, _WHO: participants[row[_WHO]]} for row in rows)
            elif COLUMN in METADATA.tables[table].c:
                rows = map(Seal(table).sealed, rows)
            _insert(here, table, rows)
        stamp(here, "entry", tournament_id=new)
        stamp(here, "tournament", id=new)
        name, hash = row["value_function"], row["value_hash"]
        if hash is not None and (content := file_by_hash(there, hash)) is not None:
            keep_file(here, name, hash, content)
        return new


def _refuse_known(connection: Connection, row: Row) -> None:
    """Raises ``BadInput`` if the tournament that was begun at that moment by that key is there."""
    table = METADATA.tables["tournament"]
    same = (as_stored(table.c[name]).is_not_distinct_from(row[name]) for name in _IDENTITY)
    known = connection.execute(
        select(table.c.id, table.c.name).where(table.c.status != Status.DELETED.value, *same)
    ).first()
    if known is not None:
        number, name = known
        called = f": {name}" if name else ""
        raise BadInput(f"it is in this database already, as tournament {number}{called}")


def _copied_participants(there: Connection, here: Connection) -> dict[object, object]:
    numbers: dict[object, object] = {}
    table = METADATA.tables["participant"]
    for row in _rows(there, "participant"):
        known = select(table.c.id).where(table.c.key == row["key"])
        if here.execute(known).first() is None:
            new = {name: value for name, value in row.items() if name != "id"}
            here.execute(insert(table).values(new))
        numbers[row["id"]] = here.execute(known).scalar_one()
    return numbers


def _rows(
    connection: Connection, table: str, column: str = "", value: int | None = None
) -> Iterator[dict[str, Any]]:
    """Yields rows as SQLite stores them."""
    columns = METADATA.tables[table].c
    chosen = select(*map(as_stored, columns))
    if column:
        chosen = chosen.where(columns[column] == value)
    names = columns.keys()
    for row in streamed(connection, chosen):
        yield dict(zip(names, row, strict=True))


def _insert(connection: Connection, table: str, rows: Iterator[Row]) -> None:
    """Inserts rows as SQLite stores them."""
    into = METADATA.tables[table]
    values = map(itemgetter(*into.c.keys()), rows)
    dialect_of(connection).insert(connection, into, into.c.keys(), values)


def _insert_bundled(
    bundle: Bundle, connection: Connection, table: str, rows: Iterator[Row]
) -> None:
    """Inserts the rows of a member; raises ``AlteredResults`` if one is there twice."""
    try:
        _insert(connection, table, rows)
    except IntegrityError:
        problem = "is not what was written: a row is there twice"
        raise bundle.differs(f"rows/{table}.jsonl", problem) from None


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
