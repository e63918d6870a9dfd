"""Reads the files of a submission from a folder, packs them, and writes them again."""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path

from arena.core.errors import BadPlugin
from arena.core.text.printable import printable_line
from arena.plugins.submissions.archive_kinds import ACCEPTED

MAX_BYTES = 25_000_000
"""The most bytes that all files of a submission may have together."""
MAX_FILES = 2_000
_MAX_PATH_LENGTH, _MAX_NAME_LENGTH = 500, 200
_RESULTS = ("arena.db", "arena.db-shm", "arena.db-wal")
"""The database of whoever plays in the bot's folder: no part of the bot, and none for others."""

_BY_WINDOWS = ("thumbs.db", "ehthumbs.db", "desktop.ini")
"""Files that its Explorer places into folders."""
_PROGRAM_STARTS = (b"#!", b"\x7fELF")
"""First bytes of files that can be run; no other mark of them is stored."""


class TooBig(BadPlugin):
    """Raised for a submission with more files or bytes than any may have.

    It names the limit that was exceeded only.

    Args:
        by_number: Whether there are too many files; else they are too large.
    """

    def __init__(self, typed: str, *, by_number: bool) -> None:
        most = f"{MAX_FILES} files" if by_number else f"{MAX_BYTES // 1_000_000} MB in all"
        super().__init__(f"{typed} is too big: a submission has at most {most}")
        self.by_number = by_number


def read_file(typed: str, path: Path) -> bytes:
    """Returns an ordinary file, not longer than a submission may be; else raises ``BadPlugin``."""
    try:
        # Not blocking: a pipe without a writer would keep us here.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise BadPlugin(f"{typed}: expected an ordinary file; give {ACCEPTED}")
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadPlugin(f"{typed} cannot be read: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise TooBig(typed, by_number=False)
    return data


def folder_files(typed: str, folder: Path) -> dict[str, bytes]:
    """Returns the files of a folder by their paths in it; ``typed`` names it in errors.

    Hidden files and folders, those that systems add, compiled Python, ``*.egg-info`` and virtual
    environments are left out: they are no part of what its author wrote.

    Raises:
        BadPlugin: It cannot be read, is too big, or holds a link or a device.
    """
    files: dict[str, bytes] = {}
    size = 0
    for path in _found(typed, folder):
        name = path.relative_to(folder).as_posix()
        check_path(typed, name)
        if path.is_symlink():
            raise BadPlugin(f"{typed} holds the link {name}; put a copy of the file in its place")
        files[name] = read_file(f"{typed}/{name}", path)
        size += len(files[name])
        if size > MAX_BYTES or len(files) > MAX_FILES:
            raise TooBig(typed, by_number=size <= MAX_BYTES)
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
    return is_left_out_name(path.name) or (path / "pyvenv.cfg").is_file()


def is_left_out_name(name: str) -> bool:
    """Returns whether what is called so is not part of what an author wrote."""
    return (
        name.startswith(".")
        or name in ("__pycache__", "__MACOSX", *_RESULTS)
        or name.lower() in _BY_WINDOWS
        or name.endswith((".pyc", ".egg-info"))
    )


def check_path(typed: str, name: str) -> None:
    """Refuses a path that leaves the folder that it is unpacked to, or that cannot be shown."""
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or "\\" in name:
        raise BadPlugin(
            f"{typed} holds {printable_line(name)!r}, a path that leads out of it; pack it again"
        )
    if (
        not name.isprintable()
        or not {"", "."}.isdisjoint(parts)
        or len(name.encode()) > _MAX_PATH_LENGTH
        or max(len(part.encode()) for part in parts) > _MAX_NAME_LENGTH
    ):
        raise BadPlugin(
            f"{typed} holds {printable_line(name)!r}, which cannot be used as a path; rename it"
        )


def without_outer_folders(files: Mapping[str, bytes]) -> tuple[tuple[str, ...], dict[str, bytes]]:
    """Returns the files of the innermost folder that has all of them.

    Archives often hold the folder that was packed, or a folder of an archive's name with that.

    Returns:
        The names of the folders that all files are in, the outermost first, and the files of the
        innermost.
    """
    outer, kept = [], dict(files)
    while len(tops := {path.partition("/")[0] for path in kept}) == 1 and tops.isdisjoint(kept):
        (name,) = tops
        outer.append(name)
        kept = {path.removeprefix(f"{name}/"): data for path, data in kept.items()}
    return tuple(outer), kept


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
