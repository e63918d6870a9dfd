"""Changes stored tournaments as an organiser asks: pause, concurrency, name, deletion.

Requests to a running tournament are columns of its row: its runner reads them whenever it has
stored matches. Each function is one transaction in the caller's thread.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, delete, update
from sqlmodel import col

from arena.core.errors import BadInput
from arena.core.text.printable import MAX_TITLE_LENGTH, printable_line
from arena.core.tournaments.rulings import Ruling
from arena_results.file.database import Database
from arena_results.file.runner_lock import RunnerLock
from arena_results.schema import tables
from arena_results.schema.checksums import stamp
from arena_results.schema.rows import (
    EntryRow,
    Status,
    StoredTournament,
    TournamentSummary,
    spec_with,
)
from arena_results.schema.statements import COUNTED
from arena_results.store.queries import read_tournament, summary
from arena_results.store.queries import tournament as stored_tournament
from arena_results.store.rulings import insert_ruling
from arena_results.store.store import change_status, checked_row, count, insert_entry
from arena_results.store.value_files import forget_unused

PAUSES = ("match", "round")
"""After what a running tournament can pause."""
MAX_DOLLARS = 1_000_000.0
"""Bound of a limit of cost."""
MAX_WORKERS = 1024
"""Bound of a tournament's concurrency."""


def request_pause(database: Database, tournament: int, after: str = "round") -> None:
    """Asks the runner to pause after the running round, or after the matches in progress.

    Raises:
        BadInput: It is not running, or ``after`` is none of ``PAUSES``.
    """
    if after not in PAUSES:
        raise BadInput(f"cannot pause after {after!r}; choices: {', '.join(PAUSES)}")
    found = summary(database, tournament)
    if found.status is not Status.RUNNING:
        raise BadInput(f"tournament {tournament} is {found.status}; only a running one can pause")
    _change(database, tournament, pause=after)


def set_concurrency(database: Database, tournament: int, concurrency: int) -> None:
    """Changes the number of matches at a time, at once and for the next resume.

    Raises:
        BadInput: It is finished, or the number is out of bounds.
    """
    found = _unfinished(database, tournament, "concurrency")
    if not 1 <= concurrency <= MAX_WORKERS:
        raise BadInput(f"concurrency: expected a number from 1 to {MAX_WORKERS}, not {concurrency}")
    _change(database, tournament, spec=spec_with(found.spec, concurrency=concurrency))


def set_max_crash_rate(database: Database, tournament: int, rate: float) -> None:
    """Changes the share of crashed matches at which an unfinished tournament stops.

    Raises:
        BadInput: It is finished, or the share is out of bounds.
    """
    found = _unfinished(database, tournament, "crash rate")
    if not 0 < rate <= 1:
        raise BadInput(f"max_crash_rate: expected a share above 0 and up to 1, not {rate}")
    _change(database, tournament, spec=spec_with(found.spec, max_crash_rate=rate))


def set_max_cost(database: Database, tournament: int, dollars: float) -> None:
    """Changes what an unfinished tournament may cost.

    Raises:
        BadInput: It is finished, or the amount is not above 0.
    """
    found = _unfinished(database, tournament, "largest cost")
    if not 0 < dollars <= MAX_DOLLARS:
        raise BadInput(
            f"max_cost: expected dollars above 0 and up to {MAX_DOLLARS:g}, not {dollars}"
        )
    _change(database, tournament, spec=spec_with(found.spec, max_cost=dollars))


def _unfinished(database: Database, tournament: int, what: str) -> TournamentSummary:
    found = summary(database, tournament)
    if found.status is Status.FINISHED:
        raise BadInput(f"tournament {tournament} is finished; its {what} cannot be set")
    return found


def rename(database: Database, tournament: int, name: str) -> None:
    """Gives a tournament another name.

    Raises:
        UnknownName: There is no tournament of that number.
        BadInput: The name is empty or too long, or cannot be shown in a line.
    """
    if not 1 <= len(name) <= MAX_TITLE_LENGTH or not name.isprintable():
        raise BadInput(
            f"name: expected 1 to {MAX_TITLE_LENGTH} characters that can be shown, "
            f"not {printable_line(repr(name), MAX_TITLE_LENGTH)}"
        )
    found = summary(database, tournament)
    _change(database, tournament, name=name, spec=spec_with(found.spec, name=name))


