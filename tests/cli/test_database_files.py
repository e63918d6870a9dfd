"""Database files that are empty, write-protected, locked, full, deleted or replaced meanwhile."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from arena_results.file import files
from arena_results.file.database import existing_database, open_database
from arena_results.store.queries import tournaments

from tests.cli.stored_cups import store
from tests.cli.tournament_runs import PATIENCE, Place, until

READING = (
    ("tournament", "list"),
    ("tournament", "show", "1"),
    ("tournament", "resume", "1"),
    ("leaderboard",),
    ("replay", "1.1.1.1"),
    ("replay", "1", "--verify"),
    ("bots", "list"),
    ("bots", "show", "random"),
)
RUN = (
    *("tournament", "run", "--games", "400", "--seed", "7", "--concurrency", "1"),
    *("--bot", "stand(at=17)", "--bot", "slow.py", "--trust", "slow"),
)


@pytest.fixture
def place(tmp_path, preloaded):
    return Place(tmp_path, preloaded)


@pytest.fixture
def open_folder():
    """A folder that every user can read, with a database that only its owner can write."""
    folder = Path(tempfile.mkdtemp(prefix="arena-read-only-"))
    store(f"sqlite:///{folder}/own.db")
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@contextmanager
def reader(folder: Path):
    """Without the right to write there: as another user, or where permissions bind oneself."""
    if os.geteuid() == 0:
        os.seteuid(pwd.getpwnam("nobody").pw_uid)
        try:
            yield
        finally:
            os.seteuid(0)
        return
    for path in (*folder.iterdir(), folder):
        path.chmod(0o555)
    yield


def left_open(path: Path) -> None:
    """Has a process write into the database and die, so that its write-ahead log stays."""
    script = (
        "import os, sqlite3, sys\nfile = sqlite3.connect(sys.argv[1])\n"
        "file.execute('CREATE TABLE more (x)')\nfile.commit()\nos.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", script, path], check=False)
    assert Path(f"{path}-wal").stat().st_size


@pytest.mark.parametrize("log", [False, True])
def test_every_command_that_reads_takes_a_write_protected_database(arena, open_folder, log):
    path = open_folder / "own.db"
    url = f"sqlite:///{path}"
    expected = [arena(*words, "--db", url) for words in READING]
    assert {answer.code for answer in expected} == {0}
    if log:
        left_open(path)
    before = sorted(open_folder.iterdir())
    with reader(open_folder):
        assert [arena(*words, "--db", url) for words in READING] == expected
        refused = arena("bots", "disable", "nobody", "--db", url)
    assert sorted(open_folder.iterdir()) == before
    assert refused.code == 2
    assert refused.err == (
        f"arena: the database {path} can only be read: the file or its folder is "
        "write-protected; copy it to a folder of yours, or name another\n"
    )


@pytest.mark.parametrize("kind", ["device", "pipe"])
def test_a_path_that_is_no_regular_file_is_refused_by_its_kind(arena, tmp_path, kind):
    path = Path("/dev/null")
    if kind == "pipe":  # to open it would wait for a writer
        path = tmp_path / "pipe"
        os.mkfifo(path)
    for words in (*READING, ("db", "upgrade"), ("bots", "disable", "careful")):
        answer = arena(*words, "--db", f"sqlite:///{path}")
        assert answer.err.endswith(f"{path}: expected a regular file; name another\n"), words
        if words != ("bots", "list"):
            assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), words


def test_an_unreadable_log_gives_no_wrong_answer(arena, open_folder):
    path = open_folder / "own.db"
    left_open(path)
    Path(f"{path}-shm").unlink()
    with reader(open_folder):
        answer = arena("tournament", "list", "--db", f"sqlite:///{path}")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        f"arena: cannot read {path}: its write-ahead log {path}-wal needs a folder that can be "
        "written; copy both files to one of yours\n"
    )


def test_an_empty_file_is_filled_by_the_next_run(place):
    """As a process leaves it that is killed before it writes to the file."""
    place.file.touch()
    answer = place.arena("tournament", "list")
    assert answer.code == 2
    assert "there is no results database at" in answer.err
    answer = place.arena("match", "stand(at=17)", "random", "--games", "2", "--seed", "7")
    assert (answer.code, place.stored()) == (0, 2)


DIE_AT = """
import os, signal, sys
from sqlalchemy import event
from sqlalchemy.engine import Engine
from arena_results.file.database import open_database

