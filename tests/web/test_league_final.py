"""The final of a season on the site: the time it begins, what is refused then, and who has won."""

from __future__ import annotations

import json
import signal
from datetime import UTC, datetime, timedelta

import pytest
import trio
from arena_results.bots.authors import new_token
from arena_results.file.database import open_database

from arena.service.league.league_file import FinalSpec, LeagueSpec
from arena.web.site.guard.settings import Settings
from tests.web.client import visiting
from tests.web.league_server import CAREFUL, LeagueServer

AT = datetime(2026, 3, 1, 18, tzinfo=UTC)
LEAGUE = LeagueSpec(
    name="Cantina", house=("stand(at=17)", "random"), final=FinalSpec(AT, 400, "top 16")
)


async def test_the_pages_count_down_and_then_refuse_submissions(tmp_path):
    url = f"sqlite:///{tmp_path / 'league.db'}"
    with open_database(url, create=True) as database:
        bearer = {"authorization": f"Bearer {new_token(database, 'Ann', AT)}"}
    async with visiting(Settings(db=url, league=LEAGUE)) as site:

        async def shown(left, words):
            """Returns the first page, once it has these words, and the form."""
            site.site.clock = lambda: AT - left
            with trio.fail_after(60):
                while words not in (home := (await site.get("/")).text):
                    await trio.sleep(0.05)  # pages that take long are not drawn at every change
            return home, (await site.get("/submit", **bearer)).text

        for left, words in (
            (timedelta(days=3, hours=5), "in 3 days"),
            (timedelta(hours=47), "in 47 hours"),
            (timedelta(minutes=119), "in 119 minutes"),
            (timedelta(seconds=61), "in 1 minute"),
            (timedelta(seconds=1), "in less than a minute"),
        ):
            close = f"Submissions close at 2026-03-01 18:00 UTC, {words}; then a final is played."
            home, form = await shown(left, close)
            assert f": {close}" in home
            assert close in form
            assert "Its file" in form
        _, form = await shown(timedelta(), "Submissions closed at 2026-03-01 18:00 UTC;")
        assert "Its file" not in form
        assert "is rated within about a minute" not in (await site.get("/submit")).text
        code = CAREFUL % 1
        refused = await site.send("POST", "/api/submissions?file=a.py", [code], **bearer)
        assert (refused.status, refused.json) == (
            403, {"error": "submissions to Cantina, season 1 closed at 2026-03-01 18:00 UTC"},
        )  # fmt: skip
        assert (await site.get("/api/submissions")).json == []
        assert (await site.get("/api/league/final")).json == {
            "league": "Cantina", "season": 1, "name": "Cantina, season 1, final",
            "at": "2026-03-01T18:00:00+00:00", "matches": 400, "field": "top 16",
            "stage": "rating", "closed": True, "tournament": None, "winner": None,
            "reason": "submissions closed at 2026-03-01 18:00 UTC; the season is played until its "
            "ratings are precise enough",
        }  # fmt: skip


async def test_a_league_without_a_final_has_no_address_for_one(tmp_path):
    url = f"sqlite:///{tmp_path / 'league.db'}"
    spec = LeagueSpec(name="Cantina", house=("stand(at=17)", "random"))
    async with visiting(Settings(db=url, league=spec)) as site:
        assert (await site.get("/api/league/final")).status == 404
        assert "/api/league/final" not in (await site.get("/api")).json


@pytest.mark.thorough("tests/service/test_league_final.py stops a league in every phase")
def test_a_final_is_played_once_though_its_server_is_killed(preloaded, tmp_path):
    def final(at):
        return f"final = {{at = {at.isoformat()}, matches = 300, field = 'top 16'}}\n"

    now = datetime.now(UTC)
    quick = {"within": 1000, "games": 2}
    later = final(now + timedelta(days=9))
    server = LeagueServer(tmp_path / "league", preloaded=preloaded, anchors=later, **quick)
    server.start()
    try:
        for number in (1, 2):
            code = (CAREFUL % 1).replace(b"16", b"%d" % (14 + number))
            assert server.send(code, f"careful{number}.py").status == 201
        assert "in 8 days;" in server.request("GET", "/league").text
        server.until(server.all_decided)
        server.end(signal.SIGKILL)

        server.write(anchors=final(datetime.now(UTC)), **quick)  # moved, and due
        server.start()
        refused = server.send(CAREFUL % 9, "careful9.py")
        assert refused.status == 403
        assert "submissions to Cantina, season 1 closed at" in refused.json["error"]
        by_command = server.arena_submit(CAREFUL % 9)
        assert by_command.returncode == 2
        assert "the server refuses it (403): submissions to Cantina, s" in by_command.stderr

        def stage():
            return server.request("GET", "/api/league/final").json["stage"]

        def matches():
            return server.request("GET", "/api/tournaments").json[-1]["matches"]

        server.until(lambda: stage() == "playing" and matches())
        server.end(signal.SIGKILL)
        server.start()
        server.until(lambda: stage() == "over")
        found = server.request("GET", "/api/league/final").json
        assert found["tournament"] == 2
        won = f"he final is over: {found['winner']} has won."
        for address, part in (("/", "/league"), ("/league", 'id="final"')):
            server.until(lambda address=address: won in server.request("GET", address).text)
            assert part in server.request("GET", address).text
    finally:
        if server.started:
            assert server.end() == 0, server.log.read_text()
    cups = json.loads(server.arena("tournament", "list", "-o", "json").stdout)
    assert [(cup["name"], cup["status"]) for cup in cups] == [
        ("Cantina, season 1", "finished"), ("Cantina, season 1, final", "finished"),
    ]  # fmt: skip
    for number in ("1", "2"):
        verified = server.arena("tournament", "verify", number)
        assert verified.returncode == 0, verified.stderr
    assert server.is_whole()
