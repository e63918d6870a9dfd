"""Stores and reads the places of matches that other machines played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sqlalchemy import Connection
from sqlmodel import col

from arena.core.record import MatchKey, PlayedMatch
from arena_results.file.database import Database
from arena_results.schema.checksums import PLACE
from arena_results.schema.tables import Place


def insert_places(connection: Connection, tournament: int, matches: Sequence[PlayedMatch]) -> None:
    """Inserts the places of matches in the transaction that inserts these."""
    rows = [
        PLACE.sealed_values((key.leg, match.place, key.pairing, key.round, tournament))
        for match in matches
        if match.place
        for key in (match.key,)
    ]
    if rows:
        PLACE.insert(connection, rows)


def places(database: Database, tournament: int) -> dict[str, int]:
    """Returns the number of matches of each place, by its name, checked."""
    with database.reading() as connection:
        found = Counter(row["name"] for row in PLACE.rows(connection, tournament, _WHERE))
    return {name: found[name] for name in sorted(found)}


def played_at(database: Database, tournament: int, place: str) -> list[MatchKey]:
    """Returns the matches that a place played, in schedule order, checked."""
    with database.reading() as connection:
        rows = PLACE.rows(connection, tournament, _WHERE, col(Place.name) == place)
        return [MatchKey(row["round"], row["pairing"], row["leg"]) for row in rows]


def check_places(connection: Connection, tournament: int) -> None:
    """Checks the rows; raises ``AlteredResults`` for one that was altered."""
    for _ in PLACE.rows(connection, tournament, _WHERE):
        pass


_WHERE = "match {round}.{pairing}.{leg}: its place"
