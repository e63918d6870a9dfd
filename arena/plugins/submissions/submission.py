"""Reads a submission (a file, a folder, an archive of one or a wheel); none of its code runs."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias
from unicodedata import combining, normalize

from arena.core.errors import BadInput, BadPlugin
from arena.core.metadata import BotMetadata
from arena.core.text.bot_names import INSTALLED, is_untelling
from arena.core.text.printable import printable_line
from arena.plugins.botfile import is_endpoint_file, split_file_spelling
from arena.plugins.hashing import named_content
from arena.plugins.options import option
from arena.plugins.submissions.archive_kinds import ACCEPTED, without_archive_ending
from arena.plugins.submissions.archive_reading import (
    archive_files,
    archive_members,
    without_left_out,
)
from arena.plugins.submissions.archives import (
    folder_files,
    is_hidden,
    read_file,
    without_outer_folders,
)
from arena.plugins.submissions.metadata import (
    PROJECT_FILE,
    build_of_folder,
    has_wheel_metadata,
    metadata_of_file,
    metadata_of_folder,
    metadata_of_wheel,
)

NameFrom: TypeAlias = Literal["", "path", "declared"]
"""The source of a submission's name; empty: what it declares, or else its path."""
_SOURCE_MARKS = (PROJECT_FILE, "setup.py", "setup.cfg", "PKG-INFO")
_NEVER_SUBMITTED = (
    "an endpoint of a language model is never submitted, as it is asked with the organiser's key "
    "and money; the organiser enters it by its file"
)
_ENDPOINT = re.compile(rb"""^\s*kind\s*=\s*["']endpoint["']""", re.M)
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+!_-]{0,63}")
_OURS = frozenset({"arena", "arena_bots", "arena_tournaments", "arena_results", "msgspec"})
"""Modules that a worker has already when it imports a bot; a bot's own would be hidden."""


class Package(BotMetadata, frozen=True, kw_only=True):
    """One submitted bot: its metadata, with a name and a language, and its files by their paths.

    Attributes:
        files: The files.
        build: Commands that make the rest of them (``arena.host.builds``); none once they have run.
    """

    files: dict[str, bytes]
    build: tuple[tuple[str, ...], ...] = ()

    @property
    def content(self) -> str:
        """SHA-256 of the names and bytes of its files, 64 hexadecimal digits."""
        return named_content(self.files)


def is_folder(typed: str) -> bool:
    """Returns whether a text is the path of a folder."""
    try:
        return Path(typed).is_dir()
    except (OSError, ValueError):  # no path at all, or one that is longer than paths can be
        return False


def read_package(typed: str, name: str = "", name_from: NameFrom = "") -> Package:
    """Reads a submission; none of its code runs.

    Args:
        typed: A path as the user wrote it: ``bot.py``, ``bot.py:Class``, a folder, a .zip or
            .tar.gz archive of one, a wheel.
        name: The bot's name in the registry, or which of several it is; empty for its own name.
        name_from: ``"path"`` takes the name of the archive or folder, ``"declared"`` what the
            submission declares. Empty: what it declares; a file that is called as everybody's is
            in a contest (``UNTELLING``) declares nothing.

    Raises:
        BadInput: It cannot be read, or cannot be entered as it is.
    """
    if not typed.strip():
        raise BadInput("expected the path of a bot, got an empty name")
    if name and name_from:
        raise BadInput(f"{option('name')} and {option('name_from')} cannot be combined")
    try:
        read = _read(typed, name)
    except BadInput:
        raise
    except OSError as error:  # no right to look into a folder, a name that is too long, a loop
        raise BadPlugin(f"{typed} cannot be read: {error.strerror}") from None
    except MemoryError:
        raise BadPlugin(f"{typed} needs too much memory to be read; make it smaller") from None
    except (ValueError, RuntimeError) as error:  # what an author wrote that no reader foresees
        why = printable_line(str(error))
        raise BadPlugin(f"{typed} cannot be read: {why}") from None
    declared, files = read.declared, read.files
    name = name or read.name(name_from)
    version = printable_line(declared.version)
    check_name(name, version or "1", f"{typed}: ", f"; give one with {option('name', ...)}")
    _check_modules(typed, declared.target)
    check_command(typed, declared.command, files, read.build)
    shown = {
        "name": name,
        "version": version,
        "author": printable_line(declared.author),
        "licence": printable_line(declared.licence),
        "games": tuple(dict.fromkeys(map(printable_line, declared.games))),
        "language": printable_line(declared.language) or _language(declared.command, files),
    }
    return Package(**declared.declared() | shown, files=files, build=read.build)


def check_name(name: str, version: str, where: str = "", remedy: str = "") -> None:
    """Refuses a name or a version that no bot may have by ``BadInput``."""
    if not _NAME.fullmatch(name) or name.endswith(".py"):
        raise BadInput(
            f"{where}{printable_line(name)!r}: expected a name for a bot{remedy}: "
            "up to 64 letters, digits, - _ and . with a letter or digit at both ends"
        )
    if version == INSTALLED:
        raise BadPlugin(f"{where}version {version!r}: reserved for the installed bot")
    if not _VERSION.fullmatch(version):
        raise BadPlugin(f"{where}{printable_line(version)!r}: expected a version such as 1.0")


