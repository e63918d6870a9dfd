"""Reads values as SQLite stores them: a time is its text in UTC, a truth value 0 or 1.

These are the values of checksums and bundles. Other databases return times and truth values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any

from sqlalchemy import Boolean, ColumnElement, Connection, Dialect, Executable, Row, type_coerce
from sqlalchemy.types import NULLTYPE, UserDefinedType
from sqlmodel.sql.sqltypes import UTCDateTime

from arena_results.dialects import dialect_named


class _AsStored(UserDefinedType[Any]):
    """The type by which values are read as SQLite stores them."""

    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], object]:
        return dialect_named(dialect.name).stored


AT_ONCE = 1000
"""Rows of a long answer that are in memory at a time."""


def streamed(
    connection: Connection, statement: Executable, values: Mapping[str, object] | None = None
) -> Iterator[Row[*tuple[Any, ...]]]:
    """Yields what a statement finds, of which only a part is in memory at a time."""
    options = {"yield_per": AT_ONCE}
    with closing(connection.execute(statement, values, execution_options=options)) as found:
        yield from found


_AS_STORED = _AsStored()


def as_stored(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Returns a column to select, for its values as SQLite stores them."""
    differs = isinstance(column.type, Boolean | UTCDateTime)
    return type_coerce(column, _AS_STORED if differs else NULLTYPE)
