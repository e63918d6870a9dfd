"""Stores and reads an organiser's decisions; the callers count them and open the transactions."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from sqlalchemy import Connection, insert

from arena.core.described import described
from arena.core.tournaments.rulings import Ruling
from arena_results.schema import tables
from arena_results.schema.checksums import RULING, stamp


def insert_ruling(connection: Connection, tournament: int, number: int, ruling: Ruling) -> None:
    """Inserts an organiser's decision; they are numbered from 1."""
    row = msgspec.structs.asdict(ruling) | {"kind": ruling.kind.value}
    row |= {"tournament_id": tournament, "number": number, "made_at": datetime.now(UTC)}
    connection.execute(insert(tables.Ruling).values(row))
    stamp(connection, "ruling", tournament_id=tournament, number=number)


def rulings_of(connection: Connection, tournament: int) -> tuple[Ruling, ...]:
    """Returns the decisions on a tournament, in their order, after checking their rows."""
    rows = RULING.rows(connection, tournament, "ruling {number}: its row")
    return tuple(msgspec.convert(row, described(Ruling), strict=False) for row in rows)
