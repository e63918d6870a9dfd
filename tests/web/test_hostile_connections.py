"""Connections that mean harm, or are mistaken: each is answered, and its place is soon free again.

A visitor's address has a single place here, so that another connection of it is answered only when
the server has let go of the first, whose other end stays open and goes on as it began.
"""

from __future__ import annotations

import socket

import pytest
import trio

from tests.web.test_server import closed, serving, until

SECONDS = 0.4
"""Time for a head, for a body, for a part of an answer, and for an idle connection."""
FREE_SECONDS = 20
"""A bound for a busy machine; what the server holds on to is held for ever."""
END = b"Host: localhost\r\n\r\n"
GET = b"GET /api HTTP/1.1\r\n" + END
POST = b"POST /api HTTP/1.1\r\nHost: localhost\r\n"
FORM = (
    b"POST /play HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    b"Cookie: __Host-arena-player="
    + b"A" * 43
    + b"\r\nContent-Type: application/x-www-form-urlencoded\r\n"
)
HTTP_2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
HTTP_2_HALF_HEAD = b"\0\0\x40\1\0\0\0\0\1"
H2C = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
WEBSOCKET = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
KEY = b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
LENGTH = b"Content-Length: 50000\r\n\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
TLS = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(32))

CASES = {
    # what is sent at first, what is sent again and again, the statuses of the answers
    "nothing": (b"", b"", []),
    "a head without an end": (b"GET / HTTP/1.1\r\nX-Slow: ", b"a", []),
    "a head without an end after a request": (GET + b"GET /", b"a", [200]),
    "empty lines": (b"", b"\r\n", [400]),
    "nothing more": (GET, b"", [200]),
    "a large head": (b"GET / HTTP/1.1\r\nX-Large: " + b"a" * 20_000, b"a" * 1000, [431]),
    "a whole large head": (b"GET / HTTP/1.1\r\nA: " + b"a" * 16_384 + b"\r\n" + END, b"", [431]),
    "many headers": (b"GET / HTTP/1.1\r\n" + b"a:\r\n" * 5_000 + END, b"", [431]),
    "a large address": (b"GET /" + b"a" * 17_000 + b" HTTP/1.1\r\n" + END, b"", [431]),
    "a body without an end": (FORM + LENGTH, b"a", [408]),
    "a body without an end that nobody reads": (POST + LENGTH, b"a", [405]),
    "chunks without an end": (FORM + CHUNKED + b"\r\n", b"1\r\na\r\n", [408]),
    "a chunk of no size": (FORM + CHUNKED + b"\r\nx\r\n", b"", [400]),
    "a trailer without an end": (FORM + CHUNKED + b"\r\n0\r\n", b"a: b\r\n" * 1_000, [431]),
    "HTTP/2": (HTTP_2, b"", [505]),
    "HTTP/2, half a head": (HTTP_2 + HTTP_2_HALF_HEAD, b"a", [505]),
    "HTTP/2 after a request": (GET + HTTP_2 + HTTP_2_HALF_HEAD, b"a", [200, 505]),
    "HTTP/2 by an upgrade": (b"GET /api HTTP/1.1\r\n" + H2C + END, HTTP_2, [200, 505]),
    "an upgrade to HTTP/2": (b"GET /api HTTP/1.1\r\n" + H2C + END, b"", [200]),
    "a WebSocket": (b"GET /api HTTP/1.1\r\n" + WEBSOCKET + KEY + END, b"", [200]),
    "half a WebSocket": (b"GET /api HTTP/1.1\r\n" + WEBSOCKET + END, b"", [200]),
    "TLS": (TLS, b"a", [400]),
    "no version": (b"GET /api\r\n\r\n", b"", [400]),
    "two ends of a body": (POST + CHUNKED + LENGTH + b"0\r\n\r\n" + GET, b"", [400]),
    "two lengths": (POST + b"Content-Length: 5\r\n" + LENGTH + GET, b"", [400]),
    "two lengths in a line": (POST + b"Content-Length: 5, 6\r\n\r\nhello" + GET, b"", [400]),
    "no length": (POST + b"Content-Length: -1\r\n\r\n" + GET, b"", [400]),
    "chunks in HTTP/1.0": (POST.replace(b"1.1", b"1.0") + CHUNKED + b"\r\n", b"", [400]),
    "a name with a blank": (b"GET /api HTTP/1.1\r\nHost : localhost\r\n" + END + GET, b"", [400]),
    "two hosts": (b"GET /api HTTP/1.1\r\nHost: localhost\r\n" + END + GET, b"", [400]),
    "no path": (b"GET api HTTP/1.1\r\n" + END + GET, b"", [400]),
    "a tunnel": (b"CONNECT localhost:22 HTTP/1.1\r\n" + END + GET, b"", [400]),
    "another host in the address": (b"GET http://evil.example/api HTTP/1.1\r\n" + END, b"", [421]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
async def test_a_connection_gets_its_answers_and_its_place_is_free_again(cups, capfd, case):
    first, again, statuses = CASES[case]
    limits = {"seconds": SECONDS, "unread_seconds": SECONDS, "connections": 1}
    async with serving(cups, play=True, **limits) as server:
        hostile = await server.connect()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(feed, hostile, first, again)
            with trio.fail_after(FREE_SECONDS):
                answers = await closed(hostile)
                await free(server)
            nursery.cancel_scope.cancel()
    assert [int(each[:3]) for each in answers.split(b"HTTP/1.1 ")[1:]] == statuses
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("reads", [False, True])
async def test_a_visitor_who_does_not_read_an_answer_is_cut_off(cups, reads):
    """One who reads slowly, but reads, gets all of it."""
    limits = {"seconds": SECONDS, "unread_seconds": SECONDS, "connections": 1}
    async with serving(cups, **limits) as server:
        slow = await server.connect()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        page = b"GET /static/htmx.min.js HTTP/1.1\r\n" + END
        await slow.send_all(page * (100 if not reads else 1))
        with trio.fail_after(FREE_SECONDS):
            if reads:
                head = await until(slow, b"\r\n\r\n")
                size = int(head.partition(b"content-length: ")[2].split()[0])
                taken = len(head.partition(b"\r\n\r\n")[2])
                while taken < size:
                    await trio.sleep(SECONDS / 100)
                    taken += len(await slow.receive_some(1000))
            await free(server)


async def feed(stream, first, again):
    """Sends something, and something more again and again, whatever becomes of it."""
    try:
        await stream.send_all(first)
        while again:
            await trio.sleep(0.05)
            await stream.send_all(again)
    except trio.BrokenResourceError:
        pass
    await trio.sleep_forever()


async def free(server):
    """Waits until the server answers another connection from the same address."""
    while True:
        visitor = await server.connect()
        try:
            await visitor.send_all(GET)
            if b" 200 " in await visitor.receive_some():
                return
        except trio.BrokenResourceError:
            pass
        await trio.sleep(0.05)
