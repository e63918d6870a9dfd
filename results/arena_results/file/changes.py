"""Notices that another process or connection has changed a results database."""

from __future__ import annotations

from typing import Self

from arena_results.file.database import Database


class Changes:
    """Numbers the states of a database; any thread may ask.

    Args:
        database: The database; it stays open for as long as this is used.
    """

    def __init__(self, database: Database) -> None:
        self._watch = database.place.watch()

    def version(self) -> int:
        """Returns a number that is another one after every commit of anybody.

        Raises:
            BadStore: The database cannot be read.
        """
        return self._watch.version()

    def close(self) -> None:
        """Ends the watch; later calls raise ``BadStore``."""
        self._watch.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
