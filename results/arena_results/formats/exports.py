"""Our own exporters: JSON, JSON lines and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from arena.core.table import spaced
from arena.core.text.printable import printable_line

_FORMULA = ("=", "+", "-", "@")
"""First characters of the cells that spreadsheets run as formulas."""


class JsonExporter:
    """Writes a JSON array with an object a row; values keep their types."""

    name = "json"
    summary = "a JSON array of objects"

    def export(self, columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> str:
        return "".join(self.parts(columns, rows))

    def parts(self, columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
        before = "[\n  "
        for row in rows:
            yield before + _object(columns, row, indent=2).replace("\n", "\n  ")
            before = ",\n  "
        yield "[]\n" if before.startswith("[") else "\n]\n"


class JsonLinesExporter:
    """Writes JSON lines: an object a line for each row; values keep their types."""

    name = "jsonl"
    summary = "JSON lines, an object a row"

    def export(self, columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> str:
        return "".join(self.parts(columns, rows))

    def parts(self, columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
        for row in rows:
            yield _object(columns, row) + "\n"


class CsvExporter:
    """Writes CSV with a heading (RFC 4180, but for the line ends); a cell is a single line."""

    name = "csv"
    summary = "CSV with a heading, safe to open in spreadsheets"

    def export(self, columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> str:
        return "".join(self.parts(columns, rows))

    def parts(self, columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
        line = io.StringIO()
        writer = csv.writer(line, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            yield line.getvalue()
            line.seek(0)
            line.truncate()
            writer.writerow([_cell(row[column]) for column in columns])
        yield line.getvalue()


def _object(columns: Sequence[str], row: Mapping[str, object], indent: int = -1) -> str:
    document = msgspec.json.encode({column: row[column] for column in columns})
    return (msgspec.json.format(document, indent=indent) if indent >= 0 else document).decode()


def _cell(value: object) -> object:
    """A cell of CSV; a text that a spreadsheet would run gets an apostrophe before it."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or isinstance(value, int | float):
        return value
    text = spaced(value)
    text = printable_line(text, len(text))
    return ("'" if text.startswith(_FORMULA) else "") + text
