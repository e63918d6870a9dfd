"""Answers that notebooks show: records as tables, matches as players."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.table import Column, Table
from arena.service.answers.rows import Row
from arena.service.match import replays


class Rows(list[Row]):
    """A list of records; notebooks show it as tables.

    Args:
        table: The table that people see.
        rows: The records; by default those that documents have of the table.
    """

    def __init__(self, table: Table, rows: Sequence[Row] | None = None) -> None:
        super().__init__(table.written_rows if rows is None else rows)
        self._tables = [table]

    @classmethod
    def of(cls, rows: Sequence[Row], title: str = "") -> Rows:
        """Returns records of which people see every column, under its key."""
        keys = rows[0] if rows else ()
        numbers = {key for row in rows for key in keys if isinstance(row[key], int | float)}
        columns = tuple([Column(key, key, right=key in numbers) for key in keys])
        return cls(Table(title=title, columns=columns, rows=rows), rows)

    @classmethod
    def joined(cls, tables: Sequence[Table], rows: Sequence[Row]) -> Rows:
        """Returns the records of several tables, which people see one below the other."""
        found = cls(Table(columns=(), rows=()), rows)
        found._tables = [*tables]
        return found

    def _repr_html_(self) -> str:
        from arena.pages.notebook import table_html

        return "".join(map(table_html, self._tables))


class Match(replays.Match, frozen=True, kw_only=True, eq=False):
    """A played match, checked from any point of view; iterate over it for its positions.

    Notebooks show it as a player.

    Attributes:
        number: ``TOURNAMENT.ROUND.PAIRING.MATCH``, such as ``"3.1.2.1"``; empty when it is not
            stored.
        game: The game.
        players: The participant of each seat.
        names: The names of the players by seat, as their tournament shows them.
        played: Its record and its measurement.
    """

    def _repr_html_(self) -> str:
        from arena.pages.notebook import framed
        from arena.pages.replay import single_replay_page

        return framed(single_replay_page(self), f"{self!r}")


def shown(match: replays.Match) -> Match:
    """Returns a match that notebooks show as a player."""
    return Match(**{name: getattr(match, name) for name in match.__struct_fields__})
