"""Advisory locks of a PostgreSQL server: a session has each, and it is freed with its process."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from time import monotonic, sleep
from typing import TypeAlias

import psycopg

from arena.core.errors import BadStore
from arena_results.file.place import busy
from arena_results.file.server_sessions import connect, has_died, shown

RUNS = 0x41726552
"""The class of the locks of tournaments and leagues."""
FREED_SECONDS = 10.0
"""Seconds in which the server notices that the process of a session has died, also a busy one."""
LOOK_SECONDS = 0.02
"""Seconds between two tries to take the lock of a process that has died."""
Session: TypeAlias = psycopg.Connection[tuple[object, ...]]

_HOLDER = """SELECT application_name, backend_start
FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND granted AND classid = %s AND objid = %s AND objsubid = 2
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
_WRITERS = """SELECT DISTINCT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND granted AND classid = %s AND pid <> pg_backend_pid()
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


class ServerLock:
    """Keeps all others from the same lock, for as long as it is entered.

    It waits a while for the lock of a process of this machine that has died.

    Args:
        url: The address of the database.
        number: The number of a tournament; 0 for the league.
        what: What its holder does, as far as ``by``.
        owned: The locks that this process has; this one is among them while it is entered.
    """

    def __init__(self, url: str, number: int, what: str, owned: list[ServerLock]) -> None:
        self._url, self._number, self._what, self._owned = url, number, what, owned

    def __enter__(self) -> None:
        self._session = connect(self._url)  # of its own: it must stay open
        ends = monotonic() + FREED_SECONDS
        while not self._taken():
            name, since = _holder(self._session, self._number)
            if monotonic() < ends and (not name or has_died(name)):
                sleep(LOOK_SECONDS)
                continue
            self._session.close()
            raise BadStore(busy(self._what, shown(name, since)))
        self._owned.append(self)

    def _taken(self) -> bool:
        got = self._session.execute("SELECT pg_try_advisory_lock(%s, %s)", (RUNS, self._number))
        return got.fetchone() == (True,)

    def __exit__(self, *error: object) -> None:
        self._owned.remove(self)
        with suppress(psycopg.Error):  # the server frees it some time after the session is closed
            self._session.execute("SELECT pg_advisory_unlock(%s, %s)", (RUNS, self._number))
        self._session.close()

    def check(self) -> None:
        """Raises ``BadStore`` if the session was lost, and others may have the lock."""
        try:
            self._session.execute("SELECT 1")
        except psycopg.Error:
            raise BadStore(
                f"the connection to the database {self._url} was lost, and with it the lock of "
                f"this process; what was committed is stored, and nothing else"
            ) from None


def holder_of(session: Session, number: int) -> str:
    """Returns the owner of a lock; empty without one, or if it has died."""
    name, since = _holder(session, number)
    return shown(name, since) if name and not has_died(name) else ""


def _holder(session: Session, number: int) -> tuple[str, str]:
    """Returns the name of the session that has a lock, and since when; empty without one."""
    row = session.execute(_HOLDER, (RUNS, number)).fetchone()
    if row is None:
        return "", ""
    name, since = row
    return str(name or "?"), f" since {since:%Y-%m-%d %H:%M:%S} UTC" if since else ""


def writers(session: Session, kind: int) -> str:
    """Returns who holds locks for writing, which have that class; empty if nobody does."""
    found = session.execute(_WRITERS, (kind,)).fetchall()
    return " and ".join(sorted(shown(name) for (name,) in found))


class Spare:
    """A session for questions about locks, opened when it is needed, and again when it was lost."""

    def __init__(self, url: str) -> None:
        self._url, self._own = url, Lock()
        self._session: Session | None = None

    def ask(self, question: Callable[[Session], str]) -> str:
        """Returns the answer; raises ``BadStore`` if the server cannot be reached."""
        with self._own:
            if self._session is not None:
                try:
                    return question(self._session)
                except psycopg.OperationalError:
                    self._session.close()
            self._session = connect(self._url)
            return question(self._session)

    def close(self) -> None:
        """Closes the session."""
        with self._own:
            if self._session is not None:
                self._session.close()
                self._session = None
