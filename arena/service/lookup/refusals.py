"""Bots that were submitted and refused: when, why, and where to read all of it."""

from __future__ import annotations

from datetime import datetime
from fnmatch import fnmatchcase

import msgspec
from arena_results.bots.uploads import refusals
from arena_results.file.addresses import db_option
from arena_results.file.database import Database

from arena.core.described import described
from arena.core.errors import BadInput
from arena.core.text.parsing import parse_call, split_loadout, split_version
from arena.core.text.printable import printable_line
from arena.plugins.options import either


class _Refused(msgspec.Struct):
    name: str
    version: str
    reason: str = ""


class Refusal(msgspec.Struct, frozen=True):
    """The refusal of a submitted bot.

    Attributes:
        reason: One line.
        text: All of it, in the words of ``arena submit``: with position, traceback and log.
        at: When it was refused.
        url: Address of the database that has it.
    """

    name: str
    version: str
    reason: str
    text: str
    at: datetime
    url: str

    def document(self) -> dict[str, object]:
        """The JSON document of ``arena bots show`` of a bot that was refused."""
        keys = ("name", "version", "reason", "text", "at")
        return {"status": "refused", **{key: getattr(self, key) for key in keys}}

    def error(self) -> BadInput:
        """Returns the error of entering the bot."""
        command = f"arena bots show {self.name}@{self.version}{db_option(self.url)}"
        return BadInput(
            f"bot {self.name} {self.version} was submitted at {self.at:%Y-%m-%d %H:%M} UTC and "
            f"refused: {printable_line(self.reason)}; see all of it with "
            f"{either(command, f'db.bot({self.name!r})')}"
        )


def refusal_of(database: Database, spelling: str) -> Refusal | None:
    """Returns the latest refusal of a bot, ``NAME`` or ``NAME@VERSION``; ``None`` without one.

    ``*`` stands for anything.
    """
    typed, _ = parse_call(split_loadout(spelling)[0])
    name, version = split_version(typed)
    for each in refusals(database):
        found = msgspec.json.decode(each.document, type=described(_Refused))
        if fnmatchcase(found.name, name) and fnmatchcase(found.version, version or "*"):
            reason = found.reason or each.text.splitlines()[-2:][0]
            return Refusal(name, found.version, reason, each.text, each.changed_at, database.url)
    return None
