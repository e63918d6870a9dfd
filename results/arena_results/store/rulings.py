"""Stores and reads an organiser's decisions; the callers count them and open the transactions."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

import msgspec
from sqlalchemy import Connection, bindparam, insert, select
from sqlmodel import col

from arena.core.described import described
from arena.core.rulings import Ruling
from arena_results.schema import tables
from arena_results.schema.checksums import RULING, stamp


def insert_ruling(connection: Connection, tournament: int, number: int, ruling: Ruling) -> None:
    """Inserts an organiser's decision; they are numbered from 1."""
    row = msgspec.structs.asdict(ruling) | {"kind": ruling.kind.value}
    row |= {"tournament_id": tournament, "number": number, "made_at": datetime.now(UTC)}
    connection.execute(insert(tables.Ruling).values(row))
    stamp(connection, "ruling", tournament_id=tournament, number=number)


_RULINGS = (
    select(*RULING.columns)
    .where(col(tables.Ruling.tournament_id) == bindparam("tournament"))
    .order_by(col(tables.Ruling.number))
)


def rulings_of(connection: Connection, tournament: int) -> tuple[Ruling, ...]:
    """Returns the decisions on a tournament, in their order, after checking their rows."""
    found: list[Ruling] = []
    for row in connection.execute(_RULINGS, {"tournament": tournament}):
        values = dict(zip(RULING.names, row, strict=False))
        where = f"tournament {tournament}, ruling {values['number']}: its row"
        RULING.check(row, partial(str, where))
        found.append(msgspec.convert(values, described(Ruling), strict=False))
    return tuple(found)
