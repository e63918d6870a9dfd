"""Packs matches to be stored by the dictionary of their tournament, which it keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select
from sqlmodel import col

from arena.core.errors import HarnessFault
from arena.core.outcome import Termination
from arena.core.record import PlayedMatch
from arena_results.schema.checksums import DICTIONARY
from arena_results.schema.packing import Packer, learned
from arena_results.schema.tables import Dictionary

_CHOSEN = select(*DICTIONARY.columns).where(
    col(Dictionary.tournament_id) == bindparam("tournament")
)


def dictionary_of(connection: Connection, tournament: int) -> bytes:
    """Returns the dictionary of a tournament, checked; empty without one."""
    row = connection.execute(_CHOSEN, {"tournament": tournament}).first()
    if row is None:
        return b""
    DICTIONARY.check(row, lambda: f"tournament {tournament}: its dictionary")
    content: bytes = row[_CONTENT]
    return content


def packed_rows(
    connection: Connection, tournament: int, packer: Packer, matches: Sequence[PlayedMatch]
) -> list[tuple[Any, ...]]:
    """Returns the rows of matches that will be stored in this transaction.

    Raises:
        HarnessFault: A match is void, or of a bot that is not in the field.
    """
    packer.use(_dictionary_for(connection, tournament, matches))
    rows: list[tuple[Any, ...]] = []
    for match in matches:
        if match.record.outcome.termination is Termination.HARNESS_FAULT:
            raise HarnessFault(f"match {match.key} is void; it is played again, not stored")
        try:
            rows.append(packer.row(tournament, match))
        except KeyError as error:
            seated = f"match {match.key} seats {error}"
            raise HarnessFault(f"{seated}, who is not in the field") from None
    return rows


def _dictionary_for(
    connection: Connection, tournament: int, matches: Sequence[PlayedMatch]
) -> bytes:
    """Returns the dictionary for a tournament's next matches: it is made of the first ones."""
    known = dictionary_of(connection, tournament)
    if known:
        return known
    made = learned(matches)
    DICTIONARY.insert(connection, [DICTIONARY.sealed_values((made, tournament))])
    return made


_CONTENT = DICTIONARY.names.index("content")
