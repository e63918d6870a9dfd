"""Gives authors what their own bots printed in matches, and nobody else's."""

from __future__ import annotations

import msgspec
from arena_results.bots.submissions import submissions
from arena_results.file.database import Database
from arena_results.store.logs import BotLog, bot_logs

from arena.core.errors import BadInput, UnknownName
from arena.core.text.parsing import split_version
from arena.core.text.printable import printable_text, without_folders

LATEST = 50
"""Logs that are shown, the latest."""


class NotTheAuthor(BadInput):
    """Raised when another person asks for the logs of an author."""


def author_logs(database: Database, author: str, bot: str) -> tuple[BotLog, ...]:
    """Returns the latest stored logs of a submitted bot, the last match first.

    Args:
        author: Who asks.
        bot: ``NAME`` or ``NAME@VERSION``.

    Raises:
        UnknownName: No such bot was submitted.
        NotTheAuthor: It is another author's.
    """
    name, version = split_version(bot)
    known = submissions(database)
    found = [each for each in known if each.name == name and version in ("", each.version)]
    if not found:
        own = dict.fromkeys(each.name for each in known if each.author == author)
        raise UnknownName("submitted bot", bot, tuple(own))
    if any(each.author != author for each in found):
        raise NotTheAuthor(f"the log of {name} is its author's alone")
    contents = {each.version: each.content for each in found}
    logs = bot_logs(database, name, contents, LATEST)
    return tuple(
        msgspec.structs.replace(each, text=without_folders(printable_text(each.text)))
        for each in logs
    )
