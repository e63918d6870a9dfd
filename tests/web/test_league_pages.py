"""The part of the site that changes something: who may, what is refused, and what is shown."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from http.client import HTTPConnection
from pathlib import Path

import msgspec
import pytest
import trio
from arena_results.bots.authors import author_of, log_in, new_token, revoke, tokens
from arena_results.bots.seasons import seasons
from arena_results.bots.uploads import UploadState, decide, take_next, uploads
from arena_results.file.database import open_database
from arena_results.store.queries import tournament

from arena.cli.verbs.bots.submit import show_submission
from arena.plugins.registry import Registry
from arena.service.league.league_file import LeagueLimits, LeagueSpec
from arena.service.league.run import LeagueRun
from arena.web.routes.login import COOKIE
from arena.web.site.guard.settings import Settings
from tests.web.browser import visit
from tests.web.client import visiting
from tests.web.served import served

ARENA = Path(sys.executable).with_name("arena")
NOW = datetime.now(UTC)
BOT = b"""
from arena import Bot

class Careful(Bot):
    game = "pazaak"

    def act(self, observation):
        return observation.legal_actions[1]
"""
LEAGUE = LeagueSpec(
    name="Cantina", house=("stand(at=17)", "random"), limits=LeagueLimits(waiting=2, packed_mb=1)
)
SAME = {"sec_fetch_site": "same-origin"}


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'league.db'}"


@pytest.fixture
def token(url):
    with open_database(url, create=True) as database:
        return new_token(database, "Ann", NOW)


@pytest.fixture
async def site(url, token):
    async with visiting(Settings(db=url, league=LEAGUE)) as visitor:
        yield visitor


def bearer(token):
    return {"authorization": f"Bearer {token}"}


async def send(site, token, content=BOT, file="careful.py"):
    return await site.send("POST", f"/api/submissions?file={file}", [content], **bearer(token))


async def test_a_bot_is_sent_by_plain_http_and_its_reasons_are_its_authors_alone(site, token, url):
    answer = await send(site, token)
    assert (answer.status, answer.headers["location"]) == (201, "/api/submissions/1")
    assert answer.json | {"size": 0} == {
        "id": 1, "author": "Ann", "file": "careful.py", "size": 0, "state": "received", "bot": "",
        "text": "", "report": None,
    }  # fmt: skip
    with open_database(url) as database:
        assert take_next(database, NOW, 9)[1] == BOT
        decide(database, 1, UploadState.REFUSED, NOW, text="move 3: a <secret> traceback")
        other = new_token(database, "Bob", NOW)
    own = await site.get("/api/submissions/1", **bearer(token))
    assert (own.json["state"], own.json["text"]) == ("refused", "move 3: a <secret> traceback")
    for headers in ({}, bearer(other)):
        answer = await site.get("/api/submissions/1", **headers)
        assert (answer.json["state"], "text" in answer.json) == ("refused", False)
        assert "traceback" not in (await site.get("/s/1", **headers)).text
    page = (await site.get("/s/1", **bearer(token))).text
    assert "move 3: a &lt;secret&gt; traceback" in page
    assert [each["id"] for each in (await site.get("/api/submissions")).json] == [1]
    assert "careful.py" in (await site.get("/queue")).text


@pytest.mark.parametrize(
    ("headers", "content", "file", "status", "reason"),
    [
        ({}, BOT, "a.py", 401, "authors submit with a token"),
        ({"authorization": "Basic eDp5"}, BOT, "a.py", 401, "authors submit with a token"),
        ({"cookie": f"{COOKIE}=x"}, BOT, "a.py", 403, "not sent by a page of this site"),
        (SAME, BOT, "a.py", 401, "authors submit with a token"),
        (bearer("arena_nothing"), BOT, "a.py", 401, "this token is not accepted"),
        ("own", b"x=", "a.py", 422, "bot file a.py is not valid Python: invalid syntax"),
        ("own", b"", "a.py", 422, "no file was sent"),
        ("own", BOT, "", 422, "no file was sent"),
        ("own", b"PK", "a.zip", 422, "a.zip"),
        ("own", b"#" * 1_005_000, "a.py", 413, "the body of this request has at most"),
        ("own", b"#" * 1_000_001, "a.py", 422, "a.py has 1000001 bytes; at most 1 MB"),
    ],
)
async def test_what_is_refused_has_a_reason_and_a_status_and_leaves_nothing(
    site, token, url, headers, content, file, status, reason
):
    sent = bearer(token) if headers == "own" else headers
    answer = await site.send("POST", f"/api/submissions?file={file}", [content], **sent)
    assert (answer.status, reason in answer.json["error"]) == (status, True), answer.text
    assert answer.headers.get("www-authenticate") == ("Bearer" if status == 401 else None)
    with open_database(url) as database:
        assert uploads(database) == ()


@pytest.mark.thorough("the parts of a header are read in one place")
async def test_the_scheme_of_a_token_is_written_in_any_case(site, token):
    for scheme in ("bearer", "BEARER"):
        headers = {"authorization": f"{scheme} {token}"}
        assert "Logged in as <strong>Ann" in (await site.get("/submit", **headers)).text
    answer = await site.send(
        "POST", "/api/submissions?file=a.py", [BOT], authorization=f"bearer {token}"
    )
    assert answer.status == 201


@pytest.mark.thorough("the parts of a header are read in one place")
async def test_a_password_of_the_proxy_is_no_token(site, token):
    """A proxy that asks for a password passes it on."""
    basic = {"authorization": "Basic dXNlcjpwdw=="}
    assert "Your token" in (await site.get("/submit", **basic)).text
    assert (await send(site, token)).status == 201
    for address in ("/s/1", "/api/submissions/1", "/queue"):
        assert (await site.get(address, **basic)).status == 200


async def test_an_address_of_two_methods_has_both(site):
    answer = await site.send("PUT", "/submit")
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD, POST")


@pytest.mark.thorough("test_guards.py computes the time")
async def test_too_many_are_refused_with_the_time_to_wait(site, token):
    for _ in range(2):
        assert (await send(site, token)).status == 201
    answer = await send(site, token)
    assert (answer.status, int(answer.headers["retry-after"])) == (429, 60)
    assert answer.json["error"].startswith("Ann has 2 submissions waiting")


def limited(url, proxy=False, **changes):
    league = msgspec.structs.replace(LEAGUE, limits=LeagueLimits(**changes))
    return visiting(Settings(db=url, league=league, behind_proxy=proxy))


@pytest.mark.thorough("test_guards.py counts files by author and by address")
async def test_an_author_sends_so_many_files_an_hour_taken_or_not(url, token):
    with open_database(url) as database:
        other = new_token(database, "Bob", NOW)
    async with limited(url, hour=2) as site:
        assert [(await send(site, token, b"x=")).status for _ in range(2)] == [422, 422]
        answer = await send(site, token)
        assert answer.status == 429
        assert answer.json["error"].startswith("more than 2 files an hour from Ann; try again in ")
        assert 0 < int(answer.headers["retry-after"]) <= 1800
        assert (await send(site, other)).status == 201


@pytest.mark.thorough("test_guards.py counts files by author and by address")
@pytest.mark.parametrize("proxy", [False, True])
async def test_so_many_files_an_hour_come_from_an_address_as_a_proxy_reports_it(url, token, proxy):
    async with limited(url, proxy, address_hour=1, waiting=9) as site:

        async def sent(address):
            path, forwarded = "/api/submissions?file=careful.py", f"6.6.6.6, {address}"
            headers = bearer(token) | {"x_forwarded_for": forwarded}
            return await site.send("POST", path, [BOT], **headers)

        first, same, another = [await sent(f"203.0.113.{each}") for each in (5, 5, 6)]
    assert (first.status, same.status) == (201, 429)
    seen = "203.0.113.5" if proxy else "127.0.0.1"
    assert same.json["error"].startswith(f"more than 1 files an hour from {seen}; try again in ")
    assert another.status == (201 if proxy else 429)


async def test_a_submission_has_what_arena_submit_prints(site, token, url, capsys):
    check = {"matches": 20, "points": 17.5, "deterministic": True, "isolation": "confined"}
    document = {"report": {"pazaak": {"ruleset": "standard", "against": {"random": check}}}}
    text = "careful 1 (python)\ncareful 1 is entered"
    assert (await send(site, token)).status == 201
    with open_database(url) as database:
        take_next(database, NOW, 9)
        decide(database, 1, UploadState.ENTERED, NOW, text=text, document=json.dumps(document))
    found = (await site.get("/api/submissions/1", **bearer(token))).json
    show_submission(found)  # what arena submit --server prints
    printed = capsys.readouterr().out.splitlines()
    assert (printed[0], printed[-1]) == tuple(text.split("\n"))
    heads, _, row = [line.split() for line in printed[1:-1] if line]
    page = (await site.get("/s/1")).text
    assert re.findall(r'<th scope="col"[^>]*>(\w+)', page) == heads
    cells = re.findall(r'<t[dh](?: scope="row")?(?: class="\w+")?>([^<]+)</t[dh]>', page)[-6:]
    assert cells == row == ["pazaak", "random", "20", "17.5", "yes", "confined"]
    show_submission(found | {"report": {"report": "of another server"}})
    assert capsys.readouterr().out == f"{text}\n"


async def test_a_login_is_a_cookie_of_this_host_and_ends_with_its_token(site, token, url):
    form = {"content_type": "application/x-www-form-urlencoded"} | SAME
    wrong = await site.send("POST", "/login", [b"token=arena_wrong"], **form)
    assert (wrong.status, "set-cookie" in wrong.headers) == (401, False)
    done = await site.send("POST", "/login", [f"token={token}".encode()], **form)
    assert (done.status, done.headers["location"]) == (303, "/submit?after=login")
    cookie = done.headers["set-cookie"]
    assert re.match(rf"{COOKIE}=[\w-]{{43}}; ", cookie)
    for word in ("HttpOnly", "Secure", "SameSite=strict", "Path=/"):
        assert word.lower() in cookie.lower()
    assert "domain" not in cookie.lower()
    sent = {"cookie": cookie.partition(";")[0]}
    assert "Logged in as <strong>Ann</strong>" in (await site.get("/submit", **sent)).text
    assert "Your token" in (await site.get("/submit")).text
    assert "did not keep the login" not in (await site.get("/submit")).text
    lost = (await site.get("/submit?after=login")).text
    assert "Your token is right, but this browser did not keep the login" in lost
    assert "did not keep" not in (await site.get("/submit?after=login", **sent)).text
    with open_database(url) as database:
        revoke(database, "Ann", NOW)
    assert "Your token" in (await site.get("/submit", **sent)).text


async def test_a_form_takes_a_file_and_a_logout_ends_the_login(site, token, url):
    with open_database(url) as database:
        secret = log_in(database, author_of(database, token, NOW), NOW)
    body = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="careful.py"\r\n\r\n'
        + BOT
        + b"\r\n--x--\r\n"
    )
    sent = {"cookie": f"{COOKIE}={secret}", "content_type": "multipart/form-data; boundary=x"}
    assert (await site.send("POST", "/submit", [body], **sent)).status == 403
    done = await site.send("POST", "/submit", [body], **sent, **SAME)
    assert (done.status, done.headers["location"]) == (303, "/s/1")
    for address in ("/s/1", "/queue?sort=-received"):
        page = (await site.get(address)).text
        assert f'hx-get="{address}"' in page  # it asks again until it is decided
        assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d", page)
    own = (await site.get("/submit?sort=-state&q=careful", cookie=sent["cookie"])).text
    assert 'aria-sort="descending"' in own
    assert '<a href="/s/1">careful.py</a>' in own
    with open_database(url) as database:
        decide(database, take_next(database, NOW, 9)[0].id, UploadState.REFUSED, NOW, text="no")
    assert "hx-get" not in (await site.get("/s/1")).text
    empty = await site.send("POST", "/submit", [b"--x--\r\n"], **sent, **SAME)
    assert empty.status == 422
    assert 'role="alert">no file was sent; choose one</p>\n<form class="row"' in empty.text
    out = await site.send("POST", "/logout", [], cookie=sent["cookie"], **SAME)
    assert out.status == 303
    assert (await site.send("POST", "/submit", [body], **sent, **SAME)).status == 401


def test_a_token_that_is_revoked_while_its_author_sends_is_refused(url, token):
    """A real connection: half of a body, a revocation by another process, and the other half."""
    with served(url, league=LEAGUE) as address, open_database(url) as database:
        connection = HTTPConnection(address.removeprefix("http://"), timeout=60)
        with closing(connection):
            connection.putrequest("POST", "/api/submissions?file=a.py")
            connection.putheader("Authorization", f"Bearer {token}")
            connection.putheader("Content-Length", str(len(BOT)))
            connection.endheaders(BOT[:9])
            while not tokens(database)[0].used_at:  # it is accepted at the begin
                time.sleep(0.01)
            revoke(database, "Ann", NOW)
            connection.send(BOT[9:])
            answer = connection.getresponse()
            assert (answer.status, b"this token is not accepted" in answer.read()) == (401, True)
        assert uploads(database) == ()


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("/s/7", "unknown submission &#39;7&#39;; choices: none"),
        ("/s/x", "unknown submission &#39;x&#39;"),
        ("/queue?page=9", "page"),
        ("/queue?colour=red", "unknown parameter &#39;colour&#39; of this page"),
        ("/league", "unknown page"),
    ],
)
async def test_what_is_not_there_is_named(site, address, problem):
    answer = await site.get(address)
    assert (answer.status, problem in answer.text) == (404, True), answer.text


async def test_without_a_league_nothing_can_be_sent(cups):
    async with visiting(Settings(db=cups)) as site:
        for address in ("/submit", "/queue", "/api/submissions", "/league"):
            answer = await site.get(address)
            assert (answer.status, "/league" in answer.text.partition("choices")[2]) == (404, False)
        assert (await send(site, "arena_x")).status in (404, 405)


@pytest.mark.thorough("test_league.py in tests/service rates an upload, the others ask the pages")
def test_a_bot_goes_from_its_author_to_the_leaderboard(tmp_path, browser):
    """A real server, browser and command: the whole way, and nothing wrong on the pages."""
    league = 'name = "Cantina"\nhouse = ["stand(at=17)", "random"]\n'
    (tmp_path / "league.toml").write_text(
        f"{league}[anchors]\nrandom = 1000\n[tournament]\nwithin = 200\ngames = 20\n"
    )
    (tmp_path / "careful.py").write_bytes(BOT)
    environment = os.environ | {"ARENA_DB": "league.db", "HOME": str(tmp_path)}
    environment.pop("ARENA_TOKEN", None)

    def arena(*words, **more):
        return subprocess.run(
            [ARENA, *words], cwd=tmp_path, env=environment | more, capture_output=True, text=True,
            check=False, timeout=240,
        )  # fmt: skip

    token = arena("token", "new", "Ann").stdout.strip()
    with subprocess.Popen(
        [ARENA, "serve", "--league", "league.toml", "--port", "0"],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True,
    ) as server:  # fmt: skip
        try:
            address = server.stdout.readline().split(" ")[0].rstrip("/")
            sent = arena("submit", "careful.py", "--server", address, ARENA_TOKEN=token)
            assert sent.returncode == 0, sent.stderr
            assert sent.stdout.endswith("is entered\n")
            assert sent.stderr.splitlines()[-1] == "submission 1: entered"
            with visit(browser, f"{address}/league") as seen:
                seen.page.get_by_role("link", name="careful").wait_for(timeout=300_000)
                assert "1000" in seen.page.get_by_role("row").filter(has_text="random").inner_text()
                seen.page.goto(f"{address}/submit")
                seen.page.get_by_label("Your token").fill(token)
                seen.page.get_by_role("button", name="Log in").click()
                seen.page.get_by_text("Logged in as Ann").wait_for()
                for path in ("/submit", "/queue", "/s/1", "/league", "/b/careful/log"):
                    seen.page.goto(address + path)
                    assert seen.violations() == [], path
                    assert seen.overflow(375) == 0, path
                # A stream of events that ends because the visitor goes on is no problem.
                assert [each for each in seen.problems if "/live/" not in each] == []
            document = json.loads(arena("leaderboard", "-o", "json").stdout)
            assert "careful" in str(document)
        finally:
            server.terminate()
        assert server.wait(30) == 0


async def test_the_page_of_the_season_says_who_holds_the_round_and_who_rests(url):
    async with visiting(Settings(db=url, league=LEAGUE)) as visitor:
        with open_database(url) as database:
            await LeagueRun(Registry(), database, LEAGUE).begin_season()
            number = seasons(database, "Cantina")[0].tournament_id
            season = visitor.site.season
            season.see_field(
                await trio.to_thread.run_sync(partial(tournament, database, number, matches=False))
            )

        async def shown(words):
            with trio.fail_after(60):  # a page that took long is kept for some time
                while words not in (page := (await visitor.get("/league")).text):
                    await trio.sleep(0.1)
            return page

        before = (await visitor.get("/league")).text
        assert "holds the round" not in before
        assert "can save up" not in before
        season.time.use(season.keys[0], 41)
        season.hold([0])
        held = await shown("stand(at=17) holds the round since ")
        assert "It has used 41 of 360 s this hour." in held
        assert "Each bot gets 6 s of time a minute, and can save up 10 s." in held
        season.resting = (1,)
        season.hold([])
        assert "holds the round" not in await shown("random rests while others play.")
