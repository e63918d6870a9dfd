"""Submits bots for the Python API: one, or several of which each is taken or refused."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Annotated, TypedDict, Unpack, get_args

import msgspec
from arena_tournaments.spec.keys import Isolation, Levels

from arena.api.calls import quiet, warn
from arena.api.keys import Names, SubmitKeys
from arena.core.errors import BadInput
from arena.core.seeding import SEED_BITS
from arena.plugins.registry import Registry
from arena.plugins.submission import NameFrom
from arena.service.answers.arguments import checked, text
from arena.service.answers.rows import Document
from arena.service.bots.submit import SubmitObserver, submit
from arena.service.bots.submit_many import many_document, submit_many
from arena.service.lookup.isolation import Warn


class _Options(TypedDict):
    name_from: NameFrom
    games: Sequence[str]
    keys: dict[str, object]
    seed: int | None
    observer: SubmitObserver
    warn: Warn


def submit_path(
    registry: Registry, url: str, path: str | PathLike[str], **keys: Unpack[SubmitKeys]
) -> Document:
    """Submits one bot; its document."""
    name, options = _options(**keys)
    return submit(registry, url, text("path", path), name=name, **options).document()


def submit_paths(
    registry: Registry, url: str, paths: Sequence[str | PathLike[str]], **keys: Unpack[SubmitKeys]
) -> list[Document]:
    """Submits several bots, each on its own; their documents."""
    name, options = _options(**keys)
    if name:
        raise BadInput("name: expected one path; submit that bot alone")
    named = [text("path", path) for path in paths]
    return many_document([*submit_many(registry, url, named, **options)])


@checked
def _options(
    *,
    name: str = "",
    name_from: NameFrom = "",
    game: str | Sequence[str] = (),
    seed: Annotated[int, msgspec.Meta(le=2**SEED_BITS - 1)] | None = None,
    isolation: Isolation = "auto",
    require: Levels | None = None,
    allow: Names = (),
    decision_seconds: float | None = None,
    progress: SubmitObserver | None = None,
) -> tuple[str, _Options]:
    keys: dict[str, object] = {"isolation": isolation, "require": require, "allow": allow}
    if decision_seconds is not None:
        keys["decision_seconds"] = decision_seconds
    if name_from not in get_args(NameFrom):
        raise BadInput(f"name_from: expected 'path' or 'declared', not {name_from!r}")
    return name, _Options(
        name_from=name_from,
        games=[game] if isinstance(game, str) else game,
        keys=keys,
        seed=seed,
        observer=progress or quiet,
        warn=warn,
    )
