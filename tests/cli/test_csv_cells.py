"""Cells of CSV that spreadsheets would run as formulas get an apostrophe; numbers stay numbers."""

from __future__ import annotations

import csv
import io

import pytest

from arena.cli.output import Column, Output, show_rows


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("+1", "'+1"),
        ("-x", "'-x"),
        ("@SUM(1)", "'@SUM(1)"),
        ("\tx", "'\tx"),
        ("\rx", "' x"),
        (("=a", "b"), "'=a b"),
        (-3, "-3"),
        (-0.5, "-0.5"),
        (True, "true"),
        ("stand(at=17)", "stand(at=17)"),
    ],
)
def test_no_cell_is_a_formula(capsys, value, cell):
    show_rows(Output.CSV, "", [Column("a", "a"), Column("b", "b")], [{"a": value, "b": "last"}])
    out = capsys.readouterr().out
    (_, row) = csv.reader(io.StringIO(out, newline=""))
    assert row == [cell, "last"]
