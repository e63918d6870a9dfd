"""The registry of games, bots and formats by name, our own and all others alike."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any, TypeVar

import msgspec

from arena.core.errors import BadInput, BadPlugin, UnknownName
from arena.core.export import Exporter
from arena.core.game import AnyGame, Game
from arena.core.parts.cases import DriverMaker
from arena.core.text.bot_names import INSTALLED, alike
from arena.core.text.parsing import Value, format_call, parse_call, split_version
from arena.core.tournaments.executor import ExecutorKind
from arena.core.tournaments.format import Format, Participant
from arena.core.tournaments.rating import RatingSystem
from arena.plugins.botfile import read_bot_file, split_file_spelling
from arena.plugins.dependencies import allowed_modules
from arena.plugins.entries import LEVELS, BotEntry, BotSource
from arena.plugins.executor_options import ChosenExecutor, chosen
from arena.plugins.faults import (
    case_driver_fault,
    format_fault,
    game_fault,
    lacks,
    rating_system_fault,
)
from arena.plugins.guards import MEMBERS, Guard, guarded
from arena.plugins.hashing import package_folder, registered_content
from arena.plugins.manager import OWN_DISTRIBUTION, Extensions, Origin, read_entries
from arena.plugins.options import option
from arena.plugins.rating_options import with_options

T = TypeVar("T")
BOT_GROUP = "arena.bots"
"""Entry-point group of untrusted bots: the entry's name is the bot's name."""
_NOTHING: Mapping[str, str] = {}
_NO_OPTIONS: Mapping[str, Value] = {}


class Registry:
    """Finds games, bots and formats by name; created once a run, it loads things on demand."""

    def __init__(self, extensions: Extensions | None = None) -> None:
        self._extensions = extensions or Extensions()
        self._labels: dict[tuple[str, str], str] = {}
        self._reported = 0

    def games(self) -> tuple[AnyGame, ...]:
        """Returns every game that bots can play, ours first."""
        return tuple(self._games[0].values())

    def game(self, name: str) -> AnyGame:
        """Returns the game of that name, also one that is never rated; raises ``UnknownName``."""
        rated, unrated = self._games
        return _pick("game", name, unrated if name in unrated else rated)

    def rated_game(self, name: str) -> AnyGame:
        """Returns the game of that name if bots can play it; raises ``BadInput``."""
        rated, unrated = self._games
        if name in unrated:
            choices = ", ".join(rated)
            raise BadInput(
                f"{name} is played by commands of its own, and never rated; choices: {choices}"
            )
        return _pick("game", name, rated)

    def formats(self) -> tuple[Format, ...]:
        """Returns every kind of tournament that can be chosen, ours first."""
        return tuple([each for each in self._formats.values() if not each.for_people])

    def format(self, name: str) -> Format:
        """Returns the kind of tournament of that name; raises ``UnknownName``."""
        if name not in self._formats:
            raise UnknownName("format", name, [each.name for each in self.formats()])
        return self._formats[name]

    def case_drivers(self) -> Mapping[str, DriverMaker]:
        """Returns the makers of rule cases' drivers, by the name of their game."""
        pairs = self._collect(
            "arena_case_drivers", "case driver of", case_driver_fault, itemgetter(0)
        )
        return dict(pairs.values())

    def rating_systems(self) -> dict[str, RatingSystem]:
        """Every way to rate players by name, ours first."""
        return self._collect("arena_rating_systems", "rating system", rating_system_fault)

    def rating_system(self, text: str, given: Mapping[str, Value] = _NO_OPTIONS) -> RatingSystem:
        """Returns a rating system by its name, with options as in ``elo(k=8)``.

        Args:
            given: Options that stand beside it.

        Raises:
            UnknownName: There is no such system.
            BadInput: It cannot be read, an option is wrong, or it is given twice.
        """
        name, options = parse_call(text)
        system = _pick("rating system", name, self.rating_systems())
        if twice := [key for key in given if key in options]:
            raise BadInput(f"{option(twice[0])}: {text} gives it, too")
        return with_options(system, options, given)

    def exporters(self) -> dict[str, Exporter]:
        """Every kind of document for lists, by name, ours first."""
        return self._collect("arena_exporters", "exporter")

    def exporter(self, name: str) -> Exporter:
        """The exporter of that name; raises ``UnknownName``."""
        return _pick("exporter", name, self.exporters())

    def executor(self, text: str) -> ChosenExecutor:
        """Returns an executor by its name, with options as in ``NAME(key=value)``.

        Raises:
            UnknownName: There is no such kind of executor.
            BadInput: It cannot be read, or an option is wrong.
        """
        name, options = parse_call(text)
        kinds: dict[str, ExecutorKind[Any]] = self._collect("arena_executors", "executor")
        return chosen(_pick("executor", name, kinds), options)

    def label(self, kind: str, name: str) -> str:
        """Names an object that was looked up, e.g. an ``"executor"``, with its distribution."""
        return self._labels.get((kind, name), f"{kind} {name}")

    def bots(self) -> tuple[BotEntry, ...]:
        """Returns every bot with a name, built-in bots first; none of them is imported."""
        return tuple(self._bots.values())

    def installed(self, name: str) -> BotEntry | None:
        """Returns the built-in bot or installed bot of that name, if there is one."""
        return self._bots.get(name)

    def check_name_free(
        self, name: str, remedy: str = "", target: str = "", *, lookalikes: bool = False
    ) -> None:
        """Refuses the name of a built-in bot or an installed one by ``BadInput``.

        Args:
            remedy: Follows the advice to give another name.
            target: ``module:Class`` of the bot that is to have the name: the installed bot of that
                name and target is the same bot, and no obstacle.
            lookalikes: Whether names that people take for such a name are refused, too.
        """
        found = alike(name, self._bots) if lookalikes and name not in self._bots else name
        taken = self._bots.get(found) if found else None
        if taken and not (taken.kind == "installed" and taken.target == target):
            house = taken.kind == "house"
            whose = "a built-in bot" if house else f"installed with {taken.distribution}"
            if taken.name != name:
                raise BadInput(
                    f"the name {name} is too like {taken.name}, which is {whose}; "
                    f"give another{remedy}"
                )
            raise BadInput(f"the name {name} is taken: it is {whose}; give another{remedy}")

    def problems(self) -> tuple[str, ...]:
        """Returns a line for each plugin that did not work so far; the rest works without it."""
        return tuple(self._extensions.problems)

    def new_problems(self) -> tuple[str, ...]:
        """Returns the problems since the last call."""
        problems = self.problems()
        new, self._reported = problems[self._reported :], len(problems)
        return new

    def play_pages(self) -> list[Any]:
        """Returns the extensions' pages for play, by the order of their names."""
        return list(self._collect("arena_play_pages", "play page").values())

    def notify(self, hook: str, **arguments: object) -> None:
        """Calls an observer's hook, or ``arena_commands``, in every extension that has it."""
        self._extensions.notify(hook, **arguments)

    def resolve_bot(
        self, spelling: str, trusted: Collection[str] = (), allowed: Mapping[str, str] = _NOTHING
    ) -> BotSource:
        """Finds a bot by the user's name as typed; none of its code runs.

        Args:
            spelling: ``stand(at=17)``: a built-in bot or an installed one, with parameters, and
                with its version if that will be checked (``stand@1.0(at=17)``), or ``installed`` in
                its place; or ``path/to/file.py``, ``path/to/file.py:Name(at=3)``. A file bot has
                the name that was typed, without the folder and ``.py``.
            trusted: Names of untrusted bots that the operator trusts all the same: an installed
                bot's name; a file's path as typed, its stem, or its class. Built-in bots always
                are.
            allowed: Modules that untrusted bots may import besides their own, with the folder of
                each (``importable``).

        Raises:
            UnknownName: There is no such bot, no such version of it, or no such class in the file.
            ParseError: The name as typed does not parse, or a file holds several bots.
            BadPlugin: It cannot be read.
        """
        file = split_file_spelling(spelling)
        if file:
            return _file_bot(*file, trusted, allowed)
        return self._named_bot(spelling, trusted, allowed)

    def importable(self, allow: Collection[str] = ()) -> dict[str, str]:
        """Returns the modules that untrusted bots may import besides their own, built-in bots too.

        Args:
            allow: Names of the distributions that the organiser allows as well.

        Returns:
            The folder that holds each top-level module or package.

        Raises:
            BadPlugin: One of the distributions is not installed.
        """
        house = {entry.target for entry in self._bots.values() if entry.kind == "house"}
        modules = allowed_modules(allow)
        for target in sorted(house):
            modules |= _own_modules(target.partition(":")[0])
        return modules

    def _named_bot(
        self, spelling: str, trusted: Collection[str], allowed: Mapping[str, str]
    ) -> BotSource:
        typed, parameters = parse_call(spelling)
        name, version = split_version(typed)
        entry = self._bots.get(name)
        if entry is None:
            raise UnknownName("bot", name, self._bots)
        if version not in ("", INSTALLED, entry.version):
            raise UnknownName(f"version of bot {name}", version, [entry.version])
        origin = f"distribution {entry.distribution} {entry.version}"
        module, _, class_name = entry.target.partition(":")
        if not module or not class_name:
            raise BadPlugin(
                f"bot {name} of {origin} has the entry point {entry.target!r}, "
                'which is not of the form "package.module:Class"; fix it'
            )
        content = registered_content(entry.kind, module, entry.distribution)
        if content is None:
            raise BadPlugin(
                f"bot {name} of {origin} has no module {module}; "
                f"install it again with: pip install --force-reinstall {entry.distribution}"
            )
        participant = Participant(format_call(name, parameters), entry.version, content)
        is_trusted = entry.kind == "house" or name in trusted
        modules = {**allowed, **_own_modules(module)}
        return BotSource(
            entry.kind,
            entry.target,
            parameters,
            participant,
            origin,
            modules,
            trusted=is_trusted,
            author=entry.author,
            distribution=entry.distribution,
        )

    @cached_property
    def _games(self) -> tuple[dict[str, AnyGame], dict[str, AnyGame]]:
        """The games by name: those that bots can play, and those that are never rated."""
        rated = self._collect("arena_games", "game", game_fault)

        def fault(item: object) -> str:
            taken = isinstance(item, Game) and item.name in rated
            return "a game whose name is taken" if taken else game_fault(item)

        return rated, self._collect("arena_unrated_games", "game", fault)

    @cached_property
    def _formats(self) -> dict[str, Format]:
        return self._collect("arena_formats", "format", format_fault)

    def _collect(
        self,
        hook: str,
        kind: str,
        fault_of: Callable[[object], str] | None = None,
        name_of: Callable[[Any], str] = attrgetter("name"),
    ) -> dict[str, Any]:
        """Collects a hook's objects by name, and leaves out what does not keep its contract.

        Those of other distributions are guarded, if there is a guard for their kind.

        Args:
            fault_of: Describes an object that breaks the contract, empty for others; by default
                one that lacks members.
        """
        found: dict[str, Any] = {}
        for origin, item in self._extensions.ask(hook):
            if fault := (fault_of or lacks(kind))(item):
                self._extensions.refuse(origin, f"{hook} gave {fault}")
            elif (name := name_of(item)) in found:
                self._extensions.refuse(origin, f"there is a {kind} {name!r} already")
            else:
                label = self._labels[kind, name] = f"{kind} {name} of {origin.full_name}"
                if origin.distribution != OWN_DISTRIBUTION:
                    guard = Guard(label, origin.remedy)
                    if isinstance(item, Format | RatingSystem):
                        item = guarded(guard, item)
                    elif kind in MEMBERS:
                        item = guard.members(kind, item)
                found[name] = item
        return found

    @cached_property
    def _bots(self) -> dict[str, BotEntry]:
        bots: dict[str, BotEntry] = {}
        for origin, entry in chain(self._house_bots(), self._installed_bots()):
            taken = bots.setdefault(entry.name, entry)
            if taken is not entry:
                of = f"of distribution {taken.distribution}"
                self._extensions.refuse(origin, f"there is a bot {entry.name!r} {of} already")
        return bots

    def _house_bots(self) -> Iterator[tuple[Origin, BotEntry]]:
        for origin, item in self._extensions.ask("arena_bots"):
            if isinstance(item, BotEntry) and not 0 <= item.level < len(LEVELS):
                reason = f"{item.name} has level {item.level}, expected 0 to {len(LEVELS) - 1}"
                self._extensions.refuse(origin, reason)
            elif isinstance(item, BotEntry):
                about = {"distribution": origin.distribution, "version": origin.version}
                yield origin, msgspec.structs.replace(item, kind="house", **about)
            else:
                self._extensions.refuse(origin, f"arena_bots gave {item!r}, expected a BotEntry")

    def _installed_bots(self) -> Iterator[tuple[Origin, BotEntry]]:
        """Lists untrusted bots from the metadata of their distributions; none is imported."""
        found = read_entries(BOT_GROUP, self._extensions.problems)
        for origin, entry in sorted(found, key=itemgetter(1)):
            yield (
                origin,
                BotEntry(
                    name=entry.name,
                    target=entry.value.partition("[")[0].replace(" ", ""),
                    summary=origin.summary,
                    version=origin.version,
                    distribution=origin.distribution,
                    kind="installed",
                    author=origin.author,
                ),
            )


def _pick(kind: str, name: str, choices: Mapping[str, T]) -> T:
    if name not in choices:
        raise UnknownName(kind, name, choices)
    return choices[name]


def _file_bot(
    typed: str,
    class_name: str | None,
    call: str,
    trusted: Collection[str],
    allowed: Mapping[str, str],
) -> BotSource:
    file = read_bot_file(typed, class_name)
    stem = file.path.stem
    name = f"{stem}:{class_name}" if class_name else stem
    origin = f"file {typed}"
    is_trusted = not {typed, stem, file.class_name}.isdisjoint(trusted)
    _, parameters = parse_call(f"{file.class_name}{call}")
    participant = Participant(format_call(name, parameters), file.version, file.content)
    target = f"{file.path}:{file.class_name}"
    return BotSource(
        "file",
        target,
        parameters,
        participant,
        origin,
        dict(allowed),
        trusted=is_trusted,
        author=file.author,
    )


def _own_modules(module: str) -> dict[str, str]:
    folder = package_folder(module)
    return {module.partition(".")[0]: str(folder)} if folder else {}
