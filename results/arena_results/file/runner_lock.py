"""The locks of running tournaments and leagues: one process has each, and it is freed with it.

A file has locks next to it (``file_locks``), and a server locks of its sessions (``server_locks``).
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Self

from arena.core.errors import BadStore
from arena_results.file.database import Database
from arena_results.file.place import busy


class _Lock:
    """Keeps all others from doing something with a database, for as long as it is entered.

    Args:
        name: The name of the lock.
        what: What its holder does, as far as ``by``.
    """

    def __init__(self, database: Database, name: str, what: str) -> None:
        self._database, self._name, self._what = database, name, what

    def __enter__(self) -> Self:
        """Takes the lock.

        Raises:
            BadStore: Somebody has it, who is named; or the database cannot be written.
        """
        self._database.check_writable()
        self._lock: AbstractContextManager[None] = self._database.place.lock(self._name, self._what)
        self._lock.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.__exit__(None, None, None)


class RunnerLock(_Lock):
    """Keeps all others from playing a tournament, for as long as it is entered.

    Args:
        database: The database of the tournament.
        tournament: Its number.
    """

    def __init__(self, database: Database, tournament: int) -> None:
        super().__init__(database, str(tournament), _playing(database, tournament))


class LeagueLock(_Lock):
    """Keeps all others from running a league on a database, for as long as it is entered.

    It is one lock for all leagues of a database, which has one queue of submissions.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database, "league", f"the league of {database.label} is being run")


def refuse_running(database: Database, tournament: int) -> None:
    """Raises the error of ``RunnerLock`` if somebody plays the tournament; changes nothing."""
    if holder := database.place.holder(str(tournament)):
        raise BadStore(busy(_playing(database, tournament), holder))


def is_running(database: Database, tournament: int) -> bool:
    """Returns whether somebody plays the tournament; takes no lock, and waits for nobody."""
    return bool(database.place.holder(str(tournament)))


def _playing(database: Database, tournament: int) -> str:
    return f"tournament {tournament} of {database.label} is being played"
