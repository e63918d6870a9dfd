"""Settings of matches and specs of processes: plain data for the host and its fork server."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_file_location
from pathlib import Path

import msgspec

from arena.core.errors import HarnessFault
from arena.core.game import AnyGame, Ruleset
from arena.core.tournaments.format import Job
from arena.host.box.levels import Level
from arena.match.course import Course
from arena.match.limits import Limits
from arena.match.requests import Referee, View
from arena.plugins.entries import BotSource
from arena.plugins.hashing import package_folder

MEBIBYTE = 1 << 20
PACKAGE = "arena"
"""The package that every bot's process needs a part of."""
WIDTH = 256
"""Requests that a bot's process is sent at a time, at most, by default."""


class Resources(msgspec.Struct, frozen=True):
    """The resources of a bot's process, in addition to the match clock (``Limits``).

    Attributes:
        startup_ns: Nanoseconds until it must be ready.
        decision_cpu_ns: CPU time for one decision, all its threads together.
        match_cpu_ns: CPU time for all its decisions of a match.
        memory: Bytes of memory.
        threads: Most threads at a time, its first included.
        output: Bytes that it may write to stdout and stderr during one request.
        log: Bytes of them that are stored, the last ones.
        all_logs: Whether they are stored of every match, or of those that the bot breaks.
        incidents: Deaths of its process, per host, before it forfeits its further matches.
    """

    startup_ns: int = 10_000_000_000
    decision_cpu_ns: int = 10_000_000_000
    match_cpu_ns: int = 120_000_000_000
    memory: int = 512 * MEBIBYTE
    threads: int = 32
    output: int = MEBIBYTE
    log: int = 16_384
    all_logs: bool = False
    incidents: int = 20


class MatchSettings(msgspec.Struct, frozen=True):
    """The settings that all matches of a host have in common.

    Attributes:
        game: The game.
        ruleset: The rules to play by.
        limits: Time of a seat by the match clock.
        resources: Resources of a bot's process besides.
        level: Isolation level of untrusted bots.
        width: Most requests in one batch.
        apart: Files and folders that are granted to no bot, such as the database.
        referee: Makes the loop of a match in place of ``play_match``.
    """

    game: AnyGame
    ruleset: Ruleset
    limits: Limits
    resources: Resources
    level: Level
    width: int = WIDTH
    apart: tuple[str, ...] = ()
    referee: Callable[[Job, View | None, Course], Referee] | None = None

    def loadout(self, bot: BotSource) -> bytes | None:
        """Returns a bot's loadout for every match; ``None`` when it is asked each time.

        Raises:
            ParseError: The loadout that it was entered with cannot be read.
            IllegalLoadout: The rules forbid it.
        """
        if not bot.loadout:
            return None
        return self.game.loadouts.accept(self.ruleset, self.game.loadouts.parse(bot.loadout))


class GameSource(msgspec.Struct, frozen=True):
    """A game as another process finds it: its class, which is made without arguments.

    Attributes:
        module: Name of the module.
        name: Name of the class.
        folder: Folder of its top-level package.
    """

    module: str
    name: str
    folder: str

    @classmethod
    def of(cls, game: AnyGame) -> GameSource:
        """Finds the source of a game."""
        kind = type(game)
        return cls(kind.__module__, kind.__qualname__, folder_of(kind.__module__))


class Granted(msgspec.Struct, frozen=True):
    """The files that one bot's process may use, in addition to those of all.

    Attributes:
        read: Files and folders that it may read.
        execute: Files that it may execute.
        program_folder: The folder of a program, which may contain its libraries.
    """

    read: tuple[str, ...]
    execute: tuple[str, ...] = ()
    program_folder: str = ""


class ProcessSpec(msgspec.Struct, frozen=True):
    """The spec of one bot process, which it reads itself.

    Attributes:
        source: The bot.
        level: Its isolation level.
        memory: Bytes of memory that it may use.
        granted: Its files, in addition to the standard library and our runtime.
    """

    source: BotSource
    level: Level
    memory: int
    granted: Granted


class SpawnRequest(msgspec.Struct, frozen=True):
    """A request to the fork server: to start a process, or to report how one ended.

    Attributes:
        game: The game of a process to start. Three descriptors come with it (talk, log, threads);
            the new process finds its ``ProcessSpec`` on the first.
        ended: Number of a process that was killed or ended by itself.
    """

    game: GameSource | None = None
    ended: int = 0


class Reply(msgspec.Struct, frozen=True):
    """The fork server's answer.

    Attributes:
        process: Number of the new process, as the fork server counts.
        status: How the process ended: its exit code, or the negative number of a signal.
        error: Why no process could be started; empty if one was.
    """

    process: int = 0
    status: int = 0
    error: str = ""


def folder_of(module: str) -> str:
    """Finds the folder that holds the top-level package of a module."""
    folder = package_folder(module)
    if folder is None:
        raise HarnessFault(f"the package of module {module} is nowhere to be found")
    return str(folder)


def runtime_modules() -> dict[str, str]:
    """Returns the modules that our runtime needs in a bot's process, and their folders."""
    return {name: folder_of(name) for name in (PACKAGE, "msgspec")}


def readable_of_runtime() -> tuple[str, ...]:
    """Returns what a bot may read of the harness: core, the games, and the message library."""
    arena, messages = (Path(folder_of(name), name) for name in (PACKAGE, "msgspec"))
    parts = (arena / "__init__.py", arena / "core", arena / "games", messages)
    return tuple(map(str, parts))


def own_files(source: BotSource) -> list[str]:
    """Returns the bot's own folder or file, which no other bot may read."""
    files = [source.folder] if source.folder else []
    if source.kind == "file":
        files.append(source.target.rpartition(":")[0])
    return files


def readable_of_bot(source: BotSource, game: GameSource) -> list[str]:
    """Returns the files of a bot, of its imports and of its game, without importing any."""
    readable = own_files(source)
    modules = {**source.modules, game.module.partition(".")[0]: game.folder}
    modules.pop(PACKAGE, None)
    for name, folder in modules.items():
        spec = module_spec(name, folder)
        if spec is None:
            continue
        places = spec.submodule_search_locations or ([spec.origin] if spec.origin else [])
        if not spec.submodule_search_locations or not spec.origin:
            # The import system lists the folder to find anything but a package.
            readable.append(f"{folder}/")
        # Beside a package, in NAME.libs, is where wheels put the shared libraries that it needs.
        readable += [*places, *(f"{place}.libs" for place in places)]
    return [path for path in dict.fromkeys(readable) if os.path.exists(path)]


def module_spec(name: str, folder: str) -> ModuleSpec | None:
    """Finds a top-level module in its folder, of which a bot need not see the rest."""
    package = os.path.join(folder, name)
    init = os.path.join(package, "__init__.py")
    if os.path.isfile(init):
        return spec_from_file_location(name, init, submodule_search_locations=[package])
    return PathFinder.find_spec(name, [folder])


def python_command(code: str, *arguments: str) -> tuple[str, ...]:
    """Returns the command of a bare Python: no site-packages, nothing of the user's."""
    return (sys.executable, "-P", "-s", "-S", "-c", code, *arguments)


ENVIRONMENT = {"PYTHONHASHSEED": "0"}
"""A bot's whole environment. ``-I`` would ignore it, and the order of sets would differ from run to
run."""
