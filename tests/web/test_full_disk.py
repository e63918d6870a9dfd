"""A full disk is nothing that an author did: 503, no path of the server, and it works later."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime

import pytest
import trio
from arena_results.bots.authors import new_token
from arena_results.bots.uploads import UploadLimits, receive, uploads
from arena_results.file.database import open_database
from sqlalchemy import text

from arena.core.errors import BadStore
from arena.service.answers.errors import DiskFull
from arena.service.league import league_queue
from arena.service.league.league_file import LeagueSpec
from arena.service.league.league_queue import decide_uploads
from arena.service.league.qualify_process import Decision
from arena.service.league.read_process import without_folders
from arena.web.site.guard.settings import Settings
from tests.web.client import visiting

BOT = b"""
from arena import Bot

class Careful(Bot):
    game = "pazaak"

    def act(self, observation):
        return observation.legal_actions[1]
"""
LEAGUE = LeagueSpec(name="Cantina", house=("random",))
FORM = {"content_type": "multipart/form-data; boundary=B", "sec_fetch_site": "same-origin"}


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'league.db'}"


@pytest.fixture
def token(url):
    with open_database(url, create=True) as database:
        return new_token(database, "Ann", datetime.now(UTC))


@contextmanager
def full(database):
    """Gives a database no further page."""

    def limit(pages):
        with database.writing() as connection:
            connection.execute(text(f"PRAGMA max_page_count = {pages}"))

    limit(1)  # no fewer than it has
    try:
        yield
    finally:
        limit(1_000_000)


class SmallDisk:
    """The module ``sys`` with a Python whose temporary folder is a file system of 16 KB."""

    def __init__(self, folder):
        self.executable = folder / "python"
        self.executable.write_text(
            "#!/bin/sh\n"
            f"exec unshare -rm sh -c 'mount -t tmpfs -o size=16k,mode=777 none {folder}/small"
            f' && TMPDIR={folder}/small exec {sys.executable} "$@"\' sh "$@"\n'
        )
        self.executable.chmod(0o755)
        (folder / "small").mkdir()

    def __getattr__(self, name):
        return getattr(sys, name)


def mounts():
    """Returns whether a user may mount here, in a namespace of its own."""
    command = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def parts(content):
    head = b'--B\r\nContent-Disposition: form-data; name="file"; filename="careful.py"\r\n\r\n'
    return [head + content + b"\r\n--B--\r\n"]


@pytest.mark.parametrize("by_form", [False, True])
async def test_an_upload_to_a_full_database_can_be_sent_again_later(url, token, capsys, by_form):
    async with visiting(Settings(db=url, league=LEAGUE)) as site:
        sent = {"authorization": f"Bearer {token}"}

        async def send():
            if by_form:
                return await site.send(
                    "POST", "/submit", parts(BOT + b"#" * 50_000), **FORM, **sent
                )
            path = "/api/submissions?file=careful.py"
            return await site.send("POST", path, [BOT + b"#" * 50_000], **sent)

        with full(site.site.database):
            answer = await send()
        assert (answer.status, answer.headers["retry-after"]) == (503, "10")
        assert "try again later" in answer.text
        assert "league.db" not in answer.text
        assert uploads(site.site.database) == ()
        assert "database or disk is full" in capsys.readouterr().err  # for the operator
        assert (await send()).status == (303 if by_form else 201)


@pytest.mark.skipif(not mounts(), reason="no user may mount here")
async def test_an_upload_to_a_full_temporary_folder_can_be_sent_again_later(
    url, token, capsys, tmp_path, monkeypatch
):
    async with visiting(Settings(db=url, league=LEAGUE)) as site:
        path, sent = "/api/submissions?file=careful.py", {"authorization": f"Bearer {token}"}
        with monkeypatch.context() as patched:
            patched.setattr(league_queue, "sys", SmallDisk(tmp_path))
            assert (await site.send("POST", path, [BOT], **sent)).status == 201
            answer = await site.send("POST", path, [BOT + b"#" * 50_000], **sent)
        assert (answer.status, answer.headers["retry-after"]) == (503, "10")
        assert str(tmp_path) not in answer.text
        assert "No space left on device" in capsys.readouterr().err
        assert (await site.send("POST", path, [BOT + b"#" * 50_000], **sent)).status == 201


@pytest.mark.skipif(not mounts(), reason="no user may mount here")
async def test_a_qualification_on_a_full_disk_is_no_attempt(url, token, tmp_path, monkeypatch):
    monkeypatch.setattr(league_queue, "sys", SmallDisk(tmp_path))
    now, limits = datetime.now(UTC), UploadLimits(100, 100)
    with open_database(url) as database:
        receive(database, "Ann", "careful.py", BOT + b"#" * 50_000, limits, now)
        with pytest.raises(DiskFull, match=r"^its qualification: .*No space left on device"):
            with trio.fail_after(60):
                await decide_uploads(database, LEAGUE, lambda _: None, lambda _: None)
        (upload,) = uploads(database)
    assert (upload.state, upload.attempts, upload.text) == ("received", 0, "")


async def test_a_decision_that_cannot_be_stored_is_no_attempt(url, token, monkeypatch):
    take_next, looked = league_queue.take_next, []

    def take(*given):
        looked.append(take_next(*given))
        return looked[-1]

    async def decision(*_):
        while looked[-1] is not None:  # a look at the same time has another connection
            await trio.sleep(0.001)
        filled.enter_context(full(database))
        return Decision(state="refused", text="x" * 200_000)

    monkeypatch.setattr(league_queue, "take_next", take)
    monkeypatch.setattr(league_queue, "_decision", decision)
    now, limits = datetime.now(UTC), UploadLimits(100, 100)
    with open_database(url) as database, ExitStack() as filled:
        receive(database, "Ann", "careful.py", BOT, limits, now)
        with pytest.raises(BadStore, match="database or disk is full"), trio.fail_after(60):
            await decide_uploads(database, LEAGUE, lambda _: None, lambda _: None)
        (upload,) = uploads(database)
    assert (upload.state, upload.attempts, upload.text) == ("received", 0, "")


def test_an_answer_to_an_author_names_no_folder_of_the_server():
    for sent, shown in (
        ("OSError: [Errno 5] x: '/srv/arena/league.db'", "OSError: [Errno 5] x: 'league.db'"),
        ('File "/usr/lib/python3/site.py", line 3', 'File "site.py", line 3'),
        ("see https://arena.example/docs/x.html", "see https://arena.example/docs/x.html"),
        ("1/2 of a/b/c", "1/2 of a/b/c"),
    ):
        assert without_folders(sent) == shown
