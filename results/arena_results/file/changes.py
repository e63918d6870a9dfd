"""Notices that another process or connection has changed a results database."""

from __future__ import annotations

import sqlite3
from threading import Lock
from typing import Self

from arena.core.errors import BadStore
from arena.core.text.printable import printable_line
from arena_results.file.database import Database
from arena_results.file.files import access_to, connect


class Changes:
    """A connection that only asks for the version of the content, which takes microseconds.

    Any thread may ask.

    Args:
        database: The database; it stays open for as long as this is used.
    """

    def __init__(self, database: Database) -> None:
        self._path = database.path
        self._file = connect(database.path, access_to(database.path))
        self._own = Lock()

    def version(self) -> int:
        """Returns a number that is another one after every commit of anybody.

        Raises:
            BadStore: The file cannot be read.
        """
        try:
            with self._own:
                number: int = self._file.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.Error as error:
            message = f"the database {self._path} failed: {printable_line(str(error))}"
            raise BadStore(message) from None
        return number

    def close(self) -> None:
        """Closes the connection; later calls raise ``BadStore``."""
        with self._own:  # SQLite's memory is not freed below a statement of another thread
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
