"""Submitted bots between the store and where they run: their files, unpacked for one run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from arena_results.database import Database
from arena_results.submissions import Submission, archive, find, submissions

from arena.core.errors import BadStore
from arena.core.parsing import parse_call
from arena.core.tournament import SHOWN_DIGITS, same_content
from arena.plugins.archives import zip_files
from arena.plugins.dependencies import check_requirements
from arena.plugins.entries import BotSource
from arena.plugins.submission import Package
from arena.plugins.unpacking import source_of, unpack_to


def split_version(spelling: str) -> tuple[str, str]:
    """``"careful@1.0"`` is ``("careful", "1.0")``, ``"careful"`` is ``("careful", "")``."""
    name, _, version = spelling.partition("@")
    return name.strip(), version.strip()


def resolve_submitted(
    database: Database,
    spelling: str,
    folder: Path,
    modules: Mapping[str, str],
    allow: Collection[str] = (),
    *,
    disabled_too: bool = False,
) -> BotSource | None:
    """Finds a submitted bot by what the user typed, and unpacks it; none of its code runs.

    Args:
        database: Where the submissions are.
        spelling: ``NAME``, ``NAME(key=value)`` or ``NAME@VERSION(key=value)``; without a version
            the latest that is enabled.
        folder: The run's own folder: the bot is unpacked into a folder in it.
        modules: What it may import besides its own: the folder of each module.
        allow: Distributions that it may require.
        disabled_too: Whether a disabled one will do: a tournament that had begun with it goes on.

    Returns:
        ``None`` when no submitted bot has that name.

    Raises:
        BadInput: It is disabled, there is no such version, its program is not installed, or it
            requires what is not allowed.
        BadStore: Its files are not what was submitted.
    """
    typed, parameters = parse_call(spelling)
    name, version = split_version(typed)
    if not submissions(database, name):
        return None
    stored = find(database, name, version, disabled_too=disabled_too)
    check_requirements(name, stored.requires, allow)
    package = stored_package(database, stored)
    place = folder / f"{stored.id}-{stored.name}-{stored.content[:SHOWN_DIGITS]}"
    if not place.exists():  # entered a second time, with other parameters
        unpack_to(package, place)
    return source_of(package, place, parameters, modules)


def stored_package(database: Database, stored: Submission) -> Package:
    """A submitted version with its files.

    Raises:
        BadStore: The files are not what was submitted.
    """
    package = Package(
        name=stored.name,
        version=stored.version,
        author=stored.author,
        licence=stored.licence,
        games=stored.games,
        language=stored.language,
        kind=stored.kind,
        target=stored.target,
        command=stored.command,
        requires=stored.requires,
        files=zip_files(f"the stored bot {stored.spelling}", archive(database, stored.id)),
    )
    if not same_content(stored.content, package.content):
        raise BadStore(
            f"the files of bot {stored.spelling} in {database.path} are not what was submitted: "
            f"they are {package.content[:SHOWN_DIGITS]}, not {stored.content[:SHOWN_DIGITS]}"
        )
    return package
