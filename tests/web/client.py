"""A visitor of the site in this process: requests to its ASGI application, without a socket."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import trio
from starlette.types import ASGIApp

from arena.web.app import application
from arena.web.site.guard.settings import Settings
from arena.web.site.live import running
from arena.web.site.site import Site, opened


class Answer(msgspec.Struct):
    """The answer to a request."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Visitor:
    """Sends requests to an application."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app, self.site = app, site

    async def get(self, address: str, **headers: str) -> Answer:
        return await self.send("GET", address, **headers)

    async def send(
        self, method: str, address: str, body: Iterable[bytes] = (), **headers: str
    ) -> Answer:
        """Sends a request; ``sec_fetch_site`` is the header ``Sec-Fetch-Site``."""
        parts = [*body] or [b""]
        status, found, written = 0, {}, bytearray()

        async def receive() -> dict[str, object]:
            if parts:
                part = parts.pop(0)
                return {"type": "http.request", "body": part, "more_body": bool(parts)}
            return await trio.sleep_forever()

        async def send(message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                found.update({key.decode(): value.decode() for key, value in message["headers"]})
            else:
                written.extend(message.get("body", b""))

        await self._app(scope(method, address, headers), receive, send)
        return Answer(status, found, bytes(written))

    @asynccontextmanager
    async def stream(
        self, address: str, **headers: str
    ) -> AsyncIterator[trio.MemoryReceiveChannel]:
        """Opens a stream of events; yields a channel with what it sends, comments left out."""
        sending, receiving = trio.open_memory_channel(100)
        gone = trio.Event()
        body = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> dict[str, object]:
            if body:
                return body.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message) -> None:
            if message["type"] == "http.response.start":
                assert message["status"] == 200
            elif message.get("body", b": ")[:1] != b":":
                await sending.send(message["body"].decode())

        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._app, scope("GET", address, headers), receive, send)
            yield receiving
            gone.set()


def scope(method: str, address: str, headers: dict[str, str]) -> dict[str, object]:
    """The scope of a request from this machine."""
    path, _, query = address.partition("?")
    sent = {"host": "localhost:8000", **headers}
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(key.replace("_", "-").encode(), each.encode()) for key, each in sent.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
        "scheme": "http",
        "http_version": "1.1",
    }


@asynccontextmanager
async def visiting(settings: Settings) -> AsyncIterator[Visitor]:
    """Opens a site, and ends it."""
    with opened(settings) as site:
        async with running(site) as live:
            yield Visitor(application(site, live), site)
