"""Bots as they are listed, and as they are sent to where they run: data only, nothing imported."""

from __future__ import annotations

from typing import Literal

import msgspec

from arena.core.spelling import Value
from arena.core.tournament import Participant


class BotEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A bot in the list of bots.

    A hook implementation gives ``name``, ``target``, ``summary`` and ``games``; the registry
    fills in the rest.

    Attributes:
        name: What people type.
        target: Where it is, ``"package.module:Class"``; imported only where it runs.
        summary: One line for lists.
        games: Names of the games it plays; empty when it says nothing, or plays any.
        version: Version of the distribution that it came in.
        distribution: Name of that distribution.
        kind: ``"house"`` when an extension vouches for it, ``"installed"`` when it is a
            stranger's, from the entry-point group ``arena.bots``.
    """

    name: str
    target: str
    summary: str = ""
    games: tuple[str, ...] = ()
    version: str = ""
    distribution: str = ""
    kind: Literal["house", "installed"] = "house"


class BotSource(msgspec.Struct, frozen=True):
    """One entered bot: all that another process needs to make it. Packs as msgpack.

    Attributes:
        kind: ``"house"``, ``"installed"`` (a stranger's distribution) or ``"file"``.
        target: ``"package.module:Class"``, or ``"/absolute/path/file.py:Class"`` for a file.
        parameters: Arguments of its constructor.
        participant: Who it is in tournaments: name with parameters, version, content hash.
        origin: What to name in errors, e.g. ``"distribution arena-bot-cautious 1.0"``.
    """

    kind: Literal["house", "installed", "file"]
    target: str
    parameters: dict[str, Value]
    participant: Participant
    origin: str
