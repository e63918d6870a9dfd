"""``/api/...`` answers what the command line writes with ``-o json``."""

from __future__ import annotations

import json
import re
import shutil

import pytest

import arena
from arena.plugins.registry import Registry
from arena.service.public.documents import public_report
from arena.service.report.tables.documents import document
from arena.service.storage.databases import open_database
from arena.web.app import prepare
from arena.web.site.guard.settings import Settings
from tests.web.client import visiting


def plain(value):
    """A value as JSON gives it back."""
    return json.loads(json.dumps(value))


async def test_the_documents_are_those_of_the_command_line(site, cups):
    with arena.open_database(cups) as db:
        expected = {
            "/api/tournaments": [
                row if row["status"] == "finished" else row | {"seed": None}
                for row in db.tournaments()
            ],
            "/api/bots/optimal": db.bot("optimal"),
            "/api/matches/1.1.2.1?view=public": db.replay("1.1.2.1").document("public"),
            "/api/matches?tournament=1&bot=sore&result=lost": [
                *arena.find_matches(1, cups, bot="sore", lost=True)
            ],
            "/api/games/pazaak": arena.describe_game("pazaak"),
            "/api/tournaments/1/explain/sore": db.tournament(1).explain("sore"),
        }
    with open_database(cups) as database:
        cup = document(public_report(Registry(), database, 1))
    expected |= {"/api/tournaments/1": cup, "/api/tournaments/1/standings": cup["standings"]}
    for address, shown in expected.items():
        answer = await site.get(address)
        assert answer.status == 200, answer.text
        assert answer.headers["content-type"] == "application/json"
        assert answer.json == plain(shown), address


async def test_the_leaderboard_and_bots_have_the_rows_of_their_commands(site, cups):
    with arena.open_database(cups) as db:
        board, bots = db.leaderboard("pazaak", "standard"), db.bots()
    shown = (await site.get("/api/leaderboard?game=pazaak&ruleset=standard")).json
    assert [row["name"] for row in shown] == [row["name"] for row in board]
    assert [row["rating"] for row in shown] == [row["rating"] for row in board]
    assert [row["name"] for row in (await site.get("/api/bots")).json] == [r["name"] for r in bots]


async def test_an_answer_is_not_sent_again_while_it_is_the_same(site):
    first = await site.get("/api/tournaments/1")
    again = await site.get("/api/tournaments/1", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("/api/nothing", "unknown page '/api/nothing'; choices: .*/api/tournaments/{id}"),
        ("/api/tournaments/9", "unknown tournament '9'; choices: 1, 2"),
        ("/api/tournaments/x", "unknown tournament 'x'; choices: 1, 2"),
        ("/api/tournaments?sort=id", "unknown parameter 'sort' of /api/tournaments; choices: none"),
        ("/api/matches/1.1.1.9", "tournament 1 has no match 1.1.9; its matches go from 1.1.1"),
        (
            "/api/matches/1.1.1.1?view=seat7",
            "view 'seat7': match 1.1.1.1 has the views public, seat",
        ),
        ("/api/matches?cause=boredom", "unknown cause 'boredom'; choices: "),
        ("/api/matches?limit=0", "limit 0: expected a number from 1 to 10000"),
        ("/api/matches?round=two", "round 'two': expected a number"),
        ("/api/leaderboard?game=chess", "unknown game 'chess' in the database; choices: pazaak"),
        ("/api/leaderboard?rating=luck", "unknown rating system 'luck'; choices: "),
        ("/api/bots/nobody", "unknown bot 'nobody'; choices: .*optimal"),
        ("/api/games/chess", "unknown game 'chess'; choices: pazaak, sabacc"),
    ],
)
async def test_what_is_not_there_is_404_with_the_choices(site, address, message):
    answer = await site.get(address)
    assert answer.status == 404
    assert list(answer.json) == ["error"]
    assert re.match(message, answer.json["error"])


async def test_methods_that_change_something_are_refused(site):
    own = {"sec_fetch_site": "same-origin"}
    assert (await site.send("POST", "/api/tournaments", [b"{}"], **own)).status == 405
    assert (await site.send("DELETE", "/t/1", **own)).status == 405


async def test_a_database_that_fails_is_no_secret_path(cups, tmp_path, capsys):
    copy = shutil.copy(cups.removeprefix("sqlite:///"), tmp_path / "own.db")
    async with visiting(Settings(db=f"sqlite:///{copy}")) as site:
        (tmp_path / "own.db").rename(tmp_path / "elsewhere.db")
        answer = await site.get("/api/tournaments")
    assert answer.status == 503
    assert answer.json == {
        "error": "the results cannot be read or stored at the moment; try again later"
    }
    assert "own.db" in capsys.readouterr().err


async def test_leaderboards_and_a_match_are_drawn_before_anybody_asks(cups, monkeypatch):
    async with visiting(Settings(db=cups)) as site:
        rows = (await site.get("/api/tournaments")).json
        await prepare(site.site)
        drawn = []
        work = site.site.work
        monkeypatch.setattr(site.site, "work", lambda *a: drawn.append(a) or work(*a))
        for row in rows:
            answer = await site.get(f"/g/{row['game']}/{row['ruleset']}")
            assert (answer.status, drawn) == (200, [])
        assert (await site.get(f"/m/{rows[-1]['id']}")).status == 200
        assert drawn == []
        await site.get(f"/t/{rows[-1]['id']}")
        assert drawn
