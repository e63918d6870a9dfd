"""The log of a bot: what it printed in matches of a real tournament, for its author alone."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import pytest
from arena_results.bots.authors import new_token
from arena_results.bots.submissions import NewSubmission, add
from arena_results.file.database import open_database

from arena.plugins.submissions.archives import packed
from arena.plugins.submissions.submission import read_package
from arena.service.league.league_file import LeagueSpec
from arena.web.site.guard.settings import Settings
from tests.cli.in_process import run_in_process
from tests.web.client import visiting

NOW = datetime.now(UTC)
LEAGUE = LeagueSpec(name="Cantina", house=("stand(at=17)", "random"))
SPITEFUL = """
import sys
from arena import Bot


class Spiteful(Bot):
    game = "pazaak"

    def act(self, observation):
        print("<script>alert(1)</script> \\x1b[31m<b>of {author}", file=sys.stderr)
        raise ValueError
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A database in which a bot of Ann's broke its matches; its address, and tokens by author."""
    folder = tmp_path_factory.mktemp("log")
    url = f"sqlite:///{folder / 'league.db'}"
    with open_database(url, create=True) as database:
        tokens = {author: new_token(database, author, NOW) for author in ("Ann", "Bob")}
        for author in tokens:
            name = f"spiteful-{author}".lower()
            (folder / f"{name}.py").write_text(SPITEFUL.format(author=author))
            package = read_package(str(folder / f"{name}.py"))
            new = NewSubmission(
                name=package.name, version="1", content=package.content, games=("pazaak",),
                language="python", target=package.target, author=author, deterministic=True,
            )  # fmt: skip
            add(database, new, packed(package.files))
    words = ["tournament", "run", "--bot", "spiteful-ann", "--bot", "spiteful-bob", "--bot",
             "random", "--games", "2", "--concurrency", "1", "--db", url]  # fmt: skip
    code, _, err = run_in_process(words, folder, os.environ)
    assert code == 0, err
    return url, tokens


@pytest.fixture
async def site(place):
    async with visiting(Settings(db=place[0], league=LEAGUE)) as visitor:
        yield visitor


def bearer(token):
    return {"authorization": f"Bearer {token}"}


@pytest.mark.parametrize("bot", ["spiteful-ann", "spiteful-ann@1"])
async def test_its_author_sees_what_it_printed_as_text(site, place, bot):
    answer = await site.get(f"/b/{bot}/log", **bearer(place[1]["Ann"]))
    assert answer.status == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert "&lt;script&gt;alert(1)&lt;/script&gt; ?[31m&lt;b&gt;of Ann" in answer.text
    assert "lost by crash" in answer.text
    assert "of Bob" not in answer.text
    assert 'href="/m/1.' in answer.text


@pytest.mark.parametrize(
    ("author", "bot", "status", "reason"),
    [
        ("", "spiteful-ann", 401, "is its author&#39;s alone: log in"),
        ("Bob", "spiteful-ann", 403, "the log of spiteful-ann is its author&#39;s alone"),
        ("Ann", "spiteful-bob@1", 403, "the log of spiteful-bob is its author&#39;s alone"),
        ("Ann", "nobody", 404, "unknown submitted bot &#39;nobody&#39;; choices: spiteful-ann"),
        ("Ann", "spiteful-ann@2", 404, "unknown submitted bot &#39;spiteful-ann@2&#39;"),
        ("Ann", "random", 404, "unknown submitted bot"),
    ],
)
async def test_nobody_else_does(site, place, author, bot, status, reason):
    headers = bearer(place[1][author]) if author else {}
    answer = await site.get(f"/b/{bot}/log", **headers)
    assert (answer.status, reason in answer.text) == (status, True), answer.text
    assert "[31m" not in answer.text


async def test_the_page_of_a_bot_stays_and_without_a_league_no_logs(site, place):
    assert "spiteful-ann" in (await site.get("/b/spiteful-ann")).text
    async with visiting(Settings(db=place[0])) as other:
        assert (await other.get("/b/spiteful-ann/log", **bearer(place[1]["Ann"]))).status == 404
