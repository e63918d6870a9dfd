"""Workers that are silent: frozen, or cut off from the scheduler."""

from __future__ import annotations

import os
import signal
import time
from contextlib import closing

import pytest

from tests.dask.clusters import Wire, kill, wait_for
from tests.dask.runs import GAMES

ANOTHER = "another failure than that of the killed slot and worker"


@pytest.mark.thorough(ANOTHER)
def test_a_worker_that_is_cut_off_for_20_seconds_costs_no_match(cluster, runs, local_chain):
    with closing(Wire(cluster.address)) as wire:
        kill(cluster.workers.pop())
        far = cluster.start_worker(scheduler=wire.address)
        process = runs.begin(cluster.executor)
        wait_for(lambda: runs.played() > 4 and len(cluster.slots()) == 2)
        wire.cut(20)
        assert process.wait() == 0, runs.err()
        assert runs.chain() == local_chain
        kill(far)


@pytest.mark.thorough(ANOTHER)
def test_a_frozen_worker_costs_less_than_half_a_minute(cluster, runs, local_chain):
    process = runs.begin(cluster.executor)
    wait_for(lambda: runs.played() > GAMES / 2 and len(cluster.slots()) == 2)
    os.kill(cluster.workers[0].pid, signal.SIGSTOP)
    frozen = time.monotonic()
    assert process.wait() == 0, runs.err()
    assert time.monotonic() - frozen < 30
    assert runs.chain() == local_chain


@pytest.mark.thorough(ANOTHER)
@pytest.mark.parametrize("signals", [1, 2])
def test_ctrl_c_ends_a_run_beside_a_frozen_worker(cluster, runs, signals):
    process = runs.begin(cluster.executor)
    wait_for(lambda: runs.played() > 4 and len(cluster.slots()) == 2)
    os.kill(cluster.workers[0].pid, signal.SIGSTOP)
    asked = time.monotonic()
    for _ in range(signals):
        process.send_signal(signal.SIGINT)
        wait_for(lambda: "Ctrl-C again to stop now" in runs.err())  # two at once are one signal
    process.wait()
    assert time.monotonic() - asked < 10
    assert "arena tournament resume" in runs.err()
    assert 4 < runs.played() < GAMES
    assert not runs.stored().void
