"""Packs the setup of a tournament for other machines, and unpacks it there.

Cargo holds no path of the machine that packed it. It has the archives of the bots by the hash of
their content, the identity of the engine, and the isolation level.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import packages_distributions, version
from pathlib import Path

import msgspec

from arena.core.described import described
from arena.core.errors import BadPlugin
from arena.host.box.levels import Level
from arena.host.play.worker import Setup
from arena.host.process.launch import PACKAGE, folder_of
from arena.plugins.entries import BotSource
from arena.plugins.hashing import bytes_content, named_content, package_folder, registered_content
from arena.plugins.manager import OWN_DISTRIBUTION
from arena.plugins.programs import find_program
from arena.plugins.registry import Registry
from arena.plugins.submissions.archive_reading import zip_files
from arena.plugins.submissions.archives import packed, write_files

_ENGINE_PARTS = ("core", "games", "match", "host")
"""The packages that decide what happens in a match."""
_SHOWN_DIGITS = 12


class Cargo(msgspec.Struct, frozen=True):
    """A setup that another machine can unpack.

    Attributes:
        setup: The packed ``Setup``; its paths mean nothing elsewhere.
        archives: Zip archives of the bots that are not installed, by the hash of their content.
        engine: The identity of the engine, which has to be equal: fact by name.
        modules: Distributions with their versions of further modules that bots may import.
    """

    setup: bytes
    archives: dict[str, bytes]
    engine: dict[str, str]
    modules: dict[str, str]


def pack(setup: bytes) -> bytes:
    """Packs a setup (``arena.host.play.worker.Setup``) for other machines.

    Raises:
        BadPlugin: A bot cannot be played elsewhere, or its files have changed.
    """
    made = _decoded(setup)
    archives: dict[str, bytes] = {}
    for bot in made.bots:
        files = _files_of(bot)
        if files is not None:
            _check_content(bot, _content_of(bot, files))
            archives[bot.participant.content] = packed(files)
    return msgspec.msgpack.encode(
        Cargo(
            msgspec.structs.replace(made, apart=()).to_bytes(),
            archives,
            engine_of(made.game),
            {name: _version_of(name) for name in sorted(_foreign_modules(made))},
        )
    )


def arena_version() -> str:
    """Returns the version of the installed engine."""
    return version(OWN_DISTRIBUTION)


def level_of(cargo: bytes) -> Level:
    """Returns the isolation level of packed matches."""
    return _decoded(_unpacked(cargo).setup).level


def unload(cargo: bytes, cache: Path) -> bytes:
    """Unpacks a setup, with the paths of this machine.

    Args:
        cache: A private folder for unpacked archives, by content; it may hold some already, and
            other processes may use it.

    Raises:
        BadPlugin: The engine, a bot or a module is another here; one line says which.
    """
    sent = _unpacked(cargo)
    made = _decoded(sent.setup)
    if differs := engine_difference(sent.engine, engine_of(made.game)):
        raise BadPlugin(differs)
    for name, theirs in sent.modules.items():
        if (here := _version_of(name)) != theirs:
            raise BadPlugin(f"module {name} differs: here {here or 'none'}, sent {theirs}")
    registry = Registry()
    bots = tuple([_bot_here(bot, sent, cache, registry) for bot in made.bots])
    return msgspec.structs.replace(made, bots=bots).to_bytes()


def engine_of(game: str) -> dict[str, str]:
    """Returns the facts that have to be equal wherever matches of one tournament are played."""
    played = Registry().game(game)
    own = type(played).__module__.partition(".")[0]
    packages = () if own == PACKAGE else (own,)
    return engine_here(packages) | {"game": f"{game} {played.version}"}


def engine_here(packages: Iterable[str] = ()) -> dict[str, str]:
    """Returns the facts of an engine that do not depend on the game.

    Args:
        packages: Further packages that belong to it.
    """
    code = {part: _code(PACKAGE, part).encode() for part in _ENGINE_PARTS}
    code |= {name: _code(name).encode() for name in packages}
    return {
        "arena": arena_version(),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "code": named_content(code)[:_SHOWN_DIGITS],
    }


def engine_difference(sent: Mapping[str, str], here: Mapping[str, str]) -> str:
    """Returns in one line what differs from an engine that was sent; empty if nothing does."""
    differs = [
        f"{fact} {here.get(fact, 'none')}, sent {sent.get(fact, 'none')}"
        for fact in dict.fromkeys([*here, *sent])
        if here.get(fact) != sent.get(fact)
    ]
    return f"engine differs: here {'; '.join(differs)}" if differs else ""


def _decoded(setup: bytes) -> Setup:
    return msgspec.msgpack.decode(setup, type=described(Setup))


def _unpacked(cargo: bytes) -> Cargo:
    try:
        return msgspec.msgpack.decode(cargo, type=described(Cargo))
    except msgspec.MsgspecError:
        raise BadPlugin("the matches were packed by another version of Arena") from None


@cache
def _code(package: str, part: str = "") -> str:
    """Returns the hash of the Python files of a package, or of a part of it."""
    folder = Path(folder_of(package), package, part)
    if not folder.is_dir():
        return bytes_content(folder.with_name(f"{package}.py").read_bytes())
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.py")
    }
    return named_content(files)


def _foreign_modules(setup: Setup) -> set[str]:
    """Returns the modules that bots may import besides their own and the standard library."""
    return {
        name
        for bot in setup.bots
        if bot.answered_by == "process"
        for name, folder in bot.modules.items()
        if name != PACKAGE and not (bot.folder and _is_below(folder, bot.folder))
    }


def _version_of(module: str) -> str:
    """Returns what has to be equal of a module: the version of its distribution, or its code."""
    listed = _distributions().get(module)
    if listed:
        return f"{listed[0]} {version(listed[0])}"
    return _code(module)[:_SHOWN_DIGITS] if package_folder(module) else ""


_distributions = cache(packages_distributions)


def _files_of(bot: BotSource) -> dict[str, bytes] | None:
    """Returns the files that have to be sent with a bot; ``None`` for one that is installed."""
    if bot.kind in ("house", "installed"):
        return None
    if bot.kind == "local":
        raise BadPlugin(f"bot {bot.participant.name} is made by this program, which alone plays it")
    try:
        if bot.kind == "file":
            path = Path(bot.target.rpartition(":")[0])
            return {path.name: path.read_bytes()}
        return _files_in(Path(bot.folder))
    except OSError as error:
        raise BadPlugin(f"bot {bot.origin} cannot be read: {error.strerror}") from None


def _files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if "__pycache__" not in path.parts and path.is_file()
    }


def _content_of(bot: BotSource, files: Mapping[str, bytes]) -> str:
    single = bot.kind == "file" and len(files) == 1
    return bytes_content(*files.values()) if single else named_content(files)


def _check_content(bot: BotSource, here: str) -> None:
    if here != (sent := bot.participant.content):
        raise BadPlugin(
            f"bot {bot.participant.name} differs: here {here[:_SHOWN_DIGITS] or 'none'}, "
            f"sent {sent[:_SHOWN_DIGITS]}"
        )


def _bot_here(bot: BotSource, sent: Cargo, cache: Path, registry: Registry) -> BotSource:
    """Returns a bot as it is on this machine."""
    if bot.kind in ("house", "installed"):
        module = bot.target.partition(":")[0]
        _check_content(bot, registered_content(bot.kind, module, bot.distribution) or "")
        return msgspec.structs.replace(bot, modules=_modules_here(bot, ""))
    folder = str(_unpacked_archive(bot, sent, cache))
    modules = _modules_here(bot, folder)
    if bot.kind == "file":
        path, _, name = bot.target.rpartition(":")
        return msgspec.structs.replace(
            bot, target=f"{folder}/{os.path.basename(path)}:{name}", modules=modules
        )
    command = tuple(_moved(word, bot.folder, folder) for word in bot.command)
    if command and not _is_below(command[0], folder):
        program = find_program(os.path.basename(command[0]))
        if program is None:
            raise BadPlugin(f"{bot.origin} needs {command[0]}, which is not installed here")
        command = (program, *command[1:])
    return msgspec.structs.replace(bot, folder=folder, modules=modules, command=command)


def _modules_here(bot: BotSource, folder: str) -> dict[str, str]:
    modules = {}
    for name, there in bot.modules.items():
        if bot.folder and _is_below(there, bot.folder):
            modules[name] = _moved(there, bot.folder, folder)
        elif found := package_folder(name):
            modules[name] = str(found)
    return modules


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _moved(path: str, old: str, new: str) -> str:
    return new + path[len(old) :] if _is_below(path, old) else path


def _unpacked_archive(bot: BotSource, sent: Cargo, cache: Path) -> Path:
    """Returns the folder of a bot's archive, unpacked once, its content computed each time."""
    content = bot.participant.content
    place = cache / content
    if place.is_dir():
        if _content_of(bot, _files_in(place)) == content:
            return place
        shutil.rmtree(place, ignore_errors=True)
    files = zip_files(bot.origin, sent.archives.get(content, b""))
    _check_content(bot, _content_of(bot, files))
    temporary = cache / f".{content[:_SHOWN_DIGITS]}.{secrets.token_hex(8)}"
    try:
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_files(files, temporary)
        temporary.rename(place)
    except OSError as error:
        if not place.is_dir():  # else another process was first
            raise BadPlugin(f"cannot write to {cache}: {error.strerror}") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return place
