"""Updates open pages: one watcher of the database, and a stream of events for each page.

Pages with the same address share a topic, which draws their content once. An event's id is that of
its content, so a page that was away gets each unseen content once.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from hashlib import blake2b
from typing import TypeAlias

import msgspec
import trio
from starlette.types import Receive, Scope, Send

from arena.core.errors import ArenaError
from arena.web.site.guard.errors import problem_of
from arena.web.site.security import report_fault
from arena.web.site.site import PATIENCE, Site

COMMENT = b": \n\n"
"""Sent between events; pages skip it."""
AT_ONCE = 16
"""Streams that are woken before others may continue: sending to one takes 0.2 ms."""
GRACE = 1.0
"""Seconds that tasks have to end after the site was asked to."""
HEARTBEAT = 15.0
"""Seconds after which a stream without events shows that it is there."""
QUIET_SECONDS = 10.0
"""Seconds after which content is drawn without a new match: rates change, runs stop."""


class Content(msgspec.Struct, frozen=True):
    """The content of a page at some time.

    Attributes:
        matches: Number of stored matches in it.
    """

    text: str
    matches: int

    @property
    def id(self) -> str:
        """An id that another content does not have, beginning with the number of matches."""
        return f"{self.matches}-{blake2b(self.text.encode(), digest_size=8).hexdigest()}"


Draw: TypeAlias = Callable[[Site], Content]
SendEvent: TypeAlias = Callable[[bytes], Awaitable[None]]


def event(id: str, text: str) -> bytes:
    """Returns an event of a stream: the id, and the content line by line."""
    text = text.replace("\r", "")
    lines = [f"id: {id}", *(f"data: {line}" for line in text.split("\n"))]
    return ("\n".join(lines) + "\n\n").encode()


class Topic:
    """The content of one address, drawn after each change of the database.

    Attributes:
        listeners: Number of streams that wait for it.
        number: Counts the contents that differ.
        last: The last event.
        id: The id of that event.
        scope: Ends its task.
    """

    def __init__(self) -> None:
        self.listeners, self.number = 0, 0
        self.last, self.id = b"", ""
        self.scope = trio.CancelScope()
        self._waiting: list[trio.Event] = []

    async def changed(self) -> None:
        """Waits for a further event, or the end of the site."""
        event = trio.Event()
        self._waiting.append(event)
        try:
            await event.wait()
        finally:
            with suppress(ValueError):  # it was woken
                self._waiting.remove(event)

    async def show(self, content: Content) -> None:
        """Makes a content the last one, unless nothing in it is new."""
        if content.id == self.id:
            return
        self.last, self.id = event(content.id, content.text), content.id
        self.number += 1
        waiting, self._waiting = self._waiting, []
        try:
            for number, each in enumerate(waiting, 1):
                each.set()
                if number % AT_ONCE == 0:
                    await trio.sleep(0)  # whoever asks for a page need not wait for all of them
        finally:
            for each in waiting:
                each.set()

    def wake(self) -> None:
        """Wakes all streams that wait."""
        for each in self._waiting:
            each.set()


class Live:
    """The watcher and the topics of a site; ``running`` makes it.

    Args:
        nursery: Runs the watcher, and a task for each topic.
    """

    def __init__(self, site: Site, nursery: trio.Nursery) -> None:
        self._site, self._nursery = site, nursery
        self._topics: dict[object, Topic] = {}
        self._stored = trio.Event()
        self._tasks, self._idle = 0, trio.Event()

    def start(self, task: Callable[..., Awaitable[object]], *args: object) -> None:
        """Runs a further task, which must end soon after ``Site.closing`` is set."""
        self._tasks += 1

        async def run() -> None:
            try:
                await task(*args)
            finally:
                self._tasks -= 1
                if not self._tasks:
                    self._idle.set()
                    self._idle = trio.Event()

        self._nursery.start_soon(run)

    async def idle(self) -> None:
        """Waits until no such task runs."""
        while self._tasks:
            await self._idle.wait()

    async def watch(self) -> None:
        """Looks at the database again and again, while a page is open."""
        seen: int | None = None
        while True:
            await trio.sleep(self._site.settings.poll)
            if not self._topics:
                continue
            try:
                version = self._site.version()
            except ArenaError as error:
                report_fault(problem_of(error).detail)
                continue
            if version != seen:
                seen = version
                self._stored.set()
                self._stored = trio.Event()

    async def send(self, key: object, draw: Draw, seen: str, send: SendEvent) -> None:
        """Sends the events of an address until the site ends.

        Args:
            key: Identifies the address.
            seen: The id of the last event that was received; empty for none.
        """
        with self._listening(key, draw) as topic:
            number = 0
            await send(COMMENT)
            while not self._site.closing.is_set():
                if topic.number == number:
                    with trio.move_on_after(HEARTBEAT) as waiting:
                        await topic.changed()
                    if waiting.cancelled_caught:
                        await send(COMMENT)
                    continue
                number = topic.number
                if topic.id != seen:
                    await send(topic.last)
                seen = ""

    @contextmanager
    def _listening(self, key: object, draw: Draw) -> Iterator[Topic]:
        topic = self._topics.get(key)
        if topic is None:
            topic = self._topics[key] = Topic()
            self._nursery.start_soon(self._draw, key, topic, draw)
        topic.listeners += 1
        try:
            yield topic
        finally:
            topic.listeners -= 1
            if not topic.listeners:
                del self._topics[key]
                topic.scope.cancel()

    async def _draw(self, key: object, topic: Topic, draw: Draw) -> None:
        """Draws a topic's content at first, and after changes, within the set interval."""
        with topic.scope:
            while True:
                begun, stored = trio.current_time(), self._stored
                took = 0.0
                try:
                    content = await self._site.work(draw, self._site)
                    took = trio.current_time() - begun
                    await topic.show(content)
                except ArenaError as error:
                    report_fault(problem_of(error).detail)
                with trio.move_on_after(QUIET_SECONDS):
                    await stored.wait()
                pause = max(self._site.settings.interval, PATIENCE * took)
                await trio.sleep_until(begun + pause)

    def end(self) -> None:
        """Ends all streams."""
        self._site.closing.set()
        for topic in self._topics.values():
            topic.wake()


@asynccontextmanager
async def running(site: Site) -> AsyncIterator[Live]:
    """Runs the watcher of a site."""
    async with trio.open_nursery() as nursery:
        live = Live(site, nursery)
        nursery.start_soon(live.watch)
        try:
            yield live
        finally:
            live.end()
            with trio.move_on_after(GRACE) as ending:
                ending.shield = True
                await live.idle()
            nursery.cancel_scope.cancel()


class EventStream:
    """An answer that is a stream of events: an ASGI application for one request.

    Args:
        send_events: Sends events until the site ends.
        place: Held while it is open; refuses one too many.
    """

    def __init__(
        self,
        send_events: Callable[[SendEvent], Awaitable[None]],
        place: AbstractContextManager[None],
    ) -> None:
        self._send_events, self._place = send_events, place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
        headers.append((b"x-accel-buffering", b"no"))  # a proxy that would gather events first
        with self._place:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            if scope["method"] != "HEAD":
                await self._stream(receive, send)
            await send({"type": "http.response.body", "body": b""})

    async def _stream(self, receive: Receive, send: Send) -> None:
        async def send_event(message: bytes) -> None:
            await send({"type": "http.response.body", "body": message, "more_body": True})

        async def until_gone() -> None:
            await _gone(receive)
            nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(until_gone)
            await self._send_events(send_event)
            nursery.cancel_scope.cancel()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
