"""The monitor against processes that hide what they use, and a monitor that fails."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from arena.core.errors import HarnessFault
from arena.core.outcome import Termination
from arena.host.process import monitor
from arena.host.process.launch import Resources
from arena.host.process.monitor import Monitored
from tests.host.confined_plays import breaker, match_settings, play, schedule, untrusted

NAMED = """
import ctypes, time
ctypes.CDLL(None).prctl(15, {name!r}, 0, 0, 0)
print("ready", flush=True)
time.sleep(60)
"""
LED_BY_NOBODY = """
import ctypes, os, threading, time

def play_on():
    while open(f"/proc/{os.getpid()}/stat").read().rpartition(")")[2].split()[0] != "Z":
        time.sleep(0.01)
    print("ready", flush=True)
    time.sleep(60)

threading.Thread(target=play_on).start()
ctypes.CDLL(None).syscall({number}, 0)
"""
EXIT = {"x86_64": 60, "aarch64": 93}


def loss_of(code: str, memory: int) -> Termination | None:
    """The cause for which one look at a process that runs this code kills it, if it does."""
    ours, theirs = socket.socketpair()
    with (
        ours,
        theirs,
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as child,
    ):
        try:
            assert child.stdout.readline() == b"ready\n"
            monitored = Monitored(child.pid, lambda number: os.kill(child.pid, number), ours)
            monitored.look(Resources(memory=memory))
            monitored.end()
            if monitored.lost is None:
                return None
            assert child.wait(20) == -signal.SIGKILL
            return monitored.lost.cause
        finally:
            child.kill()


@pytest.mark.parametrize(
    "name", [b"\rVmRSS: x", b"\rVmPTE: -99999", b"\rThreads: x", b"VmRSS: 0", b"\nVmPTE: -9999"]
)
def test_the_name_of_a_process_changes_nothing_of_what_is_counted(name):
    assert loss_of(NAMED.format(name=name), 1 << 20) is Termination.MEMORY
    assert loss_of(NAMED.format(name=name), 1 << 30) is None


def test_memory_counts_when_the_first_thread_of_a_process_has_ended():
    number = EXIT[os.uname().machine]
    assert loss_of(LED_BY_NOBODY.replace("{number}", str(number)), 1 << 20) is Termination.MEMORY
    assert loss_of(LED_BY_NOBODY.replace("{number}", str(number)), 1 << 30) is None


@pytest.mark.parametrize("looks", [1, 20])
def test_a_monitor_that_fails_is_a_fault_of_the_harness_and_no_bots_loss(monkeypatch, looks):
    """Bots that want a thread would wait for ever, and lose by time."""
    made = []

    def fails(status, resources):
        made.append(status)
        if len(made) >= looks:
            raise ValueError("invalid literal")

    monkeypatch.setattr(monitor.StatusFile, "find_excess", fails)
    with pytest.raises(HarnessFault, match=r"cannot be watched: ValueError: invalid literal"):
        play(match_settings(), [breaker("sleep"), untrusted("random")], schedule(2, deals=200))


def status_files(process: int) -> int:
    """Counts the descriptors of this process that are the status file of another one."""
    open_now = [os.readlink(path) for path in Path("/proc/self/fd").iterdir() if path.is_symlink()]
    return sum(f"/{process}/status" in path for path in open_now)


def test_a_process_that_is_gone_has_no_excess_and_its_file_is_closed():
    ours, theirs = socket.socketpair()
    with ours, theirs, subprocess.Popen(["sleep", "60"]) as child:
        monitored = Monitored(child.pid, lambda number: os.kill(child.pid, number), ours)
        assert status_files(child.pid) == 0
        monitored.look(Resources())
        monitored.look(Resources())
        assert status_files(child.pid) == 1
        child.kill()
        child.wait()
        monitored.look(Resources(memory=0))
        assert monitored.lost is None
        assert status_files(child.pid) == 1
        monitored.end()
        assert status_files(child.pid) == 0


def test_a_line_without_data_is_kept_open():
    ours, theirs = socket.socketpair()
    reading, writing = os.pipe()
    with ours, theirs:
        monitored = Monitored(os.getpid(), lambda number: None, ours)
        assert monitored.serve(1) is None
        socket.send_fds(theirs, [b"."], [reading])
        assert monitored.serve(1) is not None
        monitored.end()
    os.close(reading)
    os.close(writing)
