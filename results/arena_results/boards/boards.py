"""Keeps large leaderboards that take long to compute, because all matches have to be read.

They are a function of the stored matches. What is stored carries a digest over itself and over what
it was computed from: the matches of each tournament, by their number and the heads of its chain. As
soon as one of these is another, or the rows were edited, they are computed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import msgspec
from sqlalchemy import select
from sqlmodel import col

from arena.core.tournaments.rating import RatingSystem
from arena_results.dialects import dialect_of
from arena_results.file.database import Database
from arena_results.schema.rows import StoredTournament
from arena_results.schema.tables import METADATA, Board

LARGE = 20_000
"""Matches of a board from which on its rows are stored: computing them takes a second or more."""


def basis(board: Sequence[StoredTournament], system: RatingSystem) -> bytes:
    """Returns what the rows of a board are a function of, as bytes."""
    terms: list[object] = [system.name, system.version, system.summary, system.note]
    for stored in board:
        summary, keys = stored.summary, [entry.participant.key for entry in stored.field]
        about = (summary.id, summary.matches, summary.mirrored, summary.stake, summary.purse)
        terms.append([*about, keys, stored.heads])
    return msgspec.msgpack.encode(terms)


def is_kept(database: Database, game: str, ruleset: str) -> bool:
    """Returns whether rows of a board are stored, fitting or not."""
    with database.reading() as connection:
        chosen = select(col(Board.game)).where(
            col(Board.game) == game, col(Board.ruleset) == ruleset
        )
        return connection.execute(chosen).first() is not None


def kept_rows(database: Database, game: str, ruleset: str, basis: bytes) -> bytes | None:
    """Returns the rows that were stored of a board, if they still fit."""
    with database.reading() as connection:
        chosen = select(col(Board.rows), col(Board.fits)).where(
            col(Board.game) == game, col(Board.ruleset) == ruleset
        )
        row = connection.execute(chosen).first()
    return row.rows if row is not None and row.fits == _digest(basis, row.rows) else None


def keep_rows(database: Database, game: str, ruleset: str, basis: bytes, rows: bytes) -> None:
    """Keeps the rows of a board, in the place of earlier ones."""
    values = {"game": game, "ruleset": ruleset, "rows": rows, "fits": _digest(basis, rows)}
    with database.writing() as connection:
        dialect_of(connection).insert_replacing(connection, METADATA.tables["board"], [values])


def _digest(basis: bytes, rows: bytes) -> bytes:
    return blake2b(msgspec.msgpack.encode([basis, rows]), digest_size=16).digest()
