"""Stores and reads the matches that do not count, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select

from arena.core.outcome import Termination
from arena.core.record import MatchKey
from arena_results.schema.checksums import VOID
from arena_results.schema.rows import VoidMatch
from arena_results.schema.tables import METADATA, Void


def insert_void(connection: Connection, tournament: int, matches: Sequence[VoidMatch]) -> None:
    """Inserts matches, each as the next attempt of its key; the caller counts them."""
    for match in matches:
        row = {"tournament_id": tournament, **msgspec.structs.asdict(match.key)}
        same = [METADATA.tables["void"].c[name] == value for name, value in row.items()]
        before = connection.execute(select(func.count()).where(*same)).scalar() or 0
        row |= {"attempt": before + 1, "cause": match.cause.value, "reason": match.reason}
        # Checksums are about a time as SQLite keeps it.
        kept = match.at.replace(tzinfo=None).isoformat(" ", "microseconds")
        sealed = VOID.sealed(row | {"offender": match.offender, "at": kept})
        connection.execute(insert(Void).values(sealed | {"at": match.at}))


def void_matches(connection: Connection, tournament: int) -> tuple[VoidMatch, ...]:
    """Returns the matches of a tournament that do not count, checked, in schedule order."""
    rows = VOID.rows(connection, tournament, "void match {round}.{pairing}.{leg}: its row")
    return tuple(map(_match, rows))


def _match(row: dict[str, Any]) -> VoidMatch:
    return VoidMatch(
        MatchKey(row["round"], row["pairing"], row["leg"]),
        Termination(row["cause"]),
        row["reason"],
        row["offender"],
        row["attempt"],
        datetime.fromisoformat(row["at"]).replace(tzinfo=UTC),
    )
