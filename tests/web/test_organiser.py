"""The pages of an organiser: who may, what is refused, and a whole event from zips to a bundle."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import sqlite3
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest
import trio
from arena_results.bots.authors import log_in, new_token, tokens
from arena_results.file.database import open_database
from arena_results.file.local_file import LocalFile
from arena_results.store.queries import tournament, tournaments

from arena.service.answers.writing import replacing
from arena.service.storage.bundles import BundleDatabase
from arena.web.routes.login import COOKIE
from arena.web.site.event import event_folder
from arena.web.site.event import events as events_module
from arena.web.site.event.event_folder import EventFolder
from arena.web.site.guard.settings import Settings
from tests.web.browser import WIDTHS, visit
from tests.web.client import visiting
from tests.web.league_server import PATIENCE, LeagueServer

NOW = datetime.now(UTC)
BOT = """
from arena import Bot

__version__ = "1"
__author__ = "{author}"


class {name}(Bot):
    game = "pazaak"

    def act(self, observation):
        end_turn, stand, *_ = observation.legal_actions
        {extra}
        return stand if observation.total >= 16 else end_turn
"""


def zipped(name, author, extra="pass"):
    """A zip of a bot's folder, as an author sends it."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(f"{name}.py", BOT.format(name=name.title(), author=author, extra=extra))
    return held.getvalue()


GOOD, BAD = zipped("careful", "Ann"), zipped("broken", "Bob", "raise ValueError('bad luck')")


class OrganiserServer(LeagueServer):
    """A site with organisers; its token is Olga's, and every request has it."""

    options = ("--organise", "event")

    def __init__(self, folder, preloaded):
        super().__init__(folder, preloaded=preloaded)
        with open_database(self.url) as database:
            self.author = self.token
            self.token = new_token(database, "Olga", NOW, organises=True)

    def get(self, path):
        return self.request("GET", path, token=self.token)

    def post(self, path, **form):
        """Sends a form as a browser without scripts does, and returns where that leads."""
        body = urlencode(form, doseq=True).encode()
        kind = {"Content_Type": "application/x-www-form-urlencoded"}
        answer = self.request("POST", path, body, token=self.token, **kind)
        assert answer.status == 303, re.findall(r"role=.alert.>[^<]*", answer.text)
        return answer.headers["location"]

    def state(self, number=1):
        """The state of a tournament, as its page has it."""
        return re.search(r'role="status">([^<]+)', self.get(f"/organise/{number}").text)[1]


@contextmanager
def organiser_server(folder, preloaded):
    server = OrganiserServer(folder, preloaded)
    server.start()
    try:
        yield server
    finally:
        if server.started:
            server.end(signal.SIGKILL)


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'event.db'}"


@pytest.fixture
async def site(url, tmp_path):
    with open_database(url, create=True):
        pass
    async with visiting(Settings(db=url, organise=str(tmp_path / "event"))) as visitor:
        yield visitor


def bearer(database, name, *, organises):
    return {"authorization": f"Bearer {new_token(database, name, NOW, organises=organises)}"}


ADDRESSES = [
    ("POST", "/organise/drafts"), ("GET", "/organise/drafts/x"), ("POST", "/organise/drafts/x"),
    ("POST", "/organise/drafts/x/delete"), ("POST", "/organise/entries"),
    ("POST", "/organise/entries/again"), ("GET", "/organise/entries/x/letter"),
    ("GET", "/organise/1"), ("POST", "/organise/1/play"), ("POST", "/organise/1/rulings"),
    ("GET", "/organise/1/export/results.json"), ("GET", "/organise"),
]  # fmt: skip


async def test_nobody_but_an_organiser_gets_anything(site, url):
    with open_database(url) as database:
        author = bearer(database, "Ann", organises=False)
        cookie = log_in(database, tokens(database)[0], NOW)
    same = {"sec_fetch_site": "same-origin"}
    for method, address in ADDRESSES:
        for sent, status, line in (
            (same, 401, "organisers log in with their token"),
            (author, 403, "Ann has the token of an author"),
            (same | {"cookie": f"{COOKIE}={cookie}"}, 403, "Ann has the token of an author"),
            ({"authorization": "Bearer arena_organiser.x"}, 401, "this token is not accepted"),
        ):
            answer = await site.send(method, address, [b"title=x"], **sent)
            assert answer.status == status, (method, address, answer.text)
            if (method, address, status) != ("GET", "/organise", 401):  # it has the form to log in
                assert line in answer.text, (method, address)
    front = await site.get("/organise")
    assert (front.status, front.headers["www-authenticate"]) == (401, "Bearer")
    assert front.text.count('type="password"') == 1


