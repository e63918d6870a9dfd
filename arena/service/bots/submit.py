"""Takes untrusted bots into the registry: reads, qualifies and enters them, or reports faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Literal, Protocol

import msgspec
from arena_results.bots.submissions import (
    NewSubmission,
    Submission,
    add,
    next_number,
    submissions,
    twin,
)
from arena_results.bots.uploads import note_refusal
from arena_results.file.database import open_database
from arena_tournaments.spec.keys import TournamentSpec, read_spec

from arena.core.chance.seeding import fresh_seed
from arena.core.errors import BadInput, BadStore
from arena.core.game import AnyGame
from arena.core.text.bot_names import PERSON, alike
from arena.core.text.printable import printable_text
from arena.core.tournaments.format import SHOWN_DIGITS
from arena.host.box.levels import Level
from arena.host.builds.builder import BuildFailed, built
from arena.plugins.dependencies import check_requirements
from arena.plugins.options import either, option
from arena.plugins.registry import Registry
from arena.plugins.submissions.archives import packed, write_files
from arena.plugins.submissions.submission import NameFrom, Package, read_package
from arena.plugins.submissions.unpacking import source_of
from arena.service.answers.errors import COMMAND_LINE, spec_error
from arena.service.answers.scratch import scratch_folder
from arena.service.boards.versions import VersionChange
from arena.service.bots.qualify import Qualification, house_bots, qualify
from arena.service.bots.version_changes import submitted_changes
from arena.service.lookup.isolation import Warn, build_limits_of, choose_level, ignore
from arena.service.storage.databases import existing_database, file_of


class SubmitObserver(Protocol):
    """Gets an event before the matches of each game."""

    def __call__(
        self, package: Package, game: AnyGame, opponents: Sequence[str], seed: int, /
    ) -> object:
        """A bot begins to qualify for a game against these built-in bots."""


class Submitted(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a submission.

    Attributes:
        status: ``"entered"``, ``"refused"``, or ``"unchanged"`` for known content.
        package: The submitted bot, with its version.
        reports: Its qualification game by game; the last one may have failed.
        known: The stored submission of the same content.
        build: Why its build failed; empty if it did not.
        build_log: The end of what its failed build wrote.
        changes: The version compared with the last one; none for a first version.
    """

    status: Literal["entered", "refused", "unchanged"]
    package: Package
    reports: tuple[Qualification, ...] = ()
    known: Submission | None = None
    build: str = ""
    build_log: str = ""
    changes: tuple[VersionChange, ...] = ()

    @property
    def title(self) -> str:
        """The bot in one line: name, version, language, licence, author, files and content."""
        package, files = self.package, len(self.package.files)
        by = [package.language, package.licence, package.author and f"by {package.author}"]
        return (
            f"{package.name} {package.version} ({', '.join(filter(None, by))}; "
            f"{files} file{'' if files == 1 else 's'}, content {package.content[:SHOWN_DIGITS]})"
        )

    @property
    def decision(self) -> str:
        """The decision for its author: what is wrong with the bot, line by line, and the status."""
        if self.known:
            return (
                f"{self.known.spelling} is in the registry already with this content; nothing was "
                f"changed; it is {self.known.status}"
            )
        called = f"{self.package.name} {self.package.version}".rstrip()
        if self.build:
            lines = filter(None, (self.build, self.build_log, f"{called} was NOT entered"))
            return printable_text("\n".join(lines))
        for report in self.reports:
            if not report.passed:
                return f"{report.complaint}\n{called} was NOT entered"
        return f"{called} is entered"

    @property
    def why(self) -> str:
        """The reason of a refusal in one line; otherwise empty."""
        return self.build or next((report.why for report in self.reports if report.why), "")

    def document(self) -> dict[str, object]:
        """The JSON document of ``arena submit``."""
        keys = ("name", "version", "content", "author", "licence", "language")
        reports = {report.game: report.summary() for report in self.reports}
        return {
            "status": self.status,
            **{key: getattr(self.package, key) for key in keys},
            "files": sorted(self.package.files),
            "report": self.known.report if self.known else reports,
            "failures": [
                {"game": report.game, "opponent": opponent, **msgspec.to_builtins(failure)}
                for report in self.reports
                for opponent, check in report.checks.items()
                for failure in check.failures
            ],
            "refusal": self.build
            or "\n".join(report.refusal for report in self.reports if report.refusal),
            "reason": self.why,
            "changes": [each.document() for each in self.changes],
            "error": self.build_log
            or "\n".join(report.error for report in self.reports if report.error),
        }


