"""Submission over the network, against servers that are not what they should be."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from arena.core.errors import BadInput
from arena.service.remote_submit import submit_to

TOKEN = "of-ann"
ENTERED = b'{"id": 1, "state": "entered", "text": "is entered"}'


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


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}", b"\xff"])
def test_a_server_that_is_no_league_is_named(bot, body):
    with serving(200, body) as (address, _):
        assert refusal(address, bot) == f"{address} is no league of Arena"
