"""The file of a career: JSON that is written whole, and locked while it is open.

A match is noted in it before its first card: who ends the program then has left the table, and the
wager is lost, however it was ended.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import Literal

import msgspec

from arena.core.described import described
from arena.core.errors import BadInput, BadStore, ParseError
from arena.core.text.decoding import decode_text

FORM = 1
"""Version of the file's form."""

Result = Literal["won", "lost", "drawn"]


class Stake(msgspec.Struct, frozen=True, kw_only=True):
    """A match that was begun, with its wager.

    Attributes:
        match: Number of the match, by which it is replayed.
        rival: Name of the rival.
        wager: The wager of both.
        roll: Whether rolls of skill decided it.
    """

    match: str
    rival: str
    wager: int
    roll: bool = False


class Played(Stake, frozen=True, kw_only=True):
    """A match that is over.

    Attributes:
        result: For the person.
        purse: The person's credits after it.
        why: What decided it, where that was no play: left, caught.
    """

    result: Result
    purse: int
    why: str = ""


class Career(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A career as its file holds it.

    Attributes:
        form: Version of the file's form.
        name: The person's name in records.
        ruleset: The ruleset of its matches, with the options of section 7.
        database: The file of the database that has its matches, absolute.
        seed: What its deals are derived from; ``None``: a key is drawn for each match.
        purse: The person's credits.
        purses: The rivals' credits, by name.
        begun: Matches that were begun, also those that the harness lost.
        stake: The match in progress.
        matches: The matches that are over, oldest first.
    """

    form: int = FORM
    name: str
    ruleset: str
    database: str
    seed: int | None = None
    purse: int
    purses: dict[str, int]
    begun: int = 0
    stake: Stake | None = None
    matches: tuple[Played, ...] = ()

    def problem(self) -> str:
        """The reason why no program wrote this, or ``""``."""
        if self.form != FORM:
            return f"it has form {self.form}, not {FORM}"
        if min(self.purse, *self.purses.values(), 0) < 0:
            return "a purse is below 0"
        if self.stake is not None:
            held = min(self.purse, self.purses.get(self.stake.rival, 0))
            if not 0 < self.stake.wager <= held:
                return "its wager is not within both purses"
        return ""


def read_career(path: Path) -> Career:
    """Reads the file of a career as it is, also while it is open in another program.

    Raises:
        BadInput: There is none.
        BadStore: It is something else.
    """
    try:
        career = msgspec.json.decode(decode_text(path.read_bytes()), type=described(Career))
    except FileNotFoundError:
        raise BadInput(_missing(path)) from None
    except OSError as error:
        raise BadStore(f"{path} cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, ParseError) as error:
        raise BadStore(f"{path}: expected the file of a career: {error}") from None
    if problem := career.problem():
        raise BadStore(f"{path}: expected the file of a career: {problem}")
    return career


def _missing(path: Path) -> str:
    return f"there is no career {path}; begin it: arena career new {path}"


class CareerFile:
    """The file of a career, open and locked.

    Args:
        path: Its path.
        lock: The descriptor that is locked.
    """

    def __init__(self, path: Path, lock: int) -> None:
        self.path, self._lock = path, lock

    def read(self) -> Career:
        """Reads it; raises ``BadStore``."""
        return read_career(self.path)

    def write(self, career: Career) -> None:
        """Writes it whole, through to the disk; raises ``BadStore``, and it is as it was."""
        part = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        data = msgspec.json.format(msgspec.json.encode(career), indent=2) + b"\n"
        try:
            new = os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
            # Locked before it has the name, so that nobody finds it open.
            flock(new, LOCK_EX | LOCK_NB)
            os.write(new, data)
            os.fsync(new)
            part.replace(self.path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise BadStore(f"{self.path} cannot be written: {error.strerror}") from None
        os.close(self._lock)
        self._lock = new

    def close(self) -> None:
        """Lets others open it."""
        os.close(self._lock)


@contextmanager
def career_file(path: Path, *, new: bool = False) -> Iterator[CareerFile]:
    """Opens the file of a career, which nobody else can open meanwhile.

    Args:
        new: Whether it must not exist; the block then writes it.

    Raises:
        BadInput: It does not exist, or there is one already, or it is open in another program.
    """
    flags = os.O_RDWR | os.O_CLOEXEC | (os.O_CREAT | os.O_EXCL if new else 0)
    try:
        lock = os.open(path, flags, 0o644)
    except FileExistsError:
        raise BadInput(f"{path} exists already; name another file") from None
    except FileNotFoundError as error:
        raise BadInput(f"{path}: {error.strerror}" if new else _missing(path)) from None
    except OSError as error:
        raise BadInput(f"{path} cannot be opened: {error.strerror}") from None
    file = CareerFile(path, lock)
    try:
        _lock(path, lock)
        yield file
    except BaseException:
        if new and path.stat().st_size == 0:
            path.unlink()
        raise
    finally:
        file.close()


def _lock(path: Path, lock: int) -> None:
    """Locks the file of that path; raises ``BadInput`` where another program has it open."""
    try:
        flock(lock, LOCK_EX | LOCK_NB)
        held = os.fstat(lock).st_ino == path.stat().st_ino
    except BlockingIOError:
        held = False
    if not held:
        raise BadInput(f"{path} is open in another program: a match is being played")
