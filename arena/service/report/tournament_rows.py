"""Tournaments, and their crosstables, rounds, matches and losses, as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena_results.file.database import Database
from arena_results.schema.rows import MatchRow, Status, TournamentSummary
from arena_results.store.queries import played_matches
from arena_tournaments.scoring.scoring import history, tidy

from arena.core.record import MatchKey
from arena.core.tournament import RoundResult, Scoring
from arena.match.adjudication import faults_of
from arena.service.answers.rows import Row, rows_of
from arena.service.report.report import Report, shown_key


def summary_row(summary: TournamentSummary) -> dict[str, object]:
    """A tournament in the list of tournaments; the keys are those of the JSON document."""
    keys = ("id", "name", "game", "ruleset", "format", "entries", "rounds", "games", "matches")
    row: dict[str, object] = {key: getattr(summary, key) for key in (*keys, "seed", "status")}
    return row | {"key": shown_key(summary), "open": summary.seeds.open}


def crosstable_rows(report: Report) -> list[Row]:
    """Match points, or mean amounts, of each bot (``name``) against each other (a column each)."""
    names = [line.name for line in report.table]
    return [
        {"name": name, **dict(zip(names, row, strict=True))}
        for name, row in zip(names, report.crosstable, strict=True)
    ]


def round_rows(report: Report) -> Iterator[Row]:
    """The rounds played: a row for each bot in each pairing; a bye or an absence has no pairing."""
    stages = {past.round.number: stage.scoring for stage in report.stages for past in stage.played}
    for played, counted in zip(report.played, report.counted, strict=True):
        scores = _scores(report, played, stages.get(played.round.number, report.scoring))
        for entrant, row in _places(played, counted):
            yield {
                "round": played.round.number,
                "pairing": row.get("pairing"),
                "name": report.names[entrant],
                "points": row.get("points"),
                "score": scores[entrant],
                "status": row["status"],
            } | ({key: row.get(key) for key in ("amount", "matches")} if report.unit else {})


def _places(played: RoundResult, counted: RoundResult) -> Iterator[tuple[int, Row]]:
    seated: set[int] = set()
    for board, (result, taken) in enumerate(zip(played.results, counted.results, strict=True), 1):
        seated.update(result.pairing.seats)
        for seat, entrant in enumerate(result.pairing.seats):
            row: Row = {"pairing": board, "points": taken.points[seat], "status": "played"}
            if result.amounts:
                row |= {"amount": result.amounts[seat], "matches": result.matches}
            if result.void:
                row["status"] = "void"
            elif entrant in result.forfeited:
                row["status"] = "forfeited"
            yield entrant, row
    for entrant in played.round.byes:
        yield entrant, {"status": "bye"}
    for entrant in sorted(played.round.away.difference(seated, played.round.byes)):
        yield entrant, {"status": "absent"}


def _scores(report: Report, played: RoundResult, scoring: Scoring) -> list[float | None]:
    """Returns what a round scores, by index into the field; ``None`` if the mean amount counts."""
    if scoring.by_mean:
        return [None for _ in report.names]
    turns = history(len(report.names), [played], scoring).turns
    return [tidy(sum((turn.score for turn in own), 0.0)) for own in turns]


def match_rows(report: Report) -> list[Row]:
    """Every match played: its key, seed, ending, and for each seat name, return and score.

    The seed is ``None`` until the tournament is finished: other matches of the deal may be left.
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
