"""Opening, creating and upgrading a results database file.

A file is looked at read-only before anything may change it, so that a file that is not ours, or
is of another version, stays as it is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, IntegrityError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from arena.core.errors import AlteredResults, BadStore
from results.tables import METADATA

DEFAULT_URL = "sqlite:///arena.db"
"""The database used when nobody names one."""

HEAD = "0005"
"""Revision of the newest migration, and so of the tables; revisions are ascending ordinals."""

SCRIPTS = Path(__file__).parent / "migrations"
"""Folder of the migrations."""

_BUSY_SECONDS = 10
_MAGIC = b"SQLite format 3\x00"


class Database:
    """An open results database; close it, or use it in a ``with`` statement.

    Args:
        path: A SQLite file of the present schema.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine = _engine(path)
        event.listen(self._engine, "connect", _set_pragmas)
        self._writer = self._engine.execution_options(arena_begin="BEGIN IMMEDIATE")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent view of what is committed.

        Raises:
            BadStore: The file cannot be read.
        """
        with _one_line(self.path), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction: committed as a whole when the block ends, or not at all.

        Raises:
            BadStore: The file cannot be written.
        """
        with _one_line(self.path), self._writer.begin() as connection:
            yield connection

    def close(self) -> None:
        """Closes the file; what was committed stays."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_database(url: str = DEFAULT_URL, *, create: bool = True) -> Database:
    """Opens a results database.

    Args:
        url: ``sqlite:///FILE``; a relative FILE counts from the current folder.
        create: Whether a file that does not exist is made, with the present schema.

    Raises:
        BadStore: Not such a URL; a missing folder; a directory; a file that is not a results
            database; a schema of another version. Nothing was changed.
    """
    path = _path_of(url)
    revision = _revision(path)
    if revision is None:
        if not create:
            raise BadStore(f"there is no results database at {path}; a tournament run makes one")
        _create(path)
    elif revision < HEAD:
        raise BadStore(
            f"{path} has an older schema ({revision}, this program needs {HEAD}); "
            f"run: arena db upgrade --db {url}"
        )
    return Database(path)


def upgrade_database(url: str = DEFAULT_URL) -> Path | None:
    """Brings an older database to the present schema, after copying it whole.

    Returns:
        The copy's path, beside the file; ``None`` when there was nothing to do.

    Raises:
        BadStore: As ``open_database``, or there is no such file. Nothing was changed.
    """
    from alembic import command
    from alembic.config import Config

    path = _path_of(url)
    revision = _revision(path)
    if revision is None:
        raise BadStore(f"there is no results database at {path}; nothing to upgrade")
    if revision == HEAD:
        return None
    backup = _back_up(path, revision)
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    engine = _engine(path)
    try:
        with (
            _one_line(path),
            engine.execution_options(arena_begin="BEGIN IMMEDIATE").begin() as connection,
        ):
            config.attributes["connection"] = connection
            command.upgrade(config, HEAD)
    finally:
        engine.dispose()
    return backup


def _path_of(url: str) -> Path:
    kinds = "the only kind of database so far is sqlite:///FILE"
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


def _revision(path: Path) -> str | None:
    """The schema's revision, at most ``HEAD``; ``None`` for a file that is not there or empty."""
    try:
        if not path.exists():
            return None
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
        if magic not in (b"", _MAGIC):
            raise BadStore(f"{path} is not a SQLite database; name another file")
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file:
            tables = {name for (name,) in file.execute("SELECT name FROM sqlite_master")}
            found = (
                "alembic_version" in tables
                and file.execute("SELECT version_num FROM alembic_version").fetchone()
            )
    except (OSError, sqlite3.Error) as error:
        raise BadStore(f"cannot read {path}: {error}") from None
    if not tables:
        return None
    if not found or "tournament" not in tables:
        raise BadStore(f"{path} holds something else than results; name another file")
    revision = str(found[0])
    if revision > HEAD:
        raise BadStore(
            f"{path} was written by a newer version of this program (schema {revision}, "
            f"this one knows {HEAD}); update the program, or name another file"
        )
    return revision


def _create(path: Path) -> None:
    """Makes the present schema and stamps it, without loading the migrations."""
    engine = _engine(path)
    try:
        with _one_line(path):
            with closing(_connect(path)) as file:
                file.execute("PRAGMA journal_mode = WAL")
            with engine.execution_options(arena_begin="BEGIN IMMEDIATE").begin() as connection:
                # Another process may have come first; then there is nothing left to do.
                METADATA.create_all(connection)
                connection.execute(text(_VERSION_TABLE))
                connection.execute(
                    text("INSERT OR IGNORE INTO alembic_version VALUES (:head)"), {"head": HEAD}
                )
    finally:
        engine.dispose()


_VERSION_TABLE = """CREATE TABLE IF NOT EXISTS alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
)"""


def _back_up(path: Path, revision: str) -> Path:
    """Copies the file through SQLite, so that a write-ahead log is part of the copy."""
    number = 1
    while (backup := path.with_name(f"{path.name}.{revision}.{number}.backup")).exists():
        number += 1
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(backup)) as copy:
            source.backup(copy)
    except sqlite3.Error as error:
        raise BadStore(f"cannot copy {path} to {backup}: {error}") from None
    return backup


def _engine(path: Path) -> Engine:
    # The pool is named: without a file in the address SQLAlchemy would take the one that shares
    # an in-memory database among threads, and closes a connection that another thread is using.
    engine = create_engine("sqlite://", creator=lambda: _connect(path), poolclass=QueuePool)
    event.listen(engine, "begin", _begin)
    return engine


def _connect(path: Path) -> sqlite3.Connection:
    # isolation_level None: the driver begins no transaction by itself; ``_begin`` does.
    return sqlite3.connect(
        path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )


def _begin(connection: Connection) -> None:
    # A writer takes the lock at once: one that reads first and writes later could find that
    # another process wrote in between, and fail.
    connection.exec_driver_sql(connection.get_execution_options().get("arena_begin", "BEGIN"))


def _set_pragmas(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    # In WAL mode NORMAL already survives kill -9; FULL also keeps a committed match through a
    # power cut, for one disk synchronisation a batch.
    connection.execute("PRAGMA synchronous = FULL")


@contextmanager
def _one_line(path: Path) -> Iterator[None]:
    """Turns what the database cannot do (full disk, lock, damage) into one line."""
    try:
        yield
    except AlteredResults as error:
        raise AlteredResults(f"{error} (in {path})") from None
    except IntegrityError:
        raise
    except DatabaseError as error:
        raise BadStore(f"the database {path} failed: {error.orig}") from error
