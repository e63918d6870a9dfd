"""Seats the whole field at one table, for matches that no rating counts."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.errors import BadInput
from arena.core.tournaments.format import (
    EXHIBITION,
    PAIRS,
    Entrant,
    Format,
    Pairing,
    Round,
    RoundResult,
    Scoring,
    Tables,
)
from arena_tournaments.scoring.scoring import TABLE


class Exhibition(Format, kw_only=True):
    """One round at one table, with the seats in the order of the field."""

    name: str = EXHIBITION
    summary: str = "all at one table; no leaderboard counts it (arena play)"
    seats: range = range(2, 7)
    for_people: bool = True

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """Returns 1; ``BadInput`` for more entrants than seats, or for a number of rounds."""
        if entrants > tables.most:
            raise BadInput(f"an exhibition has one table of {tables.most}, not {entrants} entrants")
        if requested not in (None, 1):
            raise BadInput(f"an exhibition is one round, not {requested}")
        return 1

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        return None if played else Round(1, (Pairing(tuple(range(len(field)))),))

    def scoring(self) -> Scoring:
        return TABLE
