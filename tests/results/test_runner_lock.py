"""The lock of a running tournament: one holder, named to others, freed with its process."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from arena_results.file.database import open_database
from arena_results.file.local_file import LocalFile
from arena_results.file.runner_lock import LeagueLock, RunnerLock, is_running, refuse_running

from arena.core.errors import BadStore

pytestmark = pytest.mark.on_files

HOLD = """
import subprocess, sys
from arena_results.file.database import open_database
from arena_results.file.local_file import LocalFile
from arena_results.file.runner_lock import RunnerLock

with open_database(sys.argv[1]) as database, RunnerLock(database, 3):
    child = subprocess.Popen(["sleep", "600"], close_fds=False)
    print(child.pid, flush=True)
    sys.stdin.read()
"""


def test_it_is_held_once_also_within_one_process(database, url):
    with RunnerLock(database, 3), open_database(url) as other:
        with pytest.raises(BadStore, match=f"tournament 3 of .* by process {os.getpid()} "):
            RunnerLock(other, 3).__enter__()
        with pytest.raises(BadStore, match="tournament 3 of"):
            refuse_running(database, 3)
        assert is_running(database, 3)
        with RunnerLock(other, 4):
            assert is_running(database, 4)
        assert not is_running(database, 4)
    assert not is_running(database, 3)
    refuse_running(database, 3)
    assert sorted(each.name for each in database.place.path.parent.glob("*-runner-*")) == []


def test_a_link_to_the_database_has_the_same_lock(database, tmp_path):
    link = tmp_path / "link.db"
    link.symlink_to(database.place.path)
    with RunnerLock(database, 1):
        assert LocalFile(link).holder("1")


def test_kill_9_frees_it_though_a_child_of_the_process_lives_on(database, url):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        child = int(holder.stdout.readline())
        try:
            with pytest.raises(BadStore) as refused:
                RunnerLock(database, 3).__enter__()
            holder.kill()
            holder.wait()
            assert not is_running(database, 3)
            with RunnerLock(database, 3):
                os.kill(child, 0)  # it still runs
        finally:
            os.kill(child, 9)
    assert re.search(
        rf"is being played by process {holder.pid} \(-c sqlite:.*\) since 20.* UTC; "
        "wait until",
        str(refused.value),
    )


def test_a_file_that_a_killed_process_left_empty_names_nobody(database):
    with RunnerLock(database, 3):
        (file,) = database.place.path.parent.glob("*-runner-3")
        file.write_bytes(b"")
        with pytest.raises(BadStore, match="is being played by another process; wait"):
            refuse_running(database, 3)


def test_a_database_has_one_league_beside_which_its_tournaments_are_played(database, url):
    busy = f"the league of .* is being run by process {os.getpid()} "
    with (
        LeagueLock(database),
        RunnerLock(database, 1),
        open_database(url) as other,
        pytest.raises(BadStore, match=busy),
    ):
        LeagueLock(other).__enter__()
    with LeagueLock(database):
        assert not is_running(database, 1)
