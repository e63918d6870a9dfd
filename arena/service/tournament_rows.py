"""A tournament's crosstable, rounds, matches and losses as records, for tables and exports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena_results.database import Database
from arena_results.queries import played_matches
from arena_results.rows import MatchRow, Status, TournamentSummary

from arena.core.record import MatchKey
from arena.match.adjudication import faults_of
from arena.service.report import Report
from arena.service.rows import Row, rows_of


def crosstable_rows(report: Report) -> list[Row]:
    """Match points, or mean amounts, of each bot (``name``) against each other (a column each)."""
    names = [line.name for line in report.table]
    return [
        {"name": name, **dict(zip(names, row, strict=True))}
        for name, row in zip(names, report.crosstable, strict=True)
    ]


def round_rows(report: Report) -> Iterator[Row]:
    """The rounds played: a row for each bot in each pairing; a bye or an absence has no pairing."""
    names = report.names
    for played in report.played:
        number = played.round.number
        for board, result in enumerate(played.results, start=1):
            for entrant, points in zip(result.pairing.seats, result.points, strict=True):
                yield _pairing_row(number, board, names[entrant], points)
        seated = {index for result in played.results for index in result.pairing.seats}
        for entrant in (*played.round.byes, *sorted(played.round.away - seated)):
            yield _pairing_row(number, None, names[entrant], None)


def _pairing_row(round: int, pairing: int | None, name: str, points: float | None) -> Row:
    return {"round": round, "pairing": pairing, "name": name, "points": points}


def match_rows(report: Report) -> list[Row]:
    """Every match played: its key, seed, ending, and for each seat name, return and score.

    The seed is ``None`` until the tournament is finished: other legs of the deal may be left.
    """
    summary, names = report.stored.summary, report.names
    return rows_of(match_row(summary, names, row) for row in report.stored.played.values())


def match_row(summary: TournamentSummary, names: Sequence[str], row: MatchRow) -> Row:
    """A match as a record; ``names`` are those of the field."""
    seats = range(len(row.seats))
    return {
        **key_row(summary.id, row.key),
        "seed": row.seed if summary.status is Status.FINISHED else None,
        "termination": row.termination.value,
        "offender": None if row.offender is None else names[row.seats[row.offender]],
        "move": row.move,
        "isolation": row.isolation,
        **{f"name{seat}": names[row.seats[seat]] for seat in seats},
        **{f"return{seat}": row.returns[seat] for seat in seats},
        **{f"score{seat}": row.scores[seat] for seat in seats},
    }


def loss_rows(report: Report, database: Database) -> Iterator[Row]:
    """Every adjudicated loss: who, in which match, the cause, the move, and the traceback."""
    number = report.stored.summary.id
    keys = (entry.participant.key for entry in report.stored.field)
    names = dict(zip(keys, report.names, strict=True))
    for played in played_matches(database, number):
        for fault in faults_of(played.record.outcome):
            yield {
                **key_row(number, played.key),
                "name": names[played.record.seats[fault.seat]],
                "seat": fault.seat,
                "cause": fault.cause.value,
                "move": fault.move,
                "reason": fault.reason,
                "error": played.measurement.error,
            }


def key_row(tournament: int, key: MatchKey) -> Row:
    """The columns that name a match."""
    numbers = {"round": key.round, "pairing": key.pairing, "leg": key.leg}
    return {"match": f"{tournament}.{key}", **numbers}
