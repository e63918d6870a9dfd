"""A league whose server is killed again and again: nothing is lost, nothing is decided twice.

A real server, real bots, and SIGKILL to the server alone or to all of its processes, at random
moments of every state of a submission and while matches are played.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from arena_results.bots.submissions import submissions
from arena_results.file.database import open_database
from arena_results.store.queries import tournaments

from tests.web.league_server import CAREFUL, LeagueServer

KILLS = int(os.environ.get("KILLS", "4"))
"""``make soak`` has more."""
REFUSED = b"from arena import Bot\n\n\nclass Broken(Bot):\n    game = 'pazaak'\n"
"""It has no ``act``: it is taken into the queue, and refused when it plays."""


def kill(server, whole_group):
    """Kills the server, or with it every process that it started as well."""
    below = processes_of(server) if whole_group else []
    server.end(signal.SIGKILL)  # first: it must not see that a worker of its was killed
    for pid in below:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def processes_of(server):
    """The numbers of all processes below the server, the nearest first."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents.setdefault(int(stat.read_text().rpartition(")")[2].split()[1]), []).append(
                int(stat.parent.name)
            )
    found, new = [], [server.pid]
    while new:
        new = [child for pid in new for child in parents.get(pid, ())]
        found += new
    return found


@pytest.mark.thorough("tests/service/test_league.py goes on from every state every day")
def test_a_league_goes_on_after_kill_9_in_every_state(preloaded, tmp_path):
    drawn = random.Random(2)
    server = LeagueServer(tmp_path / "league", preloaded=preloaded, within=300, games=20)
    sent = {}
    try:
        for number in range(KILLS):
            server.start()
            content, file = (
                (REFUSED, f"broken{number}.py")
                if number % 4 == 3
                else (CAREFUL % (number + 1), f"careful{number % 3}.py")
            )
            answer = server.send(content, file)
            assert answer.status == 201, answer.text
            sent[answer.json["id"]] = file
            time.sleep(drawn.choice([0.0, 0.5, 2.0, 6.0, 15.0]) * drawn.random())
            kill(server, whole_group=drawn.random() < 0.5)
            assert server.is_whole()
        server.start()
        server.until(server.all_decided)
        with open_database(server.url) as database:
            enabled = sum(each.status == "enabled" for each in submissions(database))
        server.until(lambda: server.entries() >= enabled + 2)
        check(server, sent)
    finally:
        if server.started:
            assert server.end() == 0, server.log.read_text()
    verified = server.arena("tournament", "verify", "1")
    assert verified.returncode == 0, verified.stderr
    assert server.is_whole()


def check(server, sent):
    """Checks that every submission was decided once, and that no bot is there twice."""
    rows = server.submissions()
    assert {row["id"]: row["file"] for row in rows} == sent
    with open_database(server.url) as database:
        stored = submissions(database)
        assert [each.name for each in tournaments(database)] == ["Cantina, season 1"]
    entered = Counter(row["bot"] for row in rows if row["state"] == "entered")
    assert dict.fromkeys(entered, 1) == entered
    assert {each.spelling for each in stored} == {*entered}
    for row in rows:
        if row["file"].startswith("broken"):
            assert row["state"] in ("refused", "failed"), row
        else:
            # One whose qualification is cut off three times has failed, by design.
            assert row["state"] in ("entered", "failed"), row
            assert row["state"] == "entered" or "cut off 3 times" in row["text"]
    board = server.arena("leaderboard", "-o", "json")
    assert board.returncode == 0, board.stderr
