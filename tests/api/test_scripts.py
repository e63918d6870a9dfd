"""Programs as people write them: without a guard, from stdin, stopped by Ctrl-C, in a thread."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

import arena

UNGUARDED = """
import arena

print("begins")
with arena.open_database("cups.db") as db:
    cup = db.run(["counter", "random"], games=4, concurrency=2)
    print([row["name"] for row in cup.standings()])
"""
LONG = """
import arena

class Mine(arena.Bot):
    def act(self, observation):
        return observation.legal_actions[0]

def show(progress):
    if progress.now:
        print("goes on", flush=True)

with arena.open_database("cups.db") as db:
    db.run([{first}, "random"], games=100_000, progress=show)
"""
THREADED = """
import threading

import pytest
import arena

class Mine(arena.Bot):
    def act(self, observation):
        return observation.legal_actions[0]

def work():
    with arena.open_database("cups.db") as db:
        print(db.run([Mine, "random"], games=2).finished)
        print(db.run(["counter", "random"], games=2).finished)

thread = threading.Thread(target=work)
thread.start()
thread.join()
"""


def python(folder, *arguments, text="") -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def test_a_script_needs_no_guard(tmp_path):
    (tmp_path / "cup.py").write_text(UNGUARDED)
    shown = "begins\n['counter', 'random']\n"
    assert python(tmp_path, "cup.py") == shown
    assert python(tmp_path, "-m", "cup") == shown


@pytest.mark.thorough("a script in a file needs none")
def test_a_script_from_stdin_needs_no_guard(tmp_path):
    assert python(tmp_path, "-", text=UNGUARDED) == "begins\n['counter', 'random']\n"


def test_a_class_without_source_is_a_bot_too(tmp_path):
    code = LONG.format(first="Mine").replace("100_000", "2").replace("goes on", "played")
    assert {*python(tmp_path, "-", text=code).splitlines()} == {"played"}


@pytest.mark.thorough("asynchronous forms run in loops of others")
def test_a_tournament_runs_in_another_thread(tmp_path):
    assert python(tmp_path, "-c", THREADED) == "True\nTrue\n"


@pytest.mark.thorough("test_tournament_stops.py types it; test_organiser.py stops a script")
def test_ctrl_c_leaves_a_tournament_that_is_resumed(tmp_path):
    for number, first in enumerate(("Mine", '"counter"'), start=1):
        (tmp_path / "long.py").write_text(LONG.format(first=first))
        running = subprocess.Popen(
            [sys.executable, "long.py"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # What the caller ignores, the script must not (nohup).
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        assert running.stdout.readline() == "goes on\n"
        os.kill(running.pid, signal.SIGINT)
        _, error = running.communicate()
        assert error.splitlines()[-1] == "KeyboardInterrupt"
        with arena.open_database(tmp_path / "cups.db") as db:
            stopped = db.tournament(number)
            assert stopped.summary.status == "interrupted"
            assert 0 < len(stopped.matches()) < 100_000
