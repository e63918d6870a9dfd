"""Finds bots by the name that the user typed: built-in, installed, submitted ones, and files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from fnmatch import fnmatchcase
from shlex import quote
from typing import Self

import msgspec
from arena_results.bots.submissions import Submission, SubmissionStatus, archive, find, submissions
from arena_results.file.database import Database

from arena.core.errors import BadInput, BadStore, UnknownName
from arena.core.game import AnyGame, Ruleset
from arena.core.text.bot_names import INSTALLED
from arena.core.text.parsing import (
    join_loadout,
    join_version,
    parse_call,
    split_loadout,
    split_version,
)
from arena.core.tournaments.format import SHOWN_DIGITS, shown_names
from arena.host.builds.builder import built
from arena.host.builds.job import BuildLimits
from arena.match.learned.file import ValueFile
from arena.plugins.botfile import is_endpoint_file, split_file_spelling
from arena.plugins.dependencies import check_requirements
from arena.plugins.endpointfile import read_endpoint_file
from arena.plugins.entries import BotEntry, BotSource
from arena.plugins.loading import AnyBot, load_bot
from arena.plugins.options import options_spelled
from arena.plugins.registry import Registry
from arena.plugins.submissions.archive_kinds import has_archive_name
from arena.plugins.submissions.archive_reading import zip_files
from arena.plugins.submissions.archives import write_files
from arena.plugins.submissions.submission import Package, is_folder, read_package
from arena.plugins.submissions.unpacking import source_of
from arena.service.answers.scratch import scratch_folder
from arena.service.lookup.learned_files import named_file
from arena.service.lookup.python_bots import LocalBot
from arena.service.lookup.refusals import refusal_of

DEFAULT_BUILD = BuildLimits()


class BotResolver:
    """Finds bots for one run; as a context it unpacks submitted ones while it is open.

    Args:
        database: Holds the submitted ones; ``None`` before there are any.
        resumes: Number of the tournament to continue, for which disabled bots will do.
        local: Bots of this program; their names come before all others.

    Attributes:
        registry, database, resumes: As the arguments.
        disabled: Disabled bots that were found all the same, as ``NAME@VERSION``.
    """

    def __init__(
        self,
        registry: Registry,
        database: Database | None = None,
        *,
        resumes: int | None = None,
        local: Sequence[LocalBot] = (),
    ) -> None:
        self.registry, self.database, self.resumes = registry, database, resumes
        for bot in local:
            registry.check_name_free(parse_call(bot.participant.name)[0])
        self._local = dict(zip(shown_names([bot.participant for bot in local]), local, strict=True))
        self._open = ExitStack()
        self._built: dict[str, Package] = {}
        self.disabled: list[str] = []

    def __enter__(self) -> Self:
        self._folder = self._open.enter_context(scratch_folder())
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    @property
    def apart(self) -> tuple[str, ...]:
        """Files that no bot may ever be granted: the database."""
        return self.database.place.files if self.database is not None else ()

    @property
    def db_option(self) -> str:
        """The option by which a suggested command finds the database."""
        return self.database.option if self.database is not None else ""

    def find(
        self,
        spelling: str,
        trust: Collection[str] = (),
        allow: Collection[str] = (),
        *,
        confine_house: bool = False,
        build: BuildLimits = DEFAULT_BUILD,
    ) -> BotSource:
        """Returns the bot; none of its code runs, but for the build of a folder in its box.

        Args:
            spelling: ``NAME``, ``NAME(key=value)``, ``NAME@VERSION`` (the submitted bot if it has
                that version), ``NAME@installed`` (always the installed bot),
                ``path/to/file.py[:Class]`` or ``path/to/endpoint.toml``; `` with LOADOUT`` sets
                its loadout for every match.
            trust: Untrusted bots that the operator vouches for.
            allow: Installed distributions that untrusted bots may import.
            confine_house: Whether built-in bots are not trusted, either.
            build: Limits of the build of a folder or an archive.

        Raises:
            BadInput: The bot does not exist, or cannot be used.
        """
        bot, loadout = split_loadout(spelling)
        found = self._find(bot, trust, allow, build)
        if found.kind == "house" and confine_house:
            found = msgspec.structs.replace(found, trusted=False)
        if loadout:
            name = join_loadout(found.participant.name, loadout)
            participant = msgspec.structs.replace(found.participant, name=name)
            found = msgspec.structs.replace(found, participant=participant, loadout=loadout)
        return found

    def enabled(self, game: str) -> list[tuple[str, str]]:
        """Returns names and versions of the bots that can be entered for a game, in the order of
        lists.

        Every enabled version of a submitted bot is among them, in the order of submission. The
        version of an installed bot with the name of a submitted one is ``INSTALLED``.
        """
        every = submissions(self.database) if self.database is not None else ()
        shared = {each.name for each in every}
        own = [entry for entry in self.registry.bots() if game in (entry.games or (game,))]
        found = [
            (entry.name, INSTALLED if entry.name in shared else entry.version) for entry in own
        ]
        if every:
            stored = [each for each in every if game in each.games]
            names = list(dict.fromkeys(each.name for each in stored))
            found += [
                (each.name, each.version)
                for each in sorted(stored, key=lambda each: names.index(each.name))
                if each.status is SubmissionStatus.ENABLED
            ]
        return found

    def outdone(self) -> set[str]:
        """Names of installed bots whose very version the registry has, under the same name."""
        every = submissions(self.database) if self.database is not None else ()
        stored = {(each.name, each.version) for each in every}
        return {
            entry.name for entry in self.registry.bots() if (entry.name, entry.version) in stored
        }

    def check_left_out(self, pattern: str) -> None:
        """Raises ``BadInput`` if a pattern fits a disabled or refused bot."""
        if self.database is None:
            return
        for each in submissions(self.database):
            if each.status is SubmissionStatus.DISABLED and (
                fnmatchcase(each.name, pattern) or fnmatchcase(each.spelling, pattern)
            ):
                self.find(each.spelling)
        if refused := refusal_of(self.database, pattern):
            raise refused.error()

    def load(self, source: BotSource) -> Callable[[], AnyBot]:
        """The function that makes a trusted bot in this process; raises as ``load_bot``."""
        if source.kind != "local":
            return load_bot(source)
        make = self._local[source.target].make
        assert make is not None
        return make

    def value_file(self, named: str, game: AnyGame, ruleset: Ruleset) -> ValueFile:
        """The learned value function of a file, or of a hash (``learned_files.named_file``)."""
        return named_file(named, self.database, game, ruleset)

    def spelling(self, spelling: str, bot: BotSource) -> str:
        """The name that finds the same version, even if newer or other ones exist."""
        if bot.kind == "installed":
            return join_version(bot.participant.name, INSTALLED)
        if bot.kind not in ("submitted", "program") or is_package(split_loadout(spelling)[0]):
            return spelling
        return join_version(bot.participant.name, bot.participant.version)

    def _find(
        self, spelling: str, trust: Collection[str], allow: Collection[str], build: BuildLimits
    ) -> BotSource:
        local = self._local.get(spelling)
        if local is not None and local.endpoint is not None:
            return local.endpoint
        if local is not None:
            return BotSource(
                "local",
                spelling,
                {},
                local.participant,
                "this program",
                trusted=True,
                author=local.author,
                person_ns=local.person_ns,
            )
        if is_endpoint_file(spelling):
            return read_endpoint_file(spelling.strip())
        if self.database is not None and not split_file_spelling(spelling):
            submitted = self._submitted(self.database, spelling, allow)
            if submitted is not None:
                return submitted
        try:
            return self.registry.resolve_bot(spelling, trust, self.registry.importable(allow))
        except UnknownName as unknown:
            if is_package(spelling):
                found = self.find_package(spelling, allow, build)
                self.registry.check_name_free(found.participant.name, target=found.target)
                return found
            if self.database is None:
                raise
            if unknown.kind != "bot":  # a version, or a class of a file
                if split_file_spelling(spelling):
                    raise
                if refused := refusal_of(self.database, spelling):
                    raise refused.error() from None
                name, _ = split_version(parse_call(spelling)[0])
                versions = [each.version for each in submissions(self.database, name)]
                raise UnknownName(
                    unknown.kind, unknown.name, dict.fromkeys([*unknown.choices, *versions])
                ) from None
            if refused := refusal_of(self.database, spelling):
                raise refused.error() from None
            names = {each.name for each in submissions(self.database)}
            unknown = UnknownName("bot", unknown.name, {*unknown.choices, *names})
            if self.resumes is None:
                raise unknown from None
            raise BadInput(
                f"{unknown}; if it belongs to a Python program, resume there: "
                f"db.resume({self.resumes}, [{unknown.name}])"
            ) from None

    def find_package(
        self, path: str, allow: Collection[str] = (), build: BuildLimits = DEFAULT_BUILD
    ) -> BotSource:
        """The bot of a folder or an archive, as it could be submitted; built and unpacked so."""
        with options_spelled(lambda key, value: f"arena submit {quote(path)} --{key}"):
            package = read_package(path)
        package = msgspec.structs.replace(package, version=package.version or "folder")
        check_requirements(package.name, package.requires, allow)
        key = package.content
        if package.build and key not in self._built:
            self._built[key] = built(package, build, self.apart)
        package = self._built.get(key, package)
        place = self._folder / f"{package.name}-{package.content[:SHOWN_DIGITS]}"
        if not place.exists():
            write_files(package.files, place)
        return source_of(package, place, allowed=self.registry.importable(allow))

    def _submitted(
        self, database: Database, spelling: str, allow: Collection[str]
    ) -> BotSource | None:
        """Returns a submitted bot, unpacked into a folder of this run; ``None`` if it was not
        submitted.

        Raises:
            BadInput: The name means a submitted bot and an installed one.
        """
        typed, parameters = parse_call(spelling)
        name, version = split_version(typed)
        versions = submissions(database, name)
        entry = self.registry.installed(name)
        if not versions:
            return None
        if entry and not version and self.resumes is None:
            raise BadInput(clash(entry, versions, spelling))
        if all(each.version != version for each in versions):
            if entry:
                return None
            if version and (refused := refusal_of(database, spelling)):
                raise refused.error()
        stored = find(database, name, version, disabled_too=self.resumes is not None)
        if stored.status is SubmissionStatus.DISABLED:
            self.disabled.append(stored.spelling)
        check_requirements(name, stored.requires, allow)
        package = stored_package(database, stored)
        place = self._folder / f"{stored.id}-{stored.name}-{stored.content[:SHOWN_DIGITS]}"
        if not place.exists():  # entered a second time, with other parameters
            write_files(package.files, place)
        return source_of(package, place, parameters, self.registry.importable(allow))


def clash(entry: BotEntry, versions: Sequence[Submission], spelling: str) -> str:
    """Says that a name means two bots, and how each of them is written."""
    stored, installed = explicit(entry, versions, spelling)
    where = "a built-in bot" if entry.kind == "house" else f"installed with {entry.distribution}"
    return (
        f"{entry.name} is in the registry, and it is {where}; write {stored} for the one in the "
        f"registry, or {installed} for the other"
    )


def explicit(
    entry: BotEntry, versions: Sequence[Submission], spelling: str = ""
) -> tuple[str, str]:
    """Returns how the submitted and the installed bot of one name are written.

    Args:
        versions: The submitted versions, the oldest first.
        spelling: The name as it was typed, with its parameters; empty for only the name.
    """
    enabled = [each for each in versions if each.status is SubmissionStatus.ENABLED]
    latest = (enabled or versions)[-1].version
    typed = spelling or entry.name
    return join_version(typed, latest), join_version(typed, INSTALLED)


def is_package(spelling: str) -> bool:
    """True for the path of a folder or an archive, which could be submitted."""
    return has_archive_name(spelling) or is_folder(spelling)


def stored_package(database: Database, stored: Submission) -> Package:
    """Returns a submitted version with its files; raises ``BadStore`` if these have changed."""
    files = zip_files(f"the stored bot {stored.spelling}", archive(database, stored.id))
    package = Package(**stored.declared(), files=files)
    if stored.content != package.content:
        raise BadStore(
            f"the files of bot {stored.spelling} in {database.label} differ from those submitted: "
            f"they are {package.content[:SHOWN_DIGITS]}, not {stored.content[:SHOWN_DIGITS]}"
        )
    return package
