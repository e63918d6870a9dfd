"""A tournament that was stopped in any way is resumed to the same end, and plays nothing twice."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import re
import signal
import sqlite3
import subprocess
import termios
import time

import pytest
from arena_results.file.database import open_database
from arena_results.schema.rows import Status
from arena_results.store.queries import tournaments

from arena.core.outcome import Termination
from tests.cli.tournament_runs import (
    ARENA,
    CONTROL,
    PATIENCE,
    Place,
    alive,
    check_same,
    kill_group,
    until,
)

RUN = (
    "tournament", "run", "--format", "swiss", "--rounds", "3", "--games", "20", "--seed", "7",
    "--bot", "stand(at=17)", "--bot", "slow.py", "--bot", "stand(at=15)", "--bot", "random",
    "--trust", "slow",
)  # fmt: skip
TOTAL = 3 * 2 * 20
SLOW_ONES = 3 * 20
RESUME = "arena tournament resume 1"
SINCE = r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The tournament, played without a stop in one process at a time."""
    place = Place(tmp_path_factory.mktemp("whole"))
    answer = place.arena(*RUN, "--concurrency", "1")
    assert answer.code == 0
    return place.outcome()


@pytest.fixture
def place(tmp_path, preloaded):
    return Place(tmp_path, preloaded)


def status(place):
    (row,) = json.loads(place.arena("tournament", "list", "-o", "json").out)
    document = place.arena("tournament", "show", "1", "-o", "json").document
    assert row["status"] == document["tournament"]["status"]
    return row["status"]


def check_that_nobody_else_can_play_it(place, process):
    kill_group(process.pid, signal.SIGSTOP)  # lest it end meanwhile
    assert status(place) == "running"
    refused = place.arena("tournament", "resume")
    kill_group(process.pid, signal.SIGCONT)
    assert (refused.code, refused.out) == (2, "")
    last, error = refused.err.splitlines()
    assert last == "The last unfinished tournament is 1: swiss"
    assert re.fullmatch(
        rf"arena: tournament 1 of {place.file} is being played by process {process.pid} "
        rf"\(arena tournament run --format swiss .*\) since {SINCE}; "
        "wait until that has ended, or stop it, and try again",
        error,
    )


def slow_ones_left(place):
    return SLOW_ONES - sum("slow" in "".join(match.record.seats) for match in place.played())


def test_two_processes_give_the_records_ratings_and_standings_of_one(whole, place):
    assert place.arena(*RUN, "--concurrency", "2").code == 0
    check_same(place.outcome(), whole)
    assert place.stored() == TOTAL


@pytest.mark.parametrize("how", ["kill -9", "ctrl-c", "polite kill"])
@pytest.mark.thorough("other signals; Ctrl-C is typed at a terminal below", everyday=["kill -9"])
def test_after_any_stop_it_is_resumed_and_plays_nothing_twice(whole, place, how):
    process = place.start(*RUN, "--concurrency", "2")
    until(lambda: place.stored() >= 20)
    check_that_nobody_else_can_play_it(place, process)
    if how == "kill -9":
        process.kill()
    elif how == "ctrl-c":
        kill_group(process.pid, signal.SIGINT)
    else:
        process.terminate()
    out, err = process.communicate(timeout=PATIENCE)
    until(lambda: alive(process.pid) == [])
    if how != "kill -9":
        number = signal.SIGINT if how == "ctrl-c" else signal.SIGTERM
        assert process.returncode == 128 + number
        assert err.splitlines()[-2:] == [
            "Interrupted; everything played is stored. Continue with:",
            f"  {RESUME} --db {place.url}",
        ]
        assert "Traceback" not in err
    assert out == ""
    assert status(place) == "interrupted"
    kept = place.stored()
    assert 20 <= kept < TOTAL
    left = slow_ones_left(place)
    place.log.unlink()
    # From another folder: the bot's file must be found all the same.
    place.folder = place.folder.parent
    answer = place.arena(*RESUME.split()[1:])
    assert answer.code == 0
    assert answer.err.startswith(f"Tournament 1 continues after {kept} matches; open seed 7\n")
    check_same(place.outcome(), whole)
    assert len(place.log.read_text().split()) == left
    assert not list(place.file.parent.glob("results.db-runner-*"))
    finished = place.arena("tournament", "resume")
    assert (finished.code, finished.out) == (2, "")
    assert finished.err == (
        f"arena: every tournament of {place.file} is finished; there is nothing to resume\n"
    )


