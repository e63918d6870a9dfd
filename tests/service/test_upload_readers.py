"""Reading what authors send: a budget for each submission, and readers shared among authors."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime

import pytest
import trio
from arena_results.bots.authors import author_of, new_token
from arena_results.bots.uploads import UploadLimits, receive, take_next, uploads
from arena_results.file.database import open_database

from arena.core.errors import BadInput
from arena.service.league import league_queue
from arena.service.league.league_file import LeagueLimits, LeagueSpec
from arena.service.league.league_queue import accept_upload
from arena.web.site.guard.limits import READERS, SentFiles

LEAGUE = LeagueSpec(name="Cantina", house=("stand(at=17)", "random"))
NOW = datetime.now(UTC)


@pytest.fixture
def database(tmp_path):
    with open_database(f"sqlite:///{tmp_path / 'league.db'}", create=True) as opened:
        yield opened


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


async def refused(database, content, file, report=lambda line: None):
    token = author_of(database, new_token(database, "Ann", NOW), NOW)
    with pytest.raises(BadInput) as caught:
        await accept_upload(database, LEAGUE, token, file, content, report)
    return str(caught.value)


async def test_many_files_of_code_are_refused_at_once(database):
    sent = zipped({f"m{number}.py": "x=[" + "1," * 499_990 + "]" for number in range(24)})
    assert len(sent) < 60_000
    with trio.fail_after(20):  # it took minutes
        line = await refused(database, sent, "bot.zip")
    assert "bytes of code in 24 files, too much to look for a bot in" in line


async def test_a_reader_has_so_much_processor_time_for_a_submission(database, monkeypatch):
    ended = "import os, signal; os.kill(os.getpid(), signal.SIGXCPU)"
    use(monkeypatch, ended)
    line = await refused(database, b"x", "bot.py")
    assert line == "its reading took more than 10 s of processor time; send less code"


async def test_what_a_failing_reader_prints_is_the_operators_alone(database, monkeypatch):
    use(monkeypatch, "raise SystemError('/srv/arena/secret.py')")
    lines = []
    line = await refused(database, b"x", "bot.py", lines.append)
    assert line == "its reading failed, which is not the bot's fault; ask the organiser"
    assert "/srv/arena/secret.py" in lines[0]
    assert uploads(database) == ()


def use(monkeypatch, code):
    """Has another program read what is sent."""

    async def run(command, **options):
        return await trio.run_process([command[0], "-c", code], **options)

    class Trio:
        run_process = staticmethod(run)

        def __getattr__(self, name):
            return getattr(trio, name)

    monkeypatch.setattr(league_queue, "trio", Trio())


async def test_an_author_who_sends_much_keeps_no_other_from_being_read(autojump_clock):
    sent, order = SentFiles(LeagueLimits()), []

    async def read(author, seconds):
        async with sent.reading(author):
            await trio.sleep(seconds)
        order.append(author)

    async with trio.open_nursery() as nursery:
        for _ in range(2 * READERS):
            nursery.start_soon(read, "Ann", 60)
        await trio.testing.wait_all_tasks_blocked()
        began = trio.current_time()
        await read("Bob", 1)
        assert trio.current_time() == began + 1
        assert order == ["Bob"]
    assert order == ["Bob", *["Ann"] * 2 * READERS]
    assert sent._turns == {}


def test_the_queue_is_shared_among_authors(database):
    for author in ("Ann", "Ann", "Ann", "Bob"):
        receive(database, author, "bot.py", b"bot", UploadLimits(9, 9), NOW)
    taken = [take_next(database, NOW, 2) for _ in range(4)]
    assert [each and each[0].id for each in taken] == [1, 4, 2, None]