async def test_a_form_that_another_site_sends_changes_nothing(site, url, tmp_path):
    with open_database(url) as database:
        new_token(database, "Olga", NOW, organises=True)
        cookie = log_in(database, tokens(database)[0], NOW)
    own = {"cookie": f"{COOKIE}={cookie}", "content_type": "application/x-www-form-urlencoded"}
    for origin in ({"sec_fetch_site": "cross-site"}, {"sec_fetch_site": "same-site"}, {}):
        answer = await site.send("POST", "/organise/drafts", [b"title=x"], **own, **origin)
        assert (answer.status, "not sent by a page of this site" in answer.text) == (403, True)
    assert [*(tmp_path / "event").glob("*.toml")] == []
    same = await site.send(
        "POST", "/organise/drafts", [b"title=Spring+cup"], **own, sec_fetch_site="same-origin"
    )
    assert (same.status, same.headers["location"]) == (303, "/organise/drafts/Spring-cup")
    assert (tmp_path / "event" / "Spring-cup.toml").read_text() == 'name = "Spring cup"\n'


@pytest.fixture
async def olga(site, url):
    """Sends a form in the name of an organiser."""
    with open_database(url) as database:
        sent = bearer(database, "Olga", organises=True)
    sent |= {"content_type": "application/x-www-form-urlencoded"}

    async def send(address, **form):
        return await site.send("POST", address, [urlencode(form, doseq=True).encode()], **sent)

    send.headers = sent
    return send


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ({"games": "many"}, "games: expected a whole number, not &#39;many&#39;"),
        ({"games": "0"}, "games: expected"),
        ({"format": "nothing"}, "unknown format &#39;nothing&#39;"),
        ({"bots": ["random", "/etc/passwd"]}, "&#39;/etc/passwd&#39; is neither a built-in"),
        ({"more_bots": "x.py:Bot"}, "&#39;x.py:Bot&#39; is neither a built-in"),
        ({"bots": ["random"]}, "two"),
        ({"bots": ["random", "stand"], "bots_from": "/etc/passwd", "games": "x"}, "games"),
    ],
)
async def test_a_wrong_setting_is_one_line_and_nothing_starts(olga, url, typed, line):
    assert (await olga("/organise/drafts", title="cup")).status == 303
    form = {"name": "cup", "game": "pazaak", "format": "swiss"} | typed
    answer = await olga("/organise/drafts/cup", do="start", **form)
    assert (answer.status, line in answer.text) == (422, True), answer.text
    assert 'value="cup"' in answer.text, "what was typed stays"
    with open_database(url) as database:
        assert tournaments(database) == ()


async def test_a_draft_keeps_its_other_keys_and_shows_the_options_of_its_format(
    olga, site, tmp_path
):
    file = tmp_path / "event" / "cup.toml"
    file.write_text('format = "knockout"\nrequire = "boxed"\nbots = ["stand(at=17)"]\n')
    page = (await site.get("/organise/drafts/cup", **olga.headers)).text
    assert 'name="third_place"' in page
    assert ">stand(at=17)</textarea>" in page
    saved = {"format": "knockout", "third_place": "on", "more_bots": "stand(at=17)"}
    assert (await olga("/organise/drafts/cup", do="save", **saved)).status == 200
    written = file.read_text()
    assert 'require = "boxed"' in written
    assert "third_place = true" in written
    assert (
        await olga("/organise/drafts/cup", do="save", **saved | {"format": "swiss", "mirrored": ""})
    ).status
    assert "third_place" not in file.read_text()
    assert "mirrored = false" in file.read_text()
    assert (await olga("/organise/drafts/cup/delete")).headers["location"] == "/organise"
    assert [each.name for each in file.parent.glob("cup*")] == ["cup.toml.deleted"]


