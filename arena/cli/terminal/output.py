"""Prints answers: tables for people, JSON, JSON lines or CSV for programs.

With one of these stdout holds one document and nothing else; all other words go to stderr.
Without a terminal tables are plain lines without control codes, as wide as they need to be.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import msgspec
import typer

from arena.core.errors import BadInput
from arena.core.table import Column, Row, fitted, needed, spaced
from arena.core.table import Table as Listed
from arena.core.text.printable import printable_line, printable_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from arena.core.export import Exporter


class Output(StrEnum):
    """The values of ``-o``."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


def read_output(text: str) -> str:
    """One of ``Output``, or the name of an extension's exporter."""
    if text in list(Output):
        return Output(text)
    from arena.plugins.registry import Registry

    choices = dict.fromkeys([*Output, *Registry().exporters()])
    if text in choices:
        return text
    names = ", ".join(f"'{choice}'" for choice in choices)
    raise typer.BadParameter(f"{text!r} is not one of {names}.")


OutputOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "-o",
        "--output",
        parser=read_output,
        metavar="[table|json|csv|jsonl|parquet]",
        help="Output format.",
    ),
]


ABREAST = 4
"""Columns of text between tables side by side."""


class TextOrJson(StrEnum):
    """The values of ``-o`` where the answer is not a list."""

    TABLE = "table"
    JSON = "json"


TextOrJsonOption: TypeAlias = Annotated[
    TextOrJson, typer.Option("-o", "--output", help="Output format.")
]

DetailsOption: TypeAlias = Annotated[
    bool, typer.Option("--details", help="Show tie-breaks, commitment, key, chain, value function.")
]


def stdout() -> Console:
    """The console of answers."""
    return _console(stderr=False)


def stderr() -> Console:
    """The console of everything that is not the answer."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    # A pipe has no width: cutting cells off there would lose what a script greps for.
    width = None if stream.isatty() else 400
    return Console(stderr=stderr, width=width, highlight=False, soft_wrap=False)


def say(text: str = "") -> None:
    """A line for people besides the answer: on stderr."""
    write(stderr(), text)


def write(console: Console, text: str, style: str = "") -> None:
    """Prints lines; a terminal gets them wrapped between words, but commands stay whole."""
    for line in printable_text(text, len(text)).split("\n"):
        whole = not console.is_terminal or "arena " in line
        console.print(line, markup=False, style=style, soft_wrap=whole)


def show(output: str, table: Listed) -> None:
    """Prints a table for people, or as an exporter writes it.

    Args:
        output: One of ``Output``, or the name of an extension's exporter.
        table: If all columns that are written have types, its rows are written as they are read.
    """
    if output is Output.TABLE:
        show_table(table.title, *table.drawn())
    else:
        write_rows(output, table.written, table.rows)


def answer(output: str, document: object, table: Listed) -> None:
    """Prints an answer that is a list: its own document as JSON, else its table."""
    if output is Output.JSON:
        show_json(document)
    else:
        show(output, table)


def show_rows(output: str, title: str, columns: Sequence[Column], rows: Sequence[Row]) -> None:
    """Prints a list as ``show`` does."""
    show(output, Listed(title=title, columns=tuple(columns), rows=rows))


def draw(table: Listed) -> None:
    """Prints a table that is a value, for people."""
    show(Output.TABLE, table)


def draw_abreast(tables: Sequence[Listed]) -> None:
    """Prints tables for people; in a terminal as many side by side as fit."""
    from rich.cells import cell_len

    console, drawn = stdout(), [each.drawn() for each in tables]
    widest = max((needed(*each, cell_len) for each in drawn), default=0)
    single = len(drawn) < 2 or 2 * widest + ABREAST > console.width
    if single or not console.is_terminal:
        for each in tables:
            draw(each)
        return
    from rich.columns import Columns
    from rich.console import Group
    from rich.text import Text

    parts = [
        Group(Text(printable_line(each.title, widest), style="bold"), table(*cells))
        for each, cells in zip(tables, drawn, strict=True)
    ]
    console.print(Columns(parts, padding=(0, ABREAST)))


def check_not_shown(exporter: Exporter) -> None:
    """Refuses to print what is not text to a terminal, by ``BadInput``."""
    from arena.core.export import BinaryExporter

    if isinstance(exporter, BinaryExporter) and sys.stdout.isatty():
        raise BadInput(f"-o {exporter.name}: not printed in a terminal; send it to a file: > FILE")


def write_rows(
    output: str, columns: Sequence[Column], rows: Iterable[Mapping[str, object]]
) -> None:
    """Prints a list of any length as a document.

    Args:
        output: As in ``show_rows``.
        columns: If all of them have types, rows are written as they are read.
    """
    from arena.plugins.registry import Registry
    from arena.service.answers.tabular import write_rows

    registry = Registry()
    check_not_shown(registry.exporter(output))
    sys.stdout.flush()
    write_rows(registry, output, columns, rows, sys.stdout.buffer)


def show_table(title: str, columns: Sequence[Column], rows: Sequence[Mapping[str, object]]) -> None:
    """Prints a table for people under its title, which may be wider than the table."""
    from rich.cells import cell_len

    console = stdout()
    if title:
        write(console, title, style="bold")
    if console.is_terminal:
        kept, left_out = fitted(columns, rows, console.width, cell_len)
        console.width = max(console.width, needed(kept, rows, cell_len))
        console.print(table(kept, rows))
        if left_out:
            names = ", ".join(column.heading for column in left_out)
            write(stdout(), f"Too wide for this window: {names}; all of it: -o json\n", style="dim")
        return
    with console.capture() as captured:
        console.print(table(columns, rows))
    lines = [line.rstrip() for line in captured.get().splitlines()]
    sys.stdout.write("\n".join(lines).strip("\n") + "\n\n")


def table(columns: Sequence[Column], rows: Sequence[Mapping[str, object]]) -> Table:
    """A rich table; also used inside live displays."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = [column for column in columns if column.head]
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for column in shown:
        side: Literal["left", "right"] = "right" if column.right else "left"
        # What is too wide goes on in the next line: cut off it could not be read or copied.
        made.add_column(column.heading, justify=side, overflow="fold", no_wrap=not column.prose)
    for row in rows:
        made.add_row(*(Text(column.text(row[column.key])) for column in shown))
    return made


def show_json(document: object) -> None:
    """Prints one JSON document on stdout."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n")


def one_line(value: object) -> str:
    """A value as one line of printable characters, whole.

    Most strings were cleaned where they came in, but those of a database may have been edited
    since.
    """
    text = spaced(value)
    return printable_line(text, len(text))


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: ``1 round``, ``2 rounds``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
