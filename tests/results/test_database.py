from __future__ import annotations

import re
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text

from arena.core.errors import BadStore
from arena.core.outcome import Termination
from arena.core.record import Place
from results import database as module
from results.database import HEAD, SCRIPTS, open_database, upgrade_database
from results.queries import matches, tournaments
from results.rows import MatchRow


def schema(path: Path) -> dict[str, list[str]]:
    """The clauses of each statement that made the file's tables, in an order of their own.

    A column that was added later stands where SQLite put it, not where a new table has it.
    """
    with closing(sqlite3.connect(path)) as file:
        made = file.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        return {name: sorted(re.split(r"\s*[,\n]\s*", sql.strip())) for name, sql in made}


def config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(module.SCRIPTS))
    return config


def migrate(path: Path, revision: str) -> None:
    """Makes a file as a program of that revision made it."""
    engine = module._engine(path)
    with engine.begin() as connection:
        settings = config()
        settings.attributes["connection"] = connection
        command.upgrade(settings, revision)
    engine.dispose()


def test_head_is_the_newest_migration():
    assert ScriptDirectory.from_config(config()).get_current_head() == HEAD


def test_a_new_file_has_the_schema_that_the_migrations_make(tmp_path, url, database):
    migrated = tmp_path / "migrated.db"
    migrate(migrated, "head")
    assert schema(migrated) == schema(database.path)
    assert "match" in schema(migrated)


def test_the_migrations_make_the_tables_that_the_models_say(database):
    with database.reading() as connection:
        settings = config()
        settings.attributes["connection"] = connection
        command.check(settings)


def test_a_committed_match_survives_a_power_cut_and_keys_are_checked(database):
    with database.reading() as connection:
        pragmas = [
            connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert pragmas == ["wal", 2, 1]


def test_an_empty_file_is_a_new_database(tmp_path):
    path = tmp_path / "empty.db"
    path.touch()
    with open_database(f"sqlite:///{path}") as database:
        assert tournaments(database) == ()


def test_a_relative_file_counts_from_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    open_database().close()
    assert (tmp_path / "arena.db").exists()


def test_many_that_create_the_same_file_at_once_all_succeed(url):
    together = Barrier(8)

    def create(_: int) -> int:
        together.wait()
        with open_database(url) as database:
            return len(tournaments(database))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(create, range(8))) == [0] * 8


def test_creating_a_file_that_another_process_just_made_keeps_what_is_in_it(database, run, new):
    run(new(), [])
    module._create(database.path)
    assert len(tournaments(database)) == 1


def test_a_writer_holds_the_lock_from_its_first_word(database):
    with (
        database.writing(),
        closing(sqlite3.connect(database.path, timeout=0, isolation_level=None)) as other,
        pytest.raises(sqlite3.OperationalError, match="database is locked"),
    ):
        other.execute("BEGIN IMMEDIATE")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("postgresql://me:secret@host/db", "cannot use the database postgresql://me:***@host/db"),
        ("sqlite+aiosqlite:///x.db", "cannot use the database sqlite+aiosqlite:///x.db"),
        ("sqlite:///x.db?mode=ro", "cannot use the database sqlite:///x.db?mode=ro"),
        ("x.db", "cannot read the database address 'x.db'"),
        ("sqlite://", "'sqlite://' names no file"),
        ("sqlite:///:memory:", "'sqlite:///:memory:' names no file"),
    ],
)
def test_another_kind_of_address_is_refused_with_the_kind_there_is(url, message):
    with pytest.raises(BadStore) as caught:
        open_database(url)
    assert str(caught.value) == f"{message}; the only kind of database so far is sqlite:///FILE"


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(BadStore, match=r"^the folder .*nowhere does not exist"):
        open_database(f"sqlite:///{tmp_path}/nowhere/x.db")
    assert not list(tmp_path.iterdir())


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(BadStore, match="is a folder"):
        open_database(f"sqlite:///{tmp_path}")


def test_without_create_a_missing_file_stays_missing(tmp_path, url):
    with pytest.raises(BadStore, match="there is no results database at"):
        open_database(url, create=False)
    with pytest.raises(BadStore, match="nothing to upgrade"):
        upgrade_database(url)
    assert not list(tmp_path.iterdir())


def make_sqlite(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as file:
        for statement in statements:
            file.execute(statement)
        file.commit()


@pytest.mark.parametrize("use", [open_database, upgrade_database])
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.write_bytes(b"dear diary"), "is not a SQLite database"),
        (lambda path: path.write_bytes(b"SQLite format 3\0" + b"?" * 500), "cannot read"),
        (lambda path: make_sqlite(path, "CREATE TABLE song (name)"), "holds something else"),
        (
            lambda path: make_sqlite(
                path,
                "CREATE TABLE song (name)",
                "CREATE TABLE alembic_version (version_num)",
                "INSERT INTO alembic_version VALUES ('0001')",
            ),
            "holds something else",
        ),
        (
            lambda path: make_sqlite(
                path,
                "CREATE TABLE tournament (id)",
                "CREATE TABLE alembic_version (version_num)",
                "INSERT INTO alembic_version VALUES ('9999')",
            ),
            r"newer version of this program \(schema 9999, this one knows 0002\)",
        ),
    ],
)
def test_a_file_that_is_not_ours_is_refused_and_unchanged(tmp_path, url, use, make, message):
    path = tmp_path / "results.db"
    make(path)
    before = path.read_bytes()
    with pytest.raises(BadStore, match=message) as caught:
        use(url)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_damage_met_while_reading_is_one_line(database):
    with closing(sqlite3.connect(database.path)) as file:
        file.execute("DROP TABLE tournament")
    with pytest.raises(BadStore, match=r"^the database .*results\.db failed: no such table"):
        tournaments(database)


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


def test_a_file_of_the_first_schema_asks_for_the_upgrade_and_then_has_all_it_had(tmp_path, url):
    path = tmp_path / "results.db"
    migrate(path, "0001")
    make_sqlite(path, *FIRST_ROWS)
    before = path.read_bytes()
    with pytest.raises(BadStore, match=r"older schema \(0001, this program needs 0002\)"):
        open_database(url)
    assert path.read_bytes() == before
    backup = upgrade_database(url)
    assert backup == tmp_path / "results.db.0001.1.backup"
    assert schema(backup) != schema(path)
    with open_database(url) as upgraded:
        (match,) = matches(upgraded, 1)
        assert len(tournaments(upgraded)) == 1
    assert match == MatchRow(
        Place(1, 1, 1), (0, 1), 9, (1.0, -1.0), (3, 1), Termination.CRASH, 1, 5, expelled=()
    )


THIRD = """
import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
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
        (scripts / "versions" / "0003_next.py").write_text(THIRD.format(statement=statement))
        monkeypatch.setattr(module, "SCRIPTS", scripts)
        monkeypatch.setattr(module, "HEAD", "0003")

    return install


def test_an_older_schema_asks_for_the_upgrade(url, run, new, database, next_version):
    run(new(), [])
    before = database.path.read_bytes()
    next_version("SELECT 1")
    with pytest.raises(
        BadStore, match=r"older schema \(0002, .* run: arena db upgrade --db sqlite"
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
