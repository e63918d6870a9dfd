"""Shows what a tournament would play, and how long it would take."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from os import PathLike
from typing import Unpack

from arena_results.file.database import existing_database

from arena.api.common.callbacks import chosen_keys, context_of
from arena.api.common.calls import address, awaitable, looped, plugins, public
from arena.api.common.keys import TournamentKeys
from arena.service.answers.rows import Document
from arena.service.answers.steps import await_steps
from arena.service.lookup.python_bots import AnyBot
from arena.service.run.verbs import forecast


@looped
@public
async def dry_run(
    bots: Sequence[AnyBot] = (),
    *,
    file: str | PathLike[str] | None = None,
    db: str | PathLike[str] | None = None,
    precision: float | None = None,
    **keys: Unpack[TournamentKeys],
) -> Document:
    """Shows what a tournament would play, and estimates its time by some matches; stores nothing.

    Args:
        bots: The field; without any, that of the file.
        file: A tournament file (TOML).
        db: The database that holds submitted bots and ratings, open or its address; by default
            that of the command line, if there is one.
        precision: Half of a 95 % interval of strength, in Elo, of which the matches are computed.
        keys: As ``ResultsDatabase.run`` takes them.

    Returns:
        The document of ``arena tournament run --dry-run``.

    Raises:
        BadSpec: With every problem of the bots and the keys.
        BadInput: The budget is too short, or the precision cannot be reached.
        HarnessFault: No match could be played.
    """
    chosen, local, where = chosen_keys(bots, file, keys)
    store = existing_database(address(db))
    with store or nullcontext(), plugins() as registry:
        context = context_of(registry, store, local)
        return (await await_steps(forecast(context, chosen, where, precision))).document()


dry_run_async = awaitable(dry_run)
