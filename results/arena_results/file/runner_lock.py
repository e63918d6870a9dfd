"""The locks of running tournaments and leagues: one process has each, and it is freed with it.

Each is a lock on a file next to the database, ``FILE-runner-NUMBER`` or ``FILE-runner-league``,
that belongs to the open file and not to the process (OFD): no other task of the process gets it,
and no program that the process starts has it. The file has a line about the holder, and is removed
when the run ends. One that a killed process left is not locked.
"""

from __future__ import annotations

import os
import struct
import sys
from contextlib import suppress
from datetime import UTC, datetime
from fcntl import F_OFD_GETLK, F_OFD_SETLK, F_UNLCK, F_WRLCK, fcntl
from pathlib import Path
from typing import Self

import msgspec

from arena.core.described import described
from arena.core.errors import BadStore
from arena.core.text.printable import printable_line
from arena_results.file.database import Database
from arena_results.file.holders import MAX_LENGTH

_STRUCT_FLOCK = "hhqqi0q"
_WHOLE_FILE = struct.pack(_STRUCT_FLOCK, F_WRLCK, os.SEEK_SET, 0, 0, 0)


class Holder(msgspec.Struct, frozen=True):
    """The process that plays a tournament, or runs a league."""

    process: int
    command: str
    since: datetime

    def __str__(self) -> str:
        return f"process {self.process} ({self.command}) since {self.since:%Y-%m-%d %H:%M:%S} UTC"


class _Lock:
    """Keeps all others from doing something with a database, for as long as it is entered.

    Args:
        path: The file that is locked.
        what: What its holder does, as far as ``by``.
    """

    def __init__(self, database: Database, path: Path, what: str) -> None:
        self._database, self._path, self._what = database, path, what

    def __enter__(self) -> Self:
        """Takes the lock.

        Raises:
            BadStore: Somebody has it, who is named; or the database cannot be written.
        """
        self._database.check_writable()
        try:
            self._file = self._locked()
        except OSError as error:
            raise BadStore(f"cannot make {self._path}: {error.strerror}") from None
        holder = Holder(os.getpid(), _own_command(), datetime.now(UTC))
        with suppress(OSError):  # on a full disk the holder stays unnamed
            os.ftruncate(self._file, 0)
            os.write(self._file, msgspec.json.encode(holder))
        return self

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
                raise BadStore(_busy(self._path, self._what)) from None
            except BaseException:
                os.close(file)
                raise
            os.close(file)


class RunnerLock(_Lock):
    """Keeps all others from playing a tournament, for as long as it is entered.

    Args:
        database: The database of the tournament.
        tournament: Its number.
    """

    def __init__(self, database: Database, tournament: int) -> None:
        what = _playing(database.path, tournament)
        super().__init__(database, _lock_path(database.path, tournament), what)


class LeagueLock(_Lock):
    """Keeps all others from running a league on a database, for as long as it is entered.

    It is one lock for all leagues of a database, which has one queue of submissions.
    """

    def __init__(self, database: Database) -> None:
        what = f"the league of {database.path} is being run"
        super().__init__(database, _lock_path(database.path, "league"), what)


def refuse_running(database: Path, tournament: int) -> None:
    """Raises the error of ``RunnerLock`` if somebody plays the tournament; changes nothing."""
    if is_running(database, tournament):
        raise BadStore(_busy(_lock_path(database, tournament), _playing(database, tournament)))


def is_running(database: Path, tournament: int) -> bool:
    """Returns whether somebody plays the tournament; takes no lock, and waits for nobody."""
    try:
        file = os.open(_lock_path(database, tournament), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        found = fcntl(file, F_OFD_GETLK, _WHOLE_FILE)
    finally:
        os.close(file)
    return bool(struct.unpack(_STRUCT_FLOCK, found)[0] != F_UNLCK)


def _playing(database: Path, tournament: int) -> str:
    return f"tournament {tournament} of {database} is being played"


def _busy(path: Path, what: str) -> str:
    try:
        holder = str(msgspec.json.decode(path.read_bytes(), type=described(Holder)))
    except (OSError, msgspec.MsgspecError):  # it has just begun, or ended
        holder = "another process"
    return f"{what} by {holder}; wait until that has ended, or stop it, and try again"


def _own_command() -> str:
    program, *arguments = sys.argv or [""]
    return printable_line(" ".join([Path(program).name, *arguments]), MAX_LENGTH)


def _lock_path(database: Path, what: int | str) -> Path:
    return Path(f"{database.resolve()}-runner-{what}")


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except OSError:
        return False
