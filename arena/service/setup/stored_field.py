"""Compares what is stored of a tournament with its spec, its bots and its rules as they are now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena_results.bots.submissions import submissions
from arena_results.file.database import Database
from arena_results.schema.rows import TournamentSummary

from arena.core.errors import Divergence, ParseError
from arena.core.game import AnyGame
from arena.core.text.bot_names import INSTALLED
from arena.core.text.parsing import (
    format_call,
    join_loadout,
    parse_call,
    split_loadout,
    split_version,
)
from arena.core.tournaments.format import Participant
from arena.plugins.botfile import is_endpoint_file, names_file, split_file_spelling
from arena.plugins.entries import BotSource
from arena.plugins.registry import Registry
from arena.service.lookup.resolver import stored_package


def changes_since(
    summary: TournamentSummary,
    field: Sequence[Participant],
    game: AnyGame,
    ruleset: str,
    value_hash: str | None,
    bots: Sequence[BotSource],
) -> list[str]:
    """Returns everything that is not what it was when a tournament began, in words.

    No standings are made of both.

    Args:
        field: Its field.
        game: The game now.
        ruleset: Its rules now.
        value_hash: Hash of the value function now.
        bots: The bots of the field now.
    """
    found: list[str] = []
    if game.version != summary.engine:
        found.append(
            f"it is played with version {summary.engine} of the {game.name} engine, and this is "
            f"version {game.version}"
        )
    if ruleset != summary.ruleset:
        found.append(f"its rules were {summary.ruleset}, and now are {ruleset}")
    if value_hash != summary.value_hash:
        found.append(f"its value function was {summary.value_function}, and now is another one")
    for bot, stored in zip(bots, field, strict=True):
        now = bot.participant
        same = (now.name, now.version) == (stored.name, stored.version)
        if not same or stored.content != now.content:
            found.append(
                f"bot {stored.name} has changed since the tournament began: it was "
                f"{stored.label}, now it is {now.label}{_how_to_restore(bot)}"
            )
    return found


def _how_to_restore(bot: BotSource) -> str:
    if bot.kind != "installed":
        return ""
    return (
        " (install the earlier code again, such as with pip install -e; next time enter it with "
        "arena submit, which keeps a copy)"
    )


def check_field(
    registry: Registry, database: Database, spelled: Sequence[str], field: Sequence[Participant]
) -> None:
    """Checks that the field is the spec's, and that submitted bots have the files that they had.

    Bots that the spec names by folders, wheels or names of another program are not compared: their
    own files name them.

    Args:
        written: The bots of the stored spec, in the order of the field.

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
        if version not in ("", INSTALLED, participant.version) or (
            (name in known or names_file(split_loadout(spelling)[0]))
            and whole != _read(participant.name)[2]
        ):
            raise Divergence(f"its spec names bot {spelling}, its field has {participant.label}")
        submission = stored.get((name, version))
        if submission is not None and submission.id not in checked:
            if participant.content != submission.content:
                raise Divergence(f"the stored bot {submission.spelling} is not {participant.label}")
            stored_package(database, submission)
            checked.add(submission.id)


def _read(spelling: str) -> tuple[str, str, str]:
    try:
        bot, loadout = split_loadout(spelling)
        if is_endpoint_file(bot):
            return Path(bot).stem, "", join_loadout(Path(bot).stem, loadout)
        if file := split_file_spelling(bot):
            path, kind, call = file
            bot = "".join((Path(path).stem, f":{kind}" if kind else "", call))
        typed, parameters = parse_call(bot)
        name, version = split_version(typed)
        return name, version, join_loadout(format_call(name, parameters), loadout)
    except ParseError as error:
        raise Divergence(f"its spec names a bot that cannot be read: {error}") from None
