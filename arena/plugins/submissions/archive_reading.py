"""Reads archives as people make them: zip of any system, wheels, tar with gzip.

A path in an archive is accepted only as far as it names an ordinary file below the folder that it
is unpacked to. Sizes that an archive declares may be false; nothing is read beyond the limits.
"""

from __future__ import annotations

import gzip
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from unicodedata import normalize

import msgspec

from arena.core.errors import BadPlugin
from arena.core.text.printable import printable_line
from arena.plugins.submissions.archive_kinds import (
    ACCEPTED,
    GZIP,
    TAR,
    ZIP,
    has_archive_name,
    kind_of,
)
from arena.plugins.submissions.archives import (
    MAX_BYTES,
    MAX_FILES,
    TooBig,
    check_path,
    is_left_out_name,
)

_DRIVE = re.compile(r"[A-Za-z]:")
_IN_DOS_A_FOLDER = 0x10
_ENCRYPTED = 1
_UTF_8 = 0x800
_MAX_HEADER_LENGTH = 16_384
"""Bytes of a header of a tar archive, which holds little more than a long name."""
_MAX_TAR_BYTES = 4 * MAX_BYTES
"""Bytes of an unpacked tar archive, with headers and files that are left out."""
_MAX_TAR_MEMBERS = 10 * MAX_FILES
"""Members of a tar archive, with those that are left out."""


class Member(msgspec.Struct, frozen=True):
    """A member of an archive.

    Attributes:
        name: Its path as the archive has it.
        kind: As in a mode: ``stat.S_IFREG``, ``stat.S_IFDIR`` or another one.
        read: Returns at most that many of its bytes.
    """

    name: str
    kind: int
    read: Callable[[int], bytes]


def zip_files(typed: str, data: bytes) -> dict[str, bytes]:
    """Returns the files of a zip archive of ours (``packed``) by their paths, which stay as is.

    Raises:
        BadPlugin: It cannot be read, is too big, or holds a link or a path that leads out of it.
    """
    with _readable(typed):
        return _contents(typed, _zip_members(typed, data))


def archive_members(typed: str, data: bytes) -> list[Member]:
    """Returns the members of an archive by others, whose paths are as those of folders here.

    What the archive is its content decides, not its name. The backslashes of Windows become
    slashes; ``./`` is left out; letters that macOS takes apart are put together (NFC).

    Raises:
        BadPlugin: It is not of a kind that is read, or has a path that leads out of it.
    """
    kind = kind_of(data)
    if kind is None:
        if not has_archive_name(typed):
            raise BadPlugin(f"{typed}: expected a bot; give the path of {ACCEPTED}")
        raise BadPlugin(f"{typed}: expected an archive; pack the folder as .zip")
    if kind not in (ZIP, GZIP, TAR):
        raise BadPlugin(f"{typed} is a {kind.name} archive; pack its folder as .zip or .tar.gz")
    with _readable(typed):
        found = (_zip_members if kind is ZIP else _tar_members)(typed, data)
        tidy = [msgspec.structs.replace(each, name=_tidied(typed, each.name)) for each in found]
    members = [each for each in tidy if each.name]
    if not members:
        raise BadPlugin(f"{typed} is an empty archive; pack the bot's folder")
    return members


def archive_files(typed: str, members: Iterable[Member]) -> dict[str, bytes]:
    """Returns the files of an archive by their paths; raises ``BadPlugin`` as ``zip_files``."""
    with _readable(typed):
        return _contents(typed, members)


def without_left_out(members: Sequence[Member]) -> list[Member]:
    """Returns the members without those that ``folder_files`` leaves out of a folder."""
    environments = tuple(
        each.name.removesuffix("pyvenv.cfg")
        for each in members
        if each.name.endswith("/pyvenv.cfg")
    )
    return [
        each
        for each in members
        if not any(map(is_left_out_name, each.name.split("/")))
        and not each.name.startswith(environments)
    ]


def _tidied(typed: str, name: str) -> str:
    """Returns a path with single slashes, which is empty for the folder of the archive itself."""
    path = normalize("NFC", name.replace("\\", "/"))
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or _DRIVE.match(path):
        raise BadPlugin(
            f"{typed} holds {printable_line(name)!r}, a path that leads out of it; "
            "pack the folder itself, with relative paths"
        )
    return "/".join(part for part in parts if part not in ("", "."))


@contextmanager
def _readable(typed: str) -> Iterator[None]:
    try:
        yield
    except (
        zipfile.BadZipFile,
        tarfile.TarError,
        zlib.error,
        EOFError,
        OSError,
        ValueError,
        RuntimeError,  # also: a tar archive with headers of headers of headers
        NotImplementedError,
        OverflowError,
    ) as error:
        raise BadPlugin(f"{typed}: unreadable archive: {printable_line(str(error))}") from None


