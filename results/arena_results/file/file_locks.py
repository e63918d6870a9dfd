"""Locks on files next to a database: one open file has each, and it is freed with its process.

Such a lock belongs to the open file and not to the process (OFD): no other task of the process gets
it, and no program that the process starts has it. The file has a line about the holder, and is
removed when the run ends. One that a killed process left is not locked.
"""

from __future__ import annotations

import os
import struct
from contextlib import suppress
from datetime import UTC, datetime
from fcntl import F_OFD_GETLK, F_OFD_SETLK, F_UNLCK, F_WRLCK, fcntl
from pathlib import Path

import msgspec

from arena.core.described import described
from arena.core.errors import BadStore
from arena_results.file.holders import own_command
from arena_results.file.place import busy

_STRUCT_FLOCK = "hhqqi0q"
_WHOLE_FILE = struct.pack(_STRUCT_FLOCK, F_WRLCK, os.SEEK_SET, 0, 0, 0)


class Holder(msgspec.Struct, frozen=True):
    """The process that plays a tournament, or runs a league."""

    process: int
    command: str
    since: datetime

    def __str__(self) -> str:
        return f"process {self.process} ({self.command}) since {self.since:%Y-%m-%d %H:%M:%S} UTC"


class FileLock:
    """Keeps all others from the same lock, for as long as it is entered.

    Args:
        path: The file that is locked.
        what: What its holder does, as far as ``by``.
    """

    def __init__(self, path: Path, what: str) -> None:
        self._path, self._what = path, what

    def __enter__(self) -> None:
        try:
            self._file = self._locked()
        except OSError as error:
            raise BadStore(f"cannot make {self._path}: {error.strerror}") from None
        holder = Holder(os.getpid(), own_command(), datetime.now(UTC))
        with suppress(OSError):  # on a full disk the holder stays unnamed
            os.ftruncate(self._file, 0)
            os.write(self._file, msgspec.json.encode(holder))

    def __exit__(self, *error: object) -> None:
        with suppress(OSError):  # its folder may be gone
            self._path.unlink()
        os.close(self._file)

    def _locked(self) -> int:
        """Opens and locks the file, again where its last holder removed it in between."""
        while True:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                fcntl(file, F_OFD_SETLK, _WHOLE_FILE)
                if _is_at(file, self._path):
                    return file
            except (BlockingIOError, PermissionError):
                os.close(file)
                raise BadStore(busy(self._what, _named(self._path))) from None
            except BaseException:
                os.close(file)
                raise
            os.close(file)


def holder_of(path: Path) -> str:
    """Returns the owner of the lock on a file; empty without one."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        found = fcntl(file, F_OFD_GETLK, _WHOLE_FILE)
    finally:
        os.close(file)
    return _named(path) if struct.unpack(_STRUCT_FLOCK, found)[0] != F_UNLCK else ""


def _named(path: Path) -> str:
    try:
        return str(msgspec.json.decode(path.read_bytes(), type=described(Holder)))
    except (OSError, msgspec.MsgspecError):  # it has just begun, or ended
        return "another process"


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except OSError:
        return False