def submit(
    registry: Registry,
    url: str,
    path: str,
    *,
    name: str = "",
    name_from: NameFrom = "",
    games: Sequence[str] = (),
    keys: Mapping[str, object] | None = None,
    seed: int | None = None,
    observer: SubmitObserver = lambda package, game, opponents, seed: None,
    warn: Warn = ignore,
    taken: Mapping[str, str] = {},
    admit: Callable[[Package], Package] = lambda package: package,
    noted: bool = True,
) -> Submitted:
    """Takes a bot into the registry if it breaks no match; of a refused bot only the reason is
    stored.

    Takes seconds to minutes.

    Args:
        url: Address of the database, which is made if need be.
        path: A file ``bot.py[:Class]``, a folder, a .zip or .tar.gz archive of one, or a wheel.
        name: The name of the bot, or which one of several; empty for its own.
        name_from: Source of its own name (``read_package``).
        games: Games to enter it for; empty for those that it names itself.
        keys: ``isolation``, ``require``, ``allow`` and limits as in a tournament's spec.
        seed: Seed of its matches, 0 .. 2**53-1; ``None`` draws one.
        warn: Called when the bot is not confined.
        taken: Paths of other bots by name: without a version it may have none of these names.
        admit: Called with the package before anything else, and again before it is entered; returns
            the package to enter, or raises ``BadInput``.
        noted: Whether a refusal is stored, for a process that enters the bot later.

    Raises:
        BadInput: It cannot be read, needs what is not allowed, or cannot be entered by that name.
        BadStore: The database cannot be written.
        HarnessFault: A match was void.
    """
    spec = submission_spec(keys or {})
    package = admit(read_package(path, name, name_from))
    _check_name(registry, package)
    if not package.version and package.name in taken:
        raise BadInput(
            f"{taken[package.name]} is called {package.name}, too; give this one another name with "
            f"{option('name', ...)}, or all the names of their archives or folders with "
            f"{option('name_from', 'path')}, or, if it is a new version of that, a version"
        )
    chosen = _games(registry, package, games)
    check_requirements(package.name, package.requires, spec.allow)
    modules = registry.importable(spec.allow)
    if (results := existing_database(url)) is not None:  # asked before minutes of building
        with results:
            results.check_writable()
    try:
        package = built(package, build_limits_of(spec), apart=list(filter(None, [file_of(url)])))
    except BuildFailed as error:
        answer = Submitted(status="refused", package=package, build=str(error), build_log=error.log)
        if noted:
            _note(url, answer, warn)
        return answer
    with scratch_folder() as temporary:
        folder = temporary / "bot"
        write_files(package.files, folder)
        source_of(package, folder)  # its program may be missing
        declared, (package, known) = package, _looked_up(url, package)
        if known:
            _check_known(known, chosen)
            changes = _known_changes(registry, url, known)
            return Submitted(status="unchanged", package=package, known=known, changes=changes)
        if not chosen:
            choices = ", ".join(game.name for game in registry.games())
            raise BadInput(
                f"bot {package.name} does not say which games it plays; "
                f"add {option('game', ...)} with one of: {choices}"
            )
        open_database(url).close()  # made before minutes of playing
        source = source_of(package, folder, allowed=modules)
        level = choose_level(spec.isolation, spec.require, warn)
        # Drawn, so that no bot can know its examination by heart.
        drawn = fresh_seed() if seed is None else seed
        reports: list[Qualification] = []
        for game in chosen:
            house = house_bots(registry, game.name)
            observer(package, game, list(house), drawn)
            reports.append(qualify(source, game, house, level, drawn, spec))
            if not reports[-1].passed:
                answer = Submitted(status="refused", package=package, reports=tuple(reports))
                if noted:
                    _note(url, answer, warn)
                return answer
    entered, changes = _enter(url, admit(declared), reports)
    return Submitted(status="entered", package=entered, reports=tuple(reports), changes=changes)