@pytest.mark.parametrize("asked", ["process", "trusted", "boxed"])
async def test_a_draft_by_hand_never_begins_below_confined(olga, url, tmp_path, asked):
    file = tmp_path / "event" / "cup.toml"
    file.write_text(f'require = "{asked}"\n')
    (file.parent / "runs" / "1.log").mkdir()  # so nothing is played
    form = {"name": "cup", "game": "pazaak", "format": "round-robin", "games": "2"}
    answer = await olga("/organise/drafts/cup", do="start", bots=["random", "stand"], **form)
    assert "1.log cannot be changed" in answer.text
    with open_database(url) as database:
        (begun,) = tournaments(database)
    needed = json.loads(begun.spec)["require"]
    assert needed == ("boxed" if asked == "boxed" else "confined")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data; boundary=B", b"xx"), ("multipart/form-data", b"xx"),
        ("application/x-www-form-urlencoded", b"bots=x&" * 3_000),
    ],
)  # fmt: skip
async def test_a_form_that_cannot_be_read_is_no_fault_of_the_site(olga, site, kind, body):
    await olga("/organise/drafts", title="cup")
    for address in ("/organise/drafts/cup", "/organise/entries"):
        sent = olga.headers | {"content_type": kind}
        answer = await site.send("POST", address, [body], **sent)
        assert (answer.status, "this form cannot be read" in answer.text) == (400, True)


async def test_changes_that_the_folder_cannot_take_are_refused_in_one_line(olga, tmp_path):
    await olga("/organise/drafts", title="cup")
    (tmp_path / "event" / "cup.toml.deleted").mkdir()
    answer = await olga("/organise/drafts/cup/delete")
    assert (answer.status, "cup.toml cannot be changed: Is a directory" in answer.text) == (422, 1)
    (tmp_path / "event" / "runs" / "1.log").mkdir()
    form = {"name": "cup", "game": "pazaak", "format": "round-robin", "games": "2"}
    answer = await olga("/organise/drafts/cup", do="start", bots=["random", "stand"], **form)
    assert (answer.status, "1.log cannot be changed: Is a directory" in answer.text) == (422, 1)
    assert '<span class="tag" role="status">paused</span>' in answer.text, "it is the event's page"
    answer = await olga("/organise/entries/again", game="tarot")
    assert (answer.status, "unknown game" in answer.text) == (422, True)


async def test_a_form_that_is_sent_twice_starts_one_event(olga, site, url, tmp_path):
    await olga("/organise/drafts", title="cup")
    (tmp_path / "event" / "runs" / "1.log").mkdir()  # so nothing is played
    (tmp_path / "event" / "runs" / "2.log").mkdir()
    form = {"name": "cup", "format": "round-robin", "games": "2", "bots": ["random", "stand"]}
    page = (await site.get("/organise/drafts/cup", **olga.headers)).text
    form["latest"] = re.search(r'name="latest" value="(\d+)"', page)[1]
    answers = []

    async def start():
        answers.append(await olga("/organise/drafts/cup", do="start", **form))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(start)
        nursery.start_soon(start)
    await start()
    assert sorted(each.status for each in answers) == [303, 303, 422]
    assert {each.headers.get("location", "/organise/1") for each in answers} == {"/organise/1"}
    await olga("/organise/drafts/cup", do="start", **form | {"latest": "1"})
    with open_database(url) as database:
        assert [each.id for each in tournaments(database)] == [1, 2], "another form, another event"


async def test_an_event_begun_with_less_isolation_is_resumed_by_a_command_alone(olga, url):
    words = ["tournament", "run", "--db", url, "--bot", "random", "--bot", "stand", "--games", "2"]
    await trio.run_process([sys.executable, "-m", "arena", *words], capture_stdout=True)
    answer = await olga("/organise/1/play", do="round")
    assert (answer.status, "arena tournament resume 1" in answer.text) == (422, True)


