"""Replaces stored matches of a tournament by others of the same keys, in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import astuple
from sqlalchemy import Connection, delete, update
from sqlmodel import col

from arena.core.record import MatchKey, PlayedMatch
from arena_results.file.database import Database
from arena_results.schema import tables
from arena_results.schema.checksums import MATCH, stamp
from arena_results.schema.packing import match_row
from arena_results.schema.rows import Status, VoidMatch
from arena_results.schema.statements import KEY, matches_of
from arena_results.store.exchanges import set_exchanges_aside
from arena_results.store.queries import packer_in, read_tournament
from arena_results.store.store import checked_row, count, insert_matches
from arena_results.store.tallies import add_sums
from arena_results.store.void import insert_void


def replace_matches(
    database: Database,
    tournament: int,
    left_out: Collection[MatchKey],
    void: Sequence[VoidMatch],
    instead: Sequence[PlayedMatch],
    rounds: int,
) -> None:
    """Replaces matches, and deletes what followed from them; the tournament is interrupted then.

    The chain ends before the first round of such a match; the next run makes the rest of it again.

    Args:
        left_out: Matches to delete.
        void: Matches of rounds that stay, which do not count.
        instead: Matches to insert; their keys are in ``left_out``.
        rounds: Number of rounds that stay; later ones are deleted with their pairings.
    """
    boards = sorted({(key.round, key.pairing) for key in left_out if key.round <= rounds})
    with database.writing() as connection:
        read_tournament(connection, tournament)  # checks what is stamped again
        set_exchanges_aside(connection, tournament, left_out, rounds)
        connection.execute(delete(tables.Board))  # it may count them
        for table, counted in _COUNTED.items():
            gone = _delete_after(connection, table, tournament, rounds)
            if table in ("log", "place", "match"):
                gone += sum(_delete(connection, table, tournament, *astuple(k)) for k in left_out)
            if table in ("tally", "luck"):
                gone += sum(_delete(connection, table, tournament, *board) for board in boards)
            if counted:
                count(connection, tournament, counted, -gone)
        _add_up(connection, tournament, boards)
        insert_void(connection, tournament, void)
        count(connection, tournament, "void_count", len(void))
        if instead:
            insert_matches(connection, tournament, packer_in(connection, tournament), instead)
        _interrupt(connection, tournament, min(key.round for key in left_out))


def forget_place(database: Database, tournament: int, place: str) -> None:
    """Forgets that a place played its matches, when all of them were played again here."""
    table = tables.Place
    with database.writing() as connection:
        chosen = col(table.tournament_id) == tournament, col(table.name) == place
        connection.execute(delete(table).where(*chosen))


_COUNTED = {
    "log": "log_count",
    "place": "",
    "match": "match_count",
    "void": "void_count",
    "tally": "",
    "luck": "",
    "round": "round_count",
}
"""Tables that have rows of a round, in the order to delete them, and where they are counted."""


def _delete_after(connection: Connection, table: str, tournament: int, rounds: int) -> int:
    """Deletes the rows of later rounds; returns their number."""
    found = tables.METADATA.tables[table]
    number = found.c["number" if table == "round" else "round"]
    chosen = delete(found).where(found.c.tournament_id == tournament, number > rounds)
    return connection.execute(chosen).rowcount


def _delete(connection: Connection, table: str, tournament: int, *key: int) -> int:
    """Deletes the rows with keys that begin with these numbers; returns how many."""
    found = tables.METADATA.tables[table]
    same = [found.c[name] == part for name, part in zip(KEY, key, strict=False)]
    chosen = delete(found).where(found.c.tournament_id == tournament, *same)
    return connection.execute(chosen).rowcount


def _add_up(connection: Connection, tournament: int, boards: Sequence[tuple[int, int]]) -> None:
    """Adds up what is left of pairings."""
    mirrored = bool(checked_row(connection, tournament)["mirrored"])
    for round, pairing in boards:
        given = {"id": tournament, "round": round, "pairing": pairing}
        left = [*connection.execute(matches_of(2), given)]
        for row in left:
            where = f"tournament {tournament}, pairing {round}.{pairing}: a match"
            MATCH.check(row, where.__str__)
        add_sums(connection, tournament, map(match_row, left), mirrored)


def _interrupt(connection: Connection, tournament: int, first: int) -> None:
    row = tables.Tournament
    values = {"status": Status.INTERRUPTED.value, "finished_at": None}
    connection.execute(update(row).where(col(row.id) == tournament).values(values))
    stamp(connection, "tournament", id=tournament)
    rounds = tables.Round
    later = col(rounds.tournament_id) == tournament, col(rounds.number) >= first
    connection.execute(update(rounds).where(*later).values(chain=None))
    stamp(connection, "round", tournament_id=tournament)
