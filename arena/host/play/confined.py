"""The host of untrusted bots, which run in processes of their own; trusted ones are called here.

Endpoints of language models are asked from here, too.

A bot has one long-lived process for each turn of a mirrored set, so no process sees two matches of
one deal, or two seats of one table.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from time import monotonic
from typing import Any

import trio

from arena.core.bot import Bot, MatchContext
from arena.core.record import PlayedMatch
from arena.core.tournaments.format import Job
from arena.host.bot.inline import InlineSeat, person_seat
from arena.host.bot.watch import Watch
from arena.host.play.arrivals import Arrivals
from arena.host.play.dispatcher import BotDispatcher, FaultCount
from arena.host.play.endpoints import EndpointAccess, EndpointDispatcher
from arena.host.play.feeds import FIRST_WINDOW, ChunkFeed, Feed, turn_of
from arena.host.play.pool import MatchPool, Seat
from arena.host.process.forkserver import ForkServer
from arena.host.process.launch import MatchSettings
from arena.host.process.loss import EXIT_SECONDS
from arena.host.process.process import BotProcess
from arena.host.process.trio_run import run_trio
from arena.host.wire.codecs import codec_for
from arena.plugins.entries import BotSource
from arena.plugins.loading import LoadBot

MAX_WIDTHS = 3
"""Most matches in progress, in widths of a batch: one under way for each of two bots, and one being
evaluated. More of them wait for memory."""
MAX_PROCESSES = 48
"""Most processes of bots at a time; a new one replaces the one that was idle for longest."""


class ConfinedHost(AbstractContextManager["ConfinedHost"]):
    """Plays matches of one field; its bots' processes run until it is closed.

    The arguments are those of ``open_host``, and the watchdog of trusted bots.
    """

    def __init__(
        self,
        settings: MatchSettings,
        bots: Sequence[BotSource],
        watch: Watch,
        load: LoadBot,
        access: EndpointAccess | None = None,
    ) -> None:
        self._settings, self._bots, self._watch = settings, bots, watch
        self._makers: list[Callable[[], Bot[Any]] | None] = [
            load(bot) if bot.answered_by in ("host", "person") else None for bot in bots
        ]
        self._access = access
        self._endpoints: EndpointDispatcher | None = None
        self._faults = [FaultCount(settings.resources.incidents) for _ in bots]
        self._window = FIRST_WINDOW
        self._server: ForkServer | None = None
        self._reset()

    def _reset(self) -> None:
        self._pool = MatchPool(self._settings, self._bots, self._open_seat)
        self._dispatchers: dict[tuple[int, int], BotDispatcher] = {}
        self._served: set[BotDispatcher] = set()

    def __exit__(self, *error: object) -> None:
        self.close()

    def play(self, jobs: Sequence[Job], seconds: float) -> list[PlayedMatch]:
        """Plays matches until the time is up; see ``Host``."""
        scheduled = any(bot.answered_by == "person" for bot in self._bots)
        most = MAX_WIDTHS * self._settings.width
        feed = ChunkFeed(jobs, seconds, most, self._window, scheduled=scheduled)
        self.play_from(feed)
        self._window = feed.window
        return feed.in_order()

    def play_from(self, feed: Feed) -> None:
        """Plays what a feed hands out, each match for itself, until it is over and all have ended.

        Raises:
            HarnessFault: The harness failed; no match in progress counts.
        """
        # Matches in progress are many objects, all in use: looking for garbage among them costs a
        # tenth of the time. Bots that are called here may make some, and so may the requests to
        # endpoints; then it is looked for.
        collects = gc.isenabled()
        if not any(self._makers) and self._access is None:
            gc.disable()
        try:
            run_trio(self._play, feed)
        except BaseException:
            self.close()
            raise
        finally:
            if collects:
                gc.enable()
        if self._pool.running:  # stopped
            self.close()

    def look_again(self) -> None:
        """Has the feed asked soon again; called in the loop in which it is played."""
        self._arrivals.interrupt()

    def close(self) -> None:
        """Ends all processes of bots; further matches would start new ones."""
        if self._server is not None:
            processes = self._running()
            for process in processes:
                process.close_input()
            deadline = monotonic() + EXIT_SECONDS
            for process in processes:
                process.stop(deadline)
            self._server.close()
            self._server = None
        self._reset()

    async def _play(self, feed: Feed) -> None:
        self._pool.feed = feed
        # The watch ticks within trio's run: its signal must not come while trio takes leave.
        watch = self._watch if any(self._makers) else nullcontext()
        opened = self._access.open_answerer() if self._access else nullcontext()
        with watch, Arrivals[BotDispatcher]() as self._arrivals:
            async with opened as answerer, trio.open_nursery() as self._nursery:
                if answerer is not None:
                    self._endpoints = EndpointDispatcher(
                        answerer, self._pool, self._nursery, self._arrivals.interrupt
                    )
                await self._go_on(feed)

    async def _go_on(self, feed: Feed) -> None:
        self._begin_matches(feed)
        while self._pool.running or not feed.over:
            if feed.stopped:
                self._nursery.cancel_scope.cancel()
                return
            for dispatcher in self._dispatchers.values():
                if not (dispatcher.under_way or dispatcher in self._served):
                    self._follow(dispatcher, dispatcher.start())
            found = self._arrivals.found()
            if not found:
                found = await self._arrivals.wait(feed.look_seconds)
            elif self._served or self._endpoints:
                await trio.lowlevel.checkpoint()  # only their tasks need time
            for dispatcher in found:
                self._follow(dispatcher, dispatcher.receive())
            self._begin_matches(feed)
        for dispatcher in self._dispatchers.values():
            dispatcher.send_finishes()

    def _begin_matches(self, feed: Feed) -> None:
        while (taken := feed.take(self._pool.running)) is not None:
            self._pool.begin(*taken)

    def _follow(self, dispatcher: BotDispatcher, needs_serve: bool) -> None:
        if needs_serve:
            if dispatcher.process is not None and dispatcher.process.running:
                self._arrivals.forget(dispatcher.process.events)
            self._served.add(dispatcher)
            self._nursery.start_soon(self._serve, dispatcher)
        elif dispatcher.under_way:
            self._arrivals.expect(dispatcher)

    async def _serve(self, dispatcher: BotDispatcher) -> None:
        await dispatcher.serve()
        self._served.remove(dispatcher)
        self._arrivals.interrupt()

    def _open_seat(self, entrant: int, job: Job, context: MatchContext) -> Seat:
        bot, make = self._bots[entrant], self._makers[entrant]
        if make is not None:
            if bot.person_ns:
                return person_seat(make, context, bot.person_ns)
            return InlineSeat(make, context, watch=self._watch)
        if bot.endpoint is not None:
            assert self._endpoints is not None
            return self._endpoints.open_seat(bot, entrant, job.key, context)
        turn = turn_of(job)
        dispatcher = self._dispatchers.get((entrant, turn))
        if dispatcher is None:
            dispatcher = self._dispatchers[entrant, turn] = self._open_dispatcher(bot, entrant)
        return dispatcher.open_seat(context)

    def _open_dispatcher(self, bot: BotSource, entrant: int) -> BotDispatcher:
        if self._server is None:
            self._server = ForkServer(self._settings, self._bots)
        return BotDispatcher(
            codec_for(bot),
            partial(self._open_process, self._server, bot),
            self._faults[entrant],
            self._pool,
            self._settings,
            eager=self._endpoints is not None,
        )

    def _open_process(self, server: ForkServer, bot: BotSource) -> BotProcess:
        """Makes a process; ends the one that was idle for longest, when there are too many."""
        running = self._running()
        if len(running) >= MAX_PROCESSES:
            idlest = min(running, key=running.__getitem__)
            if running[idlest] < math.inf:
                self._arrivals.forget(idlest.events)
                idlest.stop()
        return BotProcess(server, bot)

    def _running(self) -> dict[BotProcess, float]:
        dispatchers = self._dispatchers.values()
        return {
            each.process: each.idle_since
            for each in dispatchers
            if each.process is not None and each.process.running
        }