def _check_name(registry: Registry, package: Package) -> None:
    """Refuses the names of people and of other bots, and names that look like one."""
    remedy = f" with {option('name', ...)}"
    if alike(package.name, (PERSON,)):
        raise BadInput(
            f"the name {package.name} is taken: {PERSON} is a person at the table; "
            f"give another{remedy}"
        )
    registry.check_name_free(package.name, remedy, package.target, lookalikes=True)


def submission_spec(keys: Mapping[str, object]) -> TournamentSpec:
    """The spec of the matches of a bot that nobody vouches for; ``BadSpec`` if a key is wrong."""
    problems: list[str] = []
    spec = read_spec(keys, problems)
    if spec.isolation == Level.TRUSTED.value:
        problems.append("isolation: submitted bots are never trusted")
    if problems:
        raise spec_error(either(COMMAND_LINE, "arguments"), problems)
    return spec


def _looked_up(url: str, package: Package) -> tuple[Package, Submission | None]:
    results = existing_database(url)
    if results is None:
        return msgspec.structs.replace(package, version=package.version or "1"), None
    with results:
        names = {each.name for each in submissions(results)}
        like = alike(package.name, names)
        if like and package.name not in names:
            raise BadInput(
                f"the name {package.name} is too like {like}, which is in the registry; "
                f"give another with {option('name', ...)}"
            )
        known = twin(results, package.name, package.version, package.content)
        version = known.version if known else package.version or next_number(results, package.name)
    return msgspec.structs.replace(package, version=version), known


def _games(registry: Registry, package: Package, asked: Sequence[str]) -> list[AnyGame]:
    own = [registry.rated_game(name) for name in package.games]
    wanted = [registry.rated_game(name) for name in dict.fromkeys(asked)]
    names = [game.name for game in own]
    for game in wanted:
        if own and game.name not in names:
            raise BadInput(f"bot {package.name} plays {', '.join(names)}, not {game.name}")
    return wanted or own


def _check_known(known: Submission, games: Sequence[AnyGame]) -> None:
    more = [game.name for game in games if game.name not in known.games]
    if more:
        raise BadInput(
            f"bot {known.spelling} was entered for {', '.join(known.games)}; "
            f"to enter it for {', '.join(more)} too, give it a new version"
        )


def _note(url: str, refused: Submitted, warn: Warn) -> None:
    """Keeps a refusal; where that cannot be, its author gets the reason all the same."""
    document = msgspec.json.encode(refused.document()).decode()
    try:
        with open_database(url) as results:
            text = f"{refused.title}\n{refused.decision}"
            note_refusal(results, text, document, datetime.now(UTC))
    except BadStore as error:
        warn(f"note: the refusal is not kept: {error}")


def _known_changes(registry: Registry, url: str, known: Submission) -> tuple[VersionChange, ...]:
    from arena_results.boards.leaderboard import Asked

    from arena.service.boards.kept import Boards

    with open_database(url) as results:
        boards = partial(Boards(registry, results).now, Asked(), all_versions=True, amounts=False)
        return submitted_changes(results, known.name, known.version, boards)


def _enter(
    url: str, package: Package, reports: Sequence[Qualification]
) -> tuple[Package, tuple[VersionChange, ...]]:
    """Stores a bot; one that declares no version gets its number now: others entered meanwhile."""
    with open_database(url) as results:
        known = twin(results, package.name, package.version, package.content)
        version = known.version if known else package.version or next_number(results, package.name)
        package = msgspec.structs.replace(package, version=version)
        new = NewSubmission(
            **package.declared() | {"games": tuple(report.game for report in reports)},
            content=package.content,
            deterministic=all(report.deterministic for report in reports),
            report={report.game: report.summary() for report in reports},
        )
        add(results, new, packed(package.files))
        return package, submitted_changes(results, package.name, package.version)
