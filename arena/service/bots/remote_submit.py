"""Submits a bot to a league over the network: sends it, and waits for the decision."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from pathlib import Path
from threading import Timer
from typing import Annotated, Any, Literal, Self
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

import msgspec

from arena.core.described import described
from arena.core.errors import BadInput
from arena.core.text.printable import printable_line, printable_text
from arena.plugins.options import option
from arena.plugins.submissions.archives import folder_files, packed
from arena.plugins.submissions.submission import is_folder
from arena.service.lookup.isolation import Warn, ignore

POLL_SECONDS = 1.0
"""Time between two questions for the decision."""
ANSWER_SECONDS = 120.0
"""Time that the server has for one answer."""
DECIDED = ("entered", "refused", "failed")
MAX_LENGTH = 1_000_000
"""Bytes of an answer."""
DEEPEST = 16
"""Levels of lists and objects in an answer."""
_REDIRECTS = (301, 302, 303, 307, 308)
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""Errors of bytes that are not the document that they should be."""

Document = dict[str, Any]


class _Submission(msgspec.Struct):
    id: Annotated[int, msgspec.Meta(ge=1)]
    state: Literal["received", "qualifying", "entered", "refused", "failed"]
    text: str
    report: dict[str, object] | None = None


class _Refusal(msgspec.Struct):
    error: str


def submit_to(
    server: str,
    path: str,
    token: str,
    changed: Callable[[Document], object] = lambda document: None,
    warn: Warn = ignore,
    sleep: Callable[[float], object] = time.sleep,
) -> Document:
    """Submits a bot to a league and waits until it is decided.

    Args:
        server: Address of the site, such as ``https://arena.example/league``.
        path: A file, an archive, a wheel, or a folder, which is packed.
        token: The author's token.
        changed: Called with the document of the submission whenever its state is another one.
        warn: Called when the token goes over a network without encryption.

    Returns:
        The document of the decided submission, with its text.

    Raises:
        BadInput: It cannot be read, the server cannot be reached, or it refuses the submission;
            nothing was stored there then.
    """
    base = _checked(server, warn)
    name, content = _contents(path)
    headers = {"Authorization": f"Bearer {_checked_token(token)}"}
    found = _ask(f"{base}/api/submissions?file={quote(name)}", headers, content)
    changed(found)
    own = f"{base}/api/submissions/{found['id']}"
    while found["state"] not in DECIDED:
        sleep(POLL_SECONDS)
        now = _ask(own, headers)
        if now["state"] != found["state"]:
            changed(now)
        found = now
    return found


def _checked(server: str, warn: Warn) -> str:
    try:
        parts = urlsplit(server)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    rest = parts.query or parts.fragment or parts.username or "?" in server or "#" in server
    if parts.scheme not in ("http", "https") or not parts.hostname or rest or port == 0:
        raise BadInput(
            f"{option('server')} {server!r}: expected an address such as https://arena.example"
        )
    if parts.scheme == "http" and not _is_this_machine(parts.hostname):
        warn(
            f"{server} is not encrypted: others on the network can read the token; "
            "use https if the server has it"
        )
    return server.rstrip("/")


