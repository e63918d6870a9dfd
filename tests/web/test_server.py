"""The server with real connections: visitors who do harm, and the signals that end it."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from urllib.request import urlopen

import pytest
import trio
from arena_results.file.database import open_database
from arena_results.file.runner_lock import LeagueLock
from arena_tournaments.spec.keys import TournamentSpec

import arena
from arena.core.errors import BadStore, UnknownName
from arena.service.league.league_file import LeagueSpec
from arena.web.serving import run_until_signalled, serve
from arena.web.site.extra import check_extra
from arena.web.site.guard.settings import Limits, Settings
from arena.web.site.security import HEADERS
from tests.cli.in_process import run_in_process

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
ARENA = Path(sys.executable).with_name("arena")
FAIL_SECONDS = 60
"""Far more than anything here takes on a busy machine."""


class Server:
    """A server in this process, and the connections to it.

    Attributes:
        stop: Asks it to stop.
    """

    def __init__(self, port: int, stop: trio.Event) -> None:
        self.port, self.stop = port, stop
        self._streams: list[trio.SocketStream] = []

    async def connect(self, source: str = "127.0.0.1") -> trio.SocketStream:
        """Opens a connection from an address of this machine."""
        made = trio.socket.socket()
        await made.bind((source, 0))
        await made.connect(("127.0.0.1", self.port))
        self._streams.append(trio.SocketStream(made))
        return self._streams[-1]

    def close(self) -> None:
        for each in self._streams:
            each.socket.close()


@asynccontextmanager
async def serving(cups, play=False, behind_proxy=False, **limits):
    """Runs a server."""
    addresses, receiving = trio.open_memory_channel(1)
    stop = trio.Event()
    settings = Settings(
        db=cups, port=0, play=play, behind_proxy=behind_proxy, limits=Limits(**limits)
    )
    with trio.fail_after(FAIL_SECONDS):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve, settings, addresses.send_nowait, stop)
            address = await receiving.receive()
            server = Server(int(re.search(r":(\d+)/$", address)[1]), stop)
            try:
                yield server
            finally:
                server.close()
                stop.set()


async def ask(stream, address, *lines):
    head = "\r\n".join([f"GET {address} HTTP/1.1", "Host: localhost", *lines])
    await stream.send_all(f"{head}\r\n\r\n".encode("latin-1"))


async def until(stream, text):
    """Reads a stream up to a text."""
    found = b""
    while text not in found:
        part = await stream.receive_some()
        assert part, found
        found += part
    return found


async def closed(stream):
    """Reads a stream until it is closed."""
    found = b""
    try:
        while part := await stream.receive_some():
            found += part
    except trio.BrokenResourceError:
        pass
    return found


async def test_idle_connections_and_heads_without_an_end_are_closed(cups):
    async with serving(cups, seconds=0.5) as server:
        idle, slow = await server.connect(), await server.connect()
        await slow.send_all(b"GET / HTTP/1.1\r\nX-Slow: ")
        assert await closed(idle) == b""
        assert b" 200 " not in await closed(slow)


async def test_a_thousand_idle_connections_keep_nobody_else_out(cups):
    async with serving(cups, connections=40) as server:
        idle = [await server.connect("127.0.0.2") for _ in range(1_000)]
        with trio.move_on_after(FAIL_SECONDS / 2):
            assert await closed(idle[-1]) == b""  # one of too many
        visitor = await server.connect()
        await ask(visitor, "/api")
        assert (await until(visitor, b"/api/games")).startswith(b"HTTP/1.1 200")


@pytest.mark.thorough("the same by fewer", everyday=["40"])
@pytest.mark.parametrize("listeners", [40, 500])
async def test_listeners_keep_nobody_else_out(cups, listeners):
    async with serving(cups) as server:
        for number in range(listeners):
            each = await server.connect(f"127.0.0.{2 + number // 20}")
            await ask(each, "/live/t/1")
            await until(each, b"data: ")
        visitor = await server.connect()
        await ask(visitor, "/api")
        assert (await until(visitor, b"/api/games")).startswith(b"HTTP/1.1 200")


async def test_a_body_that_nobody_asked_for_is_not_read(cups):
    async with serving(cups) as server:
        visitor = await server.connect()
        await ask(visitor, "/api", "Content-Length: 1000000000")
        assert (await until(visitor, b"\r\n\r\n")).startswith(b"HTTP/1.1 413")


async def test_whoever_still_sends_when_refused_gets_the_answer_all_the_same(cups):
    async with serving(cups) as server:
        visitor = await server.connect()
        size = 30_000_000
        head = f"POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n\r\n"
        await visitor.send_all(head.encode() + bytes(size))
        assert (await until(visitor, b"\r\n\r\n")).startswith(b"HTTP/1.1 405")


async def test_every_answer_has_the_policy_once_and_refusals_are_not_logged(cups, capfd):
    """Those to what is no request, too."""
    upgrade = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
    key, end = f"Sec-WebSocket-Key: {'A' * 22}==", "Connection: close"
    page, document, style = b"<!doctype html>", b"[", b"/*"
    cases = (
        (200, page, "/", ()),
        (200, document, "/api/games", ()),
        (200, style, "/static/style.css", ()),
        (404, page, "/nothing", ()),
        (200, page, "/t/1", (*upgrade, key)),
        (404, page, "/nothing", (*upgrade, key)),
        (200, page, "/t/1", upgrade),
        (400, page, "/b/%ff%fe", ()),
        (400, page, "/%zz", ()),
        (400, page, "/" + "\xff" * 10_000, ()),
        (400, page, "/", ("Host: localhost",)),
        (400, page, "/", ("Content-Length: x",)),
        (501, page, "/", ("Transfer-Encoding: gzip",)),
        (431, page, "/", (f"X-Large: {'x' * 40_000}",)),
        (431, page, "/", (f"X-Large: {'x' * 200_000}",)),
    )
    async with serving(cups) as server:
        for status, begin, address, lines in cases:
            visitor = await server.connect()
            await ask(visitor, address, *lines, end)
            head, _, body = (await closed(visitor)).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 %d" % status), (address, lines, head)
            headers = head.decode().split("\r\n")[1:]
            assert headers.count(f"content-security-policy: {POLICY}") == 1, (address, lines)
            assert headers.count("x-content-type-options: nosniff") == 1
            assert {name.lower() for name in HEADERS} <= {each.split(":")[0] for each in headers}
            assert body.startswith(begin), (address, lines)
            if status != 200:
                assert f"content-length: {len(body)}" in headers
    assert capfd.readouterr().err == ""


async def test_a_refusal_of_a_head_request_has_no_content(cups):
    async with serving(cups) as server:
        visitor = await server.connect()
        await visitor.send_all(b"HEAD /%ff HTTP/1.1\r\nHost: localhost\r\n\r\n")
        head, _, body = (await closed(visitor)).partition(b"\r\n\r\n")
        assert (head[:12], body) == (b"HTTP/1.1 400", b"")


async def test_an_address_opens_so_many_connections_a_minute(cups):
    """Connections count that bring no request, too."""
    async with serving(cups, opened=3) as server:
        for _ in range(3):
            visitor = await server.connect()
            await ask(visitor, "/%ff")
            assert (await closed(visitor)).startswith(b"HTTP/1.1 400")
        assert await closed(await server.connect()) == b""
        other = await server.connect("127.0.0.2")
        await ask(other, "/api")
        assert (await until(other, b"/api/games")).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("own", ["203.0.113.5", "203.0.113.5:4711", "[2001:db8::5]:1", "?"])
@pytest.mark.parametrize("sent", ["6.6.6.{}", "6.6.6.{}, 7.7.7.7", "2001:db8:{}::1", "x{}", ", ,"])
async def test_behind_a_proxy_the_address_is_what_the_proxy_adds_at_the_end(cups, sent, own):
    """It adds it to the last line, or as a line of its own; a visitor may have sent others."""
    async with serving(cups, behind_proxy=True, requests=4) as server:
        answers = []
        for number in range(6):
            line = f"X-Forwarded-For: {sent.format(number)}"
            visitor = await server.connect()
            lines = [line, f"X-Forwarded-For: {own}"] if number % 2 else [f"{line}, {own}"]
            await ask(visitor, "/api", *lines)
            answers.append((await until(visitor, b"\r\n"))[9:12])
    assert (answers[:4], answers[-1]) == ([b"200"] * 4, b"429")


async def test_it_stops_though_streams_are_open_and_a_visitor_reads_nothing(cups):
    async with serving(cups, requests=10_000) as server:
        streams = [await server.connect() for _ in range(3)]
        for each in streams:
            await ask(each, "/live/")
            await until(each, b"data: ")
        unread = await server.connect()
        unread.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with trio.move_on_after(2):
            while True:  # until its buffers are full
                await ask(unread, "/static/htmx.min.js")
        server.stop.set()
        assert (await closed(streams[0])).endswith(b"0\r\n\r\n")  # an end, not a break


async def test_a_port_that_is_taken_is_an_error_of_one_line(cups):
    async with serving(cups) as server:
        taken = f"^cannot listen on 127.0.0.1:{server.port}: Address already in use$"
        with pytest.raises(arena.BadInput, match=taken):
            await serve(Settings(db=cups, port=server.port), print)


LEAGUE = LeagueSpec(
    name="Cantina", tournament=TournamentSpec(game="chess"), house=("random", "counter")
)


def test_a_league_of_an_unknown_game_is_an_error_of_one_line(tmp_path):
    settings = Settings(db=f"sqlite:///{tmp_path / 'league.db'}", port=0, league=LEAGUE)
    started = []
    with pytest.raises(UnknownName, match=r"^unknown game 'chess'; choices: pazaak, sabacc$"):
        run_until_signalled(settings, started.append, [signal.SIGTERM])
    assert started == []


async def test_a_league_that_another_process_runs_is_an_error_of_one_line(tmp_path):
    (tmp_path / "league.toml").write_text('name = "C"\nhouse = ["random", "counter"]\n')
    url = f"sqlite:///{tmp_path / 'league.db'}"
    with arena.open_database(url) as db, open_database(url) as database:
        found = pytest.raises(BadStore, match=r"^the league of .* is being run")
        with LeagueLock(database), found:
            await db.site.serve_async(port=0, league=tmp_path / "league.toml")


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setattr("arena.web.site.extra.NEEDED", ("starlette", "anicorn"))
    needs = "^the site needs anicorn, which is not installed: pip install 'arena-harness\\[web\\]'$"
    with pytest.raises(arena.BadInput, match=needs):
        check_extra()


@pytest.mark.parametrize(
    ("revision", "message"),
    [
        ("0018", r"was written before the first release of this program \(schema 0018, "),
        ("9999", r"was written by a newer version of this program \(schema 9999, "),
    ],
)
async def test_a_database_of_another_version_is_not_served(tmp_path, revision, message):
    file = tmp_path / "other.db"
    arena.open_database(file).close()
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = ?", [revision])
    started = []
    with pytest.raises(arena.BadInput, match=message):
        await serve(Settings(db=f"sqlite:///{file}", port=0), started.append)
    assert started == []


async def test_the_api_serves_until_it_is_cancelled(cups):
    addresses, receiving = trio.open_memory_channel(1)
    with arena.open_database(cups) as db, trio.fail_after(FAIL_SECONDS):
        async with trio.open_nursery() as nursery:
            run = partial(
                db.site.serve_async, port=0, prefix="arena", started=addresses.send_nowait
            )
            nursery.start_soon(run)
            assert (await receiving.receive()).endswith("/arena/")
            nursery.cancel_scope.cancel()


def test_sigterm_ends_the_process_and_no_page_has_loaded_numpy(cups):
    command = [ARENA, "serve", "--db", cups, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        line = process.stdout.readline().decode()
        port = int(re.match(rf"http://127\.0\.0\.1:(\d+)/ shows {cups}; Ctrl-C ends it", line)[1])
        with socket.create_connection(("127.0.0.1", port), timeout=FAIL_SECONDS) as stream:
            stream.sendall(b"GET /live/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert stream.recv(1000).startswith(b"HTTP/1.1 200")
            for page in ("g/pazaak/standard", "b/sore", "m/1", "t/1", "t/1/charts"):
                with urlopen(f"http://127.0.0.1:{port}/{page}", timeout=FAIL_SECONDS) as answer:
                    assert answer.status == 200
            maps = Path(f"/proc/{process.pid}/maps").read_text()
            process.send_signal(signal.SIGTERM)
            assert process.wait(FAIL_SECONDS) == 0
            assert "_multiarray_umath" not in maps
        assert process.stderr.read() == b""


async def test_a_stream_lasts_longer_than_a_request_may_take(cups, capfd):
    async with serving(cups, seconds=0.2, unread_seconds=0.2) as server:
        visitor = await server.connect()
        await ask(visitor, "/live/")
        await until(visitor, b"data: ")
        with trio.move_on_after(1.5) as waiting:
            await closed(visitor)
        assert waiting.cancelled_caught
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("version", ["1.0", "1.1"])
async def test_a_stream_holds_its_place_until_its_visitor_is_gone(cups, version):
    async def listen():
        visitor = await server.connect()
        head = f"GET /live/ HTTP/{version}\r\nHost: localhost\r\n\r\n"
        await visitor.send_all(head.encode())
        return visitor, await until(visitor, b"\r\n\r\n")

    async with serving(cups, streams=1) as server:
        first, head = await listen()
        assert b" 200 " in head
        assert (b"chunked" in head) == (version == "1.1")
        await until(first, b"data: ")
        assert b" 429 " in (await listen())[1]
        first.socket.close()
        with trio.fail_after(FAIL_SECONDS):
            while b" 200 " not in (await listen())[1]:
                await trio.sleep(0.05)


async def test_a_stream_has_few_tasks(cups):
    def tasks():
        return trio.lowlevel.current_statistics().tasks_living

    async with serving(cups) as server:
        streams = []
        for _ in range(11):
            streams.append(await server.connect())
            await ask(streams[-1], "/live/")
            await until(streams[-1], b"data: ")
            if len(streams) == 1:
                before = tasks()
        assert tasks() - before <= 2 * 10


def test_in_an_empty_folder_it_begins_with_an_empty_database(tmp_path):
    command = [ARENA, "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=tmp_path) as process:
        try:
            address = process.stdout.readline().decode().partition(" ")[0]
            for page, words in (
                ("", "arena tournament run --format swiss"),
                ("play", "Sit down"),
                ("b", "optimal"),
                ("api/tournaments", "[]"),
            ):
                with urlopen(address + page, timeout=FAIL_SECONDS) as answer:
                    assert words in answer.read().decode()
        finally:
            process.send_signal(signal.SIGTERM)
    assert process.returncode == 0
    assert (tmp_path / "arena.db").is_file()


def test_a_database_that_cannot_be_made_is_one_line(tmp_path):
    words = ("serve", "--port", "0", "--db", f"sqlite:///{tmp_path}/none/new.db")
    code, out, err = run_in_process(words, tmp_path, os.environ)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"the folder {tmp_path}/none does not exist" in err
