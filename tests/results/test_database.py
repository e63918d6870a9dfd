from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from threading import Barrier

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from arena_results.file.addresses import KINDS
from arena_results.file.database import FIRST, HEAD, create_schema, open_database, upgrade_database
from arena_results.file.files import revision_in
from arena_results.store.queries import tournaments
from sqlalchemy import text

from arena.core.errors import BadInput, BadStore
from tests.results.database_files import config, make_sqlite, migrate, schema

pytestmark = pytest.mark.on_files


def test_head_is_the_newest_migration():
    assert ScriptDirectory.from_config(config()).get_current_head() == HEAD


def test_a_new_file_has_the_schema_that_the_migrations_make(tmp_path, url, database):
    migrated = tmp_path / "migrated.db"
    migrate(migrated, "head")
    made, present = schema(migrated), schema(database.place.path)
    assert "match" in made
    assert made.pop("alembic_version")
    assert present.pop("alembic_version")
    assert made == present


def test_the_migrations_make_the_tables_of_the_models(database):
    with database.reading() as connection:
        settings = config()
        settings.attributes["connection"] = connection
        command.check(settings)


@pytest.mark.usefixtures("waits_for_the_disk")
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


@pytest.mark.parametrize("begin", ["BEGIN", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_creating_a_file_waits_for_another_that_uses_it(url, tmp_path, begin):
    other = sqlite3.connect(tmp_path / "results.db", isolation_level=None, check_same_thread=False)
    other.execute(begin)
    other.execute("SELECT * FROM sqlite_master").fetchall()
    with ThreadPoolExecutor(1) as pool, closing(other):
        opened = pool.submit(open_database, url)
        assert not wait([opened], timeout=0.3).done
        other.execute("COMMIT")
        opened.result().close()


def test_looking_at_a_file_keeps_the_locks_of_other_threads(tmp_path):
    path = tmp_path / "results.db"
    write = f"import sqlite3; sqlite3.connect({str(path)!r}, timeout=0).execute('BEGIN IMMEDIATE')"
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert revision_in(path) is None
        tried = subprocess.run([sys.executable, "-c", write], capture_output=True, text=True)
    assert "database is locked" in tried.stderr


def test_creating_a_file_that_another_process_made_keeps_it(database, run, new):
    run(new(), [])
    create_schema(database.place)
    assert len(tournaments(database)) == 1


def test_a_writer_holds_the_lock_from_its_first_statement(database):
    with (
        database.writing(),
        closing(sqlite3.connect(database.place.path, timeout=0, isolation_level=None)) as other,
        pytest.raises(sqlite3.OperationalError, match="database is locked"),
    ):
        other.execute("BEGIN IMMEDIATE")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://me:secret@host/db", "cannot use the database mysql://me@host/db"),
        ("sqlite+aiosqlite:///x.db", "cannot use the database sqlite+aiosqlite:///x.db"),
        ("sqlite:///x.db?mode=ro", "cannot use the database sqlite:///x.db?mode=ro"),
        ("x.db", "cannot read the database address 'x.db'"),
        ("sqlite://", "'sqlite://' names no file"),
        ("sqlite:///:memory:", "'sqlite:///:memory:' names no file"),
    ],
)
def test_another_kind_of_address_is_refused_with_the_kinds_there_are(url, message):
    with pytest.raises(BadStore) as caught:
        open_database(url)
    assert str(caught.value) == f"{message}; {KINDS}"


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(BadStore, match=r"^the folder .*nowhere does not exist"):
        open_database(f"sqlite:///{tmp_path}/nowhere/x.db")
    assert not list(tmp_path.iterdir())


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(BadStore, match="is a folder"):
        open_database(f"sqlite:///{tmp_path}")


def test_without_create_a_missing_file_is_not_made(tmp_path, url):
    with pytest.raises(BadStore, match="there is no results database at"):
        open_database(url, create=False)
    with pytest.raises(BadStore, match="there is no results database at"):
        upgrade_database(url)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("use", [open_database, upgrade_database])
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.write_bytes(b"dear diary"), "is not a SQLite database"),
        (lambda path: path.write_bytes(b"SQLite format 3\0" + b"?" * 500), "or a damaged one"),
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
                "INSERT INTO alembic_version VALUES ('0018')",
            ),
            rf"before the first release of this program \(schema 0018, the first is {FIRST}\)",
        ),
        (
            lambda path: make_sqlite(
                path,
                "CREATE TABLE tournament (id)",
                "CREATE TABLE alembic_version (version_num)",
                "INSERT INTO alembic_version VALUES ('9999')",
            ),
            rf"newer version of this program \(schema 9999, this one knows {HEAD}\)",
        ),
    ],
)
def test_a_file_of_another_program_is_refused_and_unchanged(tmp_path, url, use, make, message):
    path = tmp_path / "results.db"
    make(path)
    before = path.read_bytes()
    with pytest.raises(BadStore, match=message) as caught:
        use(url)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_half_a_character_to_look_for_is_no_damage(database):
    find = text("SELECT id FROM tournament WHERE name = :name")
    with (
        pytest.raises(BadInput, match=r"^'\\udcff' has a character that no database can") as raised,
        database.reading() as connection,
    ):
        connection.execute(find, {"name": "\udcff"})
    assert not isinstance(raised.value, BadStore)


def test_damage_met_while_reading_is_one_line(database):
    with closing(sqlite3.connect(database.place.path)) as file:
        file.execute("DROP TABLE tournament")
    with pytest.raises(BadStore, match=r"^the database .*results\.db failed: no such table"):
        tournaments(database)
