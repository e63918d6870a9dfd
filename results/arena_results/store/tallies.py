"""Reads and adds up the stored sums over a pairing's matches, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from sqlalchemy import ColumnElement, Connection

from arena.core.described import described
from arena.core.errors import AlteredResults
from arena_results.dialects import dialect_of
from arena_results.schema.checksums import TALLY
from arena_results.schema.rows import MatchRow, PairingSums, TournamentSummary
from arena_results.schema.tables import METADATA
from arena_results.store.sums import added


def add_sums(
    connection: Connection, tournament: int, matches: Iterable[MatchRow], mirrored: bool
) -> None:
    """Adds matches that are stored in this transaction."""
    boards: dict[tuple[int, int], list[MatchRow]] = {}
    for match in matches:
        boards.setdefault((match.key.round, match.key.pairing), []).append(match)
    these = dialect_of(connection).is_one_of(_BOARD, [*boards])
    before = dict(_tallies(connection, tournament, these))
    rows = []
    for board, played in boards.items():
        sums = added(before.get(board, PairingSums()), played, mirrored)
        key = {"tournament_id": tournament, "round": board[0], "pairing": board[1]}
        rows.append({**key, "sums": msgspec.msgpack.encode(sums)})
    TALLY.put(connection, rows)


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


_BOARD = [METADATA.tables["tally"].c[name] for name in ("round", "pairing")]
_decode_sums = msgspec.msgpack.Decoder(described(PairingSums)).decode
