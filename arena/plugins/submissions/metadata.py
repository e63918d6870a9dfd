"""Reads the metadata about a bot from a folder, a wheel or a file; none of its code runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from configparser import ConfigParser
from configparser import Error as BadIni
from email.message import Message
from email.parser import BytesParser
from typing import Any

import msgspec

from arena.core.described import described
from arena.core.errors import BadPlugin, ParseError, UnknownName
from arena.core.metadata import BotMetadata
from arena.core.text.decoding import decode_text
from arena.core.text.toml import read_toml
from arena.plugins.botfile import bot_names, check_code, code_facts, parse_code, read_bot_code
from arena.plugins.options import option
from arena.plugins.registry import BOT_GROUP
from arena.plugins.submissions.archive_kinds import has_archive_name, kind_of

PROJECT_FILE = "pyproject.toml"
SOURCE_ROOTS = ("", "src/")
"""Subfolders in which the modules of a folder are looked for."""

_WHEEL_METADATA = re.compile(r"[^/]+\.dist-info/METADATA")
_OPTIONAL = re.compile(r"\bextra\s*[=!<>]")
_MAX_ENTRY_LENGTH = 1_000
"""Characters of a line of ``entry_points.txt``: the time to read one grows with its square."""
_MAX_ENTRIES = 100_000
"""Bytes of ``entry_points.txt``."""
_MAX_METADATA = 500_000
"""Bytes of a wheel's ``METADATA``."""


class _Person(msgspec.Struct, frozen=True):
    name: str = ""
    email: str = ""


class _Project(msgspec.Struct, frozen=True, rename="kebab"):
    name: str = ""
    version: str = ""
    authors: list[_Person] = []
    license: str | dict[str, str] = ""
    dependencies: list[str] = []
    entry_points: dict[str, dict[str, str]] = {}


class _Bot(msgspec.Struct, frozen=True):
    name: str = ""
    command: tuple[str, ...] = ()
    build: str | tuple[str | tuple[str, ...], ...] = ()
    games: tuple[str, ...] = ()
    language: str = ""


class _Arena(msgspec.Struct, frozen=True):
    bot: _Bot | None = None


class _Tool(msgspec.Struct, frozen=True):
    arena: _Arena = _Arena()


class _ProjectFile(msgspec.Struct, frozen=True):
    project: _Project = _Project()
    tool: _Tool = _Tool()


def metadata_of_folder(typed: str, files: Mapping[str, bytes], asked: str) -> BotMetadata:
    """Reads the project file of a folder, or the only bot file in a folder without one.

    Args:
        typed: What to call it in errors.
        asked: The bot that is wanted of several; empty for the only one.

    Raises:
        BadPlugin: It cannot be read, or declares no bot, or several.
    """
    if PROJECT_FILE not in files:
        return _by_bot_file(typed, files)
    project, tool = _project_file(f"{typed}/{PROJECT_FILE}", files[PROJECT_FILE])
    licence = project.license
    if not isinstance(licence, str):  # of an older project file: its text, or the file it is in
        licence = licence.get("text") or licence.get("file", "")
    declared = BotMetadata(
        name=tool.name or project.name,
        version=project.version,
        author=", ".join(each.name or each.email for each in project.authors),
        licence=licence,
        games=tool.games,
        language=tool.language,
        command=tool.command,
        requires=_required(project.dependencies),
    )
    entries = project.entry_points.get(BOT_GROUP, {})
    if tool.command:
        if entries:
            raise BadPlugin(f"{typed} declares a command and a Python bot; leave one of them out")
        return declared
    return _with_entry(typed, files, declared, entries, asked)


