"""Writes lists of any length as documents, row by row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import BinaryIO

import msgspec

from arena.core.export import BinaryExporter, Streaming
from arena.core.table import Column, ColumnType
from arena.plugins.registry import Registry


def write_rows(
    registry: Registry,
    exporter: str,
    columns: Sequence[Column],
    rows: Iterable[Mapping[str, object]],
    file: BinaryIO,
) -> None:
    """Writes rows by an exporter, strings as UTF-8; ours hold one row at a time, Parquet a group.

    Args:
        exporter: ``"csv"``, ``"json"``, ``"jsonl"``, ``"parquet"``, or the name of an extension's
            exporter.
        columns: In order. Parquet has the types of the values of those without a type, for which
            all rows are read first.
        rows: One mapping a row, with at least the keys of the columns.

    Raises:
        UnknownName: There is no such exporter.
        BadInput: What it needs is not installed.
    """
    found = registry.exporter(exporter)
    if isinstance(found, BinaryExporter):
        if not all(each.type for each in columns):
            rows = list(rows)
            columns = [_typed(each, rows) for each in columns]
        found.write(columns, rows, file)
        return
    keys = [each.key for each in columns]
    if isinstance(found, Streaming):
        for part in found.parts(keys, rows):
            file.write(part.encode())
    else:
        file.write(found.export(keys, list(rows)).encode())


_TYPES: dict[frozenset[type], ColumnType] = {
    frozenset({bool}): "truth",
    frozenset({int}): "integer",
    frozenset({float}): "number",
    frozenset({int, float}): "number",
}


def _typed(column: Column, rows: Iterable[Mapping[str, object]]) -> Column:
    kinds = frozenset(type(row[column.key]) for row in rows) - {type(None)}
    return msgspec.structs.replace(column, type=column.type or _TYPES.get(kinds, "text"))
