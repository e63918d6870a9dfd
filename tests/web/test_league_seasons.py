"""Seasons of a league by the commands of its organiser: one ends, the next has its anchors."""

from __future__ import annotations

import json
import re

import pytest

from tests.web.league_server import CAREFUL, LeagueServer

ANCHORS = '[anchors]\n"stand(at=17)" = 1500\nrandom = 1100'


def ratings(server):
    """The shown ratings on the leaderboard of the season, by name."""
    text = server.request("GET", "/league").text
    rows = re.findall(r"<tr>.*?</tr>", text, re.DOTALL)
    cells = [re.sub(r"<[^>]+>", " ", row).split() for row in rows]
    return {row[1]: [each for each in row if each.isdigit()] for row in cells if len(row) > 3}


@pytest.mark.thorough("tests/service/test_league.py has seasons one after the other in one process")
def test_a_season_ends_and_the_next_has_its_bots_and_anchors(preloaded, tmp_path):
    folder, quick = tmp_path / "league", {"within": 1000, "games": 2, "anchors": ANCHORS}
    server = LeagueServer(folder, preloaded=preloaded, **quick)
    server.start()
    try:
        assert server.send(CAREFUL % 1, "careful.py").status == 201
        server.until(server.all_decided)
        server.until(lambda: server.entries() == 3)
        assert server.end() == 0

        server.write(**quick, season=2)
        server.start()
        server.until(lambda: len(server.request("GET", "/api/tournaments").json) == 2)
        server.until(lambda: server.request("GET", "/api/tournaments").json[1]["matches"] >= 4)
        server.until(lambda: "careful" in ratings(server))
        shown = ratings(server)
        assert "1500" in shown["stand(at=17)"]
        assert "1100" in shown["random"]
        assert "season 2" in server.request("GET", "/league").text
    finally:
        if server.started:
            assert server.end() == 0, server.log.read_text()

    first, second = json.loads(server.arena("tournament", "list", "-o", "json").stdout)
    assert (first["name"], first["status"], second["name"]) == (
        "Cantina, season 1", "finished", "Cantina, season 2",
    )  # fmt: skip
    assert re.fullmatch("[0-9a-f]{32}", first["key"])
    assert second["key"] is None
    assert second["entries"] == 3
    for number in ("1", "2"):
        verified = server.arena("tournament", "verify", number)
        assert verified.returncode == 0, verified.stderr

    server.write(**quick, season=1)
    back = server.arena("serve", "--league", "league.toml", "--port", "0")
    assert (back.returncode, back.stderr) == (
        2, "arena: season 2 of Cantina has begun; season 1 cannot be played any more\n",
    )  # fmt: skip