def build_of_folder(typed: str, files: Mapping[str, bytes]) -> tuple[tuple[str, ...], ...]:
    """Returns the commands that build the bot of a folder, in order; none if it needs no build.

    Raises:
        BadPlugin: They are neither the words of one command nor a list of such commands.
    """
    if PROJECT_FILE not in files:
        return ()
    build = _project_file(f"{typed}/{PROJECT_FILE}", files[PROJECT_FILE])[1].build
    words = tuple(each for each in build if isinstance(each, str))
    commands = (words,) if words else tuple(each for each in build if not isinstance(each, str))
    mixed = isinstance(build, str) or (words and len(words) < len(build))
    if mixed or any(not each or not each[0] or "\0" in "".join(each) for each in commands):
        raise BadPlugin(
            f"{typed}/{PROJECT_FILE}: build: expected one command or a list of commands, such as "
            "['javac', 'Main.java'] or [['make', 'clean'], ['make']]"
        )
    for program, *_ in commands:
        if program.startswith("/") or ".." in program.split("/"):
            raise BadPlugin(
                f"{typed}/{PROJECT_FILE}: build: a command begins with the path {program}; "
                "name an installed program, or a file of the folder"
            )
    return commands


def has_wheel_metadata(names: Iterable[str]) -> bool:
    """Returns whether an archive with files of these names is a wheel."""
    return any(map(_WHEEL_METADATA.fullmatch, names))


def metadata_of_wheel(typed: str, files: Mapping[str, bytes], asked: str) -> BotMetadata | None:
    """Reads the metadata of a wheel as ``metadata_of_folder``; ``None`` for any other archive."""
    found = [*filter(_WHEEL_METADATA.fullmatch, files)]
    if not found:
        return None
    if len(found) > 1:
        raise BadPlugin(f"{typed} holds several distributions: {', '.join(found)}; pack it again")
    if len(files[found[0]]) > _MAX_METADATA:
        raise BadPlugin(
            f"{typed}: its METADATA is longer than {_MAX_METADATA} bytes; pack it again"
        )
    about = BytesParser().parsebytes(files[found[0]], headersonly=True)
    declared = BotMetadata(
        version=_field(about, "Version"),
        author=_field(about, "Author") or _field(about, "Author-email"),
        licence=_field(about, "License-Expression") or _field(about, "License"),
        requires=_required(map(str, about.get_all("Requires-Dist", []))),
    )
    listed = files.get(found[0].replace("METADATA", "entry_points.txt"), b"")
    return _with_entry(typed, files, declared, _entries(typed, listed), asked)


def _project_file(typed: str, text: bytes) -> tuple[_Project, _Bot]:
    try:
        keys: dict[str, Any] = read_toml(text)
        file = msgspec.convert(keys, described(_ProjectFile))
    except ParseError as error:
        raise BadPlugin(f"{typed} {error}") from None
    except msgspec.ValidationError as error:
        raise BadPlugin(f"{typed}: {str(error).replace('`', '')}; fix it") from None
    if file.tool.arena.bot is None:
        return file.project, _Bot()
    for key in keys["tool"]["arena"]["bot"]:
        if key not in _Bot.__struct_fields__:
            unknown = UnknownName("key", key, _Bot.__struct_fields__)
            raise BadPlugin(f"{typed}: [tool.arena.bot]: {unknown}")
    return file.project, file.tool.arena.bot


def _field(about: Message, name: str) -> str:
    return str(about.get(name, ""))