def _contents(typed: str, members: Iterable[Member]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    left, number = MAX_BYTES, 0
    for member in members:
        number += 1
        if number > MAX_FILES:
            raise TooBig(typed, by_number=True)
        name = member.name.removesuffix("/")
        check_path(typed, name)
        if member.kind not in (stat.S_IFREG, stat.S_IFDIR):
            raise BadPlugin(f"{typed} holds {name}, a link or a device; put files only")
        if member.kind == stat.S_IFDIR or "__pycache__" in name.split("/"):
            continue
        if name in files:
            raise BadPlugin(f"{typed} holds {name} twice; pack it again")
        content = member.read(left + 1)
        left -= len(content)
        if left < 0:
            raise TooBig(typed, by_number=False)
        files[name] = content
    _check_folders(typed, files)
    return files


def _check_folders(typed: str, names: Collection[str]) -> None:
    for name in names:
        parts = name.split("/")
        above = ("/".join(parts[:end]) for end in range(1, len(parts)))
        if twice := next((each for each in above if each in names), None):
            raise BadPlugin(f"{typed} holds {twice} both as a file and as a folder; pack it again")


def _zip_members(typed: str, data: bytes) -> Iterator[Member]:
    archive = zipfile.ZipFile(BytesIO(data))
    for info in archive.infolist():
        name = info.orig_filename
        if not info.flag_bits & _UTF_8 and not name.isascii():
            name = _decoded(name.encode("cp437"), "cp437")
        kind = stat.S_IFMT(info.external_attr >> 16)
        if name.endswith(("/", "\\")) or (
            not kind and not info.file_size and info.external_attr & _IN_DOS_A_FOLDER
        ):
            kind = stat.S_IFDIR
        yield Member(name, kind or stat.S_IFREG, partial(_unzipped, typed, archive, info))


def _unzipped(typed: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    if info.flag_bits & _ENCRYPTED:
        raise BadPlugin(f"{typed} is encrypted; pack it without a password")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadPlugin(f"{typed} is packed in an unusual way; pack it again with deflate")
    with archive.open(info) as file:
        return file.read(most)


class _TarBytes(BytesIO):
    """An unpacked tar archive, of which ``tarfile`` gets its headers only.

    Python's reader takes a header of any size whole, and time by the square of it.
    """

    def read(self, size: int | None = -1, /) -> bytes:
        """Reads part of a header; raises ``ValueError`` for more than any has."""
        if size is None or not 0 <= size <= _MAX_HEADER_LENGTH:
            raise ValueError(f"a header of more than {_MAX_HEADER_LENGTH} bytes")
        return super().read(size)


def _tar_members(typed: str, data: bytes) -> list[Member]:
    is_packed = kind_of(data) is GZIP
    if is_packed:
        with gzip.open(BytesIO(data)) as file:
            data = file.read(_MAX_TAR_BYTES + 1)
    if len(data) > _MAX_TAR_BYTES:
        raise TooBig(typed, by_number=False)
    if is_packed and not tarfile.is_tarfile(_TarBytes(data)):
        raise BadPlugin(
            f"{typed} is a gzip file without a tar archive in it; "
            "pack the folder as .zip or .tar.gz"
        )
    with tarfile.open(
        fileobj=_TarBytes(data), mode="r:", encoding="utf-8", errors="surrogateescape"
    ) as archive:
        return list(_listed(typed, data, archive))


def _listed(typed: str, data: bytes, archive: tarfile.TarFile) -> Iterator[Member]:
    number = end = 0
    for info in archive:
        number += 1
        if number > _MAX_TAR_MEMBERS:
            raise TooBig(typed, by_number=True)
        start = info.offset_data
        plain = info.isreg() and not info.issparse()
        if info.size < 0 or (plain and info.size > len(data) - start):
            raise BadPlugin(f"{typed}: unreadable archive: it ends within a file")
        kind = stat.S_IFDIR if info.isdir() else stat.S_IFREG if plain else stat.S_IFLNK
        end = start + info.size if info.isreg() else start
        name = _decoded(info.name.encode("utf-8", "surrogateescape"), "latin-1")
        yield Member(name, kind, partial(_part, data, start, info.size))
    # Python's reader stops at a damaged header as at the end.
    if data[end:].strip(b"\0"):
        raise BadPlugin(f"{typed}: unreadable archive: damaged after {number} members")


def _part(data: bytes, start: int, size: int, most: int) -> bytes:
    return data[start : start + min(size, most)]


def _decoded(name: bytes, otherwise: str) -> str:
    """Returns the name of a member: UTF-8, also where an archive does not say so, or else."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name.decode(otherwise)
