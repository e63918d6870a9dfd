"""Tournaments on a real scheduler and two real workers: their results are those of one machine."""

from __future__ import annotations

import os
import signal
import time

import pytest

from tests.dask.clusters import wait_for


@pytest.fixture(scope="module")
def chains(tmp_path_factory, environment):
    """The chains of the same tournaments played on this machine, by number of games."""
    from functools import cache

    from tests.dask.runs import Runs

    return cache(Runs(tmp_path_factory.mktemp("local"), environment).local_chain)


def test_confined_bots_play_as_on_one_machine(cluster, runs, chains):
    runs.run("tournament", "run", *runs.field(300), "--executor", cluster.executor)
    assert runs.chain() == chains(300)
    wait_for(lambda: not cluster.slots())
    (archive,) = cluster.archives()  # that of the file
    assert os.listdir(archive) == ["first.py"]
    assert "is verified" in runs.run("tournament", "verify", "1")


def test_a_paused_tournament_is_resumed_anywhere(cluster, runs, chains):
    runs.run(
        "tournament", "run", *runs.field(300), "--executor", cluster.executor,
        "--pause-after-round", "1",
    )  # fmt: skip
    runs.run("tournament", "resume", "1")
    assert runs.chain() == chains(300)


def test_nobody_enters_without_a_certificate(cluster, runs):
    plain = cluster.address.replace("tls://", "tcp://")
    for executor in (f"dask(address={plain})", f"dask(address={cluster.address})"):
        with runs.begin(executor) as process:
            _, err = process.communicate(timeout=60)
        assert process.returncode == 2
        assert "dask" in err.lower()
        assert "Traceback" not in err
    assert runs.played() == 0


def test_a_certificate_of_another_authority_is_refused(cluster, runs):
    runs.run("cluster", "certificates", "other")
    with runs.begin(f"dask(address={cluster.address}, tls=other)") as process:
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert f"no Dask scheduler answers at {cluster.address}" in err
    assert "Traceback" not in err


def test_a_killed_worker_and_a_killed_slot_cost_no_match(own_cluster, runs, chains):
    workers = [own_cluster.start_worker() for _ in range(2)]
    with runs.begin(own_cluster.executor, games=1500) as process:
        wait_for(lambda: runs.played() > 300)
        os.kill(own_cluster.slots()[0], signal.SIGKILL)
        wait_for(lambda: runs.played() > 1000)
        workers[0].kill()
        own_cluster.start_worker()  # a late one
        process.communicate(timeout=120)
    assert process.returncode == 0
    assert runs.chain() == chains(1500)
    wait_for(lambda: not own_cluster.slots())


def test_a_frozen_worker_costs_less_than_half_a_minute(own_cluster, runs, chains):
    workers = [own_cluster.start_worker() for _ in range(2)]
    with runs.begin(own_cluster.executor, games=600) as process:
        wait_for(lambda: runs.played() > 100)
        os.kill(workers[0].pid, signal.SIGSTOP)
        frozen = time.monotonic()
        process.communicate(timeout=120)
        assert time.monotonic() - frozen < 60
    assert process.returncode == 0
    assert runs.chain() == chains(600)


def test_ctrl_c_ends_a_run_beside_a_frozen_worker(own_cluster, runs):
    workers = [own_cluster.start_worker() for _ in range(2)]
    with runs.begin(own_cluster.executor, games=9000) as process:
        wait_for(lambda: runs.played() > 100)
        os.kill(workers[0].pid, signal.SIGSTOP)
        process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        _, err = process.communicate(timeout=60)
        assert time.monotonic() - asked < 10
    assert "arena tournament resume" in err
    os.kill(workers[0].pid, signal.SIGCONT)
    wait_for(lambda: not own_cluster.slots())


def test_a_killed_runner_leaves_nothing_on_the_workers(cluster, runs, chains):
    with runs.begin(cluster.executor, games=1500) as process:
        wait_for(lambda: runs.played() > 100)
        process.kill()
    wait_for(lambda: not cluster.slots())
    runs.run("tournament", "resume", "1", "--executor", cluster.executor)
    assert runs.chain() == chains(1500)


def test_without_a_scheduler_the_run_stops_and_is_resumed(own_cluster, runs, chains):
    own_cluster.start_worker()
    with runs.begin(own_cluster.executor, games=1500) as process:
        wait_for(lambda: runs.played() > 100)
        own_cluster.scheduler.kill()
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "does not answer any more; resume when it is back" in err
    own_cluster.start_scheduler()
    own_cluster.start_worker()
    runs.run("tournament", "resume", "1")
    assert runs.chain() == chains(1500)
