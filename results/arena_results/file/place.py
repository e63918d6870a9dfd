"""The contract of the places where a results database may be: a file, or a server."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from sqlalchemy import Engine

from arena_results.dialects import Dialect

BUSY_SECONDS = 10
"""Seconds to wait for a lock that another process holds."""
MAX_LENGTH = 60
"""Characters of a command that are shown of a process that holds a lock."""


class Watch(Protocol):
    """Notices the commits of others."""

    def version(self) -> int:
        """Returns a number that is another one after every commit of anybody.

        Any thread may ask, at any time; it takes microseconds.

        Raises:
            BadStore: The database cannot be read.
        """
        ...

    def close(self) -> None:
        """Ends the watch; later calls of ``version`` raise ``BadStore``."""
        ...


class Place(Protocol):
    """Finds, opens, creates and locks one database.

    Attributes:
        address: By which it is opened again; without a password.
        label: Its name in messages.
        home: By which it is found from any folder: the whole path of its file, or its address.
        files: The paths that no bot may ever be granted.
        dialect: Its kind of SQL.
        errors: The errors that the driver raises by itself.
    """

    address: str
    label: str
    home: str
    files: tuple[str, ...]
    dialect: Dialect
    errors: type[Exception]

    def revision(self) -> str | None:
        """Returns the revision of its schema; ``None`` if there is no database, or an empty one.

        Nothing is changed.

        Raises:
            BadStore: It cannot be read, or holds something else than results.
        """
        ...

    def missing(self) -> str:
        """Returns the message for a place without a database."""
        ...

    def engine(self, *, keys_checked: bool = True) -> Engine:
        """Returns connections to it; a transaction begins by ``dialect.begin``.

        Args:
            keys_checked: Whether rows may only name rows that exist. Tables of SQLite cannot be
                altered otherwise.
        """
        ...

    def prepare(self) -> None:
        """Makes an empty database there, for the schema, if it is missing."""
        ...

    def copy(self, revision: str) -> Path | None:
        """Copies the whole database before it is upgraded; ``None`` if the operator does that."""
        ...

    def tidy(self) -> None:
        """Gives back the disk space of tables that an upgrade packed, if it can."""
        ...

    def check_writable(self) -> None:
        """Raises ``BadStore`` if it can only be read, or a lock on it was lost."""
        ...

    def check_there(self) -> None:
        """Raises ``BadStore`` if the database that was opened is gone."""
        ...

    def beside(self, suffix: str) -> Path:
        """Returns the path of what belongs to it: next to its file, or in the current folder."""
        ...

    def committed(self) -> None:
        """Notes a commit of this process, which its watch knows at once."""
        ...

    def is_locked(self, error: BaseException | None) -> bool:
        """Returns whether an error of its driver says that another process has locked it."""
        ...

    def complaint(self, error: BaseException | None) -> str:
        """Returns the line for an error of its driver."""
        ...

    def lock(self, name: str, what: str) -> AbstractContextManager[None]:
        """Keeps all others from entering the same lock; ends with the process.

        Args:
            name: The number of a tournament, or ``league``.
            what: What the holder does, as far as ``by``.

        Raises:
            BadStore: When it is entered: another has it, and is named; or it cannot be taken.
        """
        ...

    def holder(self, name: str) -> str:
        """Returns the owner of a lock; empty without one. It waits for nobody."""
        ...

    def watch(self) -> Watch:
        """Begins to watch for commits."""
        ...

    def close(self) -> None:
        """Closes what is open besides the connections of the engine and the locks."""
        ...


def busy(what: str, holder: str) -> str:
    """Returns the message that somebody else has a lock."""
    return f"{what} by {holder}; wait until that has ended, or stop it, and try again"
