"""Tournaments on a real scheduler and two real workers: their results are those of one machine."""

from __future__ import annotations

import os
import re
import signal

import pytest

from tests.dask.clusters import kill, wait_for
from tests.dask.runs import GAMES

KILLER = """
import os, signal
from arena import Bot

class Killer(Bot):
    def act(self, observation):
        os.kill(os.getpid(), signal.SIGKILL)
"""
ANOTHER = "another failure than that of the killed slot and worker"


def test_confined_bots_play_as_on_one_machine(cluster, runs, local_chain):
    process = runs.begin(cluster.executor)
    assert process.wait() == 0, runs.err()
    assert runs.chain() == local_chain
    assert "is verified" in runs.run("tournament", "verify", "1")
    wait_for(lambda: not cluster.slots())
    (archive,) = cluster.cached()  # that of the file
    assert os.listdir(archive) == ["first.py"]


def test_a_killed_slot_and_a_killed_worker_cost_no_match(cluster, runs, local_chain):
    process = runs.begin(cluster.executor)
    wait_for(lambda: runs.played() > 4 and len(cluster.slots()) == 2)
    os.kill(cluster.slots()[0], signal.SIGKILL)
    wait_for(lambda: runs.played() > 15)
    kill(cluster.workers[0])
    cluster.start_worker()  # a late one
    assert process.wait() == 0, runs.err()
    assert runs.chain() == local_chain
    assert not runs.stored().void


@pytest.mark.thorough("tests/tournaments/executors/test_far.py has it without Dask")
def test_a_match_that_kills_every_slot_is_void_and_others_are_played(cluster, runs):
    (runs.folder / "killer.py").write_text(KILLER)
    field = [word for bot in ("random", "stand", "counter", "killer.py") for word in ("--bot", bot)]
    process = runs.begin(cluster.executor, "--trust", "killer", field=field, games=2)
    assert process.wait() == 1, runs.err()
    says = r"match 1\.\d\.\d \(.*killer.*\) was void: 3 places failed with it; the last: tls://"
    assert re.search(says, runs.err())
    assert "a worker process failed: died" in runs.err()
    assert "Traceback" not in runs.err()
    stored = runs.stored()
    assert stored.summary.matches == 2
    assert {each.reason.partition(": ")[2] for each in stored.void} == {
        "a worker process failed: died"
    }


@pytest.mark.thorough(ANOTHER)
def test_a_paused_tournament_is_resumed_anywhere(cluster, runs, local_chain):
    process = runs.begin(cluster.executor)
    wait_for(lambda: runs.played() > 4)
    process.send_signal(signal.SIGINT)
    process.wait()
    assert 0 < runs.played() < GAMES
    runs.run("tournament", "resume", "1")
    assert runs.chain() == local_chain


@pytest.mark.thorough(ANOTHER)
def test_a_killed_runner_leaves_nothing_on_the_workers(cluster, runs, local_chain):
    process = runs.begin(cluster.executor)
    wait_for(lambda: runs.played() > 4)
    kill(process)
    wait_for(lambda: not cluster.slots())
    runs.run("tournament", "resume", "1", "--executor", cluster.executor)
    assert runs.chain() == local_chain


@pytest.mark.thorough(ANOTHER)
def test_without_a_scheduler_the_run_stops_and_is_resumed(cluster, runs, local_chain):
    process = runs.begin(cluster.executor)
    wait_for(lambda: runs.played() > 4)
    cluster.scheduler.kill()
    assert process.wait() == 2
    assert "does not answer any more; resume when it is back" in runs.err()
    for worker in cluster.workers:
        kill(worker)  # they would end, too, but only after half a minute
    cluster.restore()
    runs.run("tournament", "resume", "1", "--executor", cluster.executor)
    assert runs.chain() == local_chain