async def test_files_keep_their_names_and_never_replace_another(olga, tmp_path):
    folder = EventFolder(tmp_path / "event")
    assert folder.receive("../../bot.zip", b"one") == "bot.zip"
    assert folder.receive("bot.zip", b"one") == "bot.zip"
    assert folder.receive("bot.zip", b"two") == "bot-2.zip"
    assert [each.file for each in folder.entries()] == ["bot-2.zip", "bot.zip"]
    assert {each.state for each in folder.entries()} == {"waiting"}
    assert len(folder.receive("字" * 300 + ".py", b"x").encode()) < 200
    assert len(folder.new_draft("𠀀" * 90).encode()) < 200
    for wrong in ("notes.txt", "", ".zip", "cup.toml"):
        with pytest.raises(Exception, match="expected a file of one of the kinds"):
            folder.receive(wrong, b"x")


@pytest.mark.parametrize(
    ("written", "line"),
    [
        (b"name = [", "bad.toml: expected TOML"),
        (b'name = "\xff"', "bad.toml: is not UTF-8"),
        (b"#" * 600_000, "bad.toml: is longer than"),
    ],
)
async def test_a_draft_that_cannot_be_read_is_shown_and_can_be_deleted(
    olga, site, tmp_path, written, line
):
    file = tmp_path / "event" / "bad.toml"
    file.write_bytes(written)
    page = await site.get("/organise/drafts/bad", **olga.headers)
    assert (page.status, line in page.text) == (200, True)
    assert f'<pre tabindex="0">{written[:6].decode()}' in page.text
    (delete,) = re.findall(r'action="(/organise/drafts/bad/delete)"', page.text)
    saved = await olga("/organise/drafts/bad", do="save", name="bad")
    assert (saved.status, line in saved.text) == (422, True)
    assert file.read_bytes() == written, "nothing is lost"
    assert (await olga(delete)).headers["location"] == "/organise"
    assert not file.exists()


async def test_a_draft_with_bots_that_are_no_names_is_refused_in_one_line(olga, tmp_path):
    (tmp_path / "event" / "cup.toml").write_text('bots = [1, ["a"]]\n')
    answer = await olga("/organise/drafts/cup", do="start", game="pazaak", more_bots="nobody")
    line = "bots: &#39;nobody&#39; is neither a built-in nor a submitted bot"
    assert (answer.status, line in answer.text) == (422, True)


async def test_a_save_does_not_undo_what_another_organiser_saved(olga, site, tmp_path):
    await olga("/organise/drafts", title="cup")
    page = (await site.get("/organise/drafts/cup", **olga.headers)).text
    seen = re.search(r'name="version" value="(\w+)"', page)[1]
    first = await olga("/organise/drafts/cup", do="save", name="cup", games="2", version=seen)
    second = await olga("/organise/drafts/cup", do="save", name="cup", games="6", version=seen)
    assert (first.status, second.status) == (200, 422)
    assert "was changed meanwhile" in second.text
    assert 'name="games" value="6"' in second.text, "what was typed stays"
    assert "games = 2" in (tmp_path / "event" / "cup.toml").read_text()
    seen = re.search(r'name="version" value="(\w+)"', second.text)[1]
    third = await olga("/organise/drafts/cup", do="save", name="cup", games="6", version=seen)
    assert (third.status, "games = 6" in (tmp_path / "event" / "cup.toml").read_text()) == (200, 1)


def test_files_of_one_name_that_arrive_at_once_all_stay(tmp_path, monkeypatch):
    folder = EventFolder(tmp_path / "event")

    def slowly(path):
        time.sleep(0.1)
        return replacing(path)

    monkeypatch.setattr(event_folder, "replacing", slowly)
    with ThreadPoolExecutor(4) as threads:
        sent = [threads.submit(folder.receive, "bot.zip", bytes([n])) for n in range(1, 3)]
        made = [threads.submit(folder.new_draft, "cup") for _ in range(2)]
        assert {each.result() for each in sent} == {"bot.zip", "bot-2.zip"}
        assert {each.result() for each in made} == {"cup", "cup-2"}


