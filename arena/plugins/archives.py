"""Reads the files of a submission from a folder or a wheel, packs them, and writes them again.

A path in an archive is accepted only as far as it names an ordinary file below the folder that it
is unpacked to.
"""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path

from arena.core.errors import BadPlugin
from arena.core.printable import printable_line

MOST_BYTES = 25_000_000
"""The most bytes that all files of a submission may have together."""
MOST_FILES = 2_000
_LONGEST_PATH, _LONGEST_NAME = 500, 200
_RESULTS = ("arena.db", "arena.db-shm", "arena.db-wal")
"""The database of whoever plays in the bot's folder: no part of the bot, and none for others."""

_PROGRAM_STARTS = (b"#!", b"\x7fELF")
"""First bytes of files that can be run; no other mark of them is kept."""


class TooBig(BadPlugin):
    """Raised for a submission with more files or bytes than any may have.

    It names the limit that was exceeded alone.

    Args:
        by_number: Whether there are too many files; else they are too large.
    """

    def __init__(self, typed: str, *, by_number: bool) -> None:
        most = f"{MOST_FILES} files" if by_number else f"{MOST_BYTES // 1_000_000} MB in all"
        super().__init__(f"{typed} is too big: a submission has at most {most}")
        self.by_number = by_number


def read_file(typed: str, path: Path) -> bytes:
    """Returns an ordinary file, not longer than a submission may be; else raises ``BadPlugin``."""
    try:
        # Not blocking: a pipe without a writer would keep us here.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise BadPlugin(f"{typed} is no ordinary file; give a .py file, folder or wheel")
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadPlugin(f"{typed} cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise TooBig(typed, by_number=False)
    return data


def folder_files(typed: str, folder: Path) -> dict[str, bytes]:
    """Returns the files of a folder by their paths in it; ``typed`` names it in errors.

    Hidden files and folders, compiled Python, ``*.egg-info`` and virtual environments are left out:
    they are no part of what its author wrote.

    Raises:
        BadPlugin: It cannot be read, is too big, or holds a link or a device.
    """
    files: dict[str, bytes] = {}
    size = 0
    for path in _found(typed, folder):
        name = path.relative_to(folder).as_posix()
        _check_path(typed, name)
        if path.is_symlink():
            raise BadPlugin(f"{typed} holds the link {name}; put a copy of the file in its place")
        files[name] = read_file(f"{typed}/{name}", path)
        size += len(files[name])
        if size > MOST_BYTES or len(files) > MOST_FILES:
            raise TooBig(typed, by_number=size <= MOST_BYTES)
    return files


def _found(typed: str, folder: Path) -> Iterator[Path]:
    def stop(error: OSError) -> None:
        raise BadPlugin(f"{typed} cannot be read: {error.strerror}: {error.filename}")

    for where, folders, names in os.walk(folder, onerror=stop):
        folders[:] = sorted(name for name in folders if not _is_left_out(Path(where, name)))
        for name in names:
            if f"{name}-wal" in names and name not in _RESULTS:
                # To read it would drop the locks that this process may have on it.
                raise BadPlugin(
                    f"{typed} holds {name}, a database that a program has open; "
                    "close it, or move it elsewhere"
                )
        links = [name for name in folders if Path(where, name).is_symlink()]
        kept = [*links, *(name for name in names if not _is_left_out(Path(where, name)))]
        yield from (Path(where, name) for name in sorted(kept))


def _is_left_out(path: Path) -> bool:
    return _has_left_out_name(path.name) or (path / "pyvenv.cfg").is_file()


def _has_left_out_name(name: str) -> bool:
    return (
        name.startswith(".")
        or name in ("__pycache__", "__MACOSX", *_RESULTS)
        or name.endswith((".pyc", ".egg-info"))
    )


def zip_files(typed: str, data: bytes) -> dict[str, bytes]:
    """Returns the files of a zip archive, such as a wheel, by their paths.

    Raises:
        BadPlugin: It cannot be read, is too big, or holds a link or a path that leads out of it.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return dict(_unzipped(typed, archive))
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        ValueError,
        RuntimeError,  # it is encrypted
        NotImplementedError,
        OverflowError,
    ) as error:
        raise BadPlugin(f"{typed} is no readable archive: {printable_line(str(error))}") from None


def _unzipped(typed: str, archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    members = archive.infolist()
    if len(members) > MOST_FILES:
        raise TooBig(typed, by_number=True)
    names = set[str]()
    left = MOST_BYTES
    for member in members:
        kind = stat.S_IFMT(member.external_attr >> 16)
        _check_path(typed, member.orig_filename.removesuffix("/"))
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise BadPlugin(f"{typed} holds {member.filename}, a link or a device; put files only")
        if member.is_dir() or "__pycache__" in member.filename.split("/"):
            continue
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadPlugin(f"{typed} is packed in an unusual way; pack it anew with deflate")
        if member.filename in names:
            raise BadPlugin(f"{typed} holds {member.filename} twice; pack it anew")
        names.add(member.filename)
        # The sizes that the archive declares may be false.
        with archive.open(member) as file:
            content = file.read(left + 1)
        left -= len(content)
        if left < 0:
            raise TooBig(typed, by_number=False)
        yield member.filename, content
    for name in names:
        above = next((str(up) for up in Path(name).parents if str(up) in names), None)
        if above:
            raise BadPlugin(f"{typed} holds {above} both as a file and as a folder; pack it anew")


def _check_path(typed: str, name: str) -> None:
    """Refuses a path that leaves the folder that it is unpacked to, or that cannot be shown."""
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or "\\" in name:
        raise BadPlugin(
            f"{typed} holds {printable_line(name)!r}, a path that leads out of it; pack it anew"
        )
    if (
        not name.isprintable()
        or not {"", "."}.isdisjoint(parts)
        or len(name.encode()) > _LONGEST_PATH
        or max(len(part.encode()) for part in parts) > _LONGEST_NAME
    ):
        raise BadPlugin(
            f"{typed} holds {printable_line(name)!r}, which is no usable path; rename it"
        )


def zipped_folder(files: Mapping[str, bytes]) -> tuple[str, dict[str, bytes]]:
    """Returns the files of an archive as ``folder_files`` returns those of the packed folder.

    Returns:
        The name of the one folder that holds them all, empty if there is none, and its files.
    """
    environments = {
        name.removesuffix("pyvenv.cfg") for name in files if name.endswith("/pyvenv.cfg")
    }
    kept = {
        name: data
        for name, data in files.items()
        if not any(_has_left_out_name(part) for part in name.split("/"))
        and not name.startswith(tuple(environments))
    }
    tops = {name.partition("/")[0] for name in kept if "/" in name}
    if len(tops) != 1 or any("/" not in name for name in kept):
        return "", kept
    (top,) = tops
    return top, {name.removeprefix(f"{top}/"): data for name, data in kept.items()}


def is_hidden(name: str) -> bool:
    """Returns whether a path has a part that begins with a dot: tools obey such files unasked.

    A ``.git/config`` names programs that ``git status`` runs; editors and shells read others.
    """
    return any(part.startswith(".") for part in name.split("/"))


def packed(files: Mapping[str, bytes]) -> bytes:
    """Returns a zip archive of the files in which nothing but their names and bytes counts."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            about = zipfile.ZipInfo(name)  # of the year 1980
            about.external_attr = 0o644 << 16
            archive.writestr(about, files[name], zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def write_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Writes the files into a folder that is new or empty; else raises ``BadPlugin``."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise BadPlugin(f"{folder} is not empty; nothing was written, choose another folder")
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            if content.startswith(_PROGRAM_STARTS):
                path.chmod(0o755)
    except OSError as error:
        raise BadPlugin(f"cannot write to {folder}: {error.strerror}") from None
