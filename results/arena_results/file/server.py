"""A database of a PostgreSQL server; only loaded for ``postgresql://`` addresses."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cached_property, partial
from pathlib import Path

from sqlalchemy import Engine, create_engine

from arena.core.errors import BadStore
from arena_results.dialects import dialect_named
from arena_results.dialects.postgres import WRITES
from arena_results.file.place import Watch

try:
    import psycopg
except ImportError:
    raise BadStore(
        "a database postgresql://... needs the package psycopg; "
        "install it by: pip install 'arena-harness[postgres]'"
    ) from None

from arena_results.file.server_locks import ServerLock, Spare, holder_of, writers
from arena_results.file.server_sessions import check_address, complaint, connect, database_name
from arena_results.file.server_watch import ServerWatch

_LOOK = """SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema()),
to_regclass('alembic_version') IS NOT NULL AND to_regclass('tournament') IS NOT NULL,
current_setting('server_encoding')"""
_MAY_WRITE = """SELECT NOT pg_is_in_recovery()
AND has_table_privilege('tournament', 'INSERT, UPDATE')"""


class Server:
    """A database of a server: a ``Place``.

    Args:
        url: Its address, without a password.

    Raises:
        BadStore: The address cannot be read.
    """

    dialect = dialect_named("postgresql")
    errors: type[Exception] = psycopg.Error

    def __init__(self, url: str) -> None:
        check_address(url)
        self.address = self.label = self.home = url
        self.files: tuple[str, ...] = ()
        self._held: list[ServerLock] = []
        self._spare = Spare(url)
        self._commits = 0

    def revision(self) -> str | None:
        try:
            with connect(self.address) as session:
                filled, ours, encoding = session.execute(_LOOK).fetchone() or (False, False, "")
                if encoding != "UTF8":
                    raise BadStore(
                        f"the database {self.label} cannot hold every text: its encoding is "
                        f"{encoding}; make one by: createdb --encoding UTF8 --template template0"
                    )
                if not filled:
                    return None
                if not ours:
                    raise BadStore(
                        f"{self.label} holds something else than results; name another database"
                    )
                row = session.execute("SELECT version_num FROM alembic_version").fetchone()
        except psycopg.Error as error:
            raise BadStore(self.complaint(error)) from None
        return str(row[0]) if row else ""

    def missing(self) -> str:
        return f"there are no results in the database {self.label}"

    def engine(self, *, keys_checked: bool = True) -> Engine:
        return create_engine(
            "postgresql+psycopg://",
            creator=partial(connect, self.address),
            pool_pre_ping=True,  # a server may have been started anew since the last use
            use_native_hstore=False,
        )

    def prepare(self) -> None:
        """Does nothing: the operator of the server makes databases."""

    def copy(self, revision: str) -> Path | None:
        """Does nothing: the operator of the server makes copies (``pg_dump``)."""
        return None

    def tidy(self) -> None:
        """Does nothing: the server does that by itself."""

    def check_writable(self) -> None:
        if not self._writable:
            raise BadStore(
                f"the database {self.label} can only be read: "
                "its server or its user may not write; name another"
            )
        for lock in tuple(self._held):
            lock.check()

    @cached_property
    def _writable(self) -> bool:
        with connect(self.address) as session:
            row = session.execute(_MAY_WRITE).fetchone()
        return bool(row and row[0])

    def check_there(self) -> None:
        """Does nothing: each statement notices it."""

    def beside(self, suffix: str) -> Path:
        return Path.cwd() / f"{database_name(self.address)}{suffix}"

    def committed(self) -> None:
        self._commits += 1

    def is_locked(self, error: BaseException | None) -> bool:
        return isinstance(error, psycopg.errors.LockNotAvailable)

    def complaint(self, error: BaseException | None) -> str:
        who = ""
        if self.is_locked(error):
            who = self._spare.ask(lambda session: writers(session, WRITES))
        return complaint(self.label, error, who)

    def lock(self, name: str, what: str) -> AbstractContextManager[None]:
        return ServerLock(self.address, _number(name), what, self._held)

    def holder(self, name: str) -> str:
        return self._spare.ask(lambda session: holder_of(session, _number(name)))

    def watch(self) -> Watch:
        return ServerWatch(self.address, lambda: self._commits)

    def close(self) -> None:
        self._spare.close()


def _number(name: str) -> int:
    return 0 if name == "league" else int(name)