async def test_changes_are_in_the_log_and_starts_and_pauses_on_the_page(
    olga, site, url, tmp_path, capsys
):
    await olga("/organise/drafts", title="cup")
    (tmp_path / "event" / "runs" / "1.log").mkdir()  # so nothing is played
    form = {"name": "cup", "format": "round-robin", "games": "2", "bots": ["random", "stand"]}
    await olga("/organise/drafts/cup", do="save", **form)
    sent = olga.headers | {"content_type": "multipart/form-data; boundary=B"}
    part = b'--B\r\nContent-Disposition: form-data; name="files"; filename="a.zip"\r\n\r\nx\r\n'
    assert (await site.send("POST", "/organise/entries", [part + b"--B--\r\n"], **sent)).status
    await olga("/organise/drafts/cup", do="round", **form)
    (tmp_path / "event" / "runs" / "1.log").rmdir()
    await olga("/organise/drafts/cup/delete")
    said = capsys.readouterr().err
    for line in (
        "Olga makes draft cup", "Olga saves draft cup", "Olga uploads a.zip",
        "tournament 1: Olga starts it with round 1", "Olga deletes draft cup",
    ):  # fmt: skip
        assert f"arena: {line}\n" in said
    assert (await olga("/organise/1/play", do="pause")).status == 422, "it is not running"
    page = (await site.get("/organise/1", **olga.headers)).text
    found = re.search(r"<h2>Starts and pauses</h2>(.*?)</section>", page, re.DOTALL)[1]
    assert re.findall(r"<li>[\d -]+:\d\d UTC: (.*?)</li>", found) == ["Olga starts it with round 1"]


async def test_the_site_goes_on_whatever_happens_to_its_folder(olga, site, tmp_path, monkeypatch):
    monkeypatch.setattr(events_module, "LOOK_SECONDS", 0.01)
    event, away, lines = tmp_path / "event", tmp_path / "away", []
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(site.site.events.qualify, lines.append)
            event.rename(away)
            while not lines:
                await trio.sleep(0.01)
            assert lines[0] == f"{event}: No such file or directory"
            for name in (b"\xff.zip", b"\xfe.toml"):
                (away / os.fsdecode(name)).write_bytes(b"x")
            away.rename(event)
            while site.site.events.checking or len(lines) > 1:
                lines.clear()
                await trio.sleep(0.2)
            nursery.cancel_scope.cancel()
    page = await site.get("/organise", **olga.headers)
    assert (page.status, "its name is not UTF-8; rename it" in page.text) == (200, True)
    assert (await olga("/organise/entries/again")).status == 303


def upload(page, *files):
    page.set_input_files(
        "input[type=file]",
        [{"name": n, "mimeType": "application/zip", "buffer": b} for n, b in files],
    )
    page.click("button:text-is('Upload')")


def test_a_whole_event_by_the_browser_from_zips_to_a_verified_bundle(browser, preloaded, tmp_path):
    with organiser_server(tmp_path / "o", preloaded) as server:
        home = f"http://localhost:{server.port}"
        with visit(
            browser, f"{home}/queue-or-nothing", viewport={"width": 1280, "height": 800}
        ) as at:
            page = at.page
            page.set_default_timeout(PATIENCE * 1000)
            page.goto(f"{home}/organise")
            page.fill("input[name=token]", server.token)
            page.click("button:text-is('Log in')")
            page.fill("input[name=title]", "Spring cup")
            page.click("button:text-is('Set it up')")
            at.problems.clear()
            upload(page, ("careful.zip", GOOD), ("broken.zip", BAD))
            page.wait_for_selector("#entry-list:has-text('refused'):has-text('entered')")
            row = page.locator("#entry-list tr", has_text="broken.zip")
            assert "ValueError: bad luck" in row.inner_text()
            letter = server.get(row.locator("a", has_text="letter").get_attribute("href")).text
            assert letter.startswith("Hello Bob,")
            assert "broken 1 is NOT entered" in letter
            page.reload()
            assert page.is_checked("input[name=bots][value='careful@1']"), "entered bots are chosen"
            page.select_option("select[name=format]", "swiss")
            page.fill("input[name=games]", "2")
            page.fill("input[name=rounds]", "3")
            for name in ("random", "stand", "counter"):
                page.check(f"input[name=bots][value={name}]")
            page.click("button:text-is('Estimate')")
            assert "12" in page.inner_text("#estimate")
            check_look(at)
            page.click("button[value=round]")
            page.wait_for_selector("#state .tag:text-is('paused')")
            withdraw = page.get_by_role("form", name="Withdraw")
            withdraw.locator("select").select_option("random")
            withdraw.locator("input[name=reason]").fill("its author is ill")
            withdraw.locator("button").click()
            assert "by Olga" in page.inner_text("#decided")
            check_look(at)
            page.click("button:has-text('Next round')")
            page.wait_for_selector("#state:has-text('Round 2 of 3') .tag:text-is('paused')")
            out = page.get_by_role("form", name="Disqualify")
            out.locator("select").select_option("stand")
            out.locator("input[name=reason]").fill("two bots of one team")
            out.locator("button").click()
            page.click("button:has-text('Resume')")
            page.wait_for_selector("#state .tag:text-is('finished')")
            with page.expect_download() as loading:
                page.click("text=results.arena")
            loading.value.save_as(tmp_path / "cup.arena")
            check_look(at)
            left = f"failed: {home}/organise/"  # a poll of a page that was left meanwhile
            assert [each for each in at.problems if not each.startswith(left)] == []
        check_published(server, tmp_path / "cup.arena")


