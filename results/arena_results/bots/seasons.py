"""Keeps which tournament each season of a league is, and which one its final."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, insert, select
from sqlmodel import col

from arena_results.file.database import Database
from arena_results.schema import tables


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
    season = tables.Season
    chosen = select(col(season.league), col(season.number), col(season.tournament_id))
    chosen = chosen.where(col(season.number) > 0)
    if league:
        chosen = chosen.where(col(season.league) == league)
    with database.reading() as connection:
        rows = connection.execute(chosen.order_by(col(season.league), col(season.number)))
        return tuple(Season(*row) for row in rows)


def final_of(database: Database, league: str, number: int) -> int | None:
    """Returns the number of the tournament that is the final of a season, once it has begun."""
    season = tables.Season
    chosen = select(col(season.tournament_id)).where(
        col(season.league) == league, col(season.number) == -number
    )
    with database.reading() as connection:
        return connection.execute(chosen).scalar()


def insert_season(connection: Connection, season: Season) -> None:
    """Inserts a season, which must be new, in the transaction that stores its tournament.

    The negative number of a season stands for its final.
    """
    connection.execute(insert(tables.Season), [msgspec.structs.asdict(season)])
