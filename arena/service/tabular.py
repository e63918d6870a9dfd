"""Writes lists of any length as documents, row by row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import BinaryIO

from arena.core.export import Streaming
from arena.plugins.registry import Registry


def write_rows(
    registry: Registry,
    exporter: str,
    columns: Sequence[str],
    rows: Iterable[Mapping[str, object]],
    file: BinaryIO,
) -> None:
    """Writes rows by an exporter, as UTF-8; ours hold one row at a time.

    Args:
        exporter: ``"csv"``, ``"json"``, ``"jsonl"``, or the name of an extension's exporter.
        columns: Keys of the columns, in order.
        rows: One mapping a row, with at least these keys.

    Raises:
        UnknownName: There is no such exporter.
    """
    found = registry.exporter(exporter)
    if isinstance(found, Streaming):
        for part in found.parts(columns, rows):
            file.write(part.encode())
    else:
        file.write(found.export(columns, list(rows)).encode())
