"""Inspects the file of a results database before anything may change it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from arena.core.errors import BadStore
from arena.core.text.printable import printable_line
from arena_results.file.addresses import KINDS
from arena_results.file.place import BUSY_SECONDS


class Access(msgspec.Struct, frozen=True):
    """A way to open a database file; ``mode`` is the query of SQLite's URI."""

    mode: str
    writable: bool = False


WRITING = Access("mode=rw", writable=True)
READING = Access("mode=ro")
UNCHANGING = Access("mode=ro&immutable=1")
"""For a file that cannot be written and has no write-ahead log: SQLite could not make the shared
memory that it otherwise needs next to it."""


def access_to(path: Path) -> Access:
    """Chooses how this user opens a file that exists."""
    effective = os.access in os.supports_effective_ids
    if all(os.access(each, os.W_OK, effective_ids=effective) for each in (path, path.parent)):
        return WRITING
    log = Path(f"{path}-wal")
    return READING if log.exists() and log.stat().st_size else UNCHANGING


def connect(path: Path, access: Access) -> sqlite3.Connection:
    """Opens a file that exists; it is never created."""
    # isolation_level None: the driver begins no transaction by itself.
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{access.mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def path_of(url: str) -> Path:
    """The file that an address names; raises ``BadStore`` if it or its folder cannot be used."""
    kinds = KINDS
    try:
        parts = make_url(url)
    except (ArgumentError, ValueError):
        raise BadStore(f"cannot read the database address {url!r}; {kinds}") from None
    if parts.drivername != "sqlite" or parts.host or parts.query:
        raise BadStore(f"cannot use the database {parts.render_as_string()}; {kinds}")
    if not parts.database or parts.database == ":memory:":
        raise BadStore(f"{url!r} names no file; {kinds}")
    path = Path(parts.database)
    if path.is_dir():
        raise BadStore(f"{path} is a folder; {kinds}")
    if not path.parent.is_dir():
        raise BadStore(f"the folder {path.parent} does not exist; make it, or name another file")
    return path


def revision_in(path: Path) -> str | None:
    """Returns the revision of a file's schema.

    ``None`` for a file that is not there or holds nothing yet, as after its maker was killed.

    Raises:
        BadStore: It cannot be read, or is not a results database.
    """
    try:
        if not path.exists():
            return None
        if not path.is_file():  # a device or a pipe might never end
            raise BadStore(f"{path}: expected a regular file; name another")
        # Only SQLite opens the file: whoever closes it otherwise drops all locks that other
        # threads of this process hold on it.
        names, found = _contents(path)
    except (OSError, sqlite3.Error, ValueError, MemoryError) as error:
        # A ValueError: text that is no UTF-8. Damaged sizes may ask for any amount of memory.
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            raise BadStore(
                f"{path} is not a SQLite database, or a damaged one; name another file"
            ) from None
        reason = printable_line(str(error)) or "out of memory"
        raise BadStore(f"cannot read {path}: {reason}") from None
    if not names:
        return None
    if not found or "tournament" not in names:
        raise BadStore(f"{path} holds something else than results; name another file")
    return str(found[0])


def _contents(path: Path) -> tuple[set[str], tuple[object, ...] | None]:
    """Reads the contents with this user's access: read-only if possible, to change nothing."""
    access = access_to(path)
    try:
        return _look(path, READING if access is WRITING else access)
    except sqlite3.OperationalError:
        if access is READING:
            raise BadStore(
                f"cannot read {path}: its write-ahead log {path}-wal needs a folder that can "
                "be written; copy both files to one of yours"
            ) from None
        if access is UNCHANGING:
            raise
    # A process that was killed while it made the file may have left a journal to undo.
    return _look(path, access)


def _look(path: Path, access: Access) -> tuple[set[str], tuple[object, ...] | None]:
    with closing(connect(path, access)) as file:
        names = {name for (name,) in file.execute("SELECT name FROM sqlite_master")}
        if "alembic_version" not in names:
            return names, None
        return names, file.execute("SELECT version_num FROM alembic_version").fetchone()
