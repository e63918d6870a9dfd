"""Compares the columns of a stored match with its record, which is authoritative."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.core.errors import Divergence
from arena.core.record import MatchRecord
from arena_results.schema.rows import EntryRow, MatchRow, TournamentSummary


def check_columns(
    summary: TournamentSummary, field: Sequence[EntryRow], row: MatchRow, record: MatchRecord
) -> None:
    """Checks that the columns, by which standings and ratings go, agree with the record.

    Raises ``Divergence`` with the first that differs.
    """
    for name, column, recorded in _pairs(summary, field, row, record):
        if column != recorded:
            raise Divergence(f"the results say {name} {column}, the record says {recorded}")


def _pairs(
    summary: TournamentSummary, field: Sequence[EntryRow], row: MatchRow, record: MatchRecord
) -> Iterator[tuple[str, object, object]]:
    outcome = record.outcome
    keys = [entry.participant.key for entry in field]
    yield "game", summary.game, record.game
    yield "ruleset", summary.ruleset, record.ruleset
    yield "engine", summary.engine, record.engine
    seated = tuple(keys[seat] if seat in range(len(keys)) else str(seat) for seat in row.seats)
    yield "seats", seated, record.seats
    yield "seed", row.seed, record.seed
    for name in ("returns", "scores", "termination", "offender", "move", "expelled"):
        yield name, getattr(row, name), getattr(outcome, name)
