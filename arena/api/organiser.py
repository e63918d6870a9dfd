"""The organiser's verbs on one stored tournament."""

from __future__ import annotations

from typing import Literal

from arena_results.database import Database
from arena_results.organising import (
    MOST_WORKERS,
    delete_tournament,
    rename,
    request_pause,
    set_concurrency,
)

from arena.api.calls import text, whole


class Organiser:
    """Changes one tournament, also while another process plays it; ``ResultsDatabase`` makes it.

    Every method raises ``UnknownName`` if there is no such tournament.

    Args:
        database: Where it is stored.
        number: Its number.
    """

    def __init__(self, database: Database, number: int) -> None:
        self._database, self._number = database, number

    def __repr__(self) -> str:
        return f"<Organiser of tournament {self._number}>"

    def pause(self, after: Literal["round", "match"] = "round") -> None:
        """Asks the process that plays it to pause; ``ResultsDatabase.resume`` goes on.

        Args:
            after: What is finished before: the running ``"round"``, or ``"match"`` for the matches
                in progress.

        Raises:
            BadInput: It is not running.
        """
        request_pause(self._database, self._number, text("after", after))

    def set(self, *, concurrency: int) -> None:
        """Changes how many worker processes play it, at once and for the next ``resume``.

        Raises:
            BadInput: It is finished, or the number is out of bounds.
        """
        workers = whole("concurrency", concurrency, 1, MOST_WORKERS)
        set_concurrency(self._database, self._number, workers)

    def rename(self, name: str) -> None:
        """Gives it another name."""
        rename(self._database, self._number, text("name", name))

    def delete(self) -> None:
        """Deletes it and its matches, which ratings then no longer count.

        Raises:
            BadStore: Some process plays it.
        """
        delete_tournament(self._database, self._number)