def check_look(at):
    """Checks a page at every width, in both colour schemes."""
    size = at.page.viewport_size
    for scheme in ("light", "dark"):
        at.page.emulate_media(color_scheme=scheme)
        assert at.violations() == []
    for width in (*WIDTHS, 1280):
        assert at.overflow(width) <= 0, (at.page.url, width)
    at.page.set_viewport_size(size)


def check_published(server, bundle):
    """Checks that the bundle is verified, and that every face says who decided."""
    assert server.arena("tournament", "verify", "1").returncode == 0
    assert server.arena("tournament", "verify", str(bundle)).returncode == 0
    with BundleDatabase(bundle) as database:
        assert {each.by for each in tournament(database, 1).rulings} == {"Olga"}
    said = "random withdraws before round 2 (its author is ill); its results stand, by Olga"
    assert said in server.arena("tournament", "show", "1").stdout
    assert said in server.get("/t/1/rulings").text
    rows = server.get("/api/tournaments/1").json["rulings"]
    assert [(each["kind"], each["by"]) for each in rows] == [
        ("withdraw", "Olga"), ("disqualify", "Olga"),
    ]  # fmt: skip
    for name in ("standings.csv", "matches.csv", "pairings.csv", "results.trf", "results.json"):
        answer = server.get(f"/organise/1/export/{name}")
        assert (answer.status, "careful" in answer.text) == (200, True), name


@pytest.mark.thorough("half a minute of matches, and two processes that are killed")
def test_a_run_goes_on_when_the_server_is_killed(preloaded, tmp_path):
    with organiser_server(tmp_path / "o", preloaded) as server:
        slow = zipped("careful", "Ann", "__import__('time').sleep(0.004)")
        folder, path = tmp_path / "o" / "event", tmp_path / "o" / "league.db"
        (folder / "letters" / "careful.zip.game").write_text("pazaak")
        (folder / "careful.zip").write_bytes(slow)  # by hand
        assert server.post("/organise/drafts", title="cup") == "/organise/drafts/cup"
        server.until(lambda: "1 entered" in server.get("/organise/drafts/cup").text)
        form = {"do": "start", "bots": ["careful@1", "random"], "format": "round-robin"}
        form |= {"games": "1000", "concurrency": "1"}
        assert server.post("/organise/drafts/cup", **form) == "/organise/1"
        server.until(lambda: matches(path))
        server.end(signal.SIGKILL)
        server.start()
        assert LocalFile(path).holder("1")
        assert server.state() == "running"
        runner = json.loads((tmp_path / "o" / "league.db-runner-1").read_bytes())["process"]
        os.kill(runner, signal.SIGKILL)
        server.until(lambda: server.state() == "paused")
        assert 0 < matches(path) < 1000
        assert "It stopped: its process was killed" in server.get("/organise/1").text
        assert server.post("/organise/1/play", do="resume") == "/organise/1"
        server.until(lambda: server.state() == "finished")
        assert matches(path) == 1000
        assert server.arena("tournament", "verify", "1").returncode == 0


def matches(path):
    with closing(sqlite3.connect(path)) as database:
        (row,) = database.execute("SELECT coalesce(sum(match_count), 0) FROM tournament")
        return row[0]
