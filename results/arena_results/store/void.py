"""Stores and reads the matches that do not count, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, bindparam, func, insert, select
from sqlmodel import col

from arena.core.outcome import Termination
from arena.core.record import MatchKey
from arena_results.schema.checksums import VOID
from arena_results.schema.rows import VoidMatch
from arena_results.schema.tables import METADATA, Void

_KEY = (Void.round, Void.pairing, Void.leg, Void.attempt)
_VOIDS = (
    select(*VOID.columns)
    .where(col(Void.tournament_id) == bindparam("tournament"))
    .order_by(*map(col, _KEY))
)
_COLUMNS = VOID.picks(
    *("tournament_id", "round", "pairing", "leg"),
    *("attempt", "cause", "reason", "offender", "at"),
)


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
    return tuple(map(_match, connection.execute(_VOIDS, {"tournament": tournament})))


def _match(row: Row[*tuple[Any, ...]]) -> VoidMatch:
    tournament, *numbers, attempt, cause, reason, offender, at = _COLUMNS(row)
    key = MatchKey(*numbers)
    VOID.check(row, lambda: f"tournament {tournament}, void match {key}: its row")
    when = datetime.fromisoformat(at).replace(tzinfo=UTC)
    return VoidMatch(key, Termination(cause), reason, offender, attempt, when)
