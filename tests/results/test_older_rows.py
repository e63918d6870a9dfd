"""Rows of every table survive the way to each older schema and back, as far as it has them.

``tests/cli/older_schemas`` has databases that older programs wrote, without submissions, rulings,
void matches, logs, leagues and the like. Here a database has rows in every table.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
import trio
from arena_results.boards import leaderboard as module
from arena_results.boards.leaderboard import leaderboard
from arena_results.bots.authors import author_of, log_in, new_token
from arena_results.bots.seasons import Season, insert_season
from arena_results.bots.submissions import CheckSummary, GameReport, NewSubmission, add
from arena_results.bots.uploads import UploadLimits, UploadState, decide, receive, take_next
from arena_results.file.database import HEAD, Database, open_database, upgrade_database
from arena_results.ratings.systems.systems import Elo
from arena_results.schema.rows import LuckSums, MemberLuck, Status, VoidMatch
from arena_results.schema.tables import METADATA
from arena_results.store.luck_sums import keep_luck
from arena_results.store.organising import make_ruling
from arena_results.store.queries import played_matches, without_matches
from arena_results.store.store import Store

from arena.core.outcome import Fault, Termination
from arena.core.record import MatchKey, SeatLog
from arena.core.rulings import Ruling, RulingKind
from arena.core.tournament import Pairing, Round
from tests.results.database_files import migrate

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SCHEMAS = [f"{number:04}" for number in range(1, int(HEAD))]


@pytest.fixture
def filled(database, run, new, played, monkeypatch) -> Path:
    """The file of a database with rows in every table."""
    expelled = (Fault(2, Termination.CRASH, 1, "sorry"),)
    sent = [
        played((1, 1, 1), (0, 1), 1, termination=Termination.TIMEOUT),
        played((1, 1, 2), (1, 0, 2), places=(1, 2, 3), expelled=expelled),
        *(played((1, 2, leg), (2, 3), leg % 3 - 1) for leg in range(1, 9)),
    ]
    measured = msgspec.structs.replace(
        sent[0].measurement, logs=(SeatLog(1, "hello\n"),), isolation="confined"
    )
    sent[0] = msgspec.structs.replace(sent[0], measurement=measured)
    cup = run(new(value_function="dice-learned 9", value_hash="a" * 64), sent, values=b"values")
    run(new(name="chips", stake=5, purse=100), [played((1, 1, 1), (0, 1), 1)])
    ruling = Ruling(kind=RulingKind.BYE, entry=1, round=2, points=0.5, reason="away")
    assert make_ruling(database, without_matches(database, cup), ruling)
    trio.run(_second_round, Store(database), cup, played)
    keep_luck(database, cup, {(2, 1): LuckSums(1, 1, 1, (MemberLuck(0, *[0.5] * 10),))})
    monkeypatch.setattr(module, "LARGE", 3)
    leaderboard(database, system=Elo())
    _of_submissions(database)
    with database.writing() as connection:
        insert_season(connection, Season("open", 1, cup))
    database.close()
    return database.path


async def _second_round(store: Store, cup: int, played) -> None:
    await store.save_round(cup, Round(2, (Pairing((0, 2)),), byes=(3,)), rulings=1)
    await store.sink(cup).write([played((2, 1, 1), (0, 2), -1)])
    crash = VoidMatch(MatchKey(2, 1, 1), Termination.CRASH, "taken back", offender=2)
    await store.save_void(cup, [crash])
    await store.set_status(cup, Status.FINISHED)


def _of_submissions(database: Database) -> None:
    """Stores a submitted bot, a used token with a login, and an upload of each outcome."""
    check = CheckSummary(20, 12.5, True, "confined")
    report = {"dice": GameReport("standard", {"random": check})}
    bot = NewSubmission(
        name="eve",
        version="1.0",
        content="e" * 12,
        author="Eve",
        licence="MIT",
        games=("dice",),
        language="python",
        target="eve:Eve",
        requires=("numpy>=2",),
        deterministic=True,
        report=report,
    )
    add(database, bot, b"zip")
    token = author_of(database, new_token(database, "Eve", NOW), NOW)
    assert token is not None
    log_in(database, token, NOW)
    for number, end in enumerate((UploadState.ENTERED, UploadState.REFUSED, None), 1):
        receive(database, "Eve", "eve.py", b"source", UploadLimits(9, 9), NOW)
        if end:
            take_next(database, NOW, 9)
            decide(database, number, end, NOW, text="decided", bot="eve@1.0", document="{}")


Rows = dict[str, list[dict[str, object]]]


def contents(path: Path) -> Rows:
    """The rows of each table, in the order of their keys."""
    with closing(sqlite3.connect(path)) as file:
        file.row_factory = sqlite3.Row
        names = file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name: [*rows(file, name)] for (name,) in names if name in METADATA.tables}


def records(path: Path) -> list[bytes]:
    """The records of both tournaments, which are packed otherwise where there is no dictionary."""
    with open_database(f"sqlite:///{path}") as database:
        return [
            match.record.to_bytes() for cup in (1, 2) for match in played_matches(database, cup)
        ]


def rows(file: sqlite3.Connection, name: str) -> Iterator[dict[str, object]]:
    key = ", ".join(f'"{column.name}"' for column in METADATA.tables[name].primary_key)
    for row in file.execute(f'SELECT * FROM "{name}" ORDER BY {key}'):
        yield dict(row)


@pytest.mark.thorough("each schema is upgraded", everyday=["0001", "0009", SCHEMAS[-1]])
@pytest.mark.parametrize("revision", SCHEMAS)
def test_rows_of_every_table_survive_an_upgrade(tmp_path, filled, revision):
    before, sent = contents(filled), records(filled)
    assert set(before) == set(METADATA.tables)
    assert all(before.values())
    path = tmp_path / "older.db"
    shutil.copy(filled, path)
    migrate(path, revision, back=True)
    older = contents(path)
    upgrade_database(f"sqlite:///{path}")
    # Reading compares checksums, which are of columns that an older schema may not have.
    assert records(path) == sent
    after = contents(path)
    for table, found in older.items():
        kept = set(found[0]) & set(before[table][0]) - {"checksum", "record"}
        assert [{name: row[name] for name in kept} for row in after[table]] == [
            {name: row[name] for name in kept} for row in before[table]
        ]
    migrate(path, revision, back=True)
    assert contents(path) == older
