"""Tournaments, and their crosstables, rounds, matches and losses, as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena_results.file.database import Database
from arena_results.schema.rows import MatchRow, Status, TournamentSummary
from arena_results.store.queries import matches
from arena_tournaments.scoring.scoring import ELIMINATION, history, tidy

from arena.core.chance.seeding import SeedOrigin
from arena.core.record import MatchKey
from arena.core.table import Column
from arena.core.table import Row as Shown
from arena.core.tournaments.format import RoundResult, Scoring
from arena.match.adjudication import faults_of
from arena.service.answers.rows import Row, rows_of
from arena.service.report.report import Report, shown_key

TONES = {"running": "good", "interrupted": "warn"}
"""Tones of the status of a tournament; the others have none."""


def _title(row: Shown) -> str:
    return str(row["name"] or f"tournament {row['id']}")


def _status(row: Shown) -> str:
    return str(row["status"])


def _tone(row: Shown) -> str:
    return TONES.get(row["status"], "")


def _seeds(row: Shown) -> str:
    """Returns the source of the deals; of a running tournament as much as the row has."""
    if row["seed"] is not None:
        return f"{SeedOrigin.OPEN_SEED} {row['seed']}"
    if not row["open"]:
        return SeedOrigin.DRAWN_KEY.value
    return SeedOrigin.GIVEN_KEY.value if row["key"] else "open"


TOURNAMENTS = (
    Column("id", "#", right=True),
    Column("name", "tournament", drop=2, names="tournament", cell=_title),
    Column("state", "status", drop=0, sort="status", cell=_status, tone=_tone, derived=True),
    Column("game", "game"),
    Column("ruleset", "ruleset", drop=5),
    Column("format", "format"),
    Column("entries", "bots", right=True, drop=3),
    Column("rounds", "rounds", right=True, drop=4),
    Column("games", "per pairing", right=True, drop=4, hint="matches per pairing"),
    Column("matches", "matches", right=True, drop=2),
    Column("seeds", "deals from", drop=6, cell=_seeds, derived=True),
    *map(Column, ("seed", "status", "key", "open")),
)
"""The columns of the list of tournaments."""


def summary_row(summary: TournamentSummary, *, public: bool = False) -> Row:
    """A tournament in the list of tournaments; the keys are those of the JSON document.

    Args:
        public: Whether everybody may see it: no seed as long as it is not finished.
    """
    keys = ("id", "name", "game", "ruleset", "format", "entries", "rounds", "games", "matches")
    row: Row = {key: getattr(summary, key) for key in keys}
    hidden = public and summary.status is not Status.FINISHED
    row |= {"seed": None if hidden else summary.seed, "status": summary.status.value}
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
    stages |= dict.fromkeys(report.playoffs, ELIMINATION)
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
    for _, played in matches(database, number):
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