def _is_this_machine(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost" or host.endswith(".localhost")


def _checked_token(token: str) -> str:
    """The token without space around it; one that no header can hold is not repeated in errors."""
    found = token.strip()
    if not found or not all("!" <= each <= "~" for each in found):
        expected = "the token that the organiser gave, as it was given"
        raise BadInput(f"{option('token')}: expected {expected}")
    return found


def _contents(path: str) -> tuple[str, bytes]:
    if is_folder(path):
        folder = Path(path).resolve()
        return f"{folder.name}.zip", packed(folder_files(path, folder))
    try:
        return Path(path).name, Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None


class _Deadline:
    """Cuts connections when the time for one answer is over, however slowly it comes.

    Attributes:
        over: Whether it is over.
        sockets: What is cut then.
    """

    def __init__(self) -> None:
        self.over = False
        self.sockets: list[socket.socket] = []
        self._timer = Timer(ANSWER_SECONDS, self._cut)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._timer.cancel()

    def _cut(self) -> None:
        self.over = True
        for each in self.sockets:
            with suppress(OSError):
                socket.socket.shutdown(each, socket.SHUT_RDWR)


class _EarlyAnswer(HTTPConnection):
    """A connection on which a server may answer before it has read all, as for a large file."""

    def __init__(self, host: str, *, deadline: _Deadline, **options: Any) -> None:  # noqa: ANN401
        super().__init__(host, **options)  # what urllib gives it
        self._deadline = deadline

    def connect(self) -> None:
        super().connect()
        self._deadline.sockets.append(self.sock)

    def send(self, data: bytes) -> None:  # type: ignore[override]  # all that is sent here
        with suppress(BrokenPipeError, ConnectionResetError):
            super().send(data)


class _EncryptedEarlyAnswer(_EarlyAnswer, HTTPSConnection):
    """The same, encrypted."""


class _Http(HTTPHandler):
    def __init__(self, deadline: _Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def http_open(self, req: Request) -> HTTPResponse:
        with_deadline = partial(_EarlyAnswer, deadline=self._deadline)
        return self.do_open(with_deadline, req)


class _Https(HTTPSHandler):
    def __init__(self, deadline: _Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def https_open(self, req: Request) -> HTTPResponse:
        with_deadline = partial(_EncryptedEarlyAnswer, deadline=self._deadline)
        return self.do_open(with_deadline, req)


def _opener(deadline: _Deadline) -> OpenerDirector:
    """Makes requests without following redirects: only the named server may get the token."""
    opener = OpenerDirector()
    for part in (
        ProxyHandler(), _Http(deadline), _Https(deadline), HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
    ):  # fmt: skip
        opener.add_handler(part)
    return opener


def _ask(address: str, headers: dict[str, str], content: bytes | None = None) -> Document:
    server = address.rpartition("/api/submissions")[0]
    request = Request(address, content, headers)
    if content is not None:
        request.add_header("Content-Type", "application/octet-stream")
    with _Deadline() as deadline:
        try:
            with _opener(deadline).open(request, timeout=ANSWER_SECONDS) as answer:
                sent = answer.read(MAX_LENGTH)
        except HTTPError as error:
            with error:
                raise BadInput(_refusal(server, error)) from None
        except (URLError, OSError, HTTPException) as error:
            if not deadline.over:
                reason = printable_line(str(getattr(error, "reason", error)))
                raise BadInput(f"{server} cannot be reached: {reason}") from None
    if deadline.over:
        raise BadInput(f"{server} took longer than {ANSWER_SECONDS:g} s for an answer")
    try:
        document = _shown(msgspec.json.decode(sent))
        msgspec.convert(document, described(_Submission))
    except _UNREADABLE:
        raise BadInput(f"{server}: expected the address of an Arena league") from None
    assert isinstance(document, dict)
    return document


def _shown(value: object, depth: int = 0) -> object:
    """Returns a value of JSON with printable strings."""
    if depth > DEEPEST:
        raise RecursionError
    if isinstance(value, str):
        return printable_text(value, max(1, len(value)))
    if isinstance(value, list):
        return [_shown(each, depth + 1) for each in value]
    if isinstance(value, dict):
        return {_shown(key): _shown(each, depth + 1) for key, each in value.items()}
    return value


def _refusal(server: str, error: HTTPError) -> str:
    if error.code in _REDIRECTS:
        place = printable_line(str(error.headers.get("Location", "elsewhere")))
        advice = f"if that is the league, give its address to {option('server')}"
        return f"{server} leads to {place}; {advice}"
    return f"the server refuses it ({error.code}): {_reason(error)}"


def _reason(error: HTTPError) -> str:
    try:
        sent = error.read(MAX_LENGTH)
        return printable_line(msgspec.json.decode(sent, type=described(_Refusal)).error)
    except (*_UNREADABLE, OSError, HTTPException):
        return printable_line(str(error.reason or "")) or "no reason given"
