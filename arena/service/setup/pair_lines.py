"""Reads pairings made by hand: a pairing a line, ``ann | bob`` or ``ann | bye``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path

from arena.core.errors import BadInput, UnknownName
from arena.core.tournaments.format import Tables
from arena.plugins.options import either
from arena.service.answers.arguments import listed
from arena.service.setup.field import lines_of

STDIN = "-"
"""Name of standard input where a file is expected."""
BYE = "bye"


def given_lines(
    pairs: Sequence[str], file: str | PathLike[str] | None, *, clear: bool
) -> list[tuple[str, str]]:
    """Returns the place and the text of each pairing that was given, in a list or in a file.

    Raises:
        BadInput: The file cannot be read, or has no pairing; nothing was given but ``clear``, or
            both.
    """
    given, word = listed("pairs", pairs, str), either("--pair", "pairs")
    lines = [(f"{word} {n}" if given[1:] else word, each) for n, each in enumerate(given, 1)]
    if file is not None:
        name = fspath(file)
        if name == STDIN:
            found = lines_of("standard input", sys.stdin.buffer)
        else:
            found = lines_of(name, Path(name))
        if not found:
            raise BadInput(f"{name} has no pairing; write one a line: A | B")
        lines += found
    if bool(lines) == bool(clear):
        words = either("--pair and --file, or --clear", "pairs and file, or clear=True")
        raise BadInput(f"expected one: {words}")
    return lines


def bye_word(names: Sequence[str]) -> str:
    """Returns the word for a bye; no bot has that name."""
    word = BYE
    while word in names:
        word = f"({word})"
    return word


def pair_line(group: Sequence[int], names: Sequence[str]) -> str:
    """Returns a pairing as a line that can be read again."""
    words = [names[index] for index in group]
    return " | ".join(words if len(words) > 1 else [*words, bye_word(names)])


def pairings_of(
    pairs: Sequence[tuple[str, str]],
    names: Sequence[str],
    tables: Tables,
    absent: Mapping[int, str],
) -> list[tuple[int, ...]]:
    """Returns pairings as indices into the field; one bot by itself has the bye.

    Args:
        pairs: The place and the text of each.
        tables: How many sit at a table.
        absent: Why a bot cannot be seated, in words that follow its name.

    Raises:
        BadInput: One does not parse, names an unknown or absent bot, or one twice.
    """
    found: list[tuple[int, ...]] = []
    places: dict[int, str] = {}
    for where, text in pairs:
        parts = [part.strip() for part in text.split("|")]
        bots = [part for part in parts if part.lower() != bye_word(names)]
        rests = (len(parts), len(bots)) == (2, 1)
        group = tuple([_index(name, names, where) for name in (bots if rests else parts)])
        if not rests and not tables.least <= len(group) <= tables.most:
            seats = f"{tables.least} to {tables.most} bots, 'A | B | C'"
            seats = seats if tables.most > 2 else "A | B, or A | bye"
            raise BadInput(f"{where}: expected {seats}, not {text!r}")
        for index in group:
            if index in absent:
                raise BadInput(f"{where}: {names[index]} {absent[index]}")
            if index in places:
                before = "twice" if places[index] == where else f"in {places[index]}, too"
                raise BadInput(f"{where}: {names[index]} is named {before}")
            places[index] = where
        found.append(group)
    return found


def _index(name: str, names: Sequence[str], where: str) -> int:
    if name not in names:
        raise BadInput(f"{where}: {UnknownName('bot of the tournament', name, names)}")
    return names.index(name)
