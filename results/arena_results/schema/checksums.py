"""Computes and checks the checksums of rows: one per row, over all its columns with its key.

They find edited, swapped and damaged rows. They are not signatures: a person who can write the file
can compute them again.

A checksum is the 16-byte BLAKE2b of the table's name, its columns' names and the row's values in
the order of the names, as msgpack. Values count as SQLite stores them (``stored``), in every kind
of database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from hashlib import blake2b
from operator import itemgetter
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import Column, ColumnElement, Connection, Select, Table, bindparam, select

from arena.core.errors import AlteredResults
from arena_results.dialects import dialect_of
from arena_results.schema.stored import as_stored
from arena_results.schema.tables import METADATA

COLUMN = "checksum"
"""The column that holds a row's checksum."""

OWNER = {"entry": ("participant", ("content", "key", "name", "version"))}
"""Columns of another table that belong to a row: an entry's checksum is also about who it is."""

_SIZE = 16
_encode = msgspec.msgpack.Encoder().encode

Digest: TypeAlias = Callable[[Sequence[object]], bytes]
"""From a row's values, in the order of its columns' names, to its checksum."""


def digest_of(table: str, columns: Iterable[str]) -> Digest:
    """Returns the function that computes the checksums of a table's rows.

    ``columns`` are all but the checksum's own, in the order of the values.
    """
    begun = blake2b(_encode([table, *columns]), digest_size=_SIZE)

    def digest(values: Sequence[object]) -> bytes:
        hasher = begun.copy()
        hasher.update(_encode(values))
        return hasher.digest()

    return digest


class Seal:
    """Computes and checks the checksums of one table's rows.

    Attributes:
        names: Names of the values that a checksum is about, in order.
        columns: The columns to select: these values as they are stored, and last the checksum.
    """

    def __init__(self, table: str) -> None:
        self._table = METADATA.tables[table]
        parts = _parts(self._table)
        self._digest = digest_of(table, [column.name for column in parts])
        self.names = tuple(column.name for column in parts)
        self.columns: list[ColumnElement[Any]] = [*map(as_stored, parts), self._table.c[COLUMN]]

    def sealed(self, row: Mapping[str, object]) -> dict[str, object]:
        """Adds the checksum to a row to be written; its values are of types that SQLite keeps."""
        return {**row, COLUMN: self._digest([row[name] for name in self.names])}

    def sealed_values(self, values: tuple[object, ...]) -> tuple[object, ...]:
        """Adds the checksum to the values of a row in the order of ``names``."""
        return *values, self._digest(values)

    def insert(self, connection: Connection, rows: Iterable[Sequence[object]]) -> None:
        """Inserts rows of ``sealed_values``."""
        dialect_of(connection).insert(connection, self._table, (*self.names, COLUMN), rows)

    def check(self, row: Sequence[object], where: Callable[[], str]) -> None:
        """Checks a row as ``columns`` selects it; ``where`` names it in the ``AlteredResults``."""
        if self._digest(row[:-1]) != row[-1]:
            raise AlteredResults(f"{where()} does not match its checksum")

    @cached_property
    def _of_tournament(self) -> Select[*tuple[Any, ...]]:
        table, chosen = self._table, select(*self.columns)
        if table.name in OWNER:
            owner = METADATA.tables[OWNER[table.name][0]]
            chosen = chosen.select_from(table).join(owner, isouter=True)
        owned = table.c.tournament_id == bindparam("tournament")
        return chosen.where(owned).order_by(*table.primary_key)

    def rows(
        self, connection: Connection, tournament: int, what: str, *only: ColumnElement[bool]
    ) -> Iterator[dict[str, Any]]:
        """Yields a tournament's rows as SQLite keeps them, in the order of their keys, checked.

        Args:
            what: A format string that names a row in the ``AlteredResults`` by its values.
            only: Conditions of the rows.
        """
        chosen = self._of_tournament.where(*only) if only else self._of_tournament
        named = "tournament {tournament_id}, " + what
        for row in connection.execute(chosen, {"tournament": tournament}):
            values = dict(zip(self.names, row, strict=False))
            self.check(row, partial(named.format_map, values))
            yield values

    def put(self, connection: Connection, rows: Iterable[Mapping[str, object]]) -> None:
        """Inserts rows with their checksums, each in the place of one with the same key."""
        if sealed := [*map(self.sealed, rows)]:
            dialect_of(connection).insert_replacing(connection, self._table, sealed)

    def picks(self, *names: str) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
        """Returns a function that takes the values of these columns out of a row."""
        return itemgetter(*map(self.names.index, names))


def stamp(connection: Connection, table: str, **key: int) -> None:
    """Computes checksums again from the stored rows, in the caller's transaction.

    It goes by the columns that the table has now, so that migrations can use it at any schema: one
    that changes the columns of such a table ends with it.

    Args:
        key: Columns and values that choose rows; without any, every row.
    """
    dialect = dialect_of(connection)
    names = sorted({*dialect.columns(connection, table)} - {COLUMN})
    values = [f'"{table}"."{name}"' for name in names]
    if table in OWNER:
        owner, more = OWNER[table]
        names += more
        values += [
            f'(SELECT "{name}" FROM "{owner}" WHERE id = "{table}"."{owner}_id")' for name in more
        ]
    dialect.fill(connection, table, COLUMN, values, digest_of(table, names), key)


def _parts(table: Table) -> list[Column[Any]]:
    parts = sorted((each for each in table.c if each.name != COLUMN), key=lambda each: each.name)
    if table.name in OWNER:
        owner, more = OWNER[table.name]
        parts += [METADATA.tables[owner].c[name] for name in more]
    return parts


TOURNAMENT = Seal("tournament")
ENTRY = Seal("entry")
ROUND = Seal("round")
RULING = Seal("ruling")
MATCH = Seal("match")
TALLY = Seal("tally")
LUCK = Seal("luck")
VOID = Seal("void")
LOG = Seal("log")
PLACE = Seal("place")
DICTIONARY = Seal("dictionary")
VALUE_FUNCTION = Seal("value_function")
