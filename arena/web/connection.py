"""A connection that the web server answers until the site takes it over for a stream of events.

A stream is open for hours and sends the same to hundreds. Through the server each would hold some
thirty suspended calls, a task more, and twice as much memory.
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import trio
from anyio import BrokenResourceError, ClosedResourceError, EndOfStream
from anyio.abc import SocketAttribute, SocketStream
from starlette.types import Scope

NO_CONTENT = b"\r\ncontent-length: 0\r\n"
"""Header of answers that the web server gives by itself: to what it cannot read."""
STATE = "arena.connection"
"""Key of the connection in the state of a request."""


def connection_of(scope: Scope) -> Connection | None:
    """Returns the connection of a request that can be taken over; ``None`` if there is none.

    Such a request has a connection of its own (HTTP/1.1), and its answer is sent in chunks.
    """
    if scope["http_version"] != "1.1" or scope["method"] != "GET":
        return None
    found: Connection | None = scope.get("state", {}).get(STATE)
    return found


class Connection(SocketStream):
    """A connection; once it is taken over, the server finds it closed and lets go of it.

    Args:
        page: Gives the page of an error by its status, for answers of the server's own.

    Attributes:
        rest: What is run with it when the server has let go; ``None`` until it is taken over.
    """

    def __init__(self, stream: SocketStream, page: Callable[[int], bytes]) -> None:
        self._stream, self._page = stream, page
        self._head_alone = False
        self._reading: trio.CancelScope | None = None
        self.rest: Callable[[], Awaitable[None]] | None = None

    @property
    def extra_attributes(self) -> Mapping[Any, Callable[[], Any]]:
        """The addresses and the socket."""
        return self._stream.extra_attributes

    @property
    def _raw_socket(self) -> socket.socket:
        return self._stream.extra(SocketAttribute.raw_socket)

    async def receive(self, max_bytes: int = 65536) -> bytes:
        """Receives for the server."""
        if self.rest is None:
            with trio.CancelScope() as self._reading:
                received = await self._stream.receive(max_bytes)
                self._head_alone = received.startswith(b"HEAD ")
                return received
        raise EndOfStream

    async def send(self, item: bytes) -> None:
        """Sends for the server; an error without content gets a page."""
        if self.rest is None:
            await self._stream.send(self._with_page(item))

    def _with_page(self, item: bytes) -> bytes:
        error = item.startswith((b"HTTP/1.1 4", b"HTTP/1.1 5"))
        if not error or NO_CONTENT not in item or self._head_alone:
            return item
        page = self._page(int(item[9:12]))
        kind = b"\r\ncontent-type: text/html; charset=utf-8"
        length = b"\r\ncontent-length: %d\r\n" % len(page)
        return item.replace(NO_CONTENT, kind + length, 1) + page

    async def send_eof(self) -> None:
        """Ends what the server sends."""
        if self.rest is None:
            await self._stream.send_eof()

    async def aclose(self) -> None:
        """Closes it for the server."""
        if self.rest is None:
            await self._stream.aclose()

    def take_over(self, rest: Callable[[], Awaitable[None]]) -> None:
        """Takes it over after the head of an answer was sent; the server hears that it is gone."""
        self.rest = rest
        if self._reading is not None:
            self._reading.cancel()

    async def send_chunk(self, content: bytes) -> None:
        """Sends a part of the answer; an empty one is its end."""
        await self._stream.send(b"%x\r\n%b\r\n" % (len(content), content))

    async def gone(self) -> None:
        """Waits until the visitor is gone, or sends what nobody asked for."""
        try:
            await self._stream.receive(1)
        except (EndOfStream, BrokenResourceError, ClosedResourceError):
            return
