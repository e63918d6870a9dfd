"""Our own exporters: JSON and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

import msgspec

from arena.core.printable import printable_line

_FORMULA = ("=", "+", "-", "@")
"""First characters of the cells that spreadsheets run as formulas."""


class JsonExporter:
    """Writes a JSON array with an object a row; values keep their types."""

    name = "json"
    summary = "a JSON array of objects"

    def export(self, columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> str:
        document = [{column: row[column] for column in columns} for row in rows]
        return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


class CsvExporter:
    """Writes CSV with a heading (RFC 4180, but for the line ends); a cell is a single line."""

    name = "csv"
    summary = "CSV with a heading, safe to open in spreadsheets"

    def export(self, columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([[_cell(row[column]) for column in columns] for row in rows])
        return text.getvalue()


def _cell(value: object) -> object:
    """A cell of CSV; a text that a spreadsheet would run gets an apostrophe before it."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or isinstance(value, int | float):
        return value
    joined = " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    text = printable_line(joined, len(joined))
    return ("'" if text.startswith(_FORMULA) else "") + text
