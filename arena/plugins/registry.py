"""The registry: every game, bot and format by its name, ours and strangers' alike."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from importlib.metadata import distribution
from inspect import signature
from typing import TypeGuard

import msgspec

from arena.core.cases import DriverMaker
from arena.core.errors import BadPlugin, UnknownName
from arena.core.game import AnyGame, Game
from arena.core.parsing import Value, format_call, parse_call
from arena.core.tournament import Format, Participant
from arena.plugins.botfile import read_bot_file, split_file_spelling
from arena.plugins.dependencies import allowed_modules
from arena.plugins.entries import BotEntry, BotSource
from arena.plugins.hashing import bytes_content, distribution_content, module_file, package_folder
from arena.plugins.manager import Extensions, Origin, origin_of, read_entries

BOT_GROUP = "arena.bots"
"""Entry-point group of strangers' bots: the entry's name is the bot's name."""
_NOTHING: Mapping[str, str] = {}


class Registry:
    """What there is to play, by name. Make one a run and pass it on; it loads what is asked for.

    Args:
        extensions: Where games, formats and house bots come from.
    """

    def __init__(self, extensions: Extensions | None = None) -> None:
        self._extensions = extensions or Extensions()

    def games(self) -> tuple[AnyGame, ...]:
        """Every game, ours first."""
        return tuple(self._games.values())

    def game(self, name: str) -> AnyGame:
        """The game of that name.

        Raises:
            UnknownName: There is none.
        """
        if name not in self._games:
            raise UnknownName("game", name, self._games)
        return self._games[name]

    def formats(self) -> tuple[Format, ...]:
        """Every kind of tournament, ours first."""
        return tuple(self._formats.values())

    def format(self, name: str) -> Format:
        """The kind of tournament of that name.

        Raises:
            UnknownName: There is none.
        """
        if name not in self._formats:
            raise UnknownName("format", name, self._formats)
        return self._formats[name]

    def case_drivers(self) -> Mapping[str, DriverMaker]:
        """What makes the driver of a rule case, by the name of its game."""
        return self._case_drivers

    def bots(self) -> tuple[BotEntry, ...]:
        """Every bot that can be named, house bots first; none of them is imported."""
        return tuple(self._bots.values())

    def problems(self) -> tuple[str, ...]:
        """A line for each plugin that did not work so far; the rest works without it."""
        return tuple(self._extensions.problems)

    def notify(self, hook: str, **arguments: object) -> None:
        """Calls an observer's hook, or ``arena_commands``, in every extension that has it.

        Args:
            hook: Name of the hook, e.g. ``"arena_match_finished"``.
            arguments: Its arguments, by name.
        """
        self._extensions.notify(hook, **arguments)

    def resolve_bot(
        self,
        spelling: str,
        trusted: Collection[str] = (),
        allowed: Mapping[str, str] = _NOTHING,
    ) -> BotSource:
        """Finds a bot by what the user typed; none of its code runs.

        Args:
            spelling: ``stand(at=17)``: a house bot or an installed one, with parameters; or
                ``path/to/file.py``, ``path/to/file.py:Name(at=3)``. A file bot is called what
                was typed, without the folder and ``.py``.
            trusted: Names of the bots from outside that the operator vouches for: an installed
                bot's name; a file's path as typed, its stem, or its class. House bots always are.
            allowed: What bots from outside may import besides their own: the folder of each
                module (``importable``).

        Raises:
            UnknownName: There is no such bot, or no such class in the file.
            ParseError: The spelling does not parse, or a file holds several bots.
            BadPlugin: It cannot be read.
        """
        file = split_file_spelling(spelling)
        if file:
            return _file_bot(*file, trusted, allowed)
        return self._named_bot(spelling, trusted, allowed)

    def importable(self, allow: Collection[str] = ()) -> dict[str, str]:
        """Modules that all bots from outside may import besides their own: house bots among them.

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
        name, parameters = parse_call(spelling)
        entry = self._bots.get(name)
        if entry is None:
            raise UnknownName("bot", name, self._bots)
        origin = f"distribution {entry.distribution} {entry.version}"
        module, _, class_name = entry.target.partition(":")
        if not module or not class_name:
            raise BadPlugin(
                f"bot {name} of {origin} has the entry point {entry.target!r}, "
                'which is not of the form "package.module:Class"; mend it'
            )
        if entry.kind == "installed":
            content = distribution_content(distribution(entry.distribution), module)
        else:
            file = module_file(module)
            if file is None:
                raise BadPlugin(
                    f"bot {name} of {origin} has no module {module}; "
                    f"install it again with: pip install --force-reinstall {entry.distribution}"
                )
            content = bytes_content(file.read_bytes())
        participant = _participant(name, parameters, entry.version, content)
        vouched = entry.kind == "house" or name in trusted
        modules = {**allowed, **_own_modules(module)}
        return BotSource(
            entry.kind, entry.target, parameters, participant, origin, modules, trusted=vouched
        )

    @cached_property
    def _games(self) -> dict[str, AnyGame]:
        games: dict[str, AnyGame] = {}
        for origin, item in self._extensions.ask("arena_games"):
            if not isinstance(item, Game):
                self._refuse(origin, f"arena_games gave {item!r}, which is no arena Game")
            elif item.name in games:
                self._refuse(origin, f"there is a game {item.name!r} already")
            else:
                games[item.name] = item
        return games

    @cached_property
    def _formats(self) -> dict[str, Format]:
        formats: dict[str, Format] = {}
        for origin, item in self._extensions.ask("arena_formats"):
            lack = _lack_of_format(item)
            if lack or not isinstance(item, Format):
                self._refuse(
                    origin, f"arena_formats gave a {type(item).__name__}, no arena Format: {lack}"
                )
            elif item.name in formats:
                self._refuse(origin, f"there is a format {item.name!r} already")
            else:
                formats[item.name] = item
        return formats

    @cached_property
    def _case_drivers(self) -> dict[str, DriverMaker]:
        drivers: dict[str, DriverMaker] = {}
        for origin, item in self._extensions.ask("arena_case_drivers"):
            if not _is_case_driver(item):
                gave = f"arena_case_drivers gave {item!r}"
                self._refuse(origin, f"{gave}, which is no pair of a game's name and a callable")
            elif item[0] in drivers:
                self._refuse(origin, f"there is a case driver of {item[0]!r} already")
            else:
                drivers[item[0]] = item[1]
        return drivers

    @cached_property
    def _bots(self) -> dict[str, BotEntry]:
        bots: dict[str, BotEntry] = {}
        for origin, item in self._extensions.ask("arena_bots"):
            if not isinstance(item, BotEntry):
                self._refuse(origin, f"arena_bots gave {item!r}, which is no BotEntry")
                continue
            entry = msgspec.structs.replace(
                item, kind="house", distribution=origin.distribution, version=origin.version
            )
            self._add_bot(bots, origin, entry)
        for origin, entry in self._installed_bots():
            self._add_bot(bots, origin, entry)
        return bots

    def _installed_bots(self) -> Iterator[tuple[Origin, BotEntry]]:
        """Strangers' bots, from the metadata of their distributions; none is imported."""
        for entry in sorted(read_entries(BOT_GROUP, self._extensions.problems)):
            origin = origin_of(entry)
            yield (
                origin,
                BotEntry(
                    name=entry.name,
                    target=entry.value.partition("[")[0].replace(" ", ""),
                    summary=origin.summary,
                    version=origin.version,
                    distribution=origin.distribution,
                    kind="installed",
                ),
            )

    def _add_bot(self, bots: dict[str, BotEntry], origin: Origin, entry: BotEntry) -> None:
        if entry.name in bots:
            self._refuse(
                origin,
                f"there is a bot {entry.name!r} of distribution "
                f"{bots[entry.name].distribution} already",
            )
        else:
            bots[entry.name] = entry

    def _refuse(self, origin: Origin, reason: str) -> None:
        self._extensions.problems.append(
            f"{origin}: {reason}, so it was left out: mend it, "
            f"or remove it with: pip uninstall {origin.distribution}"
        )


