"""Reads results: typed functions that return immutable values in a fixed order.

Each call reads one consistent view. Matches come in schedule order: (round, pairing, leg). What a
call returns of a tournament was checked: its own row, its field and its rounds, the checksums of
the matches that are read, and the numbers of all rows. Whatever is not what was written raises
``AlteredResults``, and the number of a tournament that there is not ``UnknownName``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, func, or_, select
from sqlmodel import col

from arena.core.described import described
from arena.core.errors import AlteredResults, BadInput, UnknownName
from arena.core.outcome import Termination
from arena.core.record import MatchKey, PlayedMatch
from arena.core.text.printable import MAX_TITLE_LENGTH, printable_line
from arena.core.tournaments.format import Pairing, Participant, Round
from arena.core.tournaments.rulings import Ruling, absences
from arena_results.dialects import dialect_of
from arena_results.file.database import Database
from arena_results.file.runner_lock import is_running
from arena_results.schema import tables
from arena_results.schema.checksums import ENTRY, MATCH, ROUND, TOURNAMENT
from arena_results.schema.dictionaries import dictionary_of
from arena_results.schema.packing import Packer, match_row, pack, usual
from arena_results.schema.rows import (
    EntryRow,
    MatchRow,
    Status,
    StoredTournament,
    TournamentSummary,
    spec_with,
)
from arena_results.schema.statements import (
    COUNTED,
    KEY,
    KEY_COLUMNS,
    ROWS_FROM,
    SUMMARIES,
    SUMMARY,
    matches_of,
)
from arena_results.schema.stored import streamed
from arena_results.store.logs import logs
from arena_results.store.luck_sums import read_luck
from arena_results.store.on_demand import OnDemand
from arena_results.store.places import check_places
from arena_results.store.rulings import rulings_of
from arena_results.store.tallies import read_sums
from arena_results.store.value_files import file_of
from arena_results.store.void import void_matches


def tournaments(database: Database) -> tuple[TournamentSummary, ...]:
    """Returns every tournament, oldest first.

    ``AlteredResults`` also stands for a row that is missing of a tournament that has other rows, or
    that comes before such a one.
    """
    with database.reading() as connection:
        stored = tuple(map(_summary, connection.execute(SUMMARIES)))
        for number, summary in enumerate(stored, start=1):
            if summary.id != number:
                raise row_missing(number)
        if has_rows_from(connection, len(stored) + 1):
            raise row_missing(len(stored) + 1)
        return tuple(
            _with_status(database, each) for each in stored if each.status is not Status.DELETED
        )


def tournament(database: Database, id: int, *, matches: bool = True) -> StoredTournament:
    """Returns one tournament with everything a resumed run needs.

    Args:
        matches: Whether with its matches, which are read when they are asked for, and their sums.
    """
    with database.reading() as connection:
        stored = _present(database, read_tournament(connection, id))
        if not matches:
            return stored
        played = OnDemand(lambda: {row.key: row for row in match_rows(database, id)})
        stored = _with_sums(connection, stored)
        return msgspec.structs.replace(stored, played=played)


def summary(database: Database, id: int, *, check_all: bool = True) -> TournamentSummary:
    """Returns one tournament without its field, its rounds and its matches.

    Args:
        check_all: Whether these rows are checked as well. Checking the tournament's own row and its
            counts only takes no longer for a larger field.
    """
    with database.reading() as connection:
        if check_all:
            return _present(database, read_tournament(connection, id)).summary
        return _with_status(database, _summary_of(connection, id))


def left_running(database: Database, id: int) -> bool:
    """Returns whether the process that played a tournament ended without a word, as by a kill."""
    with database.reading() as connection:
        stored = _summary_of(connection, id)
    return _with_status(database, stored) != stored


def match_rows(database: Database, id: int, *key: int) -> Iterator[MatchRow]:
    """Yields the columns of stored matches of one tournament, in schedule order.

    Args:
        key: Only matches whose key begins with these numbers: round, pairing, leg.
    """
    with database.reading() as connection:
        read_tournament(connection, id)
        yield from map(match_row, _rows(connection, id, *key))


WholeMatch: TypeAlias = tuple[MatchRow, PlayedMatch]
"""A stored match: its columns, and what they were made of."""


def matches(
    database: Database,
    id: int,
    *key: int,
    boards: Collection[tuple[int, int]] | None = None,
    cause: Termination | None = None,
    newest: bool = False,
) -> Iterator[WholeMatch]:
    """Yields stored matches of one tournament whole, in schedule order.

    Args:
        key: Only matches whose key begins with these numbers: round, pairing, leg.
        boards: Only matches of these rounds and pairings.
        cause: Only those that ended so, or in which a seat was eliminated for that.
        newest: Whether the last of the schedule come first.
    """
    with database.reading() as connection:
        dialect, chosen = dialect_of(connection), list[ColumnElement[bool]]()
        if boards is not None:
            chosen.append(dialect.is_one_of(KEY_COLUMNS[:2], list(boards)))
        if cause is not None:
            expelled = dialect.contains(_EXPELLED, pack(cause.value))
            ended = usual(cause.value, Termination.RULES.value)
            chosen.append(or_(col(tables.Match.termination) == ended, expelled))
        packer = packer_in(connection, id)
        for row in _rows(connection, id, *key, chosen=chosen, newest=newest):
            yield match_row(row), packer.played(row)


def match(database: Database, id: int, key: MatchKey) -> tuple[StoredTournament, PlayedMatch]:
    """Returns a tournament without its matches, and one match of it whole.

    Raises:
        BadInput: It was not played (yet).
    """
    with database.reading() as connection:
        stored = read_tournament(connection, id)
        packer = _packer(connection, stored)
        for row in _rows(connection, id, key.round, key.pairing, key.leg):
            return _present(database, stored), packer.played(row)
        raise _no_match(connection, id, key)


@contextmanager
def reading_whole(
    database: Database, id: int
) -> Iterator[tuple[StoredTournament, Callable[[int], Iterator[WholeMatch]]]]:
    """Opens one consistent view of a whole tournament, after checking the file's structure.

    Yields:
        The tournament without its matches, and a function that streams those of a round, in
        schedule order.
    """
    with database.view() as connection:
        with database.decoding():
            if problem := dialect_of(connection).damage(connection):
                raise AlteredResults(f"the file is damaged: {problem}")
            stored = _with_sums(connection, _present(database, read_tournament(connection, id)))
            packer = _packer(connection, stored)
            logs(connection, id)  # checks them
            check_places(connection, id)

        def matches(round: int) -> Iterator[WholeMatch]:
            with database.decoding():
                for row in _rows(connection, id, round):
                    yield match_row(row), packer.played(row)

        yield stored, matches


def unknown_tournament(connection: Connection, id: int) -> UnknownName:
    """Returns the error that lists the tournaments that exist."""
    rows = select(col(tables.Tournament.id)).where(col(tables.Tournament.status) != Status.DELETED)
    ids = connection.execute(rows).scalars()
    return UnknownName("tournament", str(id), map(str, ids))


def has_rows_from(connection: Connection, id: int) -> bool:
    """Returns whether rows of a tournament of this number or a higher are stored.

    Those of a number that no tournament has were left when its row was deleted.
    """
    found = (connection.execute(statement, {"id": id}) for statement in ROWS_FROM)
    return any(rows.first() is not None for rows in found)


def row_missing(id: int) -> AlteredResults:
    """Returns the error for a tournament whose own row was deleted."""
    return AlteredResults(f"tournament {id}: its row is missing")


def _summary_of(connection: Connection, id: int) -> TournamentSummary:
    if id >= 2**63:  # more than SQLite can look for
        raise unknown_tournament(connection, id)
    row = connection.execute(SUMMARY, {"id": id}).first()
    if row is not None:
        if (found := _summary(row)).status is Status.DELETED:
            raise unknown_tournament(connection, id)
        return found
    last = connection.execute(select(func.max(col(tables.Tournament.id)))).scalar()
    if id > 0 and (id < (last or 0) or has_rows_from(connection, id)):
        raise row_missing(id)
    raise unknown_tournament(connection, id)


def _summary(row: Row[*tuple[Any, ...]]) -> TournamentSummary:
    own, found = row[: -len(COUNTED)], row[-len(COUNTED) :]
    values = dict(zip(TOURNAMENT.names, own, strict=False))
    where = f"tournament {values['id']}"
    TOURNAMENT.check(own, lambda: f"{where}: its row")
    for (table, column), count in zip(COUNTED.items(), found, strict=True):
        if count != values[column]:
            raise AlteredResults(
                f"{where}: it has {count} {table} rows, but {values[column]} were written"
            )
    values |= {"entries": values["entry_count"], "matches": values["match_count"]}
    name = str(values["name"])
    if len(name) > MAX_TITLE_LENGTH or not name.isprintable():  # given when names had no bound
        name = printable_line(name, MAX_TITLE_LENGTH)
        values |= {"name": name, "spec": spec_with(values["spec"], name=name)}
    if _EXECUTOR in values["spec"] and f'{_EXECUTOR}"local"' not in values["spec"]:
        # Another one was kept once; it may name other machines.
        values |= {"spec": spec_with(values["spec"], executor="local")}
    summary = msgspec.convert(values, described(TournamentSummary), strict=False)
    if summary.status is not Status.DELETED and (problem := summary.seeds_problem):
        raise AlteredResults(f"{where}: {problem}")
    return summary


def _with_status(database: Database, stored: TournamentSummary) -> TournamentSummary:
    """Returns a tournament with its present status: one that nobody plays is interrupted."""
    if stored.status is Status.RUNNING and not is_running(database, stored.id):
        return msgspec.structs.replace(stored, status=Status.INTERRUPTED)
    return stored


def _present(database: Database, stored: StoredTournament) -> StoredTournament:
    about = _with_status(database, stored.summary)
    return msgspec.structs.replace(stored, summary=about, values=lambda: file_of(database, about))


def _with_sums(connection: Connection, stored: StoredTournament) -> StoredTournament:
    about = stored.summary
    sums, luck = read_sums(connection, about), read_luck(connection, about.id)
    return msgspec.structs.replace(stored, sums=sums, luck=luck)


def read_tournament(connection: Connection, id: int) -> StoredTournament:
    """Returns a tournament without its matches, with the status that is stored."""
    summary, field = _summary_of(connection, id), _field(connection, id)
    rulings = rulings_of(connection, id)
    chained = chained_rounds(connection, id, rulings)
    rounds, heads = tuple([each for each, _ in chained]), tuple([head for _, head in chained])
    return StoredTournament(
        summary, field, rounds, {}, heads, void_matches(connection, id), rulings
    )


def _field(connection: Connection, id: int) -> tuple[EntryRow, ...]:
    return tuple(
        _entry(row, place)
        for place, row in enumerate(ENTRY.rows(connection, id, "entry {index} ({name}): its row"))
    )


def _entry(row: dict[str, Any], place: int) -> EntryRow:
    if row["index"] != place:
        raise AlteredResults(
            f"tournament {row['tournament_id']}, entry {place}: its row is missing"
        )
    who = row["name"], row["version"], row["content"]
    if None in who:
        where = f"tournament {row['tournament_id']}, entry {place}"
        raise AlteredResults(f"{where}: its participant is missing")
    return EntryRow(Participant(*who), row["rating"], row["author"])


def chained_rounds(
    connection: Connection, id: int, rulings: Sequence[Ruling], numbers: Sequence[int] | None = None
) -> tuple[tuple[Round, str | None], ...]:
    """Returns rounds of a tournament, all or those of some numbers, with their chain's heads."""
    only = () if numbers is None else (col(tables.Round.number).in_(numbers),)
    rows = ROUND.rows(connection, id, "round {number}: its row", *only)
    return tuple((_round(row, rulings), row["chain"]) for row in rows)


