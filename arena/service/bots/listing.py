"""The bots that can be entered, as values: lists, the details of one, and its switch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from arena.core.errors import BadInput, UnknownName
from arena.core.table import Column, Row, Table, known_values
from arena.core.text.bot_names import INSTALLED
from arena.core.text.parsing import split_version
from arena.core.tournaments.format import SHOWN_DIGITS
from arena.plugins.entries import BotEntry
from arena.plugins.registry import Registry
from arena.service.storage.databases import existing_database

if TYPE_CHECKING:
    from arena_results.bots.submissions import Submission
    from arena_results.file.database import Database

    from arena.service.boards.kept import Boards
    from arena.service.boards.profile import Profile
    from arena.service.boards.versions import VersionChange
    from arena.service.lookup.refusals import Refusal


def _games(row: Row) -> Sequence[str] | str:
    return row["games"] or ("any" if row["kind"] == "house" else "not stated")


def _origin(row: Row) -> str:
    return "the house" if row["kind"] == "house" else row["distribution"] or row["kind"]


def _others(row: Row) -> str | None:
    others = [each for each in reversed(row["versions"]) if each != row["version"]]
    return ", ".join(others) or None


def _unlike(key: str, usual: object) -> Callable[[Sequence[Row]], bool]:
    return lambda rows: any(row[key] != usual for row in rows)


def status_tone(row: Row) -> str:
    """Returns the tone of the status of a bot or version."""
    return "good" if row["status"] == "enabled" else ""


BOTS = (
    Column("name", "bot", names="bot", cell=lambda row: row["spelling"]),
    Column("version", "version"),
    Column("games", "games", drop=2, cell=_games),
    Column("kind"),
    Column("distribution", "from", drop=3, cell=_origin),
    Column("summary", "what it does", prose=True),
    Column("language", "language", drop=4, when=_unlike("language", "python")),
    Column("deterministic", "deterministic", drop=4, when=known_values("deterministic")),
    Column("status", "status", drop=0, tone=status_tone, when=_unlike("status", "enabled")),
    Column(
        "versions",
        "other versions",
        drop=3,
        prose=True,
        cell=_others,
        when=lambda rows: any(len(row["versions"]) > 1 for row in rows),
    ),
    Column("spelling"),
)
"""The columns of the list of bots."""
VERSIONS = (
    Column("version", "version", names="version"),
    Column("status", "status", tone=status_tone),
    Column("games", "games"),
    Column("deterministic", "deterministic", drop=2),
    Column("content", "content", most=SHOWN_DIGITS, drop=3),
    Column("submitted", "submitted", unit="UTC"),
)
"""The columns of the versions of a submitted bot."""


def versions_table(name: str, versions: Sequence[Row]) -> Table:
    """The versions of a submitted bot, the oldest first, from rows of its document."""
    rows = [{**row, "name": name} for row in versions]
    return Table(title="Versions", columns=VERSIONS, rows=rows)


LOCAL = "local"
"""Kind of a bot that has played, and is neither installed nor submitted."""
LEVELS = {"endpoint": "endpoint"}
"""Kinds of such bots by their level of isolation."""


class BotDetails(msgspec.Struct, frozen=True):
    """The details of a bot.

    Attributes:
        about: The bot, or the version of it that was asked for, as in its JSON document.
        rated: A row for each version on each leaderboard, as in the leaderboard's document.
        submission: That version as it was submitted; ``None`` for other bots.
        versions: Every submitted version, the oldest first.
        changes: Each version compared with the last one on its leaderboards.
        profile: Its form, opponents and findings; ``None`` where they were not asked for, and
            without a database.
    """

    about: Mapping[str, object]
    rated: Sequence[Row]
    submission: Submission | None = None
    versions: Sequence[Submission] = ()
    changes: Sequence[VersionChange] = ()
    profile: Profile | None = None

    def document(self) -> dict[str, object]:
        """The JSON document of ``arena bots show``."""
        document = dict(self.about)
        if self.submission:
            document |= {
                "report": self.submission.report,
                "versions": [version_row(each) for each in self.versions],
            }
        keys = ("game", "ruleset", "name", "version", "content", "rating", "games")
        found = [{key: row[key] for key in keys} for row in self.rated]
        more = self.profile.document() if self.profile else {}
        changes = [each.document() for each in self.changes]
        return document | {"ratings": found, "changes": changes} | more


def submitted_bots(url: str) -> list[list[Submission]]:
    """The submitted bots by name, in the order of submission: all versions of each.

    Without a database there are none.
    """
    results = existing_database(url)
    if results is None:
        return []
    from arena_results.bots.submissions import submissions

    named: dict[str, list[Submission]] = {}
    with results:
        for version in submissions(results):
            named.setdefault(version.name, []).append(version)
    return list(named.values())


def bot_rows(
    entries: Sequence[BotEntry], submitted: Sequence[Sequence[Submission]]
) -> list[dict[str, object]]:
    """Returns the list of bots: built-in, installed and submitted ones.

    ``spelling`` is the name to enter each by: its name, unless the registry and an installed bot
    share it.

    Args:
        submitted: All versions of each submitted bot (``submitted_bots``).
    """
    stored = {versions[0].name: versions for versions in submitted}
    shared = {}
    for entry in entries:
        if entry.name in stored:
            from arena.service.lookup.resolver import explicit

            shared[entry.name] = explicit(entry, stored[entry.name])

    def spelled(row: dict[str, object], place: int) -> dict[str, object]:
        name = str(row["name"])
        return row | {"spelling": shared[name][place] if name in shared else name}

    return [
        *(spelled(entry_row(entry), 1) for entry in entries),
        *(spelled(submitted_row(versions), 0) for versions in submitted),
    ]


def shared_names(rows: Sequence[Mapping[str, object]]) -> list[str]:
    """Explains for each shared name how its submitted and its installed bot are entered."""
    spellings: dict[str, list[str]] = {}
    for row in rows:
        spellings.setdefault(str(row["name"]), []).append(str(row["spelling"]))
    return [
        f"{name} is in the registry, and it is installed: write {' or '.join(reversed(both))}"
        for name, both in spellings.items()
        if len(both) > 1
    ]


def entry_row(bot: BotEntry) -> dict[str, object]:
    """Returns a built-in or installed bot in the list of bots.

    An empty list of games means any, or that the bot does not name them.
    """
    return {
        "name": bot.name,
        "version": bot.version,
        "games": bot.games,
        "kind": bot.kind,
        "distribution": bot.distribution,
        "summary": bot.summary,
        "language": "python",
        "deterministic": None,
        "status": "enabled",
        "versions": (bot.version,),
    }


def submitted_row(versions: Sequence[Submission]) -> dict[str, object]:
    """A submitted bot in the list of bots: the version that is entered by its name.

    Of a disabled bot the latest version is listed.
    """
    shown = ([each for each in versions if each.status == "enabled"] or versions)[-1]
    return {
        "name": shown.name,
        "version": shown.version,
        "games": shown.games,
        "kind": "submitted",
        "distribution": "",
        "summary": "",
        "language": shown.language,
        "deterministic": shown.deterministic,
        "status": shown.status.value,
        "versions": tuple(each.version for each in versions),
    }


def version_row(version: Submission) -> dict[str, object]:
    """A version in the list of a bot's versions."""
    keys = ("version", "status", "games", "deterministic", "content")
    shown = {key: getattr(version, key) for key in keys}
    return shown | {"submitted": f"{version.submitted_at:%Y-%m-%d %H:%M}"}


