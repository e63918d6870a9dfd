"""The facts of a bot that every face shows: form, opponents, and what to look at next."""

from __future__ import annotations

import msgspec
from arena_results.file.database import Database

from arena.plugins.registry import Registry
from arena.service.answers.rows import Document
from arena.service.boards.bot_tables import Opponents, opponents
from arena.service.boards.findings import MAX_MATCHES, Recent, recent


class Profile(msgspec.Struct, frozen=True):
    """The facts of a bot from its rated matches.

    Attributes:
        met: Its head-to-head results in all of them.
        recent: Its newest matches.
    """

    met: Opponents
    recent: Recent

    def document(self) -> Document:
        """The keys that it adds to the JSON document of ``arena bots show``."""
        return {"opponents": self.met.rows, "recent": self.recent.document()}


def profile(
    registry: Registry,
    database: Database,
    bot: str,
    *,
    most: int = MAX_MATCHES,
    finished: bool = False,
) -> Profile:
    """Returns the facts of a bot.

    Args:
        bot: ``NAME`` or ``NAME@VERSION``, with any parameters and loadout.
        most: Newest matches that are checked, at most.
        finished: Only matches of finished tournaments are checked, which are public.
    """
    met = opponents(database, bot)
    return Profile(met, recent(registry, database, bot, met.rows, most=most, finished=finished))