def _round(row: dict[str, Any], rulings: Sequence[Ruling]) -> Round:
    pairings, number = _tables(row["pairings"]), row["number"]
    byes, absent = _ints(row["byes"]), absences(rulings, number)
    return Round(number, tuple(map(Pairing, pairings)), byes, absent)


def _rows(
    connection: Connection,
    id: int,
    *key: int,
    chosen: Sequence[ColumnElement[bool]] = (),
    newest: bool = False,
) -> Iterator[Row[*tuple[Any, ...]]]:
    wanted = matches_of(len(key), newest=newest)
    if chosen:
        wanted = wanted.where(*chosen)
    values = {"id": id, **dict(zip(KEY, key, strict=False))}
    for row in streamed(connection, wanted, values):

        def where(row: Row[*tuple[Any, ...]] = row) -> str:
            tournament, *numbers = _KEY(row)
            return f"tournament {tournament}, match {'.'.join(map(str, numbers))}: its row"

        MATCH.check(row, where)
        yield row


def packer_in(connection: Connection, id: int) -> Packer:
    """Returns what packs the matches of a tournament."""
    return _packer(connection, read_tournament(connection, id))


def _packer(connection: Connection, stored: StoredTournament) -> Packer:
    about, keys = stored.summary, [entry.participant.key for entry in stored.field]
    dictionary = dictionary_of(connection, about.id)
    return Packer(about.game, about.ruleset, about.engine, keys, dictionary)


_EXECUTOR = '"executor":'
_EXPELLED = tables.METADATA.tables["match"].c.expelled
_KEY = MATCH.picks("tournament_id", "round", "pairing", "leg")


def _no_match(connection: Connection, id: int, key: MatchKey) -> BadInput:
    keys = select(*KEY_COLUMNS).where(col(tables.Match.tournament_id) == id)
    first = connection.execute(keys.order_by(*KEY_COLUMNS)).first()
    if first is None:
        return BadInput(f"tournament {id} has no matches yet")
    last = connection.execute(keys.order_by(*(part.desc() for part in KEY_COLUMNS))).first()
    assert last is not None
    return BadInput(
        f"tournament {id} has no match {key}; its matches go from {MatchKey(*first)} "
        f"to {MatchKey(*last)} (round.pairing.leg)"
    )


_ints = msgspec.json.Decoder(tuple[int, ...]).decode
_tables = msgspec.json.Decoder(tuple[tuple[int, ...], ...]).decode
