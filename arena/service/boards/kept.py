"""Gives leaderboards to whoever draws them: the present ones of a database, and earlier ones."""

from __future__ import annotations

from collections.abc import Sequence

from arena_results.boards.board_history import Event, Played, boards_at, played
from arena_results.boards.board_rows import Board
from arena_results.boards.leaderboard import Asked, with_history
from arena_results.file.database import Database

from arena.plugins.registry import Registry
from arena.service.boards.rows import by_amounts, rated_leaderboards


class Boards:
    """Computes leaderboards whenever they are asked for; the web site keeps them for a while.

    Args:
        registry: The games by whose amounts tournaments with ``scoring = "amount"`` are rated.

    Attributes:
        database: The database.
    """

    def __init__(self, registry: Registry, database: Database) -> None:
        self._registry, self.database = registry, database

    def now(
        self, asked: Asked, *, all_versions: bool = False, amounts: bool = True
    ) -> tuple[Board, ...]:
        """Returns the present ones: see ``leaderboards``.

        Args:
            amounts: Whether tournaments that are scored by amount have boards of their own.
        """
        found = self.rated(asked, amounts=amounts)
        return with_history(
            self.database, found, every_version=all_versions, tournament=asked.tournament
        )

    def rated(self, asked: Asked, *, amounts: bool) -> tuple[Board, ...]:
        """Returns the present ones with every version: see ``rated_leaderboards``."""
        registry = self._registry if amounts else None
        return rated_leaderboards(self.database, asked, registry=registry)

    def played(self, asked: Asked) -> tuple[Played, ...]:
        """Returns the tournaments of one leaderboard that are rated by finishing orders."""
        return played(self.database, by_amounts(asked, self._registry))

    def at(self, asked: Asked, events: Sequence[Event]) -> list[Board]:
        """Returns one leaderboard at each of some events."""
        return boards_at(self.database, by_amounts(asked, self._registry), events)
