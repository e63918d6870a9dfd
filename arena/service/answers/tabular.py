"""Writes lists of any length as documents, row by row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import BinaryIO

from arena.core.export import BinaryExporter, ColumnType, Streaming, TypedColumn
from arena.plugins.registry import Registry


def write_rows(
    registry: Registry,
    exporter: str,
    columns: Sequence[str],
    rows: Iterable[Mapping[str, object]],
    file: BinaryIO,
    types: Mapping[str, ColumnType] | None = None,
) -> None:
    """Writes rows by an exporter, texts as UTF-8; ours hold one row at a time, Parquet a group.

    Args:
        exporter: ``"csv"``, ``"json"``, ``"jsonl"``, ``"parquet"``, or the name of an extension's
            exporter.
        columns: Keys of the columns, in order.
        rows: One mapping a row, with at least these keys.
        types: The types of all columns; without them Parquet has those of the values, for which
            all rows are read first.

    Raises:
        UnknownName: There is no such exporter.
        BadInput: What it needs is not installed.
    """
    found = registry.exporter(exporter)
    if isinstance(found, BinaryExporter):
        if types is None:
            rows = list(rows)
            types = {name: _type([row[name] for row in rows]) for name in columns}
        found.write([TypedColumn(name, types[name]) for name in columns], rows, file)
    elif isinstance(found, Streaming):
        for part in found.parts(columns, rows):
            file.write(part.encode())
    else:
        file.write(found.export(columns, list(rows)).encode())


_TYPES: dict[frozenset[type], ColumnType] = {
    frozenset({bool}): "truth",
    frozenset({int}): "integer",
    frozenset({float}): "number",
    frozenset({int, float}): "number",
}


def _type(values: Iterable[object]) -> ColumnType:
    return _TYPES.get(frozenset(map(type, values)) - {type(None)}, "text")
