"""Our exporter of Parquet files, for which ``pyarrow`` has to be installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import BinaryIO

from arena.core.errors import BadInput
from arena.core.table import Column, ColumnType, spaced

ROWS_AT_ONCE = 50_000
"""Rows of a group of the file: as many are in memory at a time."""
_NEEDS = "parquet needs pyarrow, which is not installed: pip install 'arena-harness[parquet]'"


class ParquetExporter:
    """Writes a Parquet file: columns of text, whole numbers, numbers and truth values."""

    name = "parquet"
    summary = "Parquet, to be sent to a file"

    def export(self, columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> str:
        raise BadInput("parquet cannot be printed; write it to a file")

    def write(
        self, columns: Sequence[Column], rows: Iterable[Mapping[str, object]], file: BinaryIO
    ) -> None:
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise BadInput(_NEEDS) from None
        types = {
            "text": pyarrow.string(),
            "integer": pyarrow.int64(),
            "number": pyarrow.float64(),
            "truth": pyarrow.bool_(),
        }
        schema = pyarrow.schema([(column.key, types[column.type or "text"]) for column in columns])
        left = iter(rows)
        with parquet.ParquetWriter(file, schema) as writer:
            while some := [*islice(left, ROWS_AT_ONCE)]:
                cells = [
                    [_VALUE[each.type or "text"](row[each.key]) for row in some] for each in columns
                ]
                writer.write_batch(pyarrow.record_batch(cells, schema=schema))


def _as_text(value: object) -> str | None:
    return None if value is None else spaced(value)


def _as_it_is(value: object) -> object:
    return value


_VALUE: dict[ColumnType, Callable[[object], object]] = {
    "text": _as_text,
    "integer": _as_it_is,
    "number": _as_it_is,
    "truth": _as_it_is,
}
