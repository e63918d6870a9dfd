"""Lists of any length are written row by row, in the same bytes as a whole document."""

from __future__ import annotations

import io
import json

import pytest

from arena.core.errors import UnknownName
from arena.core.table import Column
from arena.plugins.registry import Registry
from arena.service.answers.tabular import write_rows

ROWS = [
    {"name": "=cmd", "text": "a\nb, \u202e\x1b", "share": 1 / 3, "none": None, "some": (1, 2)},
    {"name": "-1", "text": "", "share": 2.0, "none": True, "some": ()},
]
COLUMNS = [*ROWS[0]]


def written(exporter, rows, columns=COLUMNS):
    file = io.BytesIO()
    write_rows(Registry(), exporter, [*map(Column, columns)], rows, file)
    return file.getvalue().decode()


@pytest.mark.parametrize("exporter", ["json", "jsonl", "csv"])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_row_by_row_is_the_whole_document(exporter, count):
    whole = Registry().exporter(exporter).export(COLUMNS, ROWS[:count])
    assert written(exporter, iter(ROWS[:count])) == whole


def test_the_forms_of_a_row():
    columns = ["share", "name"]
    assert written("jsonl", ROWS, columns).splitlines()[1] == '{"share":2.0,"name":"-1"}'
    assert written("csv", ROWS).splitlines()[1:] == [
        f'\'=cmd,"a b, ??",{1 / 3},,1 2',
        "'-1,,2.0,true,",
    ]
    assert json.loads(written("json", ROWS))[0]["share"] == 1 / 3


@pytest.mark.parametrize("exporter", ["json", "jsonl", "csv"])
def test_no_row_waits_for_a_later_one(exporter):
    file, sizes = io.BytesIO(), []

    def rows():
        for number in range(100):
            sizes.append(file.tell())
            yield {"number": number}

    write_rows(Registry(), exporter, [Column("number")], rows(), file)
    assert sizes[50] > sizes[49] > sizes[2] > 0


def test_an_unknown_exporter_is_refused_with_the_choices():
    with pytest.raises(UnknownName, match="unknown exporter 'xml'; choices: csv, json, jsonl, "):
        written("xml", [])
