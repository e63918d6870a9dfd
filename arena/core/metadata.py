"""The metadata that a submitted bot declares."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class BotMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """The metadata that a submission declares; fields that it leaves out are empty.

    Attributes:
        name: Name of the bot, as people type it, without parameters.
        games: Names of the games it plays.
        language: ``"python"``, ``"node"``, ``"c"``, ...
        target: ``"package.module:Class"``; empty for a program.
        command: The program and its arguments as its author wrote them; empty for Python bots.
        requires: The requirements of its distribution, as they are written.
    """

    name: str = ""
    version: str = ""
    author: str = ""
    licence: str = ""
    games: tuple[str, ...] = ()
    language: str = ""
    target: str = ""
    command: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()

    @property
    def kind(self) -> Literal["submitted", "program"]:
        """``"submitted"`` for a Python bot, ``"program"`` for any other."""
        return "program" if self.command else "submitted"

    def declared(self) -> dict[str, Any]:
        """The metadata by field, of which another form of the same submission is made."""
        return {name: getattr(self, name) for name in BotMetadata.__struct_fields__}
