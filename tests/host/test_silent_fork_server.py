"""A fork server that is there and never replies is a fault of the harness, not a wait for ever."""

from __future__ import annotations

import os
import signal

import pytest

from arena.core.errors import HarnessFault
from arena.host import forkserver
from arena.host.forkserver import ForkServer
from tests.host.confined_plays import match_settings, untrusted


def test_a_fork_server_that_does_not_reply_is_given_up(monkeypatch):
    monkeypatch.setattr(forkserver, "REPLY_SECONDS", 0.2)
    monkeypatch.setattr(forkserver, "ENDING_SECONDS", 0.1)
    bot = untrusted("random")
    with ForkServer(match_settings(), [bot]) as server:
        os.kill(server._server.pid, signal.SIGSTOP)
        with pytest.raises(HarnessFault, match="fork server"):
            server.spawn(bot)
