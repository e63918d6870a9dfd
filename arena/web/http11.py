"""Speaks HTTP/1.1 on a connection, by h11. It speaks no other protocol.

The head of a request, the rest of it, and each part of an answer have deadlines. So no visitor can
hold a connection, or an answer's memory, for ever.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias
from urllib.parse import unquote_to_bytes
from wsgiref.handlers import format_date_time

import h11
import trio
from starlette.types import ASGIApp, Message, Scope

from arena.web.site.guard.settings import Limits
from arena.web.site.security import HEADERS

Address: TypeAlias = tuple[str, int]
LINGER = 1.0
"""Seconds that a visitor has at least to take the last answer before the connection is closed."""
PART_BYTES = 64 * 1024
"""Bytes that a visitor has to take within ``Limits.unread_seconds``."""
_ABSOLUTE = re.compile(rb"https?://([^/?#]+)(.*)", re.IGNORECASE)
_BAD_CODE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
_CLOSE = (b"connection", b"close")
_LOST = (trio.BrokenResourceError, trio.ClosedResourceError)


class _Gone(Exception):
    """Raised when a visitor is gone, or does not read."""


class _Unreadable(Exception):
    def __init__(self, status: int) -> None:
        self.status = status


class Connection:
    """A connection with its requests, which an ASGI application answers one after the other.

    The application reads a request's body before it answers; the rest of it is dropped. When the
    visitor is gone the application is cancelled where it sends or reads.

    Args:
        visitor: Address of the other end.
        page: Returns the page of an error by its status, for requests that cannot be read.
    """

    def __init__(
        self,
        stream: trio.SocketStream,
        visitor: Address,
        app: ASGIApp,
        limits: Limits,
        page: Callable[[int], bytes],
    ) -> None:
        self._stream, self._visitor, self._app, self._page = stream, visitor, app, page
        self._limits = limits
        self._http = h11.Connection(h11.SERVER, limits.head_bytes)
        self._head_only = False
        self._unsent = b""
        self._waiting, self._answering = trio.CancelScope(), trio.CancelScope()
        self._ending, self._body_given = False, False
        self._refused: int | None = None

    async def run(self) -> None:
        """Answers requests until the connection ends."""
        with suppress(_Gone):
            while await self._answer_one():
                self._http.start_next_cycle()

    def end(self) -> None:
        """Ends it: at once if no request is being answered, else after the answer."""
        self._ending = True
        self._waiting.cancel()

    async def _answer_one(self) -> bool:
        deadline = trio.current_time() + self._limits.seconds
        try:
            request = await self._request(deadline)
            if request is None:
                return False
            deadline = trio.current_time() + self._limits.seconds
            await self._answer(self._scope(request))
        except h11.RemoteProtocolError as error:
            await self._refuse(error.error_status_hint)
        except _Unreadable as error:
            await self._refuse(error.status)
        if self._http.our_state is self._http.their_state is h11.DONE:
            return not self._ending
        if self._http.our_state in (h11.DONE, h11.MUST_CLOSE):
            await self._drop_rest(deadline)
        return False

    async def _request(self, deadline: float) -> h11.Request | None:
        self._head_only = False
        with trio.CancelScope(deadline=deadline) as self._waiting:
            event = await self._event()
            return event if isinstance(event, h11.Request) else None
        return None

    def _scope(self, request: h11.Request) -> Scope:
        self._head_only = request.method == b"HEAD"
        version, headers, target = request.http_version, [*request.headers], request.target
        if not version.startswith(b"1."):
            raise _Unreadable(505)
        names = {name for name, _ in headers}
        # Whatever stands before this server may take the other one of the two for the length.
        if b"transfer-encoding" in names and (b"content-length" in names or version < b"1.1"):
            raise _Unreadable(400)
        if absolute := _ABSOLUTE.fullmatch(target):
            host, target = absolute[1], absolute[2] or b"/"
            headers = [(b"host", host), *(each for each in headers if each[0] != b"host")]
        path, _, query = target.partition(b"?")
        try:
            decoded = unquote_to_bytes(path).decode()
        except UnicodeDecodeError:
            raise _Unreadable(400) from None
        if not path.startswith(b"/") or _BAD_CODE.search(path):
            raise _Unreadable(400)
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": version.decode(),
            "method": request.method.decode(),
            "scheme": "http",
            "path": decoded,
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "headers": headers,
            "client": self._visitor,
        }

    async def _answer(self, scope: Scope) -> None:
        self._body_given = False
        with trio.CancelScope() as self._answering:
            await self._app(scope, self._receive, self._send)
        if self._answering.cancelled_caught:
            if self._refused is None:
                raise _Gone
            raise _Unreadable(self._refused)

    async def _refuse(self, status: int) -> None:
        """Answers a request that cannot be read, if no answer has begun, and closes."""
        if self._http.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            return
        page = self._page(status)
        headers = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-length", b"%d" % len(page)),
            _CLOSE,
        ]
        self._begin(status, headers)
        await self._write(self._content(page, last=True))

    async def _drop_rest(self, deadline: float) -> None:
        """Drops the rest of the input: closing at once would destroy the answer on its way."""
        if self._ending:
            return
        deadline = max(deadline, trio.current_time() + LINGER)
        with trio.CancelScope(deadline=deadline) as self._waiting, suppress(*_LOST):
            await self._stream.send_eof()
            while await self._stream.receive_some():
                pass

    async def _receive(self) -> Message:
        if self._body_given:
            with suppress(_Gone):
                self._http.receive_data(await self._received())  # or sends what nobody asked for
            return {"type": "http.disconnect"}
        body = b""
        if self._http.their_state is h11.SEND_BODY:
            try:
                event = await self._event()
            except h11.RemoteProtocolError as error:
                self._refused = error.error_status_hint
                return await self._cancel()
            except _Gone:
                return await self._cancel()
            body = bytes(event.data) if isinstance(event, h11.Data) else b""
        self._body_given = self._http.their_state is not h11.SEND_BODY
        return {"type": "http.request", "body": body, "more_body": not self._body_given}

    async def _send(self, message: Message) -> None:
        """Sends a part of the application's answer; the head with the next part."""
        if message["type"] == "http.response.start":
            self._begin(message["status"], [*message["headers"]])
            return
        last = not message.get("more_body", False)
        try:
            await self._write(self._content(message.get("body", b""), last=last))
        except _Gone:
            await self._cancel()

    async def _cancel(self) -> Message:
        """Ends the application's work for a visitor, without an error that it would report."""
        self._answering.cancel()
        return await trio.sleep_forever()

    def _begin(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        with suppress(h11.RemoteProtocolError):
            while self._http.their_state is h11.SEND_BODY:
                if self._http.next_event() is h11.NEED_DATA:
                    break
        if self._ending or self._http.their_state in (h11.SEND_BODY, h11.ERROR):
            headers.append(_CLOSE)
        date = (b"date", format_date_time(time.time()).encode())
        response = h11.Response(status_code=status, headers=[*headers, date, *_HEADERS])
        self._unsent = self._http.send(response)

    def _content(self, body: bytes, *, last: bool) -> bytes:
        parts, self._unsent = [self._unsent], b""
        if body and not self._head_only:
            parts.append(self._http.send(h11.Data(data=body)))
        if last:
            parts.append(self._http.send(h11.EndOfMessage()))
        return b"".join(parts)

    async def _event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                go_on = h11.InformationalResponse(status_code=100, headers=[])
                await self._write(self._http.send(go_on))
            self._http.receive_data(await self._received())
        return event

    async def _received(self) -> bytes:
        """Receives no more than a head may have: h11 only measures incomplete ones."""
        room = self._limits.head_bytes + 1 - len(self._http.trailing_data[0])
        try:
            return bytes(await self._stream.receive_some(max(1, room)))
        except _LOST:
            raise _Gone from None

    async def _write(self, content: bytes) -> None:
        view = memoryview(content)
        for begin in range(0, len(content), PART_BYTES):
            try:
                with trio.fail_after(self._limits.unread_seconds):
                    await self._stream.send_all(view[begin : begin + PART_BYTES])
            except (*_LOST, trio.TooSlowError):
                raise _Gone from None
