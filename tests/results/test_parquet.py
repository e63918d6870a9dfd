"""The exporter of Parquet: types, groups of rows, and errors where it cannot be used."""

from __future__ import annotations

import io
import sys

import pytest
from arena_results.formats import parquet as parquet_module
from arena_results.formats.parquet import ParquetExporter
from pyarrow import parquet

from arena.core.errors import BadInput
from arena.core.table import Column

COLUMNS = (
    Column("name", type="text"),
    Column("wins", type="integer"),
    Column("score", type="number"),
    Column("open", type="truth"),
)
ROWS = [
    {"name": None, "wins": None, "score": None, "open": None, "more": 1},
    {"name": "=1+1", "wins": 2**53 - 1, "score": 1 / 3, "open": True, "more": 2},
    {"name": ("ä", "b"), "wins": -3, "score": 2, "open": False, "more": 3},
]


def written(rows=ROWS):
    file = io.BytesIO()
    ParquetExporter().write(COLUMNS, iter(rows), file)
    assert not file.closed
    return file.getvalue()


def test_parquet_has_the_columns_types_though_first_rows_are_empty():
    table = parquet.read_table(io.BytesIO(written()))
    assert [str(each.type) for each in table.schema] == ["string", "int64", "double", "bool"]
    assert table.to_pylist() == [
        {"name": None, "wins": None, "score": None, "open": None},
        {"name": "=1+1", "wins": 2**53 - 1, "score": 1 / 3, "open": True},
        {"name": "ä b", "wins": -3, "score": 2.0, "open": False},
    ]


def test_parquet_without_rows_has_its_columns():
    table = parquet.read_table(io.BytesIO(written([])))
    assert (table.num_rows, table.column_names) == (0, [each.key for each in COLUMNS])


def test_parquet_is_written_in_groups(monkeypatch):
    monkeypatch.setattr(parquet_module, "ROWS_AT_ONCE", 2)
    file = parquet.ParquetFile(io.BytesIO(written()))
    assert [file.metadata.row_group(each).num_rows for each in range(2)] == [2, 1]


def test_without_pyarrow_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BadInput, match=r"pip install 'arena-harness\[parquet\]'"):
        written()


def test_parquet_is_no_text():
    with pytest.raises(BadInput, match="parquet cannot be printed; write it to a file"):
        ParquetExporter().export(["name"], ROWS)
