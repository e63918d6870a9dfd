"""A career in the browser, by HTTP: begun, played for a wager, kept by the cookie, downloaded."""

from __future__ import annotations

import json
import re

import pytest
from arena_results.file.database import open_database

from arena.plugins.registry import Registry
from arena.service.run.person.career import open_career
from arena.web.site.guard.settings import Settings
from tests.web.client import visiting
from tests.web.players import over, player

PATH = "/play/career"


@pytest.fixture
def folder(tmp_path):
    with open_database(f"sqlite:///{tmp_path}/play.db", create=True):
        return tmp_path


@pytest.fixture
async def site(folder):
    async with visiting(Settings(db=f"sqlite:///{folder}/play.db", play=True)) as visitor:
        yield visitor


async def career_of(ann):
    found = await ann.get(f"{PATH}/file")
    return json.loads(found.text) if found.status == 200 else None


async def test_a_match_for_a_wager_changes_the_purse(site, folder):
    ann = await player(site)
    assert f'href="{PATH}"' in (await ann.get("/play?game=pazaak")).text
    assert f'href="{PATH}"' not in (await ann.get("/play?game=sabacc")).text
    assert await career_of(ann) is None
    assert (await ann.post(PATH, ("cheats", "yes"))).headers["location"] == PATH
    assert (await career_of(ann))["ruleset"] == "standard(cheats=true)"
    answer = await ann.post(PATH, ("rival", "novice"), ("wager", 30))
    ann.here = answer.headers["location"]
    page = await ann.until_asked()
    assert "the wager is 30" in page
    assert "another program" not in (await ann.get(PATH)).text
    assert ann.here in (await ann.get(PATH)).text
    async for _ in ann.play_out(choice=2):
        pass
    end = ann.pages[-1]
    assert f'href="{PATH}"' in end
    assert "Swap seats" not in end
    (played,) = (await career_of(ann))["matches"]
    change = {"won": 30, "lost": -30, "drawn": 0}[played["result"]]
    assert (played["rival"], played["wager"], played["purse"]) == ("novice", 30, 100 + change)
    assert re.search(rf'class="purse">{100 + change}<', (await ann.get(PATH)).text)
    (file,) = (folder / "play.db-careers").iterdir()
    assert ann.cookie.partition("=")[2] not in file.name
    with open_career(file, Registry()) as continued:  # as arena career does
        assert continued.career.purse == 100 + change
        assert continued.abandoned is None


async def test_who_leaves_the_table_loses_the_wager(site):
    ann = await player(site)
    await ann.post(PATH)
    ann.here = (await ann.post(PATH, ("rival", "novice"), ("wager", 5))).headers["location"]
    again = await ann.post(PATH)
    assert (again.status, "finish it first" in again.text) == (422, True)
    await ann.until_asked()
    await ann.post(f"{ann.here}/leave")
    await ann.until(over)
    (played,) = (await career_of(ann))["matches"]
    assert (played["result"], played["purse"]) == ("lost", 95)
    assert (await ann.post(f"{ann.here}/again")).status == 409
    await ann.post(PATH)
    assert (await career_of(ann))["matches"] == [], "another career begins"


async def test_a_challenge_that_cannot_be_is_refused_in_one_line(site):
    ann, bob = await player(site), await player(site)
    await ann.post(PATH)
    for rival, wager, reason in (
        ("novice", 500, "is not within both purses"),
        ("hard", 5, "of level 7"),
        ("nobody", 5, "unknown rival"),
        ("novice", "x", "expected a whole number"),
    ):
        answer = await ann.post(PATH, ("rival", rival), ("wager", wager))
        assert (answer.status, reason in answer.text) == (422, True), answer.text
    assert (await career_of(ann))["purse"] == 100
    assert await career_of(bob) is None
    answer = await bob.post(PATH, ("rival", "novice"), ("wager", 5))
    assert (answer.status, "you have no career here: begin one" in answer.text) == (422, True)
    assert "play.db" not in answer.text
    assert (await site.get(f"{PATH}/file")).status == 404


async def test_a_challenge_that_is_sent_twice_leads_to_the_same_table(site):
    ann = await player(site)
    await ann.post(PATH)
    here = [
        (await ann.post(PATH, ("rival", "novice"), ("wager", 5))).headers["location"]
        for _ in range(2)
    ]
    assert here[0] == here[1]


async def test_a_match_that_a_stopped_server_left_behind_is_lost(site, folder):
    ann = await player(site)
    await ann.post(PATH)
    (file,) = (folder / "play.db-careers").iterdir()
    stake = {"match": "77.1.1.1", "rival": "novice", "wager": 40}
    file.write_text(json.dumps({**await career_of(ann), "stake": stake}))
    page = await ann.get(PATH)
    assert 'class="purse">60<' in page.text
    assert "left the table" in page.text
    assert (await career_of(ann))["stake"] is None
    assert (await ann.post(PATH)).status == 303, "another career begins"
