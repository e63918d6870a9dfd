"""A stored tournament: standings, rounds, matches and losses as records, replays."""

from __future__ import annotations

from collections.abc import Iterator

from arena_results.database import Database
from arena_results.queries import played_matches
from arena_results.rows import EntryRow, MatchRow, Status, TournamentSummary
from arena_tournaments.crosstable import points_by_pair

from arena.api.calls import whole
from arena.api.match import Match
from arena.api.rows import Row, rows_of
from arena.core.record import MatchKey
from arena.match.adjudication import faults_of
from arena.plugins.registry import Registry
from arena.service.replays import stored_match
from arena.service.report import Report, document, standing_rows


class Tournament:
    """A tournament as it stood when it was read; ``ResultsDatabase`` makes it.

    What is in its records needs no database any more; ``losses``, ``match`` and what belongs to
    matches read them when they are called.

    Args:
        report: What is stored of it.
        database: Where it is stored.
        registry: Knows its game.
    """

    def __init__(self, report: Report, database: Database, registry: Registry) -> None:
        self._report, self._database, self._registry = report, database, registry

    def __repr__(self) -> str:
        summary = self.summary
        return (
            f"<Tournament {self.number} {summary.game} {summary.format}, {summary.entries} bots, "
            f"{len(self._report.stored.played)} matches, {summary.status}>"
        )

    @property
    def number(self) -> int:
        """Its number in the database."""
        return self.summary.id

    @property
    def summary(self) -> TournamentSummary:
        """Game, rules, format, sizes, status, and where its deals come from."""
        return self._report.stored.summary

    @property
    def finished(self) -> bool:
        """True if every match was played; else ``ResultsDatabase.resume`` goes on."""
        return self.summary.status is Status.FINISHED

    def document(self) -> dict[str, object]:
        """The JSON document of ``arena tournament show``."""
        return document(self._report)

    def standings(self) -> list[Row]:
        """The standings, the best first; tie-breaks and causes of losses have columns each."""
        return rows_of(standing_rows(self._report))

    def crosstable(self) -> list[Row]:
        """Match points of each bot (``name``) against each other (a column each)."""
        table = self._report.table
        points = points_by_pair(table, self._report.played)
        names = [line.name for line in table]
        return [
            {"name": name, **dict(zip(names, row, strict=True))}
            for name, row in zip(names, points, strict=True)
        ]

    def rounds(self) -> list[Row]:
        """The rounds played: a row for each bot in each pairing; a bye has no pairing."""
        return list(self._rounds())

    def _rounds(self) -> Iterator[Row]:
        names = self._report.names
        for played in self._report.played:
            number = played.round.number
            for board, result in enumerate(played.results, start=1):
                for entrant, points in zip(result.pairing.seats, result.points, strict=True):
                    yield _pairing_row(number, board, names[entrant], points)
            for entrant in played.round.byes:
                yield _pairing_row(number, None, names[entrant], None)

    def result(self) -> Row | None:
        """Of two bots: the games of the first against the other, Elo, nElo and LOS; else ``None``.

        It is ``result`` of the JSON document.
        """
        block = self.document()["result"]
        return rows_of([block])[0] if isinstance(block, dict) else None

    def matches(self) -> list[Row]:
        """Every match played: its key, seed, ending, and for each seat name, return and score.

        The seed is ``None`` until the tournament is finished: other legs of the deal may be left.
        """
        return rows_of(map(self._match_row, self._report.stored.played.values()))

    def _match_row(self, row: MatchRow) -> dict[str, object]:
        names, seats = self._report.names, range(len(row.seats))
        offender = None if row.offender is None else names[row.seats[row.offender]]
        return {
            **_place(self.number, row.key),
            "seed": row.seed if self.finished else None,
            "termination": row.termination,
            "offender": offender,
            "move": row.move,
            "isolation": row.isolation,
            **{f"name{seat}": names[row.seats[seat]] for seat in seats},
            **{f"return{seat}": row.returns[seat] for seat in seats},
            **{f"score{seat}": row.scores[seat] for seat in seats},
        }

    def losses(self) -> list[Row]:
        """Every adjudicated loss: who, in which match, the cause, the move, and the traceback."""
        return list(self._losses())

    def _losses(self) -> Iterator[Row]:
        names = {entry.participant.key: entry.participant.name for entry in self._field}
        for played in played_matches(self._database, self.number):
            for fault in faults_of(played.record.outcome):
                yield {
                    **_place(self.number, played.key),
                    "name": names[played.record.seats[fault.seat]],
                    "seat": fault.seat,
                    "cause": fault.cause.value,
                    "move": fault.move,
                    "reason": fault.reason,
                    "error": played.measurement.error,
                }

    def match(self, round: int = 1, pairing: int = 1, leg: int = 1) -> Match:
        """One of its matches, to look at move by move; the numbers count from 1.

        Raises:
            BadInput: It was not played.
        """
        numbers = {"round": round, "pairing": pairing, "leg": leg}
        key = MatchKey(*(whole(name, number) for name, number in numbers.items()))
        return Match(stored_match(self._registry, self._database, self.number, key))

    @property
    def _field(self) -> tuple[EntryRow, ...]:
        return self._report.stored.field


def _pairing_row(round: int, pairing: int | None, name: str, points: float | None) -> Row:
    return {"round": round, "pairing": pairing, "name": name, "points": points}


def _place(number: int, key: MatchKey) -> Row:
    return {"match": f"{number}.{key}", "round": key.round, "pairing": key.pairing, "leg": key.leg}