def finish_tournament(database: Database, tournament: int) -> None:
    """Finishes a tournament where it stands, between two rounds.

    Raises:
        BadInput: It is finished, or its last round is not.
        BadStore: It is running; the message names its runner.
    """
    summary(database, tournament)
    with RunnerLock(database, tournament):
        stored = stored_tournament(database, tournament, matches=False)
        if stored.summary.status is Status.FINISHED:
            raise BadInput(f"tournament {tournament} is finished already")
        if stored.rounds and not stored.heads[-1]:
            raise BadInput(
                f"round {len(stored.rounds)} of tournament {tournament} is not finished: "
                f"arena tournament resume {tournament}{database.option}"
            )
        with database.writing(tournament) as connection:
            change_status(connection, tournament, Status.FINISHED)


def delete_tournament(database: Database, tournament: int) -> None:
    """Deletes a tournament with its matches; its number is not given to another.

    A row without contents stays: so a number that is missing still shows damage.

    Raises:
        BadStore: It is running; the message names its runner.
    """
    summary(database, tournament)
    with RunnerLock(database, tournament), database.writing() as connection:
        checked_row(connection, tournament)
        owned = (
            *(tables.Log, tables.Luck, tables.Place, tables.Match, tables.Tally, tables.Void),
            *(tables.Dictionary, tables.Round, tables.Ruling, tables.Entry, tables.Season),
            tables.Exchange,
        )
        connection.execute(delete(tables.Board))  # it may name the bots
        for table in owned:
            connection.execute(delete(table).where(col(table.tournament_id) == tournament))
        nothing: dict[str, Any] = dict.fromkeys(COUNTED.values(), 0)
        nothing |= {"name": "", "spec": "{}", "key": None, "seed": None, "pause": ""}
        nothing |= dict.fromkeys(("nonce", "commitment", "value_function", "value_hash"))
        connection.execute(
            update(tables.Tournament)
            .where(col(tables.Tournament.id) == tournament)
            .values(status=Status.DELETED.value, **nothing)
        )
        stamp(connection, "tournament", id=tournament)
        forget_unused(connection)


def make_ruling(
    database: Database,
    seen: StoredTournament,
    ruling: Ruling,
    entry: EntryRow | None = None,
    bot: str = "",
) -> bool:
    """Stores an organiser's decision, if the tournament is still where it was when it was made.

    Args:
        seen: The tournament by which the decision was made; its matches do not count.
        entry: The late entry, and ``bot`` its spelling.

    Returns:
        False if another round was paired or finished meanwhile, or another decision was made.
    """
    id = seen.summary.id
    with database.writing() as connection:
        found = read_tournament(connection, id)
        if _place(found) != _place(seen):
            return False
        if entry is not None:
            _insert_late(connection, found, entry, bot)
        insert_ruling(connection, id, len(found.rulings) + 1, ruling)
        count(connection, id, "ruling_count", 1)
    return True


def _place(stored: StoredTournament) -> tuple[object, ...]:
    finished = stored.summary.status is Status.FINISHED
    return finished, stored.heads, len(stored.rulings), len(stored.field)


def _insert_late(
    connection: Connection, found: StoredTournament, entry: EntryRow, bot: str
) -> None:
    id = found.summary.id
    insert_entry(connection, id, len(found.field), entry)
    stamp(connection, "entry", tournament_id=id)
    count(connection, id, "entry_count", 1)
    spec = msgspec.json.decode(found.summary.spec, type=dict[str, Any])
    spec["bots"] = [*spec["bots"], bot]
    connection.execute(
        update(tables.Tournament)
        .where(col(tables.Tournament.id) == id)
        .values(spec=msgspec.json.encode(spec).decode())
    )
    stamp(connection, "tournament", id=id)


def _change(database: Database, tournament: int, **values: object) -> None:
    with database.writing(tournament) as connection:
        checked_row(connection, tournament)
        connection.execute(
            update(tables.Tournament)
            .where(col(tables.Tournament.id) == tournament)
            .values(**values)
        )
        stamp(connection, "tournament", id=tournament)
