"""A letter to an author as a value, and the names of the files that letters are written to."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import chain, count
from pathlib import Path

import msgspec

from arena.core.errors import BadInput
from arena.core.table import Table
from arena.core.text.printable import printable_text, without_folders
from arena.plugins.options import option

MAX_STEM = 60
"""Characters of a file's name before its ending; four bytes each, and a number, fit."""
MAX_LINES = 30
"""Lines of one complaint or traceback; of longer ones the beginning and the end are left."""
_UNSAFE = re.compile(r"[^\w.-]+")


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a letter: sentences, then a table, then lines.

    Attributes:
        text: Sentences, which are broken between words.
        lines: Commands, links and code, which stay as they are.
    """

    text: str = ""
    table: Table | None = None
    lines: tuple[str, ...] = ()


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A letter to one author.

    Attributes:
        author: The author's name; empty where it is not known.
        bots: The bots, or files, that it is about.
        passages: The parts between greeting and end.
        facts: The same for programs, with the keys of docs/reference/json.md.
    """

    author: str
    bots: tuple[str, ...]
    subject: str
    passages: tuple[Passage, ...]
    facts: Mapping[str, object]


def shortened(text: str) -> tuple[str, ...]:
    """Returns the lines of a complaint without folders of this machine, and not too many."""
    shown = without_folders(printable_text(text)).rstrip().replace("\t", "    ")
    lines = shown.split("\n") if shown else []
    if (more := len(lines) - MAX_LINES) > 0:
        half = MAX_LINES // 2
        lines[half : half + more + 1] = [f"... ({more + 1} lines left out)"]
    return tuple(lines)


def file_names(letters: Sequence[Letter]) -> list[str]:
    """Returns a name for the file of each letter, none of them twice, also without case."""
    taken: set[str] = set()
    names = []
    for letter in letters:
        stem = _stem(letter.author) or _stem(letter.bots[0] if letter.bots else "") or "author"
        choices = chain([stem], (f"{stem}-{number}" for number in count(2)))
        name = next(each for each in choices if each.casefold() not in taken)
        taken.add(name.casefold())
        names.append(f"{name}.txt")
    return names


def _stem(text: str) -> str:
    """Returns a text as the name of a file: letters, digits, dots, ``-`` and ``_`` only."""
    cleaned = _UNSAFE.sub("-", unicodedata.normalize("NFKC", text))
    return cleaned.strip("-.")[:MAX_STEM].rstrip("-.")


def check_new_folder(folder: Path, key: str) -> None:
    """Checks that a folder for letters is new or empty: no letter replaces another.

    Args:
        key: The option that names it.

    Raises:
        BadInput: It holds something, or cannot be made.
    """
    given = option(key, str(folder))
    try:
        place = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        held = min((path.name for path in place.iterdir()), default="")
    except OSError as error:
        raise BadInput(f"{given}: expected a new folder: {error.strerror or error}") from None
    if place == folder and held:
        raise BadInput(f"{given}: expected a new or empty folder; it holds {held!r}")
    if not os.access(place, os.W_OK | os.X_OK):
        raise BadInput(f"{given}: expected a new folder: {place} cannot be written")
