"""PostgreSQL: a database of a server, for several that write at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    DefaultClause,
    LargeBinary,
    MetaData,
    String,
    Table,
    bindparam,
    create_mock_engine,
    func,
    inspect,
    literal,
    make_url,
    select,
    text,
    tuple_,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlmodel.sql.sqltypes import AutoString

from arena_results.dialects import Compute, Dialect

if TYPE_CHECKING:
    import psycopg

WRITES = 0x41726557
"""The class of the advisory locks of writers: 0 for all, ``NEW``, or the number of a tournament."""
CHANNEL = "arena"
"""The channel on which commits are announced."""


class Postgres:
    """The statements of PostgreSQL."""

    name = "postgresql"

    def schema(self, tables: MetaData) -> Sequence[str]:
        made: list[str] = []
        compiler = make_url("postgresql+psycopg://").get_dialect()()
        engine = create_mock_engine(
            "postgresql://", lambda clause, *_: made.append(str(clause.compile(dialect=compiler)))
        )
        _own(tables).create_all(engine, checkfirst=False)
        return made

    def has_tables(self, connection: Connection) -> bool:
        found = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() LIMIT 1"
        return connection.exec_driver_sql(found).first() is not None

    def begin(self, connection: Connection, writes: int | None) -> None:
        if writes is None:
            connection.exec_driver_sql("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            return
        # Each statement sees what is committed, and the locks keep others from committing what
        # would change it: all others, or those who write the same tournament.
        connection.exec_driver_sql("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
        if writes:
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock_shared(%s, 0)", (WRITES,))
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(%s, %s)", (WRITES, writes))

    def announce(self, connection: Connection) -> None:
        connection.exec_driver_sql(f"NOTIFY {CHANNEL}")

    def insert(
        self,
        connection: Connection,
        table: Table,
        names: Sequence[str],
        rows: Iterable[Sequence[object]],
    ) -> None:
        import psycopg

        columns, coming = ", ".join(f'"{name}"' for name in names), f'"new_{table.name}"'
        with _driver(connection).cursor() as cursor:
            # A session keeps the temporary table; it is empty, but for rows of this transaction.
            cursor.execute(
                f'CREATE TEMPORARY TABLE IF NOT EXISTS {coming} (LIKE "{table.name}") '
                f"ON COMMIT DELETE ROWS; DELETE FROM {coming}; SELECT {columns} FROM {coming}"
            )
            while cursor.nextset():
                pass
            types = [column.type_code for column in cursor.description or ()]
            of_times = cursor.adapters.types["timestamptz"].oid
            times = [place for place, each in enumerate(types) if each == of_times]
            copied = 0
            with cursor.copy(f"COPY {coming} ({columns}) FROM STDIN (FORMAT BINARY)") as copy:
                copy.set_types(types)
                for row in rows:
                    copy.write_row(_with_times(row, times) if times else row)
                    copied += 1
            put = f'INSERT INTO "{table.name}" ({columns}) SELECT {columns} FROM {coming}'
            try:
                cursor.execute(f"{put} ON CONFLICT DO NOTHING")
                if cursor.rowcount != copied:
                    raise psycopg.IntegrityError(f"a row of {table.name} is there already")
            except psycopg.IntegrityError as error:
                raise IntegrityError(put, None, error) from error

    def insert_ignoring(
        self, connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]
    ) -> None:
        connection.execute(insert(table).on_conflict_do_nothing(), rows)

    def insert_replacing(
        self, connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]
    ) -> None:
        keys = [column.name for column in table.primary_key]
        put = insert(table)
        others = {name: put.excluded[name] for name in rows[0] if name not in keys}
        connection.execute(put.on_conflict_do_update(index_elements=keys, set_=others), rows)

    def columns(self, connection: Connection, table: str) -> Sequence[str]:
        return [column["name"] for column in inspect(connection).get_columns(table)]

    def fill(
        self,
        connection: Connection,
        table: str,
        column: str,
        values: Sequence[str],
        compute: Compute,
        key: Mapping[str, int],
    ) -> None:
        # The place of a row is its key within a transaction in which nobody else writes it.
        chosen = " AND ".join(f'"{name}" = %s' for name in key) or "true"
        listed = ", ".join(["ctid::text", *values])
        found = connection.exec_driver_sql(
            f'SELECT {listed} FROM "{table}" WHERE {chosen}', tuple(key.values())
        )
        changed = [(compute([*map(self.stored, row)]), place) for place, *row in found]
        if changed:
            connection.exec_driver_sql(
                f'UPDATE "{table}" SET {column} = %s WHERE ctid = %s::tid', changed
            )

    def contains(self, column: ColumnElement[bytes], part: bytes) -> ColumnElement[bool]:
        return func.position(literal(part).op("IN")(column)) > 0

    def is_one_of(
        self, columns: Sequence[ColumnElement[int]], pairs: Sequence[tuple[int, int]]
    ) -> ColumnElement[bool]:
        # Two parameters, of however many pairs.
        given = (
            bindparam(None, [*part], type_=ARRAY(BigInteger))
            for part in (zip(*pairs, strict=True) if pairs else ([], []))
        )
        found = func.unnest(*given).table_valued("one", "other").render_derived()
        return tuple_(*columns).in_(select(found.c.one, found.c.other))

    def stored(self, value: object) -> object:
        if isinstance(value, datetime):
            if value.tzinfo is not None:
                value = value.astimezone(UTC).replace(tzinfo=None)
            return value.isoformat(" ", "microseconds")
        return int(value) if isinstance(value, bool) else value

    def damage(self, connection: Connection) -> str:
        return ""  # its server looks after that


def _own(tables: MetaData) -> MetaData:
    """Returns a copy with the types of PostgreSQL; strings are in the order of SQLite."""
    copied = MetaData()
    for table in tables.sorted_tables:
        for column in table.to_metadata(copied).c:
            if isinstance(column.type, String | AutoString):
                column.type = String(collation="C")
            if isinstance(column.type, LargeBinary) and column.server_default is not None:
                column.server_default = DefaultClause(text("''"))
    return copied


def _with_times(row: Sequence[object], places: Sequence[int]) -> list[object]:
    """Returns a row with times in the place of their texts as SQLite stores them."""
    typed = [*row]
    for place in places:
        value = typed[place]
        if isinstance(value, str):
            typed[place] = datetime.fromisoformat(value).replace(tzinfo=UTC)
    return typed


def _driver(connection: Connection) -> psycopg.Connection[tuple[Any, ...]]:
    driver: Any = connection.connection.driver_connection
    found: psycopg.Connection[tuple[Any, ...]] = driver
    return found


DIALECT: Dialect = Postgres()
