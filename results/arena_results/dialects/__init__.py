"""The kinds of database that can hold results, each a module: ``sqlite`` and ``postgres``.

A ``Dialect`` has the statements that the kinds write differently, and the values that they return
differently. It holds no state. How a database is found, opened, locked and watched is in
``arena_results.file``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Protocol, TypeAlias

from sqlalchemy import ColumnElement, Connection, MetaData, Table

MODULES = {"sqlite": "sqlite", "postgresql": "postgres"}
"""The module of each kind, by the name that begins its addresses."""

NEW = -1
"""In the place of a tournament's number: one that is being made."""

Compute: TypeAlias = Callable[[Sequence[object]], bytes]
"""Computes a value of a row from others of it."""


class Dialect(Protocol):
    """The differences of one kind of database, as far as statements go.

    Every method works in the transaction of the connection that it is given.
    """

    name: str

    def schema(self, tables: MetaData) -> Sequence[str]:
        """Returns the statements that create tables in an empty database."""
        ...

    def has_tables(self, connection: Connection) -> bool:
        """Returns whether there is any table."""
        ...

    def begin(self, connection: Connection, writes: int | None) -> None:
        """Begins a transaction: one consistent view to read, or one in which to write.

        What is read in a transaction for writing is not changed by others before it ends.

        Args:
            writes: The number of a tournament, to read and write its rows only; ``NEW`` to make
                one; 0 to write anything; ``None`` to read.
        """
        ...

    def announce(self, connection: Connection) -> None:
        """Announces the coming commit to watchers that cannot notice it themselves."""
        ...

    def insert(
        self,
        connection: Connection,
        table: Table,
        names: Sequence[str],
        rows: Iterable[Sequence[object]],
    ) -> None:
        """Inserts many rows; raises SQLAlchemy's ``IntegrityError`` if one is there already.

        Args:
            names: The columns of the values of each row.
        """
        ...

    def insert_ignoring(
        self, connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]
    ) -> None:
        """Inserts rows, unless a row with the same key is there already."""
        ...

    def insert_replacing(
        self, connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]
    ) -> None:
        """Inserts rows, each in the place of one with the same key."""
        ...

    def columns(self, connection: Connection, table: str) -> Sequence[str]:
        """Returns the names of the columns that a table has now."""
        ...

    def fill(
        self,
        connection: Connection,
        table: str,
        column: str,
        values: Sequence[str],
        compute: Compute,
        key: Mapping[str, int],
    ) -> None:
        """Changes a column of the rows with a key to what is computed of their other values.

        Args:
            values: SQL of each value, in the order in which ``compute`` takes them; it gets them as
                SQLite stores them.
            key: Columns and values that choose rows; without any, every row.
        """
        ...

    def contains(self, column: ColumnElement[bytes], part: bytes) -> ColumnElement[bool]:
        """Returns the condition that bytes have others among them."""
        ...

    def is_one_of(
        self, columns: Sequence[ColumnElement[int]], pairs: Sequence[tuple[int, int]]
    ) -> ColumnElement[bool]:
        """Returns the condition that two columns hold one of some pairs, however many they are."""
        ...

    def stored(self, value: object) -> object:
        """Returns a value that was read without a type of SQLAlchemy as SQLite stores it.

        Checksums are about these: a time is its text in UTC, a truth value 0 or 1.
        """
        ...

    def damage(self, connection: Connection) -> str:
        """Returns what is wrong with the structure of the database; empty if nothing is."""
        ...


def dialect_of(connection: Connection) -> Dialect:
    """Returns the dialect of an open connection."""
    return dialect_named(connection.dialect.name)


@cache
def dialect_named(name: str) -> Dialect:
    """Returns the dialect of a kind; its module is loaded when it is needed first."""
    module = import_module(f"arena_results.dialects.{MODULES[name]}")
    dialect: Dialect = module.DIALECT
    return dialect
