"""Errors that stand for failures of the system, and several of one input."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import ArenaError, BadInput, BadKey, BadSpec, HarnessFault
from arena.core.options import rows_of
from arena.plugins.options import option

T = TypeVar("T")
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Numbers of errors of a full disk, or of a full quota."""
_NO_MEMORY = (
    *("start new thread", "allocate memory", "failed to map segment", "out of memory"),
    "error return without exception set",
)
"""Messages of Python and of libraries when there is no memory left."""


class DiskFull(HarnessFault):
    """Raised when a disk is full: the work can be done later."""


def known_error(error: BaseException) -> ArenaError | None:
    """The error of the tree that an exception is, or stands for: ``None`` for a fault of ours.

    Of a group the first that is known counts.
    """
    if isinstance(error, ArenaError):
        return error
    if isinstance(error, BaseExceptionGroup):
        found = (known_error(each) for each in error.exceptions)
        return next((each for each in found if each is not None), None)
    text = str(error)
    if isinstance(error, MemoryError) or (
        isinstance(error, OSError | RuntimeError | ImportError | SystemError)
        and any(words in text.lower() for words in _NO_MEMORY)
    ):
        return HarnessFault("there is not enough memory; free some, or raise the limit (ulimit -v)")
    return _machine_fault(error) if isinstance(error, OSError) else None


@contextmanager
def known_alone() -> Iterator[None]:
    """Raises the known error of a group in its place: whatever failed with it is its cause."""
    try:
        yield
    except BaseExceptionGroup as group:
        known = known_error(group)
        if known is None:
            raise
        raise known from group


def _machine_fault(error: OSError) -> ArenaError:
    """An error of the operating system that no part of the program could answer."""
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return HarnessFault("there are too many open files; raise the limit (ulimit -n)")
    try:
        os.getcwd()
    except OSError:
        return BadInput("the working folder is gone; change to another one")
    where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
    kind = DiskFull if error.errno in NO_ROOM else HarnessFault
    return kind(f"{where}{error.strerror or error}")


NO_OPTION = "no such key, and no option of"
"""Begins the problem of a key that neither tournaments nor their format have."""
COMMAND_LINE = ""
"""The source of keys that were typed as options."""


def spec_error(where: str, problems: Sequence[str]) -> BadSpec:
    """Returns the error of a spec; keys of the command line are written as options.

    Problems of bots name the bot instead: commands take bots as options or as arguments.

    Args:
        where: The source of the keys: a file, or ``COMMAND_LINE``.
        problems: Every problem as ``"key: the problem"``.
    """
    typed = problems if where else [*map(_as_option, problems)]
    return BadSpec(where, typed)


def _as_option(problem: str) -> str:
    key, _, text = problem.partition(": ")
    if key == "bots":
        return text
    if text.startswith(NO_OPTION):  # a flag that does not exist is refused before
        return f"{option('format')}: {problem}"
    row = rows_of(TournamentSpec).get(key)
    return f"{(row and row.option.flag) or option(key)}: {text}"


class Problems(list[str]):
    """Collects everything that is wrong, by trying everything."""

    def attempt(self, key: str, work: Callable[[], T]) -> T | None:
        """The work's value; ``None`` when the input is bad, which is noted under the key."""
        try:
            return work()
        except BadInput as error:
            self.append(str(error) if isinstance(error, BadKey) else f"{key}: {error}")
            return None
