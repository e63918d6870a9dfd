"""Letters as plain text: for files, the terminal, and programs that send mail."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap

import msgspec

from arena.core.table import Column, Table, fitted
from arena.core.text.printable import printable_line, printable_text
from arena.service.answers.rows import Document
from arena.service.answers.writing import write_folder
from arena.service.letters.letter import Letter, Passage, check_new_folder, file_names

WIDTH = 78
"""Columns of text of a letter; commands and links may be longer."""
CELL = 40
"""Characters of a cell."""
INDEX = "letters.json"
"""File in a folder of letters that has all of them for programs."""
WHOLE = ("arena ", "http://", "https://")
"""Beginnings of lines that are never broken, so that they can be copied."""


def letter_text(letter: Letter) -> str:
    """Returns a letter from its greeting to its end."""
    name = printable_line(letter.author)
    parts = ["\n".join(_lines(part)) for part in letter.passages]
    return "\n\n".join([f"Hello {name}," if name else "Hello,", *parts, "Good luck!"]) + "\n"


def letter_document(letter: Letter) -> Document:
    """Returns a letter as a JSON document, with its text."""
    return {
        "author": letter.author or None,
        "bots": list(letter.bots),
        "subject": printable_line(letter.subject),
        "text": letter_text(letter),
        **letter.facts,
    }


def letter_file(letter: Letter) -> str:
    """Returns a letter as a file: the reader, the subject, and the text."""
    to = printable_line(letter.author or f"the author of {', '.join(letter.bots)}")
    return f"To: {to}\nSubject: {printable_line(letter.subject)}\n\n{letter_text(letter)}"


def write_letters(folder: Path, letters: Sequence[Letter], key: str) -> None:
    """Writes a new folder with a file for each letter, and ``INDEX``.

    Args:
        key: The option that names it.

    Raises:
        BadInput: It holds something, or cannot be written.
    """
    check_new_folder(folder, key)
    names = file_names(letters)
    documents = [
        {"file": name, **letter_document(each)} for name, each in zip(names, letters, strict=True)
    ]
    index = msgspec.json.format(msgspec.json.encode(documents), indent=2).decode() + "\n"
    texts = zip(names, map(letter_file, letters), strict=True)
    write_folder(folder, [*texts, (INDEX, index)])


def _lines(part: Passage) -> Iterator[str]:
    if part.text:
        text = printable_line(part.text, len(part.text))
        yield from wrap(text, WIDTH, break_on_hyphens=False)
    if part.table:
        yield from _table(part.table)
    for line in (printable_text(each) for each in part.lines):
        if line.startswith(WHOLE):
            yield f"  {line}"
        else:
            indent = "  " + " " * min(len(line) - len(line.lstrip()), WIDTH // 2)
            yield from wrap(
                line.lstrip(), WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ",
                break_on_hyphens=False,
            ) or [""]  # fmt: skip


def _table(table: Table) -> Iterator[str]:
    columns, rows = table.drawn()
    texts = [{each.key: _cell(each, row[each.key]) for each in columns} for row in rows]
    kept, _ = fitted(columns, texts, WIDTH, room)
    widths = [
        max(map(room, [each.heading, *(row[each.key] for row in texts)]), default=0)
        for each in kept
    ]
    if table.title:
        yield table.title
    yield _row(kept, widths, [each.heading for each in kept])
    yield "  " + "─" * (sum(widths) + 2 * (len(widths) - 1))
    for row in texts:
        yield _row(kept, widths, [row[each.key] for each in kept])


def _cell(column: Column, value: object) -> str:
    return printable_line(column.text(value), CELL)


def _row(columns: Sequence[Column], widths: Sequence[int], cells: Sequence[str]) -> str:
    padded = []
    for column, width, cell in zip(columns, widths, cells, strict=True):
        space = " " * (width - room(cell))
        padded.append(space + cell if column.right else cell + space)
    return f"  {'  '.join(padded)}".rstrip()


def room(text: str) -> int:
    """Returns the columns that a line of text takes: wide characters take two, marks none."""
    return sum(
        0 if unicodedata.combining(each) else 1 + (unicodedata.east_asian_width(each) in "WF")
        for each in text
    )
