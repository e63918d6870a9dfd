"""The server speaks HTTP/1.1: requests on one connection, and the ways in which one is sent."""

from __future__ import annotations

import pytest
import trio

from tests.web.test_server import FAIL_SECONDS, closed, serving, until

END = b"Host: localhost\r\n\r\n"
GET = b"GET /api HTTP/1.1\r\n" + END
LAST = b"GET /api HTTP/1.1\r\nConnection: close\r\n" + END
FORM = b"POST /login HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
KIND = b"Content-Type: application/x-www-form-urlencoded\r\n"


def statuses(answers):
    return [int(each[:3]) for each in answers.split(b"HTTP/1.1 ")[1:]]


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (GET + GET + LAST, [200, 200, 200]),  # pipelined
        (GET.replace(b" /api", b" http://localhost/api") + LAST, [200, 200]),
        (b"GET HTTP://Localhost/api?x HTTP/1.1\r\nHost: evil.example\r\n\r\n" + LAST, [404, 200]),
        (b"GET http://localhost HTTP/1.1\r\n" + END + LAST, [200, 200]),
        (b"HEAD /api HTTP/1.1\r\n" + END + LAST, [200, 200]),
        (b"HEAD /live/ HTTP/1.1\r\n" + END + LAST, [200, 200]),
        (b"GET /api HTTP/1.0\r\n" + END + LAST, [200]),
        (b"GET /api HTTP/1.0\r\n\r\n", [421]),
        (b"GET /api HTTP/1.2\r\n" + END + LAST, [200, 200]),
        (b"GET /api HTTP/1.1\r\nX: a\r\n b\r\n" + END + LAST, [200, 200]),  # a folded line
        (b"GET /api HTTP/1.1\r\nContent-Length: 5\r\n" + END + b"hello" + LAST, [200, 200]),
        (b"POST /api HTTP/1.1\r\nContent-Length: 5\r\n" + END + b"hello" + LAST, [405, 200]),
        (b"GET /%E2%82%AC%00 HTTP/1.1\r\n" + END + LAST, [404, 200]),
        (b"GET /nothing HTTP/1.1\r\n" + END + b"GET /\xff HTTP/1.1\r\n" + END + LAST, [404, 400]),
    ],
)  # fmt: skip
async def test_requests_are_answered_one_after_the_other(cups, sent, expected):
    async with serving(cups) as server:
        visitor = await server.connect()
        await visitor.send_all(sent)
        assert statuses(await closed(visitor)) == expected


async def test_whoever_has_sent_all_may_close_its_half(cups):
    async with serving(cups) as server:
        visitor = await server.connect()
        await visitor.send_all(GET)
        await visitor.send_eof()
        assert b"/api/games" in await closed(visitor)


@pytest.mark.parametrize("chunked", [False, True])
async def test_a_body_may_come_in_parts_and_wait_to_be_asked_for(cups, chunked):
    body = b"game=pazaak"
    length = b"Transfer-Encoding: chunked" if chunked else b"Content-Length: %d" % len(body)
    async with serving(cups, play=True) as server:
        visitor = await server.connect()
        player = b"Cookie: __Host-arena-player=" + b"A" * 43 + b"\r\n"
        head = FORM.replace(b"/login", b"/play") + KIND + player + length
        await visitor.send_all(head + b"\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n")
        assert await until(visitor, b"\r\n\r\n") == b"HTTP/1.1 100 \r\n\r\n"
        for number in range(len(body)):
            part = body[number : number + 1]
            await visitor.send_all(b"1\r\n" + part + b"\r\n" if chunked else part)
        if chunked:
            await visitor.send_all(b"0\r\nX: trailer\r\n\r\n")
        assert statuses(await closed(visitor)) == [422]  # without a bot: the form was read


async def test_a_body_that_is_refused_need_not_be_sent(cups):
    async with serving(cups) as server:
        visitor = await server.connect()
        await visitor.send_all(
            b"POST /api HTTP/1.1\r\nContent-Length: 9\r\nExpect: 100-continue\r\n" + END
        )
        answer = await closed(visitor)
        assert (statuses(answer), b"\r\nconnection: close\r\n" in answer) == ([405], True)


async def test_an_idle_connection_ends_at_once_with_the_site(cups):
    async with serving(cups, seconds=FAIL_SECONDS) as server:
        idle, half, last = [await server.connect() for _ in range(3)]
        await idle.send_all(GET)
        await until(idle, b"/api/games")
        await half.send_all(b"GET /api HT")
        await last.send_all(LAST)  # its answer has come, and it does not close its end
        await closed(last)
        begun = trio.current_time()
        server.stop.set()
        for each in (idle, half):
            assert await closed(each) == b""
        assert trio.current_time() - begun < FAIL_SECONDS / 2
