"""A fork server that never replies is a fault of the harness, and nothing of it stays behind."""

from __future__ import annotations

import os
import signal
import time

import pytest

from arena.core.errors import HarnessFault
from arena.host.process import forkserver
from arena.host.process.forkserver import ForkServer
from tests.host.confined_plays import match_settings, untrusted


def test_a_fork_server_that_does_not_reply_is_given_up(monkeypatch):
    monkeypatch.setattr(forkserver, "REPLY_SECONDS", 0.2)
    monkeypatch.setattr(forkserver, "ENDING_SECONDS", 0.1)
    bot = untrusted("random")
    with ForkServer(match_settings(), [bot]) as server:
        os.kill(server._server.pid, signal.SIGSTOP)
        with pytest.raises(HarnessFault, match="fork server"):
            server.spawn(bot)


def test_what_a_fork_server_leaves_in_its_group_ends_with_it(monkeypatch):
    """As does the child of a bubblewrap that was killed while it started: it holds the line."""
    monkeypatch.setattr(forkserver, "REPLY_SECONDS", 0.2)
    started = "sleep 1000 & kill -KILL $$"
    monkeypatch.setattr(forkserver, "python_command", lambda *_: ("/bin/sh", "-c", started))
    bot = untrusted("random")
    with ForkServer(match_settings(), [bot]) as server:
        group = server._server.pid
        with pytest.raises(HarnessFault, match="fork server"):
            server.spawn(bot)
        os.killpg(group, 0)  # the child is there
    with pytest.raises(ProcessLookupError):
        _watch(group, seconds=60)


def _watch(group: int, seconds: float) -> None:
    """Looks for a group of processes, until whoever takes in orphans has seen its end."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        os.killpg(group, 0)
        time.sleep(0.01)
