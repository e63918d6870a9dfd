"""No process and no descriptor is left of a host, however it ends."""

from __future__ import annotations

import gc
import importlib
import math
import os
import signal
from pathlib import Path
from shutil import copy

import msgspec
import pytest

from arena.core.errors import HarnessFault
from arena.host.play.hosts import open_host
from arena.host.play.pool import Match, RemoteSeat
from tests.host.confined_plays import (
    breaker,
    children_of,
    descendants,
    match_settings,
    play,
    records,
    schedule,
    untrusted,
)


def test_a_closed_host_leaves_nothing_and_opens_again():
    open_before = os.listdir("/proc/self/fd")
    jobs, bots = schedule(2), [breaker(), untrusted("random")]
    host = open_host(match_settings(), bots)
    first = records(host.play(jobs, math.inf))
    assert len(descendants()) == 5  # the fork server, and two lanes a bot
    host.close()
    assert descendants() == []
    assert records(host.play(jobs, math.inf)) == first
    host.close()
    assert descendants() == []
    assert len(os.listdir("/proc/self/fd")) == len(open_before)


@pytest.mark.thorough("test_killed_hosts.py looks for what is left")
def test_lost_processes_leave_no_descriptors():
    jobs, bots = schedule(2, deals=8), [breaker("exit"), untrusted("random")]
    with open_host(match_settings(incidents=1000), bots) as host:
        host.play(jobs, math.inf)
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(3):
            host.play(jobs, math.inf)
        assert abs(len(os.listdir("/proc/self/fd")) - before) <= 8


@pytest.mark.parametrize("does", ["", "raise"])
def test_what_a_match_held_is_free_at_its_end_without_garbage_collection(does):
    """While a host plays, no garbage is collected: memory in cycles would not be used again."""
    jobs, bots = schedule(2), [breaker(does), untrusted("random")]
    with open_host(match_settings(incidents=1000), bots) as host:
        gc.collect()
        gc.disable()
        try:
            assert len(host.play(jobs, math.inf)) == len(jobs)
            left = [type(each).__name__ for each in gc.get_objects()]
        finally:
            gc.enable()
    held = {Match.__name__, RemoteSeat.__name__, "PazaakState", "Course"}
    assert held.isdisjoint(left)


def test_a_fault_of_the_game_voids_the_chunk_and_the_next_one_is_played(tmp_path, monkeypatch):
    # In a folder of its own, as bots may read the package of their game.
    copy(Path(__file__).with_name("faulty_game.py"), tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    faulty = importlib.import_module("faulty_game").FaultyPazaak
    rules = msgspec.structs.replace(match_settings(), game=faulty())
    bots, jobs = [breaker(), untrusted("random")], schedule(2)
    with open_host(rules, bots) as host:
        monkeypatch.setattr(faulty, "matches_left", 3)
        with pytest.raises(HarnessFault, match=r"^pazaak failed: RuntimeError: out of cards$"):
            host.play(jobs, math.inf)
        assert descendants() == []
        again = records(host.play(jobs, math.inf))
    assert again == records(play(rules, bots, jobs))


def test_a_killed_fork_server_is_a_fault_and_the_next_chunk_has_a_new_one():
    bots, jobs = [breaker("exit", every=2), untrusted("random")], schedule(2, deals=6)
    with open_host(match_settings(), bots) as host:
        open_before = len(os.listdir("/proc/self/fd"))
        whole = records(host.play(jobs, math.inf))
        (server,) = children_of(os.getpid())
        os.kill(server, signal.SIGKILL)
        with pytest.raises(HarnessFault, match="fork server"):
            host.play(jobs, math.inf)
        assert len(os.listdir("/proc/self/fd")) == open_before
        assert records(host.play(jobs, math.inf)) == whole


def test_a_chunk_stops_at_its_time_and_returns_matches_in_order():
    bots, jobs = [breaker("nap"), untrusted("random")], schedule(2, deals=2000)
    with open_host(match_settings(), bots) as host:
        few = host.play(jobs, 0.0)
        some = host.play(jobs, 0.3)
    assert len(few) >= 1
    assert len(few) < len(some) < len(jobs)
    for played in (few, some):
        places = [match.key for match in played]
        assert places == sorted(set(places))
        assert set(places) <= {job.key for job in jobs}
