"""Opens, creates and copies the file of a SQLite database.

A file is checked before anything may change it (``files``), so that a file that is not
ours, or is of another version, stays as it is.
"""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager, closing, suppress
from functools import cache
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any

from sqlalchemy import Dialect as SqlDialect
from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool
from sqlalchemy.util import LRUCache

from arena.core.errors import BadStore
from arena.core.text.printable import printable_line
from arena_results.dialects import dialect_named
from arena_results.file.file_locks import FileLock, holder_of
from arena_results.file.files import READING, WRITING, access_to, connect, path_of, revision_in
from arena_results.file.holders import holders
from arena_results.file.place import BUSY_SECONDS, Watch

SYNCHRONOUS = "FULL"
"""SQLite's mode of waiting for the disk.

In WAL mode ``OFF`` already survives ``kill -9``; ``FULL`` also keeps a committed match through a
power cut, for one disk synchronisation a batch.
"""


class LocalFile:
    """A database in a file: a ``Place``.

    Args:
        path: The file.
        origin: The file that messages name, if its content comes from another.
    """

    dialect = dialect_named("sqlite")
    errors: type[Exception] = sqlite3.Error

    def __init__(self, path: Path, origin: Path | None = None) -> None:
        self.path = path
        self.label = str(origin or path)
        self.address = f"sqlite:///{self.label}"
        self.home = str(path.absolute())
        self.files: tuple[str, ...] = (str(path),)
        self._access = READING
        self._identity: tuple[int, int] | None = None

    def revision(self) -> str | None:
        return revision_in(self.path)

    def missing(self) -> str:
        return f"there is no results database at {self.path}"

    def engine(self, *, keys_checked: bool = True) -> Engine:
        access = self._access = access_to(self.path)
        self._identity = _identity(self.path)
        dialect, statements = _shared()
        pool = QueuePool(lambda: connect(self.path, access), dialect=dialect)  # type: ignore[arg-type]
        options = {"compiled_cache": statements}
        engine = Engine(pool, dialect, make_url("sqlite://"), execution_options=options)
        if keys_checked:
            event.listen(engine, "connect", _set_pragmas)
        return engine

    def prepare(self) -> None:
        # Whoever is killed here leaves an empty file, or one without tables: both are new ones.
        deadline = monotonic() + BUSY_SECONDS
        with closing(sqlite3.connect(self.path, timeout=BUSY_SECONDS)) as file:
            file.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
            # The journal mode stays with the file. SQLite does not wait here by itself: while
            # another process writes it fails at once, since two that both wait to change the mode
            # would wait for ever.
            while True:
                try:
                    file.execute("PRAGMA journal_mode = WAL")
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                        raise BadStore(self.complaint(error)) from error
                    sleep(0.01)
                else:
                    return

    def copy(self, revision: str) -> Path:
        path, number = self.path, 1
        if not access_to(path).writable:
            raise BadStore(f"{path} cannot be upgraded: the file or its folder is write-protected")
        while (backup := path.with_name(f"{path.name}.{revision}.{number}.backup")).exists():
            number += 1
        try:
            with (
                closing(connect(path, WRITING)) as source,
                closing(sqlite3.connect(backup)) as copy,
            ):
                source.backup(copy)
        except sqlite3.Error as error:
            backup.unlink(missing_ok=True)
            raise BadStore(f"cannot copy {path} to {backup}: {error}") from None
        return backup

    def tidy(self) -> None:
        with suppress(sqlite3.Error), closing(connect(self.path, WRITING)) as file:
            file.execute("VACUUM")  # where that cannot be, the file stays larger

    def check_writable(self) -> None:
        if not self._access.writable:
            raise BadStore(
                f"the database {self.label} can only be read: the file or its folder is "
                "write-protected; copy it to a folder of yours, or name another"
            )

    def check_there(self) -> None:
        if _identity(self.path) != self._identity:
            raise BadStore(
                f"the database {self.label} was deleted or replaced while it was in use; "
                "what was stored in it since then is lost"
            )

    def beside(self, suffix: str) -> Path:
        return Path(f"{self.home}{suffix}")

    def committed(self) -> None:
        """Does nothing: the file knows its version."""

    def is_locked(self, error: BaseException | None) -> bool:
        return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)

    def complaint(self, error: BaseException | None) -> str:
        if self.is_locked(error):
            who = " and ".join(holders(self.path)) or "another process"
            return (
                f"the database {self.label} is locked by {who}; "
                "wait until that has ended, or stop it, and try again"
            )
        return f"the database {self.label} failed: {printable_line(str(error))}"

    def lock(self, name: str, what: str) -> AbstractContextManager[None]:
        return FileLock(self._lock_path(name), what)

    def holder(self, name: str) -> str:
        return holder_of(self._lock_path(name))

    def watch(self) -> Watch:
        return _FileWatch(self.path, self.label)

    def close(self) -> None:
        """Does nothing: nothing is open."""

    def _lock_path(self, name: str) -> Path:
        return Path(f"{self.path.resolve()}-runner-{name}")


class _FileWatch:
    """A connection that only asks for the version of the content."""

    def __init__(self, path: Path, label: str) -> None:
        self._label = label
        self._file = connect(path, access_to(path))
        self._own = Lock()

    def version(self) -> int:
        try:
            with self._own:
                number: int = self._file.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.Error as error:
            message = f"the database {self._label} failed: {printable_line(str(error))}"
            raise BadStore(message) from None
        return number

    def close(self) -> None:
        with self._own:  # SQLite's memory is not freed below a statement of another thread
            self._file.close()


def local_file(url: str) -> LocalFile:
    """Returns the place of ``sqlite:///FILE``; raises ``BadStore`` if it cannot be used."""
    return LocalFile(path_of(url))


@cache
def _shared() -> tuple[SqlDialect, LRUCache[Any, Any]]:
    """Returns the dialect of all engines and the statements that were compiled for it.

    Compiling a statement takes longer than most of ours take to run, and a process may open many
    files.
    """
    engine = create_engine("sqlite://")
    engine.connect().close()  # completes the dialect
    engine.dispose()
    return engine.dialect, LRUCache(500)


def _identity(path: Path) -> tuple[int, int] | None:
    """Returns an identity that changes when another file takes the path; ``None`` without one."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _set_pragmas(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
