"""SQLite: a file, or a bundle that is read as one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    MetaData,
    Table,
    create_mock_engine,
    func,
    select,
    tuple_,
)
from sqlalchemy.dialects.sqlite import dialect as sql_dialect
from sqlalchemy.dialects.sqlite import insert

from arena.core.text.printable import printable_line
from arena_results.dialects import Compute, Dialect

_FUNCTION = "arena_computed"
AT_ONCE = 10_000
"""Rows that are inserted by one call, and in memory at a time."""


class Sqlite:
    """The statements of SQLite."""

    name = "sqlite"

    def schema(self, tables: MetaData) -> Sequence[str]:
        made: list[str] = []
        compiler = sql_dialect()
        engine = create_mock_engine(
            "sqlite://", lambda clause, *_: made.append(str(clause.compile(dialect=compiler)))
        )
        tables.create_all(engine, checkfirst=False)
        return made

    def has_tables(self, connection: Connection) -> bool:
        found = connection.exec_driver_sql("SELECT 1 FROM sqlite_master LIMIT 1")
        return found.first() is not None

    def begin(self, connection: Connection, writes: int | None) -> None:
        # A writer takes the lock at once: one that reads first and writes later could find that
        # another process wrote in between, and fail.
        connection.exec_driver_sql("BEGIN" if writes is None else "BEGIN IMMEDIATE")

    def announce(self, connection: Connection) -> None:
        """Does nothing: the file has a version."""

    def insert(
        self,
        connection: Connection,
        table: Table,
        names: Sequence[str],
        rows: Iterable[Sequence[object]],
    ) -> None:
        columns = ", ".join(f'"{name}"' for name in names)
        marks = ", ".join("?" * len(names))
        # Of a statement of its own, SQLAlchemy would look at each value of each row.
        statement = f'INSERT INTO "{table.name}" ({columns}) VALUES ({marks})'
        left = map(tuple, rows)
        while some := [*islice(left, AT_ONCE)]:
            connection.exec_driver_sql(statement, some)

    def insert_ignoring(
        self, connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]
    ) -> None:
        connection.execute(insert(table).on_conflict_do_nothing(), rows)

    def insert_replacing(
        self, connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]
    ) -> None:
        connection.execute(insert(table).prefix_with("OR REPLACE"), rows)

    def columns(self, connection: Connection, table: str) -> Sequence[str]:
        return [row.name for row in connection.exec_driver_sql(f'PRAGMA table_info("{table}")')]

    def fill(
        self,
        connection: Connection,
        table: str,
        column: str,
        values: Sequence[str],
        compute: Compute,
        key: Mapping[str, int],
    ) -> None:
        _file(connection).create_function(
            _FUNCTION, -1, lambda *row: compute(row), deterministic=True
        )
        chosen = " AND ".join(f'"{name}" = ?' for name in key) or "true"
        connection.exec_driver_sql(
            f'UPDATE "{table}" SET {column} = {_FUNCTION}({", ".join(values)}) WHERE {chosen}',
            tuple(key.values()),
        )

    def contains(self, column: ColumnElement[bytes], part: bytes) -> ColumnElement[bool]:
        return func.instr(column, part) > 0

    def is_one_of(
        self, columns: Sequence[ColumnElement[int]], pairs: Sequence[tuple[int, int]]
    ) -> ColumnElement[bool]:
        # One parameter, of however many pairs.
        given = func.json_each(msgspec.json.encode(pairs).decode()).table_valued("value")
        parts = (func.json_extract(given.c.value, f"$[{place}]") for place in range(2))
        return tuple_(*columns).in_(select(*parts))

    def stored(self, value: object) -> object:
        return value

    def damage(self, connection: Connection) -> str:
        found: str = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
        return "" if found == "ok" else printable_line(found)


def _file(connection: Connection) -> sqlite3.Connection:
    file = connection.connection.driver_connection
    assert isinstance(file, sqlite3.Connection)
    return file


DIALECT: Dialect = Sqlite()
