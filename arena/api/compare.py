"""Tests a bot against a baseline by playing until it is decided."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Annotated, Unpack

import msgspec
from arena_results.store.queries import tournament
from arena_tournaments.spec.keys import MAX_GAMES

from arena.api.common.callbacks import context_of, split_keys
from arena.api.common.calls import address, awaitable, looped, plugins, public
from arena.api.common.keys import RunComparisonKeys
from arena.core.text.parsing import Value
from arena.service.answers.rows import Document
from arena.service.answers.steps import await_steps
from arena.service.lookup.python_bots import AnyBot, named_bots
from arena.service.report.comparing.comparison import comparison_keys
from arena.service.report.report import stored_report
from arena.service.report.tables.documents import comparison_document
from arena.service.run.verbs import run_new
from arena.service.storage import databases


@looped
@public
async def compare(
    baseline: AnyBot,
    candidate: AnyBot,
    *,
    sprt: str | Mapping[str, Value] | None = None,
    confidence: float | None = None,
    games: int | None = None,
    max_games: Annotated[int, msgspec.Meta(ge=1, le=MAX_GAMES)] | None = None,
    fail_below: float | None = None,
    db: str | PathLike[str] | None = None,
    **keys: Unpack[RunComparisonKeys],
) -> Document:
    """Tests whether a bot is better than another one, or than its last version.

    It plays mirrored pairs until the interval of the Elo difference, which holds however often one
    looks, leaves out 0; or until an SPRT is decided. In games for chips the interval is of the
    mean amount per match. It is a tournament, stored and resumable.

    Args:
        baseline: The bot to compare with.
        candidate: The bot that should be better.
        sprt: Play until an SPRT is decided, with these of its values: ``"elo0=0 elo1=10"``, or
            ``{"elo0": 0, "elo1": 10}``; ``alpha`` and ``beta`` are 0.05, ``model``
            ``"normalized"``, unless they are given.
        confidence: Confidence of the interval in percent, without an SPRT; 95 by default.
        games: Play that many matches and look once.
        max_games: The most matches until it is decided; 20,000 by default.
        fail_below: The difference to test against in place of 0, or ``elo0``; with
            ``scoring="amount"`` it is an amount per match.
        db: Where it is stored, and where submitted bots are: a file or an address; by default as
            on the command line.
        keys: As ``ResultsDatabase.run`` takes them.

    Returns:
        The document of ``arena compare``: ``verdict``, ``passed``, ``elo``, ``low``, ``high`` and
        more.

    Raises:
        BadSpec: With every problem of the bots and the keys.
        BadInput: The tests asked for do not go together.
        HarnessFault: It cannot continue; everything played is stored.
    """
    names, local = named_bots([baseline, candidate])
    given, options = split_keys(keys)
    chosen = comparison_keys(
        names[0],
        names[1],
        given,
        sprt=sprt,
        confidence=confidence,
        games=games,
        max_games=max_games,
        fail_below=fail_below,
    )
    with databases.open_database(address(db), create=True) as results, plugins() as registry:
        context = context_of(registry, results, local, **options)
        number = await await_steps(run_new(context, chosen, "arguments"))
        stored = tournament(results, number)
        return comparison_document(stored_report(registry, stored, results))


compare_async = awaitable(compare)
