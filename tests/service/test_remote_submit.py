"""Submission over the network, against servers that are not what they should be."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer

import pytest

from arena.core.errors import BadInput
from arena.service.bots.remote_submit import submit_to

TOKEN = "of-ann"
ENTERED = b'{"id": 1, "state": "entered", "text": "is entered"}'
RECEIVED = ENTERED.replace(b'"entered"', b'"received"')
ARENA = Path(sys.executable).with_name("arena")
SECONDS = 60
"""Far more than any answer takes on a busy machine."""


@contextmanager
def serving(status, body=b"", **headers):
    """A server with one answer; yields its address and the requests that it got."""
    requests = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            requests.append((self.path, self.headers.get("Authorization")))
            self.send_response(status)
            for key, value in headers.items():
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)  # before the file is read

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", requests
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def bot(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text("x")
    return str(path)


def refusal(address, path):
    """The reason why a submission is not taken."""
    with pytest.raises(BadInput) as caught:
        submit_to(address, path, TOKEN)
    return str(caught.value)


def test_the_document_of_the_server_is_returned(bot):
    with serving(201, ENTERED) as (address, requests):
        assert submit_to(address, bot, f" {TOKEN}\n")["state"] == "entered"
    assert requests == [("/api/submissions?file=bot.py", f"Bearer {TOKEN}")]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed_with_the_token(bot, status):
    with serving(201, ENTERED) as (other, got), serving(status, Location=other) as (address, _):
        reason = refusal(address, bot)
    assert (
        reason == f"{address} leads to {other}; if that is the league, give its address to --server"
    )
    assert got == []


def test_a_refusal_that_comes_before_the_file_was_sent_is_read(tmp_path):
    path = tmp_path / "big.py"
    path.write_bytes(b"#" * 20_000_000)
    body = b'{"error": "at most 5 MB"}'
    with serving(413, body) as (address, _):
        assert refusal(address, str(path)) == "the server refuses it (413): at most 5 MB"


@pytest.mark.parametrize("token", ["", " ", "bad\nX: y", "tök"])
def test_a_token_that_no_header_can_hold_is_refused_and_not_repeated(bot, token):
    with pytest.raises(BadInput) as caught:
        submit_to("https://arena.example", bot, token)
    message = str(caught.value)
    assert message == "--token: expected the token that the organiser gave, as it was given"


@pytest.mark.parametrize(
    "server",
    ["arena.example", "ftp://a", "https://", "http://a?x=1", "http://a/#b", "http://u:p@a", "//a"],
)
def test_an_address_of_another_form_is_refused(bot, server):
    with pytest.raises(BadInput, match=r"expected an address such as https://arena\.example"):
        submit_to(server, bot, TOKEN)


def test_a_token_over_an_open_network_is_warned_of(bot):
    warnings = []
    with pytest.raises(BadInput, match="cannot be reached"):
        submit_to("http://arena.invalid", bot, TOKEN, warn=warnings.append)
    assert ["http://arena.invalid is not encrypted" in each for each in warnings] == [True]
    with serving(201, ENTERED) as (address, _):
        submit_to(address, bot, TOKEN, warn=warnings.append)
    assert len(warnings) == 1


@contextmanager
def answering(*answers):
    """A server that sends bytes, another answer for each connection; yields its address."""

    class Handler(BaseRequestHandler):
        def handle(self):
            self.request.recv(100_000)
            try:
                for part in (remaining.pop(0) if len(remaining) > 1 else remaining[0])():
                    self.request.sendall(part)
                self.request.shutdown(socket.SHUT_WR)
                while self.request.recv(100_000):  # what is still sent
                    pass
            except OSError:
                pass

    remaining = [each if callable(each) else partial(list, [each]) for each in answers]
    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def answer(body, status=b"200 OK"):
    return b"HTTP/1.1 %b\r\nContent-Length: %d\r\n\r\n%b" % (status, len(body), body)


def without_end(*parts):
    """An answer that goes on and on, a part at a time."""

    def forever():
        yield parts[0]
        while True:
            time.sleep(0.01)
            yield parts[-1]

    return forever


def command(server, path, *options):
    """Runs ``arena submit`` as an author does."""
    return subprocess.run(
        [ARENA, "submit", path, "--server", server, "--token", TOKEN, *options],
        capture_output=True, check=False, timeout=SECONDS,
    )  # fmt: skip


DEEP = b"[" * 100_000 + b"]" * 100_000
DEEP_REPORT = ENTERED[:-1] + b', "report": {"a": ' + b"[" * 200 + b"]" * 200 + b"}}"
ODD = [
    b"", b"<html>", b"[]", b"{}", b"\xff", b"null", b"1", b'"entered"', DEEP, DEEP_REPORT,
    b'{"id": 1, "state": "entered"}', b'{"id": 1, "text": ""}', b'{"state": "entered", "text": ""}',
    b'{"id": "1", "state": "entered", "text": ""}', b'{"id": 1, "state": "lost", "text": ""}',
    b'{"id": 1, "state": ["entered"], "text": ""}', b'{"id": 1, "state": "entered", "text": null}',
    b'{"id": -1, "state": "entered", "text": ""}', b'{"id": 1, "state": null, "text": ""}',
    b'{"id": {"a": 1}, "state": "entered", "text": ""}', b'{"id": 1e999, "state": "a", "text": ""}',
    b'{"id": 1, "state": "entered", "text": "", "report": 1}', b'"' + b"a" * 2_000_000 + b'"',
    b'{"id": 1, "state": "entered", "text": "\xff"}',
]  # fmt: skip


@pytest.mark.parametrize("body", ODD, ids=range(len(ODD)))
def test_a_server_that_is_no_league_is_named(bot, body):
    with answering(answer(body)) as address:
        assert refusal(address, bot) == f"{address}: expected the address of an Arena league"
    with answering(answer(RECEIVED, b"201 Created"), answer(body)) as address:
        assert refusal(address, bot) == f"{address}: expected the address of an Arena league"


@pytest.mark.parametrize(
    "body", [*ODD, b'{"error": null}', b'{"error": ["a"]}', b'{"error": ' + DEEP + b"}"], ids=repr
)
def test_a_refusal_of_any_form_is_one_line(bot, body):
    with answering(answer(body, b"422 No \x1b[31m way")) as address:
        assert refusal(address, bot) == "the server refuses it (422): No ?[31m way"


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"hello\r\n\r\n",
        b"HTTP/1.1\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/9.9 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 1_000 + b"\r\n",
        b"HTTP/1.1 200 " + b"a" * 100_000,
        b"HTTP/1.1 200 OK\r\nA: " + b"a" * 100_000,
        b"\x16\x03\x01\xff\xfe",
        b"\x1b]0;title\x07\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n{",
        b"HTTP/1.1 204 No Content\r\n\r\n",
        b"HTTP/1.1 101 Switching\r\n\r\n",
        b"HTTP/1.1 999 X\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: http://\x9b[31m/\r\n\r\n",
        b"HTTP/1.1 302 Found\r\n\r\n",
    ],
)
def test_an_answer_that_is_no_http_is_one_line(bot, sent):
    with answering(sent) as address:
        reason = refusal(address, bot)
    assert reason.isprintable()
    assert address in reason or reason.startswith("the server refuses it (")


@pytest.mark.parametrize(
    "sent",
    [
        (b"HTTP/1.1 200 OK\r\nA: ", b"a"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n", b" "),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        (b"HTTP/1.1 100 Continue\r\n\r\n",),
        (b"HTTP/1.1 422 No\r\nContent-Length: 900000\r\n\r\n", b" "),
    ],
)
def test_an_answer_without_an_end_is_cut(bot, sent, monkeypatch):
    monkeypatch.setattr("arena.service.bots.remote_submit.ANSWER_SECONDS", 0.3)
    with answering(without_end(*sent)) as address:
        reason = refusal(address, bot)
    if b"422" in sent[0]:
        assert reason == "the server refuses it (422): No"
    else:
        assert reason == f"{address} took longer than 0.3 s for an answer"


def test_the_command_prints_one_line_for_what_a_server_should_not_send(bot):
    with answering(answer(DEEP)) as address:
        done = command(address, bot)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"arena: {address}: expected the address of an Arena league\n"


@pytest.mark.parametrize("options", [(), ("-o", "json")])
def test_what_a_server_sends_moves_no_cursor_and_colours_nothing(bot, options):
    text = "\\u001b[31m red \\u009b2J \\u202e"
    body = (
        f'{{"id": 1, "state": "refused", "text": "{text}\\n{text}", "bot": "{text}", "report": '
        f'{{"report": {{"{text}": {{"against": {{"{text}": {{"matches": 2, "points": 1.0, '
        f'"deterministic": true, "isolation": "{text}"}}}}}}}}, "{text}": 1}}}}'
    ).encode()
    with answering(answer(body)) as address:
        done = command(address, bot, *options)
    assert done.returncode == 1
    for each in (done.stdout + done.stderr).decode().splitlines():
        assert each.isprintable()
        assert "\\u001b" not in each
