"""Imports a bot in the process that runs it, and reports its problems before play."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import msgspec

from arena.core.bot import Bot
from arena.core.described import described
from arena.core.errors import BadInput, BadPlugin, ParseError, UnknownName, describe
from arena.core.text.parsing import Value
from arena.plugins.entries import BotSource
from arena.plugins.hashing import bytes_content, registered_content
from arena.plugins.options import option

AnyBot: TypeAlias = Bot[Any]
"""Some bot, of whichever game."""
_IMPORTED: dict[str, str] = {}
"""Content of the bots that this process has imported, by module: each is imported once."""
LoadBot: TypeAlias = Callable[[BotSource], Callable[[], AnyBot]]
"""Finds the function that makes a fresh bot: ``load_bot``, or for bots of this program another."""


def load_bot(source: BotSource) -> Callable[[], AnyBot]:
    """Imports a bot (``Registry.resolve_bot``), checks that it can be made, and returns its maker.

    Runs the bot's code: only where it is to run, and only when it is trusted. Call it once in good
    time, before a tournament starts, so that what is wrong shows before play.

    A file bot stands alone: nothing next to it can be imported. It runs as a module of its own
    under a name that no other has, and only if the file is still as it was resolved.

    Raises:
        BadPlugin: It cannot be imported, or is no ``Bot``, or its constructor fails.
        UnknownName: It has no parameter of that name.
        ParseError: A parameter's value is missing or not of the type that the bot takes.
    """
    if source.trusted:  # for others the host does it: their processes see no metadata
        check_unchanged(source)
    bot_class = _class_of(source)
    arguments = _arguments(bot_class, source)

    def make() -> AnyBot:
        return bot_class(**arguments)

    try:
        make()
    except BadInput:
        raise
    except ValueError as error:
        raise ParseError(f"bot {source.participant.name}: {error}") from error
    except (Exception, SystemExit) as error:
        raise _failed(source, "cannot be made", error) from error
    return make


def check_unchanged(source: BotSource) -> None:
    """Compares a built-in bot or an installed one, as it is on the disk, with the one entered.

    Files are compared where they are loaded (``load_bot``), and of submitted bots a private copy
    is loaded.

    Raises:
        BadPlugin: It is another one.
    """
    if source.kind in ("house", "installed") and source.distribution:
        module = source.target.partition(":")[0]
        now = registered_content(source.kind, module, source.distribution)
        if now is None or source.participant.content != now:
            raise _changed(source)


def _changed(source: BotSource) -> BadPlugin:
    keep = ", or enter it with arena submit, which keeps a copy"
    return BadPlugin(
        f"bot {source.participant.name} of {source.origin} has changed since the run began; "
        f"start it again{keep if source.kind == 'installed' else ''}"
    )


def _check_first_import(module: str, source: BotSource) -> None:
    """Refuses a bot whose module this process imported when it was another: it stays that one."""
    content = source.participant.content
    first = _IMPORTED.setdefault(module, content)
    if first != content:
        raise BadPlugin(
            f"bot {source.participant.name} of {source.origin} has changed since this program "
            "loaded it; start the program again"
        )


def _class_of(source: BotSource) -> type[AnyBot]:
    where, _, name = source.target.rpartition(":")
    code = _unchanged(Path(where), source) if source.kind == "file" else None
    if source.trusted and code is None:
        _check_first_import(where, source)
    try:
        found: object = import_module(where) if code is None else _run_file(where, code)
        for part in name.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:
        raise _failed(source, "cannot be imported", error) from error
    if not isinstance(found, type) or not issubclass(found, Bot):
        raise BadPlugin(
            f"bot {source.participant.name} of {source.origin}: {name} does not derive "
            "from arena.Bot; derive it, or name another class"
        )
    return found


def _unchanged(path: Path, source: BotSource) -> bytes:
    """Returns the code of a file bot, which must be unchanged since it was entered."""
    try:
        code = path.read_bytes()
    except OSError as error:
        raise BadPlugin(f"bot {source.origin} cannot be read: {error.strerror}") from None
    if source.participant.content != bytes_content(code):
        raise _changed(source)
    return code


def _run_file(path: str, code: bytes) -> ModuleType:
    name = f"arena_bot_file_{bytes_content(path.encode())}_{bytes_content(code)}"
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name)
    module.__file__ = path
    # Dataclasses, enums and pickle look their module up there while it is being made.
    sys.modules[name] = module
    try:
        exec(compile(code, path, "exec", dont_inherit=True), module.__dict__)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def _failed(source: BotSource, problem: str, error: BaseException) -> BadPlugin:
    advice = "fix it, or leave it out"
    if isinstance(error, ImportError) and source.kind == "file":
        advice = (
            "a bot file cannot import files next to it: put its helpers into the file, "
            "install what it needs, or make a package of it with: arena new bot NAME"
        )
    elif isinstance(error, ImportError):
        advice = "install the missing package, or leave it out"
    if isinstance(error, ImportError) and not source.trusted:
        allowed = f"what {option('allow')} names"
        advice = f"it may import its own files, the standard library, and {allowed}"
    if isinstance(error, OSError) and source.kind == "file" and not source.trusted:
        advice = (
            "a bot file may only read itself: put it into a folder with the files that it reads"
        )
    return BadPlugin(
        f"bot {source.participant.name} of {source.origin} {problem}: {describe(error)}; {advice}"
    )


def _arguments(bot_class: type[AnyBot], source: BotSource) -> dict[str, object]:
    name = source.participant.name
    parameters = inspect.signature(bot_class).parameters
    named = {
        key: parameter
        for key, parameter in parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    for key in source.parameters:
        if key not in named and not takes_any:
            raise UnknownName(f"parameter of bot {name}", key, named)
    missing = [
        key
        for key, parameter in named.items()
        if parameter.default is parameter.empty and key not in source.parameters
    ]
    if missing:
        raise ParseError(f"bot {name} needs {', '.join(missing)}; write NAME({missing[0]}=...)")
    hints = _hints(bot_class)
    return {key: _converted(name, key, value, hints) for key, value in source.parameters.items()}


def _hints(bot_class: type[AnyBot]) -> Mapping[str, object]:
    try:
        return typing.get_type_hints(bot_class.__init__)
    except Exception:  # annotations that only type checkers can read say nothing about values
        return {}


def _converted(name: str, key: str, value: Value, hints: Mapping[str, object]) -> object:
    if key not in hints:
        return value
    try:
        return msgspec.convert(value, described(hints[key]))
    except msgspec.ValidationError as error:
        raise ParseError(f"bot {name}: {key}={value!r} does not fit: {error}") from None
    except TypeError:  # a type of its own, which its constructor has to check
        return value
