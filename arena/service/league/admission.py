"""Decides what an author may enter in a league: how large, under which name, and how many bots."""

from __future__ import annotations

from arena_results.bots.submissions import SubmissionStatus, submissions
from arena_results.file.database import Database

from arena.core.errors import BadInput
from arena.core.text.bot_names import alike
from arena.service.league.league_file import MEGABYTE, LeagueSpec
from arena.service.league.read_process import FileFacts


def check_admitted(database: Database, league: LeagueSpec, author: str, found: FileFacts) -> None:
    """Checks a bot by the limits of a league and the author's other bots.

    Args:
        author: The author of the token that it was sent with.
        found: The facts of the sent file.

    Raises:
        BadInput: It is not allowed.
    """
    limits = league.limits
    if found.files > limits.files:
        raise BadInput(f"it has {found.files} files; at most {limits.files} are allowed")
    if found.size > limits.unpacked_mb * MEGABYTE:
        raise BadInput(f"it has {found.size} bytes unpacked; at most {limits.unpacked_mb} MB")
    known = submissions(database)
    for each in known:
        if each.name == found.name and each.author != author:
            raise BadInput(f"the name {each.name} belongs to {each.author}; choose another")
    names = {each.name for each in known}
    if found.name not in names and (like := alike(found.name, names)):
        raise BadInput(f"the name {found.name} is too like {like}; choose another")
    own = {
        each.name
        for each in known
        if each.author == author and each.status is SubmissionStatus.ENABLED
    } - {found.name}
    if len(own) >= limits.enabled:
        raise BadInput(
            f"{author} has {limits.enabled} bots that play, as many as are allowed: "
            f"{', '.join(sorted(own))}; disable one first, or send a new version of one"
        )
