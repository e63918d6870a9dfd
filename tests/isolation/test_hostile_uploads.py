"""Hostile bots that are sent to a league over HTTP: each is decided, and nothing is harmed.

One server, a process of its own, gets all of them; those that are entered play in its season.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

import pytest

from arena.plugins.submissions.archives import packed
from arena.plugins.submissions.submission import read_package
from tests.isolation.expectations import EXPECTED, PLAYS_ON, REFUSED, REFUSED_PROGRAMS, TIMEOUT
from tests.isolation.tournaments import HERE, PROGRAM_NAMES, markers, program, with_tools
from tests.isolation.users import SECRETS, orphans
from tests.web.league_server import CAREFUL, league_server

pytestmark = pytest.mark.thorough(
    "test_hostile_bots.py runs hostile bots, tests/web/test_league_pages.py sends bots"
)
ALL = (*EXPECTED, *REFUSED, *REFUSED_PROGRAMS)
EVERY = 1 if os.environ.get("UPLOADS") == "all" else 16
"""One qualification takes some seconds of a processor: all of them are for ``make soak``."""
NAMES = tuple(dict.fromkeys(("kills_its_parent", "line_flood", *ALL[::EVERY])))
SECONDS = 2.0
"""The time for a decision: less than elsewhere, for who is stopped takes it several times."""
SPITEFUL = b"""
import sys
from arena import Bot

__author__ = "<script>alert('from the author')</script>"


class Spiteful(Bot):
    '''<script>alert("from the summary")</script>'''

    game = "pazaak"

    def act(self, observation):
        print("<script>alert('from the log')</script> \\x1b[31m", file=sys.stderr)
        raise ValueError("<script>alert('from the error')</script>")
"""


class Sent(NamedTuple):
    """A league to which hostile bots were sent, when all of them are decided and rated.

    Attributes:
        rows: The submission of each file, as its author sees it.
        refused: The reasons of those that were not taken into the queue, by file.
        pages: The text of each page as everybody sees it, by address.
        own: The same as the author of the bots sees it.
        verified: Exit code of ``arena tournament verify``.
        whole: Whether the database is undamaged after the server has ended.
        code: Exit code of the server.
        log: What the server wrote.
        left: Commands of processes that it left.
        marked: Files that bots left where they could.
    """

    rows: dict[str, dict[str, str]]
    refused: dict[str, str]
    pages: dict[str, str]
    own: dict[str, str]
    verified: int
    whole: bool
    code: int
    log: str
    left: list[str]
    marked: list[str]


@pytest.fixture(scope="module")
def sent(ground):
    """Sends the bots to one server, and looks at its pages when all are rated."""
    folder = ground / "league"
    with pytest.MonkeyPatch.context() as patch, orphans() as left:
        patch.setenv("ARENA_TEST_SECRET", SECRETS[0])
        with league_server(folder, within=1000, games=2, seconds=SECONDS) as server:
            refused = {}
            files = dict(file_of(name, folder) for name in NAMES)
            for file, content in {**files, "spiteful.py": SPITEFUL, "good.py": CAREFUL % 1}.items():
                answer = server.send(content, file)
                assert answer.status in (201, 422), answer.text
                if answer.status == 422:
                    refused[file] = answer.json["error"]
                server.until(server.all_decided)
            rows = {each["file"]: each for each in server.submissions()}
            entered = sum(each["state"] == "entered" for each in rows.values())
            server.until(lambda: server.entries() == entered + 2)
            addresses = ["/", "/league", "/queue", "/b", "/t/1", "/t/1/rounds", "/t/1/matches"]
            addresses += [f"/s/{each['id']}" for each in rows.values()]
            addresses += [f"/b/{each['bot']}" for each in rows.values() if each["bot"]]
            pages, own = (
                {path: server.request("GET", path, token=token).text for path in addresses}
                for token in ("", server.token)
            )
            code = server.end()
            verified = server.arena("tournament", "verify", "1").returncode
    return Sent(
        rows, refused, pages, own, verified, server.is_whole(), code, server.log.read_text(), left,
        markers(folder),
    )  # fmt: skip


def file_of(name, folder):
    """The name and the content of the file of a hostile bot, as an author would send it."""
    if name in PROGRAM_NAMES or name in REFUSED_PROGRAMS:
        package = read_package(str(program(name, folder / "programs" / name)))
        return f"{name}.zip", packed(package.files)
    kind = "refused" if name in REFUSED else "hostile"
    return f"{name}.py", with_tools((HERE / kind / f"{name}.py").read_text()).encode()


@pytest.mark.parametrize("name", NAMES)
def test_each_is_decided_with_its_reason(sent, name):
    """Bots that are only slow may be entered: here they have more time than in their matches."""
    file = next(each for each in (f"{name}.py", f"{name}.zip") if each in sent.rows)
    row = sent.rows[file]
    state, text = row["state"], row["text"]
    expected = EXPECTED.get(name)
    if expected is None or (expected.always and TIMEOUT not in expected.causes):
        assert state == "refused", text
    if expected == PLAYS_ON:  # it may be late on a busy machine, and for no other reason
        assert state == "entered" or "over its time" in text, text
    assert state in ("entered", "refused"), text
    assert (text.endswith("is entered")) == (state == "entered"), text
    assert "was NOT entered" in text or "took longer than" in text or state == "entered", text
    assert (REFUSED | REFUSED_PROGRAMS).get(name, "") in text


def test_the_server_stays_and_the_store_is_whole(sent):
    assert sent.rows["good.py"]["state"] == "entered"
    assert sent.code == 0, sent.log
    assert sent.whole
    assert sent.verified == 0
    assert sent.left == []
    assert sent.marked == []


def test_pages_show_what_bots_wrote_to_their_author_alone_and_as_text(sent):
    number = sent.rows["spiteful.py"]["id"]
    assert "&lt;script&gt;alert(&#39;from the error&#39;)" in sent.own[f"/s/{number}"]
    for path, page in sent.pages.items():
        assert "from the error" not in page, path
        for secret in SECRETS:
            assert secret not in page, path
    for path, page in (*sent.pages.items(), *sent.own.items()):
        assert not re.search(r"<script(?! src=)", page), path
        assert page.replace("\n", "").isprintable(), path


def test_the_log_of_the_server_is_lines_of_text(sent):
    assert sent.log.replace("\n", "").isprintable()
    assert "Traceback" not in sent.log
    for secret in SECRETS:
        assert secret not in sent.log
