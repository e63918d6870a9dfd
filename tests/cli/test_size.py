"""Many stored matches: what they take of the disk, and that reports do not read them.

The suite plays 2,000, every day 40; ``make soak`` a million (``MATCHES``), and then holds memory,
speed and times to their bounds, too.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from arena_results.file.database import open_database
from arena_results.store.queries import tournament
from arena_tournaments.formats.round_robin import RoundRobin
from sqlalchemy import event

from arena.service.report.report import make_report
from arena.service.report.tables.documents import document
from arena.service.setup.decoded import Decoded
from tests.cli.tournament_runs import Place
from tests.sizes import volume

MATCHES = int(os.environ.get("MATCHES", volume(2000, 40)))
SOAK = MATCHES >= 100_000
BOTS = ("--bot", "stand(at=17)", "--bot", "stand(at=16)")
GAMES = MATCHES // 2 * 2
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a finished tournament of so many matches; in the soak, how it went.

    All matches are of one pairing, and so of one round: the last ones are like the first.
    """
    place = Place(tmp_path_factory.mktemp("size"))
    words = ("tournament", "run", *BOTS, "--games", str(GAMES), "--seed", "1", "--concurrency", "2")
    if SOAK:
        place.peak, place.rates = watched(place.folder, (*words, "--db", f"sqlite:///{place.file}"))
    else:
        assert place.arena(*words).code == 0
    return place


def watched(folder: Path, words: tuple[str, ...]) -> tuple[int, list[float]]:
    """Runs a command; the most memory of its processes, and matches a second, line by line."""
    arena = Path(sys.executable).with_name("arena")
    with (folder / "progress").open("w") as log:
        run = subprocess.Popen([arena, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=log)
        peak, marks = 0, [(time.monotonic(), 0)]
        while run.poll() is None:
            time.sleep(1)
            peak = max(peak, memory_of(run.pid))
            done = re.findall(r"matches (\d+)/", (folder / "progress").read_text())
            if done and int(done[-1]) > marks[-1][1]:
                marks.append((time.monotonic(), int(done[-1])))
    assert run.returncode == 0
    # Without the start of the processes, and the last line, which comes after the end.
    whole = pairwise(marks[1:-1])
    rates = [(done - before) / (now - then) for (then, before), (now, done) in whole]
    return peak, rates


def memory_of(pid: int) -> int:
    """The memory of a process and all below it, shared pages counted once."""
    total = 0
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            total += int(line.split()[1]) * 1024 if line.startswith("Pss:") else 0
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:  # it has ended meanwhile
        return total
    return total + sum(memory_of(int(child)) for child in children)


@pytest.mark.thorough("of few matches it does not show; sizes change with the schema alone")
def test_a_match_takes_at_most_150_bytes(place):
    with open_database(f"sqlite:///{place.file}") as database, database.reading() as connection:
        matches = tournament(database, 1).summary.matches
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        size = connection.exec_driver_sql("PRAGMA page_size").scalar()
    assert matches == GAMES
    empty = 30 * size  # tables and indices without rows take a page each
    assert pages * size - empty <= 150 * matches


def test_a_report_reads_no_match(place):
    with open_database(f"sqlite:///{place.file}") as database:
        seen: list[str] = []
        event.listen(database._engine, "before_cursor_execute", lambda *call: seen.append(call[2]))
        stored = tournament(database, 1)
        shown = document(make_report(Decoded.of(stored, RoundRobin())))
    assert shown["tournament"]["matches"] == GAMES
    assert sum(row["match_points"] for row in shown["standings"]) == GAMES
    assert not [each for each in seen if '"match".record' in each]


if SOAK:

    def test_a_million_matches_stay_within_their_bounds(place):
        tenth = max(1, round(len(place.rates) / 10))
        first, last = sum(place.rates[:tenth]), sum(place.rates[-tenth:])
        took = []
        for words in (("tournament", "show", "1"), ("leaderboard",)):
            began = time.monotonic()
            assert place.arena(*words).code == 0
            took.append(time.monotonic() - began)
        print(f"peak {place.peak / MEGABYTE:.0f} MB, last to first {last / first:.0%}, {took}")
        assert place.peak <= 400 * MEGABYTE
        assert last >= 0.95 * first
        assert max(took) <= 2
