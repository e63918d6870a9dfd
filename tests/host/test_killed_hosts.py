"""A host's process that is killed leaves nothing that goes on, however its bots behave."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.host.confined_plays import descendants, until
from tests.host.levels import levels_here

PLAYERS = """
import os, sys
sys.path.insert(0, sys.argv[1])
from tests.host.confined_plays import *
from arena.host.play import confined
from arena.host.box.levels import Level
for line in sys.stdin:
    does, level = line.split()
    player = os.fork()
    if not player:
        bots = [breaker(does, at=2), untrusted("random")]
        play(match_settings(level=Level(level)), bots, schedule(2, deals=100))
        os._exit(0)
    print(player, flush=True)
    os.waitpid(player, 0)
"""
"""Plays one match after the other, each in a process with a host of its own."""


@pytest.fixture(scope="module")
def start_player():
    """Starts a process that plays with a bot that never ends; its number."""
    with subprocess.Popen(
        [sys.executable, "-c", PLAYERS, str(Path(__file__).parents[2])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as players:

        def start(does, level):
            print(does, level, file=players.stdin, flush=True)
            return int(players.stdout.readline())

        yield start


@pytest.mark.parametrize("level", ["process", "confined", "boxed"])
@pytest.mark.parametrize("does", ["loop", "sleep", "stop"])
@pytest.mark.thorough(
    "each way and each level once is every day",
    everyday=["loop-process", "sleep-confined", "stop-boxed"],
)
def test_when_a_hosts_process_is_killed_its_bots_end_with_it(start_player, does, level):
    if level not in levels_here():
        pytest.skip(f"this machine has no {level} (see arena doctor)")
    player = start_player(does, level)
    try:
        least = 4 if level == "boxed" else 3  # a fork server, and a process of each bot
        assert until(lambda: len(descendants(player)) >= least, 60)
        left = descendants(player)
    finally:
        os.kill(player, signal.SIGKILL)
    assert until(lambda: not any(alive(process) for process in left), 1)


def alive(process):
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
