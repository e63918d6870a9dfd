"""Submits bots for the Python API: one, or several of which each is taken or refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, get_args

import msgspec
from arena_tournaments.spec.keys import Isolation, Levels

from arena.api.common.calls import quiet, warn
from arena.api.common.keys import Names, Paths
from arena.core.chance.seeding import SEED_BITS
from arena.core.errors import BadInput
from arena.plugins.registry import Registry
from arena.plugins.submissions.submission import NameFrom
from arena.service.answers.arguments import checked, text
from arena.service.answers.rows import Document
from arena.service.bots.submit import SubmitObserver, submission_spec
from arena.service.bots.submit_many import Answer, many_document, submit_alone, submit_many
from arena.service.letters.letter import check_new_folder
from arena.service.letters.submissions import submission_letters


@checked
def submitted(
    registry: Registry,
    url: str,
    path: str | PathLike[str] | Paths,
    /,
    *,
    name: str = "",
    name_from: NameFrom = "",
    game: str | Sequence[str] = (),
    seed: Annotated[int, msgspec.Meta(le=2**SEED_BITS - 1)] | None = None,
    isolation: Isolation = "auto",
    require: Levels | None = None,
    allow: Names = (),
    decision_seconds: float | None = None,
    build_seconds: float | None = None,
    build_memory_mb: int | None = None,
    letters: str | PathLike[str] | None = None,
    progress: SubmitObserver | None = None,
) -> Document | list[Document]:
    """Submits a bot, or each of several, with the keys of ``SubmitKeys``; its document."""
    if name_from not in get_args(NameFrom):
        raise BadInput(f"name_from: expected 'path' or 'declared', not {name_from!r}")
    keys: dict[str, object] = {"isolation": isolation, "require": require, "allow": allow}
    limits = {
        "decision_seconds": decision_seconds,
        "build_seconds": build_seconds,
        "build_memory_mb": build_memory_mb,
    }
    keys |= {key: value for key, value in limits.items() if value is not None}
    options: dict[str, Any] = {
        "name_from": name_from,
        "games": [game] if isinstance(game, str) else game,
        "keys": keys,
        "seed": seed,
        "observer": progress or quiet,
        "warn": warn,
    }
    folder = None if letters is None else Path(text("letters", letters))
    if folder:
        check_new_folder(folder, "letters")
    answers: list[tuple[str, Answer]] = []
    if not isinstance(path, list | tuple):
        one = text("path", path)
        try:
            return submit_alone(
                registry, url, one, lambda found: answers.append((one, found)), name=name, **options
            ).document()
        finally:
            _write_letters(folder, answers, keys)
    if name:
        raise BadInput("name: expected one path; submit that bot alone")
    answers += submit_many(registry, url, [text("path", each) for each in path], **options)
    _write_letters(folder, answers, keys)
    return many_document(answers)


def _write_letters(
    folder: Path | None, answers: Sequence[tuple[str, Answer]], keys: Mapping[str, object]
) -> None:
    if folder and answers:
        # Here: pages take long to load.
        from arena.pages.letter import write_letters

        seconds = submission_spec(keys).decision_seconds
        write_letters(folder, submission_letters(answers, seconds), "letters")