class _Read(NamedTuple):
    """A submission as it was read.

    Attributes:
        places: The names of its folder and archive, the inner one first.
        of_file: Whether its name is that of a file, and so is not declared.
        build: The commands that build it.
    """

    declared: BotMetadata
    files: dict[str, bytes]
    places: tuple[str, ...]
    of_file: bool = False
    build: tuple[tuple[str, ...], ...] = ()

    def name(self, name_from: NameFrom) -> str:
        own, places = self.declared.name, self.places
        named = [place for place in places if place and not is_untelling(place)]
        if named and name_from == "path":
            return _name_of_path(named[-1])
        if named and (not own or (not name_from and self.of_file and is_untelling(own))):
            return _name_of_path(named[0])
        return own or places[0]


def _read(typed: str, name: str) -> _Read:
    path = Path(typed)
    if path.is_dir():
        return _packed_folder(typed, path.resolve().name, folder_files(typed, path), name)
    if is_endpoint_file(typed):
        raise BadPlugin(f"{typed}: {_NEVER_SUBMITTED}")
    spelled = split_file_spelling(typed)
    if spelled:
        return _bot_file(*spelled)
    if not path.exists():
        raise BadInput(f"there is no {typed}; give the path of {ACCEPTED}")
    members = archive_members(typed, read_file(typed, path))
    if path.suffix != ".whl" and not has_wheel_metadata(each.name for each in members):
        files = archive_files(typed, without_left_out(members))
        _check_no_source_distribution(typed, without_outer_folders(files)[1])
        return _packed_folder(typed, without_archive_ending(path.name), files, name)
    files = archive_files(typed, members)
    found = metadata_of_wheel(typed, files, name)
    hidden = next(filter(is_hidden, files), None)
    if hidden is not None:
        raise BadPlugin(f"{typed} holds the hidden file {hidden}; pack it again without")
    if found is None:
        if any(file.rpartition("/")[2] in _SOURCE_MARKS for file in files):
            raise _source_distribution(typed)
        raise BadPlugin(f"{typed}: expected a wheel with *.dist-info; submit a folder or a wheel")
    return _Read(found, files, (path.name.partition("-")[0],))


def _packed_folder(typed: str, called: str, files: dict[str, bytes], name: str) -> _Read:
    outer, files = without_outer_folders(files)
    if endpoint := _endpoint_in(files):
        place = Path(typed, *outer, endpoint)
        file = f"; to check or play it, name that file: {place}" if place.exists() else ""
        raise BadPlugin(f"{typed} holds {endpoint}: {_NEVER_SUBMITTED}{file}")
    declared = metadata_of_folder(typed, files, name)
    build = build_of_folder(typed, files)
    return _Read(declared, files, (*reversed(outer), called), PROJECT_FILE not in files, build)


def _endpoint_in(files: Mapping[str, bytes]) -> str:
    """Returns the file of an endpoint where there is one and no bot; else an empty text."""
    if PROJECT_FILE in files or any(path.endswith(".py") for path in files):
        return ""
    tables = (path for path in files if path.endswith(".toml"))
    return next((path for path in tables if _ENDPOINT.search(files[path])), "")


def _check_no_source_distribution(typed: str, files: Mapping[str, bytes]) -> None:
    if "PKG-INFO" in files or (PROJECT_FILE not in files and {"setup.py", "setup.cfg"} & {*files}):
        raise _source_distribution(typed)


def _name_of_path(name: str) -> str:
    """Makes a bot's name of a file's or folder's; what no bot's name may hold becomes ``-``."""
    plain = "".join(letter for letter in normalize("NFKD", name) if not combining(letter))
    return re.sub("[^A-Za-z0-9._-]+", "-", plain)[:64].strip("-._")


def _source_distribution(typed: str) -> BadPlugin:
    return BadPlugin(
        f"{typed} is a source distribution: building it would run its code; "
        "submit its folder, or a wheel built of it"
    )


def _bot_file(typed: str, class_name: str | None, call: str) -> _Read:
    if call:
        raise BadInput(f"{typed} is submitted without parameters; give them when it is entered")
    path = Path(typed)
    if not path.exists():
        raise BadInput(f"there is no {typed}; give the path of {ACCEPTED}")
    code = read_file(typed, path)
    declared = metadata_of_file(typed, path.stem, code, class_name)
    return _Read(declared, {path.name: code}, (path.resolve().parent.name,), of_file=True)


def _check_modules(typed: str, target: str) -> None:
    top = target.partition(":")[0].partition(".")[0]
    if top in sys.stdlib_module_names or top in _OURS:
        raise BadPlugin(f"{typed}: a module called {top} exists already; rename it")
    if target and "." in Path(typed).stem and typed.endswith(".py"):
        raise BadPlugin(f"{typed}: a module's name holds no dots; rename the file")


def check_command(
    typed: str,
    command: Sequence[str],
    files: Mapping[str, bytes],
    build: Sequence[Sequence[str]] = (),
    remedy: str = "; build it, or add the key build with the command that does",
) -> None:
    """Refuses a program that cannot be run wherever its folder is, by ``BadPlugin``.

    Args:
        build: The commands that will make further files.
        remedy: What to do about a program that is not there.
    """
    if not command:
        return
    program = command[0]
    if not all(command[:1]) or any("\0" in word for word in command):
        raise BadPlugin(f"{typed}: its command names no program; write e.g. ['node', 'bot.js']")
    if program.startswith("/") or ".." in program.split("/"):
        raise BadPlugin(
            f"{typed}: its command begins with the path {program}; "
            "name an installed program, or a file of the folder"
        )
    if "/" in program and program.removeprefix("./") not in files and not build:
        raise BadPlugin(
            f"{typed}: its command begins with {program}, which it does not hold{remedy}"
        )


def _language(command: tuple[str, ...], files: dict[str, bytes]) -> str:
    if not command:
        return "python"
    program = command[0].removeprefix("./")
    return "native" if program in files or "/" in command[0] else program.rstrip("0123456789.")
