"""Databases of a PostgreSQL server: addresses, refusals, locks, commits noticed by others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from threading import Timer
from time import monotonic, sleep
from urllib.parse import quote, unquote

import pytest
import trio
from arena_results.dialects import NEW
from arena_results.file.addresses import password_of, without_password
from arena_results.file.changes import Changes
from arena_results.file.database import HEAD, existing_database, open_database, upgrade_database
from arena_results.file.runner_lock import LeagueLock, RunnerLock, is_running, refuse_running
from arena_results.schema.rows import EntryRow, Status, VoidMatch
from arena_results.store.luck_sums import keep_luck
from arena_results.store.organising import rename
from arena_results.store.queries import tournaments
from arena_results.store.store import Store

from arena.core.errors import BadStore
from arena.core.outcome import Termination
from arena.core.record import MatchKey
from tests.postgres_server import GUEST, PASSWORD
from tests.results.conftest import FIELD, ROUND

SECONDS = 60
"""Time in which what is awaited happens, also on a busy machine."""
HOLD = """
import sys
from arena_results.file.database import open_database
from arena_results.file.runner_lock import RunnerLock

with open_database(sys.argv[1]) as database, RunnerLock(database, 3):
    print("held", flush=True)
    sys.stdin.read()
"""


def until(condition: Callable[[], bool]) -> None:
    ends = monotonic() + SECONDS
    while not condition():
        assert monotonic() < ends
        sleep(0.01)


def refused(url: str) -> str:
    with pytest.raises(BadStore) as caught:
        open_database(url)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_an_empty_database_is_filled_once(postgres):
    url = postgres.new()
    assert existing_database(url) is None
    with pytest.raises(BadStore, match="there are no results in the database postgresql://arena@"):
        open_database(url, create=False)
    for _ in range(2):
        with open_database(url) as database:
            assert tournaments(database) == ()
    assert upgrade_database(url) is None


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("postgresql://me@127.0.0.1:1/cups", "cannot reach the database postgresql://me@127.0.0.1"),
        ("postgresql://me@/cups?host=/nowhere", "No such file or directory; check the address"),
        ("postgresql://me@host", "'postgresql://me@host' names no database: postgresql://USER@"),
        ("postgresql://me@host/cups?hots=here", 'invalid URI query parameter: "hots"'),
        ("mysql://me:secret@host/cups", "cannot use the database mysql://me@host/cups; a da"),
    ],
)
def test_an_address_that_leads_nowhere_is_refused(url, message):
    assert message in refused(url)


def test_what_the_server_refuses_is_said_in_one_line(postgres):
    assert refused(postgres.url("cups")).endswith(
        'refuses: database "cups" does not exist; its operator makes it by: createdb cups'
    )
    assert refused(postgres.url("cups", "nobody")).endswith(
        'role "nobody" does not exist; name another, or its operator makes it by: '
        "createuser --pwprompt nobody"
    )
    assert "no password supplied; give the password by the variable PGPASSWORD" in refused(
        postgres.url("postgres", GUEST)
    )
    wrong = refused(postgres.url("postgres", f"{GUEST}:wrong"))
    assert 'password authentication failed for user "guest"; give the password by' in wrong
    assert "wrong" not in wrong


def test_a_user_who_may_not_make_the_tables_is_told_so(postgres):
    assert refused(
        postgres.new().replace("arena@", f"{GUEST}:{quote(PASSWORD, safe='')}@")
    ).endswith(
        "refuses: permission denied for schema public; "
        "its operator may allow it: docs/howto/postgresql.md"
    )


def test_a_password_is_kept_out_of_the_address(postgres, monkeypatch):
    monkeypatch.delenv("ARENA_PASSWORDS", raising=False)
    url = postgres.new()
    with postgres.session(url.partition("?")[0].rpartition("/")[2]) as session:
        session.execute(f"GRANT ALL ON SCHEMA public TO {GUEST}")
    url = url.replace("arena@", f"{GUEST}:p%40ss%20word%2F1@")
    with open_database(url) as database:
        bare = database.url
        assert "ss" not in bare.partition("?")[0].replace("guest", "")
        assert (bare, password_of(bare)) == (without_password(url), PASSWORD)
        open_database(bare).close()
    # So do the processes that this one starts.
    script = f"from arena_results.file.database import open_database\nopen_database({bare!r})"
    subprocess.run([sys.executable, "-c", script], check=True)
    monkeypatch.delenv("ARENA_PASSWORDS")
    assert "no password supplied" in refused(bare)


@pytest.mark.parametrize("password", ["a/b", "a?b", "a#b", "a@b", "a:b", "a%40b", "a%2Fb"])
@pytest.mark.parametrize("rest", ["h/cups", "h:5432/cups?sslmode=require", "[::1/cups", "/cups"])
def test_any_sign_of_a_password_is_kept_out_of_the_address(password, rest, monkeypatch):
    monkeypatch.setenv("ARENA_PASSWORDS", "{}")
    bare = without_password(f"postgresql://me:{password}@{rest}")
    assert bare == f"postgresql://me@{rest}"
    if "[" not in rest:
        assert password_of(bare) == unquote(password)
    assert without_password(bare) == bare


@pytest.mark.parametrize(
    "url", ["postgresql://h:5432/cups?application_name=me@x", "postgresql://me@h:5432/c@b"]
)
def test_an_address_without_a_password_stays(url):
    assert without_password(url) == url


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ("CREATE TABLE song ()", "holds something else than results; name another database"),
        ("UPDATE alembic_version SET version_num = '9999'", "newer version of this program (schem"),
        ("UPDATE alembic_version SET version_num = '0018'", "written before the first release of"),
        ("UPDATE alembic_version SET version_num = 'x'", "has a schema of no version (x)"),
        ("DROP TABLE alembic_version", "holds something else than results"),
    ],
)
def test_a_database_of_something_else_is_refused(postgres, statements, message):
    url = postgres.new() if "song" in statements else postgres.filled()
    with postgres.session(url.partition("?")[0].rpartition("/")[2]) as session:
        session.execute(statements)
    assert message in refused(url)


def test_a_database_that_cannot_hold_every_text_is_refused(postgres):
    with postgres.session() as session:
        session.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    line = refused(postgres.url("latin"))
    assert "its encoding is LATIN1; make one by: createdb --encoding UTF8" in line


def test_a_user_who_may_only_read_reads(postgres):
    url = postgres.filled()
    with postgres.session(url.partition("?")[0].rpartition("/")[2]) as session:
        session.execute("CREATE ROLE reader LOGIN")
        session.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    with open_database(url.replace("arena@", "reader@")) as database:
        assert tournaments(database) == ()
        with pytest.raises(BadStore, match="can only be read: its server or its user may not"):
            database.check_writable()


def test_a_lock_is_held_once_and_names_its_holder(postgres):
    url = postgres.filled()
    with (
        open_database(url) as database,
        subprocess.Popen(
            [sys.executable, "-c", HOLD, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as holder,
    ):
        assert holder.stdout is not None
        holder.stdout.readline()
        assert is_running(database, 3)
        busy = rf"tournament 3 of .* is being played by process {holder.pid} \(-c .*\) on "
        with pytest.raises(BadStore, match=busy):
            refuse_running(database, 3)
        with pytest.raises(BadStore, match=busy):
            RunnerLock(database, 3).__enter__()
        with RunnerLock(database, 4), LeagueLock(database):
            with open_database(url) as other, pytest.raises(BadStore, match=r"the league of .* is"):
                LeagueLock(other).__enter__()
            assert is_running(database, 4)
        assert not is_running(database, 4)
        # The server may notice only later that the process has died.
        with postgres.session() as session:
            [(backend,)] = session.execute(
                "SELECT pid FROM pg_stat_activity WHERE pid IN (SELECT pid FROM pg_locks WHERE "
                "locktype = 'advisory') AND application_name LIKE %s",
                (f"arena {holder.pid}@%",),
            )
        os.kill(backend, signal.SIGSTOP)
        holder.kill()
        holder.wait()
        assert not is_running(database, 3)
        later = Timer(0.5, os.kill, (backend, signal.SIGCONT))
        later.start()
        with RunnerLock(database, 3):
            assert is_running(database, 3)
        later.join()


def test_a_runner_whose_lock_was_lost_writes_no_more(postgres):
    with open_database(postgres.filled()) as database, RunnerLock(database, 1):
        with database.writing(1):
            pass
        with postgres.session() as session:
            session.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
            )
        with (
            pytest.raises(BadStore, match="was lost, and with it the lock of this process"),
            database.writing(1),
        ):
            pass


def test_two_tournaments_are_written_at_once_and_everything_else_alone(postgres, monkeypatch):
    monkeypatch.setattr("arena_results.file.server_sessions._SESSION", "SET lock_timeout = 100")
    url = postgres.filled()
    locked = r"the database .* is locked by process \d+ .* on .*; wait until that has ended"
    with open_database(url) as database, open_database(url) as other:
        with database.writing(1), other.writing(2):
            pass
        with database.writing(1), other.writing(NEW):
            pass
        for one, two in ((1, 1), (1, None), (None, 1), (None, None), (NEW, NEW), (NEW, None)):
            with database.writing(one), pytest.raises(BadStore, match=locked), other.writing(two):
                pass


def test_a_runner_waits_for_no_other_tournament(postgres, monkeypatch, new, played):
    monkeypatch.setattr("arena_results.file.server_sessions._SESSION", "SET lock_timeout = 100")
    url = postgres.filled()
    void = VoidMatch(MatchKey(1, 1, 1), Termination.HARNESS_FAULT, "no memory")
    with open_database(url) as database, open_database(url) as other:

        async def run() -> None:
            store = Store(database)
            cups = [await store.create_tournament(new(), [*map(EntryRow, FIELD)]) for _ in range(2)]
            with other.writing(cups[1]):  # open for the whole time
                await store.save_round(cups[0], ROUND)
                await store.sink(cups[0]).write([played((1, 1, 1), (0, 1))])
                await store.save_void(cups[0], [void])
                await store.close_round(cups[0], 1)
                keep_luck(database, cups[0], {})
                await store.set_status(cups[0], Status.INTERRUPTED)
                rename(database, cups[0], "other")
                await store.create_tournament(new(), [*map(EntryRow, FIELD)])
            assert [each.name for each in tournaments(database)] == ["other", "cup", "cup"]

        trio.run(run)


def test_commits_are_noticed_also_after_the_server_was_started_again(postgres):
    url = postgres.filled()
    with open_database(url) as database, open_database(url) as other, Changes(other) as changes:
        before = changes.version()
        assert changes.version() == before
        with database.writing():
            pass
        until(lambda: changes.version() != before)
        before = changes.version()
        with other.writing():
            pass
        assert changes.version() != before  # one's own at once

        postgres.stop()
        with pytest.raises(BadStore, match=r"cannot reach the database|was lost"):
            tournaments(database)
        postgres.start()
        until(lambda: _version(changes) not in (before, None))
        assert tournaments(database) == ()
    with pytest.raises(BadStore, match="closed"):
        changes.version()


def _version(changes: Changes) -> int | None:
    try:
        return changes.version()
    except BadStore:
        return None


def test_the_schema_is_the_newest(postgres):
    with open_database(postgres.new()) as database, database.reading() as connection:
        stamped = connection.exec_driver_sql("SELECT version_num FROM alembic_version")
        assert stamped.scalar() == HEAD


@pytest.mark.parametrize("begin", ["postgres://", "postgresql:", "postgres:/"])
def test_other_spellings_of_a_server_never_show_its_password(begin: str) -> None:
    assert without_password(f"{begin}me:secret@host/cups") == "postgresql://me@host/cups"
