"""Reads and adds up the stored sums over a pairing's matches, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from sqlalchemy import ColumnElement, Connection
from sqlmodel import col

from arena.core.described import described
from arena.core.errors import AlteredResults
from arena_results.schema.checksums import TALLY
from arena_results.schema.rows import MatchRow, PairingSums, TournamentSummary
from arena_results.schema.tables import Tally
from arena_results.store.sums import added


def add_sums(
    connection: Connection, tournament: int, matches: Iterable[MatchRow], mirrored: bool
) -> None:
    """Adds matches that are stored in this transaction."""
    boards: dict[tuple[int, int], list[MatchRow]] = {}
    for match in matches:
        boards.setdefault((match.key.round, match.key.pairing), []).append(match)
    for (round, pairing), played in boards.items():
        this = col(Tally.round) == round, col(Tally.pairing) == pairing
        before = dict(_tallies(connection, tournament, *this)).get((round, pairing), PairingSums())
        key = {"tournament_id": tournament, "round": round, "pairing": pairing}
        packed = msgspec.msgpack.encode(added(before, played, mirrored))
        TALLY.put(connection, {**key, "sums": packed})


def read_sums(
    connection: Connection, summary: TournamentSummary
) -> dict[tuple[int, int], PairingSums]:
    """Returns the sums of a tournament by round and pairing, checked."""
    found = dict(_tallies(connection, summary.id))
    counted = sum(sums.matches for sums in found.values())
    if counted != summary.matches:
        raise AlteredResults(
            f"tournament {summary.id}: its sums are of {counted} matches, but {summary.matches} "
            "were written"
        )
    return found


def _tallies(
    connection: Connection, tournament: int, *only: ColumnElement[bool]
) -> Iterator[tuple[tuple[int, int], PairingSums]]:
    for row in TALLY.rows(connection, tournament, "pairing {round}.{pairing}: its tally", *only):
        yield (row["round"], row["pairing"]), _decode_sums(row["sums"])


_decode_sums = msgspec.msgpack.Decoder(described(PairingSums)).decode
