"""Reads and adds up the stored sums over a pairing's matches, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, bindparam, insert, select
from sqlmodel import col

from arena.core.described import described
from arena.core.errors import AlteredResults
from arena_results.schema.checksums import TALLY
from arena_results.schema.rows import MatchRow, PairingSums, TournamentSummary
from arena_results.schema.tables import METADATA, Tally
from arena_results.store.sums import added


def add_sums(
    connection: Connection, tournament: int, matches: Iterable[MatchRow], mirrored: bool
) -> None:
    """Adds matches that are stored in this transaction."""
    boards: dict[tuple[int, int], list[MatchRow]] = {}
    for match in matches:
        boards.setdefault((match.key.round, match.key.pairing), []).append(match)
    for (round, pairing), played in boards.items():
        before = _stored(connection, tournament, round, pairing)
        key = {"tournament_id": tournament, "round": round, "pairing": pairing}
        packed = msgspec.msgpack.encode(added(before, played, mirrored))
        connection.execute(_PUT, TALLY.sealed({**key, "sums": packed}))


def read_sums(
    connection: Connection, summary: TournamentSummary
) -> dict[tuple[int, int], PairingSums]:
    """Returns the sums of a tournament by round and pairing, checked."""
    found = dict(map(_tally, connection.execute(_SUMS, {"tournament": summary.id})))
    counted = sum(sums.matches for sums in found.values())
    if counted != summary.matches:
        raise AlteredResults(
            f"tournament {summary.id}: its sums are of {counted} matches, but {summary.matches} "
            "were written"
        )
    return found


def _tally(row: Row[*tuple[Any, ...]]) -> tuple[tuple[int, int], PairingSums]:
    tournament, round, pairing, sums = _OF_TALLY(row)
    TALLY.check(row, lambda: f"tournament {tournament}, pairing {round}.{pairing}: its tally")
    return (round, pairing), _decode_sums(sums)


def _stored(connection: Connection, tournament: int, round: int, pairing: int) -> PairingSums:
    key = {"tournament_id": tournament, "round": round, "pairing": pairing}
    same = [METADATA.tables["tally"].c[name] == value for name, value in key.items()]
    row = connection.execute(select(*TALLY.columns).where(*same)).first()
    return PairingSums() if row is None else _tally(row)[1]


_SUMS = (
    select(*TALLY.columns)
    .where(col(Tally.tournament_id) == bindparam("tournament"))
    .order_by(col(Tally.round), col(Tally.pairing))
)
_PUT = insert(Tally).prefix_with("OR REPLACE", dialect="sqlite")
_OF_TALLY = TALLY.picks("tournament_id", "round", "pairing", "sums")
_decode_sums = msgspec.msgpack.Decoder(described(PairingSums)).decode