left = int(sys.argv[2])

@event.listens_for(Engine, "before_cursor_execute")
def count(*_):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)

open_database(sys.argv[1]).close()
"""


@pytest.mark.parametrize("statements", [0, 1, 2, 9, 14, 999])
@pytest.mark.thorough("other moments", everyday=["2", "999"])
def test_a_kill_while_a_database_is_made_leaves_a_usable_one(tmp_path, statements):
    url = f"sqlite:///{tmp_path}/new.db"
    ended = subprocess.run([sys.executable, "-c", DIE_AT, url, str(statements)], check=False)
    assert ended.returncode == (0 if statements == 999 else -signal.SIGKILL)
    found = existing_database(url)
    assert (found is not None) == (statements == 999)
    if found is not None:
        found.close()
    with open_database(url) as database:
        assert tournaments(database) == ()
    store(url)
    with open_database(url, create=False) as database:
        assert len(tournaments(database)) == 1


@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_a_database_removed_during_a_run_ends_it_with_an_error(place, how):
    process = place.start(*RUN)
    until(lambda: place.stored() >= 5)
    if how == "deleted":
        place.file.unlink()
    else:
        store(f"sqlite:///{place.folder}/other.db")
        os.replace(place.folder / "other.db", place.file)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert out == ""
    assert err.splitlines()[-1] == (
        f"arena: the database {place.file} was deleted or replaced while it was in use; "
        "what was stored in it since then is lost"
    )
    assert "is kept" not in err
    assert "Traceback" not in err


def test_a_second_resume_reports_a_finished_tournament(arena, own):
    for _ in range(2):
        answer = arena("tournament", "resume", "1", "--db", own)
        assert answer.code == 0
        assert answer.err == "Tournament 1 is finished; there is nothing left to play\n"
        assert "finished" in arena("tournament", "list", "--db", own).out


HOLD = """
import sqlite3, sys
file = sqlite3.connect(sys.argv[1], isolation_level=None)
file.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


def test_the_error_of_a_locked_database_names_the_process(arena, own, monkeypatch):
    monkeypatch.setattr(files, "BUSY_SECONDS", 0.1)
    path = own.removeprefix("sqlite:///")
    command = [sys.executable, "-c", HOLD, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        answer = arena("bots", "disable", "careful", "--db", own)
        holder.communicate()
    assert answer.code == 2
    assert answer.err.startswith(
        f"arena: the database {path} is locked by process {holder.pid} ({sys.executable} -c "
    )
    assert answer.err.endswith("; wait until that has ended, or stop it, and try again\n")


@pytest.mark.parametrize("size", [3_000, 150_000])
def test_a_full_disk_is_one_line(place, size):
    """At its creation, and while it is played."""
    limit = f"from resource import *; setrlimit(RLIMIT_FSIZE, ({size}, {size}))"
    process = place.start(*RUN, first=limit)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (2, "")
    assert err.splitlines()[-1].startswith(f"arena: the database {place.file} failed: ")
    assert "Traceback" not in err
    if kept := place.stored():
        answer = place.arena("tournament", "resume")
        assert (answer.code, f"continues after {kept} matches" in answer.err) == (0, True)


def test_a_file_that_is_no_sqlite_file_any_more_is_one_line(arena, own):
    path = Path(own.removeprefix("sqlite:///"))
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA journal_mode = DELETE")
    path.write_bytes(path.read_bytes()[:9000])
    for words in READING:
        answer = arena(*words, "--db", own)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.startswith("arena: ")
        assert str(path) in answer.err
        assert answer.err.count("\n") == 1
