"""Stores and reads an organiser's decisions; the callers count them and open the transactions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, insert

from arena.core.described import described
from arena.core.errors import AlteredResults
from arena.core.tournaments.rulings import NAMES_SEVERAL, Ruling
from arena_results.schema import tables
from arena_results.schema.checksums import RULING, stamp


def insert_ruling(connection: Connection, tournament: int, number: int, ruling: Ruling) -> None:
    """Inserts an organiser's decision; they are numbered from 1.

    A second line of the column ``reason`` is the name of its organiser.
    """
    row = msgspec.structs.asdict(ruling) | {"kind": ruling.kind.value}
    entries, by = row.pop("entries"), row.pop("by")
    if ruling.kind in NAMES_SEVERAL:
        row["reason"] = msgspec.json.encode(_Several(entries, ruling.reason)).decode()
    if by:
        row["reason"] += f"\n{by}"
    row |= {"tournament_id": tournament, "number": number, "made_at": datetime.now(UTC)}
    connection.execute(insert(tables.Ruling).values(row))
    stamp(connection, "ruling", tournament_id=tournament, number=number)


def rulings_of(connection: Connection, tournament: int) -> tuple[Ruling, ...]:
    """Returns the decisions on a tournament, in their order, after checking their rows."""
    rows = RULING.rows(connection, tournament, "ruling {number}: its row")
    return tuple(_ruling(row) for row in rows)


class _Several(msgspec.Struct, array_like=True):
    """The first line of the column ``reason`` of decisions that name several entries."""

    entries: tuple[tuple[int, ...], ...]
    reason: str


def _ruling(row: dict[str, Any]) -> Ruling:
    reason, _, by = row["reason"].partition("\n")  # a line each: reasons and names have one
    row, several = {**row, "reason": reason, "by": by}, dict[str, object]()
    if row["kind"] in NAMES_SEVERAL:
        try:
            found = msgspec.json.decode(reason, type=described(_Several))
        except msgspec.MsgspecError as error:
            where = f"tournament {row['tournament_id']}, ruling {row['number']}"
            raise AlteredResults(f"{where}: its entries cannot be read: {error}") from None
        several = msgspec.structs.asdict(found)
    return msgspec.convert({**row, **several}, described(Ruling), strict=False)
