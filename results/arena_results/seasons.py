"""Keeps which tournament each season of a league is."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, insert, select

from arena_results import tables
from arena_results.database import Database


class Season(msgspec.Struct, frozen=True):
    """A season of a league.

    Attributes:
        tournament_id: Number of the tournament in which it is played.
    """

    league: str
    number: int
    tournament_id: int


def seasons(database: Database, league: str = "") -> tuple[Season, ...]:
    """Returns the seasons of a league, or of all leagues, in ascending order."""
    season = tables.season
    chosen = select(season.c.league, season.c.number, season.c.tournament_id)
    if league:
        chosen = chosen.where(season.c.league == league)
    with database.reading() as connection:
        rows = connection.execute(chosen.order_by(season.c.league, season.c.number))
        return tuple(Season(*row) for row in rows)


def insert_season(connection: Connection, season: Season) -> None:
    """Inserts a season, which must be new, in the transaction that stores its tournament."""
    connection.execute(insert(tables.season), [msgspec.structs.asdict(season)])
