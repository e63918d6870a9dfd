"""Cells are printable, whole and one line; in CSV none is a formula, and numbers stay numbers."""

from __future__ import annotations

import csv
import io

import pytest

from arena.cli.terminal.output import Output, show_rows
from arena.core.table import Column


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("+1", "'+1"),
        ("-x", "'-x"),
        ("@SUM(1)", "'@SUM(1)"),
        ("\tx", "x"),
        ("\rx", "x"),
        (("=a", "b"), "'=a b"),
        (-3, "-3"),
        (-0.5, "-0.5"),
        (True, "true"),
        ("stand(at=17)", "stand(at=17)"),
        ("=cmd|'/c'!A1\x1b[31m\u202e\n9", "'=cmd|'/c'!A1?[31m? 9"),
        (" \n@SUM(1)", "'@SUM(1)"),
        (("a\x1b", "\u202eb"), "a? ?b"),
        ("x" * 1000, "x" * 1000),
    ],
)
def test_no_cell_is_a_formula(capsys, value, cell):
    show_rows(Output.CSV, "", [Column("a", "a"), Column("b", "b")], [{"a": value, "b": "last"}])
    out = capsys.readouterr().out
    (_, row) = csv.reader(io.StringIO(out, newline=""))
    assert row == [cell, "last"]


@pytest.mark.parametrize("output", [Output.TABLE, Output.CSV])
def test_the_cells_of_a_table_are_printable(capsys, output):
    value = "a\x1b[31m\u202e\x07b\u2028\rc"
    rows = [{"a": value, "b": (value, value)}]
    show_rows(output, f"of {value}", [Column("a", "a"), Column("b", "b")], rows)
    lines = capsys.readouterr().out.split("\n")
    assert all(line.isprintable() for line in lines), lines
    assert sum("a?[31m??b" in line for line in lines) == (2 if output is Output.TABLE else 1)
