"""Older schemas: refused with the command to run, upgraded with a copy of before."""

from __future__ import annotations

import shutil

import msgspec
import pytest
from arena_results.file import database as module
from arena_results.file.database import HEAD, SCRIPTS, open_database, upgrade_database
from arena_results.schema.rows import MatchRow
from arena_results.store.queries import matches, played_matches, tournament, tournaments
from sqlalchemy import text

from arena.core.errors import AlteredResults, BadStore
from arena.core.outcome import Fault, Outcome, Termination
from arena.core.record import MatchKey, PlayedMatch
from tests.results.database_files import make_sqlite, migrate, schema

FIRST_ROWS = (
    "INSERT INTO participant VALUES (1, 'ann@1+0', 'ann', '1', '0')",
    "INSERT INTO participant VALUES (2, 'bob@1+0', 'bob', '1', '0')",
    "INSERT INTO tournament VALUES (1, 'cup', 'dice', 'standard', '1', 'swiss', 2, 1, 1, 7, 0, 0, "
    "'running', '{}', '2026-01-01 00:00:00.000000', NULL)",
    "INSERT INTO entry VALUES (1, 0, 1, 1500.0), (1, 1, 2, 1500.0)",
    "INSERT INTO round VALUES (1, 1, '[[0,1]]', '[]')",
    "INSERT INTO match VALUES (1, 1, 1, 1, '[0,1]', 9, '[1.0,-1.0]', '[3,1]', 'crash', 1, 5, "
    "x'90')",
    "INSERT INTO measurement VALUES (1, 1, 1, 1, '[11,22]', '[3,4]', 'trusted', 'Traceback')",
)


def test_a_file_of_the_first_schema_is_refused_until_upgraded_and_keeps_its_data(tmp_path, url):
    path = tmp_path / "results.db"
    migrate(path, "0001")
    make_sqlite(path, *FIRST_ROWS)
    before = path.read_bytes()
    with pytest.raises(BadStore, match=rf"older schema \(0001, this program needs {HEAD}\)"):
        open_database(url)
    assert path.read_bytes() == before
    backup = upgrade_database(url)
    assert backup == tmp_path / "results.db.0001.1.backup"
    assert schema(backup) != schema(path)
    with open_database(url) as upgraded:
        (match,) = matches(upgraded, 1)
        assert len(tournaments(upgraded)) == 1
    assert match == MatchRow(
        MatchKey(1, 1, 1), (0, 1), 9, (1.0, -1.0), (3, 1), Termination.CRASH, 1, 5, expelled=()
    )


def test_matches_and_what_was_edited_in_them_survive_packing_and_unpacking(
    url, run, new, played, database
):
    faults = (Fault(0, Termination.TIMEOUT, 21, 'illegal: "7"'),)
    sent = [
        played((1, 1, 1), (0, 1), 1, termination=Termination.CRASH),
        played((1, 1, 2), (1, 2, 0), places=(2, 1, 3), expelled=faults),
        # What does not follow from the tournament: stored whole.
        odd(played((1, 2, 1), (2, 3), -1), engine="0"),
        odd(played((1, 2, 2), (3, 2)), outcome=Outcome((-0.0, 0.0), (2, 2))),
        played((1, 2, 3), (2, 3), 1),
    ]
    run(new(), sent)
    path, records = database.path, [match.record.to_bytes() for match in sent]
    database.close()
    migrate(path, "0009", back=True)
    make_sqlite(path, "UPDATE match SET seed = seed - 1 WHERE pairing = 2 AND leg = 3")
    upgrade_database(url)
    with open_database(url) as upgraded:
        with upgraded.reading() as connection:
            assert connection.exec_driver_sql("PRAGMA freelist_count").scalar() == 0
        found = played_matches(upgraded, 1)
        again = [next(found) for _ in sent[:-1]]
        assert again == sent[:-1]
        assert [match.record.to_bytes() for match in again] == records[:-1]
        with pytest.raises(AlteredResults, match=r"match 1\.2\.3: its row does not match"):
            next(found)


def test_learned_values_that_were_stored_as_a_hash_alone_stay_so(url, run, new, played, database):
    learned = {"value_function": "dice-learned 9", "value_hash": "a" * 64}
    run(new(**learned), [played((1, 1, 1), (0, 1), 1)], values=b"values")
    database.close()
    migrate(database.path, "0016", back=True)
    upgrade_database(url)
    with open_database(url) as upgraded:
        stored = tournament(upgraded, 1)
        assert (stored.summary.value_hash, stored.values()) == ("a" * 64, None)
        run(new(**learned), [], into=upgraded, values=b"values")
        assert stored.values() == b"values"


def odd(match: PlayedMatch, **changes: object) -> PlayedMatch:
    record = msgspec.structs.replace(match.record, **changes)
    return msgspec.structs.replace(match, record=record)


NEXT = f"{int(HEAD) + 1:04}"
NEXT_MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision = "{next}"
down_revision = "{head}"
branch_labels = depends_on = None


def upgrade():
    with op.batch_alter_table("tournament") as batch:
        batch.add_column(sa.Column("motto", sa.String(), server_default="onward"))
    op.execute("{statement}")
"""


@pytest.fixture
def next_version(tmp_path, monkeypatch):
    """Makes the program one migration newer than the files it has written so far."""

    def install(statement: str) -> None:
        scripts = tmp_path / "migrations"
        shutil.copytree(SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
        text = NEXT_MIGRATION.format(statement=statement, next=NEXT, head=HEAD)
        (scripts / "versions" / f"{NEXT}_next.py").write_text(text)
        monkeypatch.setattr(module, "SCRIPTS", scripts)
        monkeypatch.setattr(module, "HEAD", NEXT)

    return install


def test_an_older_schema_is_refused_with_the_upgrade_command(url, run, new, database, next_version):
    run(new(), [])
    before = database.path.read_bytes()
    next_version("SELECT 1")
    with pytest.raises(
        BadStore, match=rf"older schema \({HEAD}, .* run: arena db upgrade --db sqlite"
    ):
        open_database(url)
    assert database.path.read_bytes() == before


def test_an_upgrade_keeps_everything_and_a_copy_of_before(
    url, run, new, played, database, next_version
):
    run(new(), [played((1, 1, 1), (0, 1), 1)])
    before = tournaments(database)
    next_version("SELECT 1")
    backup = upgrade_database(url)
    assert upgrade_database(url) is None
    with open_database(url) as upgraded:
        assert tournaments(upgraded) == before
        with upgraded.reading() as connection:
            assert connection.execute(text("SELECT motto FROM tournament")).scalar() == "onward"
    assert backup is not None
    with pytest.raises(BadStore, match="older schema"):
        open_database(f"sqlite:///{backup}")


def test_a_failed_upgrade_changes_nothing(url, run, new, database, next_version):
    run(new(), [])
    before = schema(database.path)
    next_version("DROP TABLE no_such_table")
    for _ in range(2):
        with pytest.raises(BadStore, match="failed: no such table"):
            upgrade_database(url)
    assert schema(database.path) == before
    assert len(list(database.path.parent.glob("*.backup"))) == 2
