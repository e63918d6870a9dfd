"""``arena bots show``: all that is known of one bot, and what was submitted of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena_results.leaderboard import leaderboard
from arena_results.submissions import Submission, find, submissions
from msgspec.structs import asdict, replace

from arena.cli.output import (
    Column,
    TextOrJson,
    counted,
    one_line,
    say,
    show_json,
    show_table,
    stdout,
    write,
)
from arena.core.errors import BadInput, UnknownName
from arena.core.tournament import SHOWN_DIGITS
from arena.plugins.archives import is_hidden
from arena.plugins.unpacking import unpack_to
from arena.service.databases import existing_database
from arena.service.resolver import split_version, stored_package

if TYPE_CHECKING:
    from arena_results.database import Database

    from arena.plugins.entries import BotEntry
    from arena.plugins.registry import Registry

VERSIONS = (
    Column("version", "version"),
    Column("status", "status"),
    Column("games", "games"),
    Column("deterministic", "deterministic"),
    Column("content", "content", most=SHOWN_DIGITS),
    Column("submitted", "submitted"),
)
CHECKS = (
    Column("game", "game"),
    Column("ruleset", "ruleset"),
    Column("against", "against"),
    Column("matches", "matches", right=True),
    Column("points", "points", right=True),
    Column("deterministic", "deterministic"),
    Column("isolation", "ran"),
)
RATINGS = (
    Column("game", "game"),
    Column("ruleset", "ruleset"),
    Column("name", "bot"),
    Column("version", "version"),
    Column("rating", "rating", right=True, digits=0),
    Column("games", "matches", right=True),
)


def show(found: Registry, bot: str, db: str, output: TextOrJson) -> None:
    """Shows a bot of any kind.

    Args:
        found: The registry of this run.
        bot: ``NAME`` or ``NAME@VERSION``.
        db: The results database, which may be missing.
        output: How.

    Raises:
        UnknownName: There is no such bot, or no such version of it.
    """
    name, version = split_version(bot)
    names = {entry.name: entry for entry in found.bots()}
    versions: Sequence[Submission] = ()
    ratings: list[dict[str, object]] = []
    known: set[str] = set(names)
    results = existing_database(db)
    if results is not None:
        with results:
            every = submissions(results)
            versions = [each for each in every if each.name == name]
            ratings = _ratings(results, name)
            known |= {each.name for each in every}
    if versions:
        chosen = [each for each in versions if version in ("", each.version)]
        if not chosen:
            raise _no_version(name, version, [each.version for each in versions])
        _show_submitted(output, chosen[-1], versions, ratings)
    elif name not in names:
        raise UnknownName("bot", name, known)
    elif version not in ("", names[name].version):
        raise _no_version(name, version, [names[name].version])
    else:
        _show_entry(output, names[name], ratings)


def _no_version(name: str, version: str, versions: Sequence[str]) -> UnknownName:
    return UnknownName(f"version of bot {name}", version, versions)


def export(results: Database, bot: str, folder: Path) -> None:
    """Writes what was submitted, byte for byte but without hidden files, into an empty folder.

    Args:
        results: Where the submissions are.
        bot: ``NAME``, for its latest version, or ``NAME@VERSION``.
        folder: Where to.

    Raises:
        BadInput: Nothing of that name was submitted, or the folder cannot be used.
    """
    name, version = split_version(bot)
    if not submissions(results, name):
        known = sorted({each.name for each in submissions(results)})
        raise BadInput(
            f"no bot {name} was submitted, so there is no source of it; "
            f"submitted bots: {', '.join(known) or 'none'}"
        )
    stored = find(results, name, version, disabled_too=True)
    package = stored_package(results, stored)
    shown = {name: data for name, data in package.files.items() if not is_hidden(name)}
    unpack_to(replace(package, files=shown), folder)
    write(stdout(), f"{stored.spelling}: {counted(len(shown), 'file')} in {folder}")
    if left := sorted(package.files.keys() - shown.keys()):
        say(
            f"{counted(len(left), 'hidden file')} not written, the first is {left[0]}: "
            "tools obey such files, a .git runs programs"
        )


def _ratings(results: Database, name: str) -> list[dict[str, object]]:
    """Its ratings, with whichever parameters, a row for each version, board after board."""
    return [
        {
            "game": row.game,
            "ruleset": row.ruleset,
            "name": row.participant.name,
            "version": row.participant.version,
            "content": row.participant.content,
            "rating": row.rating,
            "games": row.games,
        }
        for row in leaderboard(results)
        if row.participant.name.partition("(")[0] == name
    ]


def _show_submitted(
    output: TextOrJson,
    chosen: Submission,
    versions: Sequence[Submission],
    ratings: Sequence[Mapping[str, object]],
) -> None:
    if output is TextOrJson.JSON:
        show_json(
            _about(chosen)
            | {
                "report": chosen.report,
                "versions": [_version(each) for each in versions],
                "ratings": ratings,
            }
        )
        return
    _show_about(_about(chosen) | {"content": chosen.content[:SHOWN_DIGITS]})
    rows = [
        _version(each) | {"submitted": f"{each.submitted_at:%Y-%m-%d %H:%M}"} for each in versions
    ]
    show_table("versions", VERSIONS, rows)
    show_table(f"qualification of {chosen.version}", CHECKS, _checks(chosen))
    _show_ratings(ratings)


def _show_entry(
    output: TextOrJson, entry: BotEntry, ratings: Sequence[Mapping[str, object]]
) -> None:
    about: dict[str, object] = {
        "name": entry.name,
        "version": entry.version,
        "kind": entry.kind,
        "games": entry.games,
        "summary": entry.summary,
        "distribution": entry.distribution,
        "target": entry.target,
    }
    if output is TextOrJson.JSON:
        show_json(about | {"ratings": ratings})
        return
    _show_about(about)
    _show_ratings(ratings)


def _show_about(about: Mapping[str, object]) -> None:
    """A line for everything that is known."""
    column = Column("", "")
    width = max(map(len, about))
    for key, value in about.items():
        if value not in ("", ()):
            write(stdout(), f"{key:{width}}  {one_line(column.text(value))}")
    write(stdout(), "")


def _show_ratings(ratings: Sequence[Mapping[str, object]]) -> None:
    if ratings:
        show_table("ratings", RATINGS, ratings)
    else:
        write(stdout(), "no rated matches yet")


def _about(chosen: Submission) -> dict[str, object]:
    return {
        "name": chosen.name,
        "version": chosen.version,
        "kind": "submitted",
        "status": chosen.status.value,
        "games": chosen.games,
        "language": chosen.language,
        "author": chosen.author,
        "licence": chosen.licence,
        "deterministic": chosen.deterministic,
        "content": chosen.content,
        "target": chosen.target,
        "command": chosen.command,
        "requires": chosen.requires,
    }


def _version(each: Submission) -> dict[str, object]:
    return {
        "version": each.version,
        "status": each.status.value,
        "games": each.games,
        "deterministic": each.deterministic,
        "content": each.content,
    }


def _checks(chosen: Submission) -> list[dict[str, object]]:
    return [
        {"game": game, "ruleset": report.ruleset, "against": opponent, **asdict(check)}
        for game, report in chosen.report.items()
        for opponent, check in report.against.items()
    ]