def bot_details(
    registry: Registry, url: str, bot: str, boards: Boards | None = None, *, looked: bool = False
) -> BotDetails:
    """Finds the details of a bot of any kind, ``NAME`` or ``NAME@VERSION``.

    A submitted bot comes first; ``NAME@installed`` is always the installed one.

    Args:
        url: The database, which may be missing.
        boards: Its leaderboards; by default they are computed.
        looked: Whether with its profile, for which matches are read.

    Raises:
        UnknownName: The bot, or the version of it, does not exist.
    """
    name, version = split_version(bot)
    entries = {entry.name: entry for entry in registry.bots()}
    stored = _Stored()
    results = existing_database(url)
    if results is not None:
        with results:
            stored = _stored(registry, results, bot, boards, looked=looked, known=name in entries)
    entry, versions = entries.get(name), stored.versions
    chosen = [each for each in versions if version in ("", each.version)]
    played = [row for row in stored.ratings if version in ("", row["version"])]
    details = partial(
        BotDetails, rated=stored.ratings, changes=stored.changes, profile=stored.profile
    )
    if chosen:
        about = _about(chosen[-1])
        return details(about, submission=chosen[-1], versions=versions)
    if entry is None and not versions:
        if not played:
            raise UnknownName("bot", name, {*entries, *stored.names})
        games = tuple(dict.fromkeys(row["game"] for row in played))
        latest = max(played, key=lambda row: len(row["history"]))
        kind = LEVELS.get(" ".join(latest["isolation"]), LOCAL)
        return details({"name": name, "version": latest["version"], "kind": kind, "games": games})
    if entry is None or version not in ("", INSTALLED, entry.version):
        own = [entry.version] if entry else []
        raise _no_version(name, version, dict.fromkeys([*own, *(v.version for v in versions)]))
    keys = ("name", "version", "kind", "games", "summary", "distribution", "target")
    return details({key: getattr(entry, key) for key in keys})


