"""Runs the site: listens, limits connections, and ends all of them when it is asked to."""

from __future__ import annotations

import gc
import resource
import signal
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from errno import EMFILE, ENFILE
from functools import cache
from typing import TypeAlias

import trio
from starlette.types import ASGIApp

from arena.core.errors import BadInput, describe
from arena.plugins.registry import Registry
from arena.service.answers.defaults import MAX_PORT
from arena.service.answers.errors import known_alone
from arena.service.league.run import LeagueObserver, LeagueRun, check_league
from arena.web.app import application, draw_ahead
from arena.web.http11 import Address, Connection
from arena.web.routes.pages import error_page
from arena.web.site.apart import Apart
from arena.web.site.guard.errors import Refused, unreadable
from arena.web.site.guard.limits import Allowance, who
from arena.web.site.guard.settings import Settings
from arena.web.site.live import running
from arena.web.site.security import report_fault
from arena.web.site.site import load_apart, opened

Started: TypeAlias = Callable[[str], object]
GRACE = 1.0
"""Seconds that requests have to end after the site was asked to."""
SPARE_FILES = 64
"""Files that connections leave to the rest of the program."""


async def serve(
    settings: Settings,
    started: Started = print,
    stop: trio.Event | None = None,
    observer: LeagueObserver | None = None,
    apart: Apart | None = None,
) -> None:
    """Serves the site until it is cancelled or ``stop`` is set, after which streams end first.

    Args:
        started: Is given the address, when it listens there.
        stop: Ends it.
        observer: Receives the league's events, if there is one.
        apart: As for ``opened``.

    Raises:
        BadStore: The database cannot be used as it is: the message says what to do.
        BadInput: It cannot listen there, or the league cannot be run here.
    """
    if settings.league:
        check_league(Registry(), settings.league)
    with known_alone(), opened(settings, apart) as site, _listening(settings) as listening:
        async with running(site) as live:
            connections = Connections(application(site, live), settings)
            async with trio.open_nursery() as nursery:
                accepting = trio.CancelScope()
                if settings.league:  # before anybody is answered: another process may run it
                    await nursery.start(
                        LeagueRun(
                            site.registry,
                            site.database,
                            settings.league,
                            observer,
                            site.season,
                            site.clock,
                        ).run
                    )
                if site.events:
                    nursery.start_soon(site.events.qualify, report_fault)
                nursery.start_soon(connections.accept, listening, nursery, accepting)
                started(_address(settings, listening))
                if settings.prepared:
                    nursery.start_soon(draw_ahead, site)
                await (trio.Event() if stop is None else stop).wait()
                accepting.cancel()
                live.end()
                connections.end()
                with trio.move_on_after(GRACE):
                    await connections.all_closed()
                nursery.cancel_scope.cancel()


def _listening(settings: Settings) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        made = socket.create_server((settings.host, settings.port), family=family, backlog=1024)
    except OverflowError:
        message = f"port {settings.port}: expected a number from 0 to {MAX_PORT}"
        raise BadInput(message) from None
    except OSError as error:
        where = f"{settings.host}:{settings.port}"
        # Python adds the address to the system's words.
        reason = (error.strerror or str(error)).partition(" (while ")[0]
        raise BadInput(f"cannot listen on {where}: {reason}") from None
    # Inherited by connections: one whose other end reads nothing would otherwise last for ever.
    unread = round(settings.limits.unread_seconds * 1000)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, unread)
    return made


def _address(settings: Settings, listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}{settings.prefix}/"


class Connections:
    """The open connections, limited in number and per address."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._limits = app, settings.limits
        self._page = cache(lambda status: error_page(settings, unreadable(status)).encode())
        limits = settings.limits
        self._most = min(limits.all_connections, _files() - SPARE_FILES)
        self._most_of_one = self._most if settings.behind_proxy else limits.connections
        self._opened = None if settings.behind_proxy else Allowance(limits.opened)
        self._open: set[Connection] = set()
        self._of_one: Counter[str] = Counter()
        self._closed = trio.Event()

    async def accept(
        self, listening: socket.socket, nursery: trio.Nursery, scope: trio.CancelScope
    ) -> None:
        """Accepts connections until it is cancelled."""
        listener = trio.SocketListener(trio.socket.from_stdlib_socket(listening))
        with scope:
            while True:
                try:
                    stream = await listener.accept()
                except OSError as error:
                    if error.errno not in (EMFILE, ENFILE):
                        continue  # the other end has gone already
                    await trio.sleep(0.1)
                else:
                    nursery.start_soon(self._answer, stream)

    async def _answer(self, stream: trio.SocketStream) -> None:
        with stream.socket:
            try:
                peer: Address = stream.socket.getpeername()[:2]
            except OSError:
                return  # the other end has gone already
            visitor = who(peer[0])
            if not self._allows(visitor):
                return
            connection = Connection(stream, peer, self._app, self._limits, self._page)
            with self._counted(connection, visitor):
                try:
                    await connection.run()
                except Exception as error:  # ends this connection alone
                    report_fault(describe(error))

    @contextmanager
    def _counted(self, connection: Connection, visitor: str) -> Iterator[None]:
        self._open.add(connection)
        self._of_one[visitor] += 1
        try:
            yield
        finally:
            self._open.remove(connection)
            self._of_one[visitor] -= 1
            if not self._of_one[visitor]:
                del self._of_one[visitor]
            if not self._open:
                self._closed.set()
                self._closed = trio.Event()

    def _allows(self, visitor: str) -> bool:
        try:
            if self._opened is not None:
                self._opened.spend(visitor)
        except Refused:
            return False
        return len(self._open) < self._most and self._of_one[visitor] < self._most_of_one

    def end(self) -> None:
        """Ends all of them, each after the answer that is being sent."""
        for connection in self._open:
            connection.end()

    async def all_closed(self) -> None:
        """Waits until no connection is open."""
        while self._open:
            await self._closed.wait()


def _files() -> int:
    """Returns the number of files that this process may open, after raising it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def run_until_signalled(
    settings: Settings,
    started: Started,
    signals: Collection[signal.Signals],
    observer: LeagueObserver | None = None,
) -> None:
    """Serves the site until one of some signals comes; open requests are answered.

    Raises:
        BadStore: As ``serve``.
        BadInput: As ``serve``.
    """
    gc.collect()
    gc.freeze()  # what was loaded stays: to look through it again and again would stop all visitors

    async def until_signalled() -> None:
        stop = trio.Event()

        async def wait(arrived: AsyncIterator[int]) -> None:
            async for _ in arrived:
                stop.set()

        with trio.open_signal_receiver(*signals) as arrived:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(wait, arrived)
                await serve(settings, started, stop, observer, apart)
                nursery.cancel_scope.cancel()

    with known_alone(), Apart(load_apart) as apart:
        trio.run(until_signalled)
