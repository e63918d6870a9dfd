"""Compares the stored field of a tournament with its spec and with the files of submitted bots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena_results.database import Database
from arena_results.submissions import submissions

from arena.core.errors import Divergence, ParseError
from arena.core.parsing import format_call, join_loadout, parse_call, split_loadout, split_version
from arena.core.tournament import Participant, same_content
from arena.plugins.botfile import split_file_spelling
from arena.plugins.registry import Registry
from arena.service.resolver import stored_package


def check_field(
    registry: Registry, database: Database, spelled: Sequence[str], field: Sequence[Participant]
) -> None:
    """Checks that the field is the spec's, and that submitted bots have the files that they had.

    Bots that the spec names by folders, wheels or names of another program are not compared: their
    own files name them.

    Args:
        spelled: The bots of the stored spec, in the order of the field.

    Raises:
        Divergence: A bot is not the one that the spec names, or has other content.
        BadStore: The files of a submitted bot are not what was submitted.
    """
    if len(spelled) != len(field):
        raise Divergence(f"its spec names {len(spelled)} bots, and its field has {len(field)}")
    stored = {(each.name, each.version): each for each in submissions(database)}
    known = {*(bot.name for bot in registry.bots()), *(name for name, _ in stored)}
    checked = set()
    for spelling, participant in zip(spelled, field, strict=True):
        name, version, whole = _read(spelling)
        if version not in ("", participant.version) or (
            (name in known or split_file_spelling(spelling)) and whole != _read(participant.name)[2]
        ):
            raise Divergence(f"its spec names bot {spelling}, its field has {participant.label}")
        submission = stored.get((name, version))
        if submission is not None and submission.id not in checked:
            if not same_content(participant.content, submission.content):
                raise Divergence(f"the stored bot {submission.spelling} is not {participant.label}")
            stored_package(database, submission)
            checked.add(submission.id)


def _read(spelling: str) -> tuple[str, str, str]:
    """Returns name and version of a spelling, and the name of its participant without version."""
    try:
        bot, loadout = split_loadout(spelling)
        if file := split_file_spelling(bot):
            path, kind, call = file
            bot = "".join((Path(path).stem, f":{kind}" if kind else "", call))
        typed, parameters = parse_call(bot)
        name, version = split_version(typed)
        return name, version, join_loadout(format_call(name, parameters), loadout)
    except ParseError as error:
        raise Divergence(f"its spec names a bot that cannot be read: {error}") from None