def test_time_in_which_the_tournament_stands_still_is_no_bots(place):
    process = place.start(*RUN, "--concurrency", "1", "--decision-seconds", "1")
    for stored in (10, 20, 30):
        until(lambda least=stored: place.stored() >= least)
        kill_group(process.pid, signal.SIGSTOP)  # nearly always while the slow bot sleeps
        time.sleep(1.5)
        kill_group(process.pid, signal.SIGCONT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert {match.record.outcome.termination for match in place.played()} == {Termination.RULES}


@pytest.mark.parametrize("volume", [("--games", "6"), ("--first-to", "3")])
def test_nothing_is_played_on_matches_that_were_not_to_be_played(place, volume):
    bots = ("--bot", "stand", "--bot", "random", "--bot", "counter")
    words = ("tournament", "run", *volume, "--seed", "3", "--pause-after-round", "1", *bots)
    assert place.arena(*words).code == 0
    before = place.stored()
    with contextlib.closing(sqlite3.connect(place.file)) as file, file:
        file.execute('UPDATE "match" SET leg = 99 WHERE leg = 2')
    refused = place.arena("tournament", "resume", "1")
    assert (refused.code, refused.out, place.stored()) == (1, "", before)
    *_, error = refused.err.splitlines()
    assert re.match(r"arena: tournament 1, match 1\.1\.\d+: ", error)
    if volume[0] == "--games":  # then no row is looked at, and no checksum
        assert error.endswith(f"see arena tournament verify 1 --db {place.url}")


@pytest.mark.thorough("one is typed at a terminal")
def test_a_second_ctrl_c_does_no_harm_nor_one_to_the_parent_alone(place):
    process = place.start(*RUN, "--concurrency", "2")
    until(lambda: place.stored() >= 10)
    process.send_signal(signal.SIGINT)
    for _ in range(20):
        time.sleep(0.02)
        with contextlib.suppress(ProcessLookupError):
            kill_group(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert RESUME in err
    assert "Traceback" not in err
    with open_database(place.url, create=False) as database:
        (summary,) = tournaments(database)
        assert summary.status is Status.INTERRUPTED


def test_ctrl_c_typed_at_a_terminal_leaves_it_clean(place):
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [ARENA, *RUN, "--games", "400"],
        cwd=place.folder,
        env=place.env | {"TERM": "xterm", "COLUMNS": "80", "LINES": "24"},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(slave)
    until(lambda: place.stored() >= 20)
    time.sleep(0.3)
    os.write(master, b"\x03")
    seen = read_all(master)
    assert process.wait(PATIENCE) == 130
    assert place.stored() < 2_400
    until(lambda: alive(process.pid) == [])
    # The live display: standings and progress, drawn over and over, and wiped at the end.
    assert CONTROL in seen
    assert "\x1b[?25h" in seen  # the cursor is back
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)
    assert re.search(r"round \d/3  matches \d+/2400 \(\d+%\)  \d+/s  \d+:\d\d left", plain)
    assert "match points" in plain
    assert plain.rstrip().endswith(f"{RESUME} --db {place.url}")


def read_all(master: int) -> str:
    seen = b""
    while True:
        try:
            some = os.read(master, 4096)
        except OSError:  # how Linux says that the other side is closed
            some = b""
        if not some:
            os.close(master)
            return seen.decode()
        seen += some
