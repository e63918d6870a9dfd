"""Plays one match that is stored nowhere."""

from __future__ import annotations

from contextlib import nullcontext
from os import PathLike
from typing import Unpack

from arena_results.file.database import existing_database

from arena.api.common.calls import address, awaitable, blocking, plugins, public, warn
from arena.api.common.keys import MatchKeys, TableKeys
from arena.api.common.shown import Match, shown
from arena.core.errors import BadSpec
from arena.service.lookup.python_bots import AnyBot, named_bots
from arena.service.lookup.resolver import BotResolver
from arena.service.run.run import play_once
from arena.service.setup.field import at_one_table
from arena.service.setup.resolve import resolve

_OF_TOURNAMENTS = TableKeys.__optional_keys__ - MatchKeys.__optional_keys__
"""Keys that concern no single match."""


@blocking
@public
def play_match(
    *bots: AnyBot, db: str | PathLike[str] | None = None, **keys: Unpack[MatchKeys]
) -> Match:
    """Plays one match, first seat first, and keeps it nowhere.

    Args:
        bots: One for each seat.
        db: The database that holds submitted bots, if any is named: open, or its address.
        keys: Keys of a tournament that concern one match: ``game``, ``ruleset``, ``seed``,
            ``key``, ``isolation``, limits and so on.

    Raises:
        BadSpec: With every problem of the bots and the keys.
        HarnessFault: The harness failed; the match is void.
    """
    names, local = named_bots(bots)
    settled = at_one_table(names, keys)
    unused = [f"{key}: not available for one match" for key in keys if key in _OF_TOURNAMENTS]
    if unused:
        raise BadSpec("play_match", unused)
    store = existing_database(address(db)) if db is not None else None
    with (
        store or nullcontext(),
        plugins() as registry,
        BotResolver(registry, store, local=local) as resolver,
    ):
        return shown(play_once(resolve(resolver, settled, "play_match", warn)))


play_match_async = awaitable(play_match)
