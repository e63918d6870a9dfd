"""Noticing the commits of others, also while the connection is closed below a thread that asks."""

from __future__ import annotations

import subprocess
import sys

import pytest
from arena_results.file.changes import Changes

from arena.core.errors import BadStore

ASKS = """
import sys
from threading import Barrier, Thread
from arena_results.file.changes import Changes
from arena_results.file.database import open_database
from arena.core.errors import BadStore

TIMES = 1000
begun, ended = Barrier(4), Barrier(4)
changes = None

def ask():
    for _ in range(TIMES):
        begun.wait()
        try:
            while True:
                changes.version()
        except BadStore:
            ended.wait()

sys.setswitchinterval(1e-6)
with open_database(sys.argv[1], create=True) as database:
    threads = [Thread(target=ask, daemon=True) for _ in range(3)]
    for each in threads:
        each.start()
    for _ in range(TIMES):
        changes = Changes(database)
        begun.wait()
        changes.close()
        ended.wait()
"""


def test_a_commit_of_another_connection_changes_the_version(database, run, new):
    with Changes(database) as changes:
        before = changes.version()
        assert changes.version() == before
        run(new(), [])
        assert changes.version() != before


def test_threads_that_ask_while_it_closes_are_refused(url):
    done = subprocess.run([sys.executable, "-c", ASKS, url], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_closed_one_refuses(database):
    with Changes(database) as changes:
        pass
    with pytest.raises(BadStore, match="closed"):
        changes.version()
