"""Sums over the luck of each pairing's matches, kept so that reports need not compute it again.

They are made of all matches of a pairing at once, in schedule order: the coefficients of a deal
follow from the deals before it (``ratings.predictable``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec
from sqlalchemy import Connection

from arena.core.described import described
from arena_results.file.database import Database
from arena_results.ratings.comparing.without_luck import member_luck
from arena_results.schema.checksums import LUCK
from arena_results.schema.rows import LuckSums, MatchRow, StoredTournament

Measured: TypeAlias = tuple[MatchRow, Sequence[float], Sequence[float]]
"""A match, and by seat the match points and the luck, in match points."""


def luck_sums(matches: Iterable[Measured], mirrored: bool) -> LuckSums:
    """Returns the sums of a pairing.

    Args:
        matches: All its matches, in schedule order.
        mirrored: Whether as many legs in a row as there are seats share their deal.
    """
    deals: dict[int, dict[int, tuple[float, float, int]]] = {}
    count = 0
    for row, points, luck in matches:
        count += 1
        deal = deals.setdefault((row.key.leg - 1) // (len(row.seats) if mirrored else 1), {})
        for index, score, own in zip(row.seats, points, luck, strict=True):
            before = deal.get(index, (0.0, 0.0, 0))
            deal[index] = before[0] + score, before[1] + own, before[2] + 1
    members = sorted({index for deal in deals.values() for index in deal})
    legs = [next(iter(deal.values()))[2] for deal in deals.values()]
    return LuckSums(
        count,
        len(deals),
        sum(each * each for each in legs),
        tuple([member_luck(index, [deal[index] for deal in deals.values()]) for index in members]),
    )


def kept_luck(stored: StoredTournament) -> dict[tuple[int, int], LuckSums]:
    """Returns the sums that are stored of all matches of their pairings; others do not count."""
    return {
        board: luck
        for board, luck in stored.luck.items()
        if board in stored.sums and stored.sums[board].matches == luck.matches
    }


def read_luck(connection: Connection, tournament: int) -> dict[tuple[int, int], LuckSums]:
    """Returns the sums that are stored of a tournament, by round and pairing, checked."""
    rows = LUCK.rows(connection, tournament, "pairing {round}.{pairing}: its luck")
    return {(row["round"], row["pairing"]): _decode(row["sums"]) for row in rows}


def keep_luck(
    database: Database, tournament: int, sums: Mapping[tuple[int, int], LuckSums]
) -> None:
    """Keeps sums of a tournament, by round and pairing, in the place of earlier ones."""
    rows = [
        {
            "tournament_id": tournament,
            "round": round,
            "pairing": pairing,
            "sums": msgspec.msgpack.encode(each),
        }
        for (round, pairing), each in sums.items()
    ]
    with database.writing(tournament) as connection:
        LUCK.put(connection, rows)


_decode = msgspec.msgpack.Decoder(described(LuckSums)).decode
