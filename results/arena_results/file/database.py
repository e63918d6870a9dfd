"""Opens, creates and upgrades results databases, wherever they are.

A place is checked before anything may change it, so that a database that is not ours, or is of
another version, stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Self

import msgspec
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DatabaseError, IntegrityError

from arena.core.errors import AlteredResults, BadInput, BadStore, StoreLocked
from arena.core.text.printable import printable_line
from arena_results.dialects import Dialect, dialect_named
from arena_results.file.addresses import DEFAULT_URL, db_option, is_server, without_password
from arena_results.file.local_file import local_file
from arena_results.file.place import Place
from arena_results.schema.tables import METADATA

FIRST = "0019"
"""Revision of the first migration: no program with an older schema was released."""

HEAD = "0022"
"""Revision of the newest migration, and so of the tables; revisions are ascending ordinals."""

SCRIPTS = Path(__file__).parents[1] / "migrations"
"""Folder of the migrations."""


class Database:
    """An open database of the present schema, to be closed or used in a ``with`` statement.

    Args:
        place: Where it is.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self._closed = False
        self._engine = _engine(place)

    @property
    def label(self) -> str:
        """Its name in messages."""
        return self.place.label

    @property
    def name(self) -> str:
        """Its name without the folder or the server."""
        return self.place.beside("").name

    @property
    def url(self) -> str:
        """The address by which ``open_database`` finds it; ``BadStore`` when it is closed."""
        self._check_there()
        return self.place.address

    @property
    def option(self) -> str:
        """The option by which a suggested command finds it; none for the default."""
        return db_option(self.place.address)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Opens one consistent view of the committed rows; everything that is done in it is to read
        them.

        Raises:
            BadStore: It cannot be read, or is gone, or its rows cannot be made sense of.
            AlteredResults: The caller found it; the database's name is added.
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
            BadStore: The database is damaged.
        """
        with _decoding(self.place):
            yield

    @contextmanager
    def writing(self, tournament: int | None = None) -> Iterator[Connection]:
        """Opens one transaction: committed as a whole when the block ends, or not at all.

        Args:
            tournament: The only one with rows that are written or read: others may be written at
                the same time, where the database can do that. ``dialects.NEW`` is one that is made.

        Raises:
            BadStore: It cannot be written, or is gone: deleted or replaced by another, so
                that nobody would find the rows that were committed.
            AlteredResults: As ``reading``.
        """
        self.check_writable()
        writer = self._engine.execution_options(arena_writes=tournament or 0)
        with self._one_line(), writer.begin() as connection, self.decoding():
            yield connection
            self.place.dialect.announce(connection)
        self.place.committed()
        self._check_there()

    def check_writable(self) -> None:
        """Raises ``BadStore`` if it can only be read."""
        self.place.check_writable()

    @contextmanager
    def _one_line(self) -> Iterator[None]:
        self._check_there()
        try:
            with _one_line(self.place):
                yield
        except BadStore:
            self._check_there()  # then that is why
            raise

    def _check_there(self) -> None:
        if self._closed:
            raise BadStore(f"the database {self.label} is closed; open it again")
        self.place.check_there()

    def failed(self, error: DatabaseError) -> BadStore:
        """Returns the one-line error for a row that conflicts with the stored ones."""
        return BadStore(self.place.complaint(error.orig))

    def close(self) -> None:
        """Closes it; committed rows stay, and nothing is read or written any more."""
        self._closed = True
        self._engine.dispose()
        self.place.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Upgraded(msgspec.Struct, frozen=True):
    """The result of an upgrade: the copy of the database as it was, if there is one."""

    copy: Path | None


def place_at(url: str) -> Place:
    """Returns the place that an address names.

    Raises:
        BadStore: Not such an address; a missing folder; a directory; no driver for a server.
    """
    url = without_password(url)
    if not is_server(url):
        return local_file(url)
    from arena_results.file.server import Server

    return Server(url)


def open_database(url: str = DEFAULT_URL, *, create: bool = True) -> Database:
    """Opens a results database.

    Args:
        url: ``sqlite:///FILE``, or ``postgresql://USER@HOST/NAME``; a relative FILE counts from the
            current folder.
        create: Whether the tables of a database without any are made, and a missing file.

    Raises:
        BadStore: As ``place_at``; something that is not a results database; a server that cannot be
            reached; a schema of another version. Nothing was changed.
    """
    place = place_at(url)
    revision = _revision(place)
    if revision is None:
        if not create:
            raise BadStore(f"{place.missing()}; a tournament run makes one")
        create_schema(place)
    elif revision < HEAD:
        raise BadStore(
            f"{place.label} has an older schema ({revision}, this program needs {HEAD}); "
            f"run: arena db upgrade{db_option(place.address)}"
        )
    return Database(place)


def existing_database(url: str = DEFAULT_URL) -> Database | None:
    """Opens a results database if there is one; raises ``BadStore`` as ``open_database``.

    Returns:
        ``None`` when it is missing or empty: the next that writes fills it.
    """
    if _revision(place_at(url)) is None:
        return None
    return open_database(url, create=False)


def upgrade_database(url: str = DEFAULT_URL) -> Upgraded | None:
    """Brings an older database to the present schema, after copying it whole if it is a file.

    Returns:
        ``None`` when there was nothing to do.

    Raises:
        BadStore: As ``open_database``, or it is missing. Nothing was changed.
    """
    from alembic import command
    from alembic.config import Config

    place = place_at(url)
    revision = _revision(place)
    if revision is None:
        raise BadStore(f"{place.missing()}; there is nothing to upgrade")
    if revision == HEAD:
        return None
    copied = place.copy(revision)
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    try:
        with _schema_change(place, keys_checked=False) as connection, _decoding(place):
            config.attributes["connection"] = connection
            command.upgrade(config, HEAD)
    except IntegrityError as error:
        raise BadStore(place.complaint(error.orig)) from error
    place.tidy()
    return Upgraded(copied)


def create_schema(place: Place) -> None:
    """Creates the present schema and stamps it, without loading the migrations."""
    with _one_line(place):
        place.prepare()
    with _schema_change(place) as connection:
        # Another process may have come first; then there is nothing left to do.
        if not place.dialect.has_tables(connection):
            for statement in _schema(place.dialect.name):
                connection.exec_driver_sql(statement)


@contextmanager
def _schema_change(place: Place, *, keys_checked: bool = True) -> Iterator[Connection]:
    engine = _engine(place, keys_checked=keys_checked)
    try:
        with _one_line(place), engine.execution_options(arena_writes=0).begin() as connection:
            yield connection
    finally:
        engine.dispose()


@cache
def _schema(dialect: str) -> list[str]:
    """Returns the statements that create the present schema and stamp it.

    Making them of the tables takes longer than SQLite takes to run them.
    """
    stamp = f"INSERT INTO alembic_version VALUES ('{HEAD}')"
    return [*dialect_named(dialect).schema(METADATA), _VERSION_TABLE, stamp]


_VERSION_TABLE = """CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
)"""


def _engine(place: Place, *, keys_checked: bool = True) -> Engine:
    engine = place.engine(keys_checked=keys_checked)
    event.listen(engine, "begin", partial(_begin, place.dialect))
    return engine


def _begin(dialect: Dialect, connection: Connection) -> None:
    dialect.begin(connection, connection.get_execution_options().get("arena_writes"))


def _revision(place: Place) -> str | None:
    """Returns the schema's revision: between the first and the newest that this program knows.

    ``None`` where there is no database, or an empty one.

    Raises:
        BadStore: It cannot be read, is not a results database, or of an unknown revision.
    """
    revision = place.revision()
    if revision is None:
        return None
    if not (revision.isascii() and revision.isdecimal() and len(revision) == len(HEAD)):
        raise BadStore(
            f"{place.label} has a schema of no version ({printable_line(revision, 40)}); "
            "it is damaged"
        )
    if revision < FIRST:
        raise BadStore(
            f"{place.label} was written before the first release of this program (schema "
            f"{revision}, the first is {FIRST}), and cannot be read; name another"
        )
    if revision > HEAD:
        raise BadStore(
            f"{place.label} was written by a newer version of this program (schema {revision}, "
            f"this one knows {HEAD}); update the program, or name another"
        )
    return revision


@contextmanager
def _one_line(place: Place) -> Iterator[None]:
    """Turns errors of the database (full disk, lock, damage, lost server) into one line."""
    try:
        yield
    except AlteredResults as error:
        raise AlteredResults(f"{error} (in {place.label})") from None
    except IntegrityError:
        raise
    except DatabaseError as error:
        kind = StoreLocked if place.is_locked(error.orig) else BadStore
        raise kind(place.complaint(error.orig)) from error
    except place.errors as error:  # of a statement that went around SQLAlchemy
        raise BadStore(place.complaint(error)) from error
    except MemoryError:  # damaged sizes may ask for any amount
        raise BadStore(f"the database {place.label} failed: out of memory") from None
    except UnicodeEncodeError as error:  # a value to look for or to write, none of the database's
        shown = printable_line(repr(error.object))
        raise BadInput(f"{shown} has a character that no database can hold") from error


@contextmanager
def _decoding(place: Place) -> Iterator[None]:
    """Turns the errors of values, or types of values, that we could not have written into one."""
    try:
        yield
    except UnicodeEncodeError:  # of a value to look for: no damage
        raise
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
        message = f"the database {place.label} is damaged: {printable_line(str(error))}"
        raise BadStore(message) from error
