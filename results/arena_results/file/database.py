"""Opens, creates and upgrades results database files.

A file is checked before anything may change it (``files``), so that a file that is not
ours, or is of another version, stays as it is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Self

import msgspec
from sqlalchemy import (
    Connection,
    Dialect,
    Engine,
    create_engine,
    create_mock_engine,
    event,
    make_url,
)
from sqlalchemy.exc import DatabaseError, IntegrityError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool
from sqlalchemy.util import LRUCache

from arena.core.errors import AlteredResults, BadInput, BadStore
from arena.core.text.printable import printable_line
from arena_results.file.addresses import DEFAULT_URL, db_option
from arena_results.file.files import (
    BUSY_SECONDS,
    WRITING,
    Access,
    access_to,
    connect,
    path_of,
    revision_of,
)
from arena_results.file.holders import holders
from arena_results.schema.tables import METADATA

FIRST = "0019"
"""Revision of the first migration: no program with an older schema was released."""

HEAD = "0019"
"""Revision of the newest migration, and so of the tables; revisions are ascending ordinals."""

SYNCHRONOUS = "FULL"
"""SQLite's mode of waiting for the disk.

In WAL mode ``OFF`` already survives ``kill -9``; ``FULL`` also keeps a committed match through a
power cut, for one disk synchronisation a batch.
"""
SCRIPTS = Path(__file__).parents[1] / "migrations"
"""Folder of the migrations."""


class Database:
    """An open database of the present schema, to be closed or used in a ``with`` statement.

    Args:
        path: Its file.
        origin: The file that errors of reading and writing name, if its content comes from another.
    """

    def __init__(self, path: Path, origin: Path | None = None) -> None:
        self.path = path
        self._origin = origin or path
        self._access = access_to(path)
        self._file = _identity(path)
        self._closed = False
        self._engine = _engine(path, self._access)
        event.listen(self._engine, "connect", _set_pragmas)
        self._writer = self._engine.execution_options(arena_begin="BEGIN IMMEDIATE")

    @property
    def url(self) -> str:
        """The address by which ``open_database`` finds it; ``BadStore`` when it is closed."""
        self._check_there()
        return f"sqlite:///{self.path}"

    @property
    def option(self) -> str:
        """The option by which a suggested command finds it; none for the default."""
        return db_option(f"sqlite:///{self._origin}")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Opens one consistent view of the committed rows; everything that is done in it is to read
        them.

        Raises:
            BadStore: The file cannot be read, or is gone, or its rows cannot be made sense of.
            AlteredResults: The caller found it; the file's name is added.
        """
        with self.view() as connection, self.decoding():
            yield connection

    @contextmanager
    def view(self) -> Iterator[Connection]:
        """Opens the view of ``reading`` for a caller's block, whose own errors stay what they are.

        What reads rows in it is in ``decoding``.
        """
        with self._one_line(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def decoding(self) -> Iterator[None]:
        """Turns the errors of values that no writing function of ours could have written into one.

        Raises:
            BadStore: The file is damaged.
        """
        with _decoding(self._origin):
            yield

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Opens one transaction: committed as a whole when the block ends, or not at all.

        Raises:
            BadStore: The file cannot be written, or is gone: deleted or replaced by another, so
                that nobody would find the rows that were committed.
            AlteredResults: As ``reading``.
        """
        self.check_writable()
        with self._one_line(), self._writer.begin() as connection, self.decoding():
            yield connection
        self._check_there()

    def check_writable(self) -> None:
        """Raises ``BadStore`` if the file can only be read."""
        if not self._access.writable:
            raise BadStore(
                f"the database {self.path} can only be read: the file or its folder is "
                "write-protected; copy it to a folder of yours, or name another"
            )

    @contextmanager
    def _one_line(self) -> Iterator[None]:
        self._check_there()
        try:
            with _one_line(self._origin):
                yield
        except BadStore:
            self._check_there()  # then that is why
            raise

    def _check_there(self) -> None:
        if self._closed:
            raise BadStore(f"the database {self.path} is closed; open it again")
        if _identity(self.path) != self._file:
            raise BadStore(
                f"the database {self.path} was deleted or replaced while it was in use; "
                "what was stored in it since then is lost"
            )

    def failed(self, error: DatabaseError) -> BadStore:
        """Returns the one-line error for a row that conflicts with the stored ones."""
        return BadStore(_complaint(self.path, error.orig))

    def close(self) -> None:
        """Closes the file; committed rows stay, and nothing is read or written any more."""
        self._closed = True
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
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
    path = path_of(url)
    revision = revision_of(path, FIRST, HEAD)
    if revision is None:
        if not create:
            raise BadStore(f"there is no results database at {path}; a tournament run makes one")
        _create(path)
    elif revision < HEAD:
        raise BadStore(
            f"{path} has an older schema ({revision}, this program needs {HEAD}); "
            f"run: arena db upgrade{db_option(url)}"
        )
    return Database(path)


def existing_database(url: str = DEFAULT_URL) -> Database | None:
    """Opens a results database if there is one; raises ``BadStore`` as ``open_database``.

    Returns:
        ``None`` when there is no such file, or an empty one: the next that writes fills it.
    """
    if revision_of(path_of(url), FIRST, HEAD) is None:
        return None
    return open_database(url, create=False)


def upgrade_database(url: str = DEFAULT_URL) -> Path | None:
    """Brings an older database to the present schema, after copying it whole.

    Returns:
        The copy's path, next to the file; ``None`` when there was nothing to do.

    Raises:
        BadStore: As ``open_database``, or there is no such file. Nothing was changed.
    """
    from alembic import command
    from alembic.config import Config

    path = path_of(url)
    revision = revision_of(path, FIRST, HEAD)
    if revision is None:
        raise BadStore(f"there is no results database at {path}; nothing to upgrade")
    if revision == HEAD:
        return None
    if not access_to(path).writable:
        raise BadStore(f"{path} cannot be upgraded: the file or its folder is write-protected")
    backup = _back_up(path, revision)
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    engine = _engine(path, WRITING)
    try:
        with (
            _one_line(path),
            engine.execution_options(arena_begin="BEGIN IMMEDIATE").begin() as connection,
            _decoding(path),
        ):
            config.attributes["connection"] = connection
            command.upgrade(config, HEAD)
    except IntegrityError as error:
        raise BadStore(_complaint(path, error.orig)) from error
    finally:
        engine.dispose()
    # Gives back the room of tables that were packed; where that cannot be, the file stays larger.
    with suppress(sqlite3.Error), closing(connect(path, WRITING)) as file:
        file.execute("VACUUM")
    return backup


def _create(path: Path) -> None:
    """Creates the present schema and stamps it, without loading the migrations."""
    engine = _engine(path, WRITING)
    event.listen(engine, "connect", _set_pragmas)
    try:
        with _one_line(path):
            # Whoever is killed here leaves an empty file, or one without tables: both are new ones.
            _write_ahead(path)
            with engine.execution_options(arena_begin="BEGIN IMMEDIATE").begin() as connection:
                # Another process may have come first; then there is nothing left to do.
                if not connection.exec_driver_sql("SELECT 1 FROM sqlite_master LIMIT 1").first():
                    for statement in _schema():
                        connection.exec_driver_sql(statement)
    finally:
        engine.dispose()


@cache
def _schema() -> list[str]:
    """Returns the statements that create the present schema and stamp it.

    Making them of the tables takes longer than SQLite takes to run them.
    """
    statements: list[str] = []
    engine = create_mock_engine(
        "sqlite://", lambda clause, *_: statements.append(str(clause.compile(dialect=_shared()[0])))
    )
    METADATA.create_all(engine, checkfirst=False)
    return [*statements, _VERSION_TABLE, f"INSERT INTO alembic_version VALUES ('{HEAD}')"]


def _write_ahead(path: Path) -> None:
    """Sets the journal mode WAL, which stays with the file, waiting for others who use it.

    SQLite does not wait here by itself: while another process writes it fails at once, since two
    that both wait to change the mode would wait for ever.
    """
    deadline = monotonic() + BUSY_SECONDS
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as file:
        file.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        while True:
            try:
                file.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                    raise BadStore(_complaint(path, error)) from error
                sleep(0.01)
            else:
                return


_VERSION_TABLE = """CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
)"""


def _back_up(path: Path, revision: str) -> Path:
    number = 1
    while (backup := path.with_name(f"{path.name}.{revision}.{number}.backup")).exists():
        number += 1
    try:
        with closing(connect(path, WRITING)) as source, closing(sqlite3.connect(backup)) as copy:
            source.backup(copy)
    except sqlite3.Error as error:
        backup.unlink(missing_ok=True)
        raise BadStore(f"cannot copy {path} to {backup}: {error}") from None
    return backup


def _engine(path: Path, access: Access) -> Engine:
    dialect, statements = _shared()
    pool = QueuePool(lambda: connect(path, access), dialect=dialect)  # type: ignore[arg-type]
    options = {"compiled_cache": statements}
    engine = Engine(pool, dialect, make_url("sqlite://"), execution_options=options)
    event.listen(engine, "begin", _begin)
    return engine


@cache
def _shared() -> tuple[Dialect, LRUCache[Any, Any]]:
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


def _begin(connection: Connection) -> None:
    # A writer takes the lock at once: one that reads first and writes later could find that
    # another process wrote in between, and fail.
    connection.exec_driver_sql(connection.get_execution_options().get("arena_begin", "BEGIN"))


def _set_pragmas(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")


@contextmanager
def _one_line(path: Path) -> Iterator[None]:
    """Turns errors of the database (full disk, lock, damage) into one line."""
    try:
        yield
    except AlteredResults as error:
        raise AlteredResults(f"{error} (in {path})") from None
    except IntegrityError:
        raise
    except DatabaseError as error:
        raise BadStore(_complaint(path, error.orig)) from error
    except MemoryError:  # damaged sizes may ask for any amount
        raise BadStore(f"the database {path} failed: out of memory") from None
    except UnicodeEncodeError as error:  # a value to look for or to write, none of the file's
        shown = printable_line(repr(error.object))
        raise BadInput(f"{shown} has a character that no database can hold") from error


@contextmanager
def _decoding(path: Path) -> Iterator[None]:
    """Turns the errors of values, or types of values, that we could not have written into one."""
    try:
        yield
    except UnicodeEncodeError:  # of a value to look for: no damage
        raise
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
        raise BadStore(f"the database {path} is damaged: {printable_line(str(error))}") from error


def _complaint(path: Path, error: BaseException | None) -> str:
    """Returns SQLite's message, and for a lock the process that holds it."""
    if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
        who = " and ".join(holders(path)) or "another process"
        return (
            f"the database {path} is locked by {who}; "
            "wait until that has ended, or stop it, and try again"
        )
    return f"the database {path} failed: {printable_line(str(error))}"
