"""Notices commits to a database of a PostgreSQL server, each of which is announced."""

from __future__ import annotations

import os
from collections.abc import Callable
from select import select
from threading import Event, Thread

import psycopg

from arena.core.errors import BadStore
from arena_results.dialects.postgres import CHANNEL
from arena_results.file.server_sessions import connect

RETRY_SECONDS = 1.0
"""Seconds between two attempts to reach a server that was lost."""
CLOSE_SECONDS = 1.0
"""Seconds after which a thread is left to itself that still tries to reach a server."""


class ServerWatch:
    """Listens in a thread, so that asking for the version waits for nobody.

    A server that was lost is looked for until it is there again; then the version is another one,
    since commits may have been missed.

    Args:
        url: The address of the database.
        committed: Returns the number of commits of this process, which count at once.

    Raises:
        BadStore: The server cannot be reached.
    """

    def __init__(self, url: str, committed: Callable[[], int]) -> None:
        self._url, self._committed = url, committed
        self._heard = 0
        self._problem = ""
        self._ends, self._end = os.pipe2(os.O_CLOEXEC)
        self._ended = Event()
        session = self._listening()
        self._thread = Thread(target=self._work, args=(session,), daemon=True)
        self._thread.start()

    def version(self) -> int:
        if self._ended.is_set():
            raise BadStore(f"the watch of the database {self._url} is closed")
        if self._problem:
            raise BadStore(self._problem)
        return self._heard + self._committed()

    def close(self) -> None:
        if not self._ended.is_set():
            self._ended.set()
            os.close(self._end)  # wakes the thread
            self._thread.join(CLOSE_SECONDS)

    def _listening(self) -> psycopg.Connection[tuple[object, ...]]:
        session = connect(self._url)
        session.execute(f"LISTEN {CHANNEL}")
        return session

    def _work(self, session: psycopg.Connection[tuple[object, ...]]) -> None:
        try:
            self._listen(session)
        finally:
            os.close(self._ends)

    def _listen(self, session: psycopg.Connection[tuple[object, ...]] | None) -> None:
        while session is not None:
            try:
                with session:
                    self._hear(session)
            except psycopg.Error:
                self._problem = f"the connection to the database {self._url} was lost"
            session = self._again()  # none at the end

    def _again(self) -> psycopg.Connection[tuple[object, ...]] | None:
        """Returns a new session when the server is there again; ``None`` at the end."""
        while not self._ended.is_set():
            try:
                session = self._listening()
            except (BadStore, psycopg.Error) as error:
                self._problem = str(error)
                self._ended.wait(RETRY_SECONDS)
            else:
                self._heard += 1
                self._problem = ""
                return session
        return None

    def _hear(self, session: psycopg.Connection[tuple[object, ...]]) -> None:
        """Counts what is heard until the end; raises ``psycopg.Error`` if the server is lost."""
        while True:
            readable, _, _ = select([session.fileno(), self._ends], [], [])
            if self._ended.is_set() or self._ends in readable:
                return
            session.pgconn.consume_input()
            while session.pgconn.notifies() is not None:
                self._heard += 1
