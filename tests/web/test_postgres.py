"""A site that shows a database of a PostgreSQL server, beside a league that another one runs."""

from __future__ import annotations

from contextlib import closing, contextmanager
from http.client import HTTPConnection
from time import monotonic

import pytest
import trio

from arena.web.site.guard.settings import Settings
from tests.cli.stored_cups import store
from tests.web.client import visiting
from tests.web.league_server import CAREFUL, PATIENCE, LeagueServer, league_server


async def test_open_pages_follow_what_another_connection_stores(postgres, monkeypatch):
    monkeypatch.setattr("arena.web.site.live.QUIET_SECONDS", 1000)  # nothing but the change does it
    url = postgres.filled()
    settings = Settings(db=url, interval=0.1, poll=0.05)
    async with visiting(settings) as site, site.stream("/live/") as events:
        with trio.fail_after(30):
            assert "new cup" not in await events.receive()
        await trio.to_thread.run_sync(lambda: store(url, name="new cup"))
        with trio.fail_after(30):
            while "new cup" not in await events.receive():
                pass


class Shows(LeagueServer):
    """Serves the same database beside the league."""

    options = ()

    @contextmanager
    def open_page(self, path):
        """Opens a page; gives a function that waits until it shows a text."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as connection:
            connection.request("GET", f"/live{path}")
            answer = connection.getresponse()
            assert answer.getheader("content-type").startswith("text/event-stream")

            def until(text):
                ends = monotonic() + PATIENCE
                while text not in (line := answer.readline().decode()):
                    assert line, "the stream ended"
                    assert monotonic() < ends

            yield until


@pytest.mark.thorough("two servers, a build and the matches of a league")
def test_two_servers_share_a_database_of_which_one_runs_the_league(postgres, preloaded, tmp_path):
    url = postgres.new()
    with league_server(tmp_path / "league", url, preloaded, within=1000, games=2) as league:
        shows = Shows(tmp_path / "shows", url, preloaded)
        shows.start()
        try:
            league.until(lambda: league.request("GET", "/t/1").status == 200)
            with shows.open_page("/t/1") as until:
                until("data: ")
                answer = league.send(CAREFUL % 1, "careful.py")
                assert answer.status == 201, answer.text
                until("careful")
            league.until(league.all_decided)
            assert [row["state"] for row in league.submissions()] == ["entered"]
            second = league.arena("serve", "--league", "league.toml", "--port", "0")
            assert second.returncode == 2
            assert f"is being run by process {league.pid} (arena serve --league" in second.stderr
            league.until(lambda: league.entries() >= 3)
        finally:
            assert shows.end() == 0, shows.log.read_text()
        assert league.end() == 0, league.log.read_text()
    verified = league.arena("tournament", "verify", "1")
    assert verified.returncode == 0, verified.stderr
