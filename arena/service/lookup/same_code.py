"""Finds entries of one field that are the same program."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.core.errors import BadInput
from arena.plugins.entries import BotSource
from arena.plugins.hashing import bytes_content

_NO_CODE = re.compile(
    r"pyproject\.toml|\.gitignore|(README|LICEN[CS]E)[^/]*|tests/.*", re.IGNORECASE
)
"""Files of a project that its bot does not run with."""


def one_program(bots: Sequence[BotSource]) -> Iterator[str]:
    """Says of files that they are installed bots of the field, too: both would be one program."""
    for bot in (bot for bot in bots if bot.kind == "file"):
        file = Path(bot.target.rpartition(":")[0])
        for other in (other for other in bots if other.kind == "installed"):
            place = _place(other)
            if file.is_relative_to(place.resolve()) or file == place.with_suffix(".py").resolve():
                yield (
                    f"{bot.participant.name} ({file}) is a file of the installed bot "
                    f"{other.participant.name}: both are one program; enter one of them, or a "
                    "version that was submitted"
                )


def refuse_alike(bots: Sequence[BotSource]) -> None:
    """Refuses to test a bot against itself under another name, by ``BadInput``.

    Entries are the same if class, parameters and loadout are, and the content or its only module.
    Code does not identify bots that the calling program makes.
    """
    seen: dict[object, str] = {}
    for bot in (bot for bot in bots if bot.kind != "local"):
        class_name = bot.target if bot.kind == "house" else bot.target.rpartition(":")[2]
        values = tuple(sorted(bot.parameters.items()))
        label = bot.participant.label
        for code in (bot.participant.content, *filter(None, [_only_module(bot)])):
            what = (code, class_name, values, bot.loadout)
            if seen.setdefault(what, label) != label:
                raise BadInput(
                    f"{seen[what]} and {label} are the same code: there is nothing to compare"
                )


def _only_module(bot: BotSource) -> str | None:
    """Hashes the module of a Python bot that is one file, however it was entered.

    ``None`` for programs, and for bots of more files.
    """
    if bot.kind == "file":
        return bot.participant.content
    if bot.kind not in ("installed", "submitted"):
        return None
    place = _place(bot)
    file = place.with_suffix(".py")
    if place.is_dir() or not file.is_file():
        return None
    if bot.kind == "submitted":
        folder = Path(bot.folder)
        names = [
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
        ]
        if any(not _NO_CODE.fullmatch(name) for name in names if folder / name != file):
            return None
    return bytes_content(file.read_bytes())


def _place(bot: BotSource) -> Path:
    top = bot.target.partition(":")[0].partition(".")[0]
    return Path(bot.modules.get(top, "/"), top)