class _Stored(msgspec.Struct):
    """The facts of a bot from a database.

    Attributes:
        names: The names of all submitted bots.
    """

    names: Sequence[str] = ()
    versions: Sequence[Submission] = ()
    ratings: Sequence[Row] = ()
    changes: Sequence[VersionChange] = ()
    profile: Profile | None = None


def _stored(
    registry: Registry,
    results: Database,
    bot: str,
    boards: Boards | None,
    *,
    looked: bool,
    known: bool,
) -> _Stored:
    from arena_results.boards.leaderboard import Asked
    from arena_results.bots.submissions import submissions

    from arena.service.boards.bot_tables import rating_rows
    from arena.service.boards.kept import Boards
    from arena.service.boards.profile import profile
    from arena.service.boards.versions import version_changes

    name, version = split_version(bot)
    every = submissions(results)
    versions = [each for each in every if each.name == name]
    found = (boards or Boards(registry, results)).now(Asked(), all_versions=True)
    ratings = rating_rows([("", each) for each in found], name)
    wanted = looked and (known or versions or ratings)
    return _Stored(
        names=[each.name for each in every],
        versions=versions,
        ratings=ratings,
        changes=version_changes(found, name, version),
        profile=profile(registry, results, bot) if wanted else None,
    )


def refusal_at(url: str, spelling: str) -> Refusal | None:
    """Returns the same as ``refusal_of``, of a database that need not exist."""
    results = existing_database(url)
    if results is None:
        return None
    from arena.service.lookup.refusals import refusal_of

    with results:
        return refusal_of(results, spelling)


def export_bot(database: Database, bot: str, folder: Path) -> tuple[Submission, int, list[str]]:
    """Writes a submitted bot, byte for byte but without hidden files, into an empty folder.

    Without a version it is the latest.

    Returns:
        The submission, the number of files written, and the hidden files left out.

    Raises:
        BadInput: Nothing of that name was submitted, or the folder cannot be used.
    """
    from arena_results.bots.submissions import find, submissions

    from arena.plugins.submissions.archives import is_hidden, write_files
    from arena.service.lookup.resolver import stored_package

    name, version = split_version(bot)
    if not submissions(database, name):
        known = sorted({each.name for each in submissions(database)})
        raise BadInput(
            f"no bot {name} was submitted, so there is no source of it; "
            f"submitted bots: {', '.join(known) or 'none'}"
        )
    stored = find(database, name, version, disabled_too=True)
    package = stored_package(database, stored)
    shown = {name: data for name, data in package.files.items() if not is_hidden(name)}
    write_files(shown, folder)
    return stored, len(shown), sorted(package.files.keys() - shown.keys())


def switch_bot(database: Database, bot: str, *, enabled: bool) -> list[Submission]:
    """Lets a submitted bot, or one version of it, into new tournaments, or keeps it out.

    Returns the versions that changed; raises ``UnknownName``.
    """
    from arena_results.bots.submissions import SubmissionStatus, set_status

    status = SubmissionStatus.ENABLED if enabled else SubmissionStatus.DISABLED
    return list(set_status(database, *split_version(bot), status))


def _no_version(name: str, version: str, versions: Iterable[str]) -> UnknownName:
    return UnknownName(f"version of bot {name}", version, versions)


def _about(chosen: Submission) -> dict[str, object]:
    keys = ("games", "language", "author", "licence", "deterministic", "content", "target")
    return {
        "name": chosen.name,
        "version": chosen.version,
        "kind": "submitted",
        "status": chosen.status.value,
        **{key: getattr(chosen, key) for key in (*keys, "command", "requires")},
    }