def _entries(typed: str, listed: bytes) -> dict[str, str]:
    parser = ConfigParser(delimiters=("=",), interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    lines = listed[: _MAX_ENTRIES + 1].splitlines()
    try:
        if len(listed) > _MAX_ENTRIES or any(len(line) > _MAX_ENTRY_LENGTH for line in lines):
            raise BadIni
        parser.read_string(decode_text(listed))
    except (BadIni, ParseError):
        raise BadPlugin(f"{typed}: its entry_points.txt cannot be read; pack it again") from None
    return dict(parser[BOT_GROUP]) if parser.has_section(BOT_GROUP) else {}


def _required(lines: Iterable[str]) -> tuple[str, ...]:
    """Returns the requirements that every installation has: those of extras are options."""
    return tuple(line for line in lines if not _OPTIONAL.search(line.partition(";")[2]))


def _with_entry(
    typed: str,
    files: Mapping[str, bytes],
    declared: BotMetadata,
    entries: Mapping[str, str],
    asked: str,
) -> BotMetadata:
    if not entries:
        raise BadPlugin(
            f'{typed} declares no bot; add [project.entry-points."{BOT_GROUP}"] '
            'with NAME = "package.module:Class", or for a program [tool.arena.bot] with a command'
        )
    if asked not in entries and len(entries) > 1:
        raise BadPlugin(
            f"{typed} holds several bots; name one with {option('name', ...)}: "
            f"{', '.join(sorted(entries))}"
        )
    name = asked if asked in entries else next(iter(entries))
    target = entries[name].partition("[")[0].replace(" ", "")
    code = _code_of(typed, files, name, target)
    return msgspec.structs.replace(
        declared,
        name=name,
        version=declared.version or code.version,
        author=declared.author or code.author,
        licence=declared.licence or code.licence,
        games=declared.games or code.games,
        language="python",
        target=target,
    )


def _code_of(typed: str, files: Mapping[str, bytes], name: str, target: str) -> BotMetadata:
    module, _, class_name = target.partition(":")
    if not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*", target):
        raise BadPlugin(
            f"{typed}: the entry point {name} = {target!r} is not of the form "
            '"package.module:Class"; fix it'
        )
    path = module_path(files, module)
    if path is None:
        raise BadPlugin(f"{typed}: the entry point {name} names {module}, which it does not hold")
    called = f"{typed}/{path}"
    return code_facts(called, parse_code(called, files[path]), class_name)


def module_path(files: Mapping[str, bytes], module: str) -> str | None:
    """Returns the file of a module, among the files of a folder or wheel."""
    below = module.replace(".", "/")
    places = (f"{root}{below}{end}" for root in SOURCE_ROOTS for end in (".py", "/__init__.py"))
    return next((place for place in places if place in files), None)


def _by_bot_file(typed: str, files: Mapping[str, bytes]) -> BotMetadata:
    modules = {path: files[path] for path in files if "/" not in path and path.endswith(".py")}
    check_code(typed, modules.values())
    found = {
        path: names
        for path, code in modules.items()
        if (names := bot_names(parse_code(f"{typed}/{path}", code)))
    }
    if not found:
        endings = (f"/{PROJECT_FILE}", ".py")
        deeper = (path for end in endings for path in files if "/" in path and path.endswith(end))
        if place := next(deeper, ""):
            raise BadPlugin(
                f"{typed} holds no {PROJECT_FILE} and no bot at its top; "
                f"it holds {place}: submit that folder"
            )
        if archives := [path for path in files if has_archive_name(path) and kind_of(files[path])]:
            raise BadPlugin(f"{typed} {_held_archives(archives)}")
        raise BadPlugin(f"{typed} holds no {PROJECT_FILE} and no bot; a bot derives from arena.Bot")
    if len(found) > 1 or len(next(iter(found.values()))) > 1:
        bots = sorted(f"{path}:{name}" for path, names in found.items() for name in names)
        raise BadPlugin(
            f"{typed} holds several bots: {', '.join(bots)}; say which in a {PROJECT_FILE}"
        )
    path = next(iter(found))
    return metadata_of_file(f"{typed}/{path}", path.removesuffix(".py"), files[path], None)


def _held_archives(archives: Sequence[str]) -> str:
    if len(archives) == 1:
        return f"holds another archive, {archives[0]}; unpack it and submit {archives[0]}"
    return f"holds {len(archives)} archives, such as {archives[0]}; unpack it and submit each"


def metadata_of_file(typed: str, module: str, code: bytes, class_name: str | None) -> BotMetadata:
    """Reads the metadata that a bot file declares (``read_bot_code``), as that module."""
    found = read_bot_code(typed, code, class_name)
    target = f"{module}:{found.name}"
    return msgspec.structs.replace(
        found, name=class_name or module, language="python", target=target
    )
