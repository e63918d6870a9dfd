"""Archives that are sent to a league to harm it: refused with one line, and nothing is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.archive_bombs import BOMBS, nested, packed
from tests.web.league_server import league_server

MORE_KB = 40_000
"""Memory that a server may need beyond that of its start: bodies of 5 MB, and what is kept."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with league_server(tmp_path_factory.mktemp("bombs") / "league") as running:
        running.send(b"x=", "warm.py")
        yield running


def most_memory(server):
    """The most memory that the server's process has had so far, in kB."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def kept(server):
    """Returns what is stored, and the files that lie beside the database."""
    names = sorted(path.name for path in server.folder.iterdir() if "-runner-" not in path.name)
    return server.request("GET", "/api/submissions").json, names


@pytest.mark.thorough("test_submission_archives.py refuses such archives")
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_with_one_line_and_nothing_is_stored(server, name):
    made, reason = BOMBS[name]
    before, memory = kept(server), most_memory(server)
    answer = server.send(made(), "bot.zip")
    assert answer.status == 422, answer.text
    line = answer.json["error"]
    assert reason in line
    assert line.isprintable()
    assert len(line) < 500
    assert kept(server) == before
    assert most_memory(server) < memory + MORE_KB
    assert server.request("GET", "/").status == 200


@pytest.mark.thorough("test_league_pages.py sends bodies over each limit")
def test_large_bodies_are_refused_and_leave_no_memory_behind(server):
    before, memory = kept(server), most_memory(server)
    for size, status in ((5_000_000, 422), (5_000_001, 422), (5_100_000, 413), (50_000_000, 413)):
        answer = server.send(b"#" * size, "bot.zip")
        assert answer.status == status, answer.text
    for _ in range(10):
        assert server.send(b"#" * 4_900_000, "bot.py").status == 422
    assert kept(server) == before
    assert most_memory(server) < memory + MORE_KB


@pytest.mark.thorough("test_submission_archives.py reads archives of all kinds")
def test_an_archive_within_an_archive_is_only_a_file(server):
    answer = server.send(nested(40), "careful.zip")
    assert answer.status == 201, answer.text
    number = answer.json["id"]
    server.until(server.all_decided)
    row = server.request("GET", f"/api/submissions/{number}", token=server.token).json
    assert row["text"].endswith("is entered")
    assert row["report"]["files"] == ["39.zip", "bot.py"]


@pytest.mark.thorough("test_league.py: the process that reads has little memory")
def test_source_code_that_becomes_a_large_tree_is_refused(server):
    for content in (b"x\n" * 499_000, packed([("bot.py", b"x\n" * 499_000)])):
        file = "bot.py" if content.startswith(b"x") else "bot.zip"
        assert server.send(content, file).status == 422