def _is_case_driver(item: object) -> TypeGuard[tuple[str, DriverMaker]]:
    match item:
        case (str(), make):
            return callable(make)
    return False


def _lack_of_format(item: object) -> str:
    """What is wrong with a kind of tournament; empty when nothing is."""
    parts = ("name", "summary", "seats", "rounds", "next_round", "scoring")
    missing = [part for part in parts if not hasattr(item, part)]
    if missing or not isinstance(item, Format):
        return f"it has no {', '.join(missing)}"
    for method, told in ((item.rounds, 3), (item.next_round, 4)):
        try:
            signature(method).bind(*[None] * told)
        except TypeError:
            return f"its {method.__name__} is not told the tables"
    return ""


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
    vouched = not {typed, stem, file.class_name}.isdisjoint(trusted)
    _, parameters = parse_call(f"{file.class_name}{call}")
    participant = _participant(name, parameters, file.version, file.content)
    target = f"{file.path}:{file.class_name}"
    return BotSource(
        "file", target, parameters, participant, origin, dict(allowed), trusted=vouched
    )


def _own_modules(module: str) -> dict[str, str]:
    """The top-level package of an installed bot, and the folder that holds it."""
    folder = package_folder(module)
    return {module.partition(".")[0]: str(folder)} if folder else {}


def _participant(
    name: str, parameters: dict[str, Value], version: str, content: str
) -> Participant:
    return Participant(format_call(name, parameters), version, content)
