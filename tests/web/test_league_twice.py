"""A second server of a league on the same database: it is refused, and harms nothing."""

from __future__ import annotations

import signal

import pytest

from tests.web.league_server import CAREFUL, league_server


@pytest.mark.thorough("test_league.py in tests/service runs a second league in one process")
def test_a_second_server_is_refused_idle_or_while_a_bot_qualifies(preloaded, tmp_path):
    def second(server):
        done = server.arena("serve", "--league", "league.toml", "--port", "0")
        assert (done.returncode, done.stdout) == (2, "")
        assert f"is being run by process {server.pid} (arena serve --league" in done.stderr
        assert done.stderr.count("\n") == 1

    with league_server(tmp_path / "league", "", preloaded, within=1000, games=2) as server:
        server.until(lambda: server.entries() == 2)  # nobody needs a match: no season is played
        second(server)
        assert server.send(CAREFUL % 1, "careful.py").status == 201
        server.until(lambda: server.submissions()[0]["state"] == "qualifying")
        second(server)
        server.until(server.all_decided)
        (upload,) = server.submissions()
        assert upload["state"] == "entered"
        server.until(lambda: server.entries() == 3)

        server.end(signal.SIGKILL)
        server.start()  # the system has freed the lock
        assert server.end() == 0, server.log.read_text()
