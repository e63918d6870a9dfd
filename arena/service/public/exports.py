"""A tournament's results as lists for other programs, of which long ones are never held whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, TypeAlias

from arena_results.boards.leaderboard import Asked
from arena_results.file.database import Database
from arena_results.schema.rows import TournamentSummary
from arena_results.store.logs import logs
from arena_results.store.queries import matches, summary, tournament
from arena_tournaments.spec.keys import TournamentSpec
from msgspec.structs import astuple

from arena.core.errors import BadInput, Divergence, UnknownName
from arena.core.record import Measurement, PlayedMatch
from arena.core.table import Column, ColumnType, Table
from arena.match.replay import replay
from arena.plugins.registry import Registry
from arena.service.answers.rows import Row, rows_of
from arena.service.answers.tabular import write_rows
from arena.service.answers.writing import replacing
from arena.service.boards.rows import leaderboards
from arena.service.boards.table import board_row
from arena.service.report.filed.tournament_rows import key_row, match_row, round_rows
from arena.service.report.report import Report, stored_report
from arena.service.report.tables.standings import standing_table

Types: TypeAlias = Mapping[str, ColumnType]
_KEY: Types = {"match": "text", "round": "integer", "pairing": "integer", "leg": "integer"}
_MEASURED = ("nanoseconds", "requests", "cpu_nanoseconds")


class Results:
    """The results of one stored tournament as lists.

    Args:
        number: Its number.
        measured: Whether lists of matches have what differs from run to run, too: isolation, times
            and requests.

    Raises:
        UnknownName: There is no such tournament.
    """

    def __init__(
        self, registry: Registry, database: Database, number: int, *, measured: bool = False
    ) -> None:
        self._registry, self._database, self._measured = registry, database, measured
        self._summary = summary(database, number)

    def table(self, what: str) -> Table:
        """One of ``TABLES``."""
        return _TABLES[what](self)

    @cached_property
    def _report(self) -> Report:
        stored = tournament(self._database, self._summary.id)
        return stored_report(self._registry, stored, self._database)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tournament(self._database, self._summary.id, matches=False).names

    def matches(self) -> Table:
        """A row a match: seed, ending, and for each seat name, return and score."""
        seats = range(seats_of(self._summary))
        types: dict[str, ColumnType] = {
            **_KEY,
            "seed": "integer",
            "termination": "text",
            "offender": "text",
            "move": "integer",
            **{f"name{seat}": "text" for seat in seats},
            **{f"return{seat}": "number" for seat in seats},
            **{f"score{seat}": "integer" for seat in seats},
        }
        if self._measured:
            types |= {"isolation": "text"}
            types |= {f"{name}{seat}": "integer" for name in _MEASURED for seat in seats}
        nothing = dict.fromkeys(types)

        def rows() -> Iterator[Row]:
            for row, played in matches(self._database, self._summary.id):
                more = _measured_row(played.measurement) if self._measured else {}
                yield nothing | match_row(self._summary, self._names, row) | more

        return Table(columns=_columns(types), rows=rows())

    def decisions(self) -> Table:
        """A row a decision, re-executed from the records: move, seat, bot, action, choices."""
        types: dict[str, ColumnType] = {
            **_KEY,
            "move": "integer",
            "seat": "integer",
            "name": "text",
            "action": "text",
            "choices": "integer",
        }
        if self._measured:
            types["nanoseconds"] = "number"

        def rows() -> Iterator[Row]:
            for row, played in matches(self._database, self._summary.id):
                seated = [self._names[index] for index in row.seats]
                yield from self._decisions_of(played, seated)

        return Table(columns=_columns(types), rows=rows())

    def _decisions_of(self, played: PlayedMatch, seated: Sequence[str]) -> Iterator[Row]:
        key = key_row(self._summary.id, played.key)
        game = self._registry.game(played.record.game).at_version(played.record.engine)
        means = _means(played.measurement)
        try:
            for step in replay(game, played.record):
                if step.seat is None or step.action is None:
                    continue
                yield {
                    **key,
                    "move": step.move,
                    "seat": step.seat,
                    "name": seated[step.seat],
                    "action": step.action.text,
                    "choices": len(step.state.legal_actions()),
                } | ({"nanoseconds": means[step.seat]} if self._measured else {})
        except Divergence as error:
            raise Divergence(f"match {key['match']} cannot be replayed: {error}") from None

    def standings(self) -> Table:
        """A row a bot, the best first; tie-breaks and causes of losses have columns each."""
        return standing_table(self._report)

    def pairings(self) -> Table:
        """A row for each bot in each pairing of the rounds played; a bye has no pairing."""
        return _whole([*round_rows(self._report)])

    def logs(self) -> Table:
        """A row a log that is stored: what the bot of a seat printed in a match."""
        types: dict[str, ColumnType] = {**_KEY, "seat": "integer", "name": "text", "text": "text"}

        def rows() -> Iterator[Row]:
            number = self._summary.id
            with self._database.reading() as connection:
                kept = logs(connection, number)
            for key, log in kept:
                (row, _), *_ = matches(self._database, number, *astuple(key))
                name = self._names[row.seats[log.seat]]
                yield key_row(number, key) | {"seat": log.seat, "name": name, "text": log.text}

        return Table(columns=_columns(types), rows=rows())

    def ratings(self) -> Table:
        """The rows of the leaderboard for its bots, with the rating ``before`` the tournament."""
        about = self._summary
        field = tournament(self._database, about.id, matches=False).field
        before = {each.participant: each.rating for each in field}
        asked = Asked(game=about.game, ruleset=about.ruleset)
        boards = leaderboards(self._database, asked, all_versions=True, registry=self._registry)
        return _whole(
            rows_of(
                board_row(row) | {"before": before[row.participant]}
                for board in boards
                for row in board.rows
                if row.participant in before
            )
        )


_TABLES: dict[str, Callable[[Results], Table]] = {
    "matches": Results.matches,
    "decisions": Results.decisions,
    "standings": Results.standings,
    "pairings": Results.pairings,
    "ratings": Results.ratings,
    "logs": Results.logs,
}
TABLES = (*_TABLES,)
"""Names of the lists."""


def export_tables(
    registry: Registry, results: Results, what: Sequence[str], exporter: str, to: Path
) -> list[Path]:
    """Writes lists to a file, or to a folder as ``WHAT.EXPORTER``; each is whole or not written.

    Args:
        results: Whose lists.
        what: Names of lists, all lists by default. One alone goes to the file ``to``,
            unless that is a folder.
        exporter: Name of an exporter, such as ``"csv"``.

    Returns:
        The files.

    Raises:
        UnknownName: There is no such list or exporter.
        BadInput: A file cannot be written.
    """
    registry.exporter(exporter)
    check_tables(what)
    if len(what) == 1 and not to.is_dir():
        files = {what[0]: to}
    else:
        _make_folder(to)
        files = {name: to / f"{name}.{exporter}" for name in what or TABLES}
    for name, path in files.items():
        with replacing(path) as file:
            write_table(registry, results.table(name), exporter, file)
    return [*files.values()]


def check_tables(what: Sequence[str]) -> None:
    """Raises ``UnknownName`` for the name of a list that there is not."""
    for name in what:
        if name not in TABLES:
            raise UnknownName("list", name, TABLES)


def write_table(registry: Registry, table: Table, exporter: str, file: BinaryIO) -> None:
    """Writes a list by an exporter to an open file."""
    write_rows(registry, exporter, table.written, table.rows, file)


def seats_of(summary: TournamentSummary) -> int:
    """The seats of the tournament's fullest table."""
    return TournamentSpec.from_json(summary.spec).seats or 2


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder} cannot be made: {error.strerror}") from None


def _whole(rows: list[Row]) -> Table:
    return Table(columns=(*map(Column, rows[0]),) if rows else (), rows=rows)


def _columns(types: Types) -> tuple[Column, ...]:
    return tuple([Column(key, type=each) for key, each in types.items()])


def _measured_row(measurement: Measurement) -> Row:
    return {
        f"{name}{seat}": value
        for name in _MEASURED
        for seat, value in enumerate(getattr(measurement, name))
    }


def _means(measurement: Measurement) -> list[float | None]:
    return [
        total / requests if requests else None
        for total, requests in zip(measurement.nanoseconds, measurement.requests, strict=True)
    ]
