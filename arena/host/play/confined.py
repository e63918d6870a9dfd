"""The host of untrusted bots, which run in processes of their own; trusted ones are called here.

A bot has one long-lived process for each turn of a mirrored set, so no process sees two matches of
one deal, or two seats of one table.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from time import monotonic, perf_counter
from typing import Any

import trio

from arena.core.bot import Bot, MatchContext
from arena.core.record import PlayedMatch
from arena.core.tournaments.format import Job
from arena.host.bot.inline import InlineSeat, person_seat
from arena.host.bot.watch import Watch
from arena.host.play.arrivals import Arrivals
from arena.host.play.dispatcher import BotDispatcher, FaultCount
from arena.host.play.pool import MatchPool, Seat, turn_of
from arena.host.process.forkserver import ForkServer
from arena.host.process.launch import MatchSettings
from arena.host.process.loss import EXIT_SECONDS
from arena.host.process.process import BotProcess
from arena.host.process.trio_run import run_trio
from arena.host.wire.codecs import codec_for
from arena.plugins.entries import BotSource
from arena.plugins.loading import LoadBot

FIRST_WINDOW = 8
"""Matches in progress at first, until it is known how fast they go."""
MAX_WIDTHS = 3
"""Most matches in progress, in widths of a batch: one under way for each of two bots, and one being
evaluated. More of them wait for memory."""
DRAIN_SECONDS = 0.5
"""About how long it may take to finish what is in progress once the time is up."""
MAX_PROCESSES = 48
"""Most processes of bots at a time; a new one replaces the one that was idle for longest."""


class ConfinedHost(AbstractContextManager["ConfinedHost"]):
    """Plays matches of one field; its bots' processes run until it is closed.

    The arguments are those of ``open_host``, and the watchdog of trusted bots.
    """

    def __init__(
        self, settings: MatchSettings, bots: Sequence[BotSource], watch: Watch, load: LoadBot
    ) -> None:
        self._settings, self._bots, self._watch = settings, bots, watch
        self._makers: list[Callable[[], Bot[Any]] | None] = [
            load(bot) if bot.trusted else None for bot in bots
        ]
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
        # Matches in progress are many objects, all in use: looking for garbage among them costs a
        # tenth of the time. Bots that are called here may make some, so then it is looked for.
        collects = gc.isenabled()
        if not any(self._makers):
            gc.disable()
        try:
            return run_trio(self._play, jobs, seconds)
        except BaseException:
            self.close()
            raise
        finally:
            if collects:
                gc.enable()

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

    async def _play(self, jobs: Sequence[Job], seconds: float) -> list[PlayedMatch]:
        self._ends = perf_counter() + seconds
        self._began, self._begun, self._waiting = perf_counter(), 0, jobs
        self._order = self._order_of(jobs)
        self._pool.played.clear()
        # The watch ticks within trio's run: its signal must not come while trio takes leave.
        watch = self._watch if any(self._makers) else nullcontext()
        with watch, Arrivals[BotDispatcher]() as self._arrivals:
            async with trio.open_nursery() as self._nursery:
                await self._go_on()
        played = self._pool.played
        return [played[index] for index in sorted(played)]

    async def _go_on(self) -> None:
        self._begin_matches()
        while self._pool.running:
            for dispatcher in self._dispatchers.values():
                if not (dispatcher.under_way or dispatcher in self._served):
                    self._follow(dispatcher, dispatcher.start())
            found = self._arrivals.found()
            if not found:
                found = await self._arrivals.wait()
            elif self._served:
                await trio.lowlevel.checkpoint()  # only its task needs time
            for dispatcher in found:
                self._follow(dispatcher, dispatcher.receive())
            self._begin_matches()
        for dispatcher in self._dispatchers.values():
            dispatcher.send_finishes()

    def _begin_matches(self) -> None:
        pool = self._pool
        done = len(pool.played)
        if done:
            rate = done / (perf_counter() - self._began)
            most = MAX_WIDTHS * self._settings.width
            self._window = max(FIRST_WINDOW, min(most, int(rate * DRAIN_SECONDS)))
        while pool.running < self._window and self._begun < len(self._waiting):
            if self._begun and perf_counter() > self._ends:
                break
            index = self._order[self._begun]
            self._begun += 1
            pool.begin(self._waiting[index], index)

    def _order_of(self, jobs: Sequence[Job]) -> Sequence[int]:
        """Returns the places of jobs in playing order: turn by turn.

        So half of the processes, or a third at tables of three, share all matches in progress, in
        larger batches. A person plays them as scheduled.
        """
        places = range(len(jobs))
        if any(bot.person_ns for bot in self._bots):
            return places
        return sorted(places, key=lambda place: turn_of(jobs[place]))

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

    def _open_seat(self, entrant: int, turn: int, context: MatchContext) -> Seat:
        make = self._makers[entrant]
        if make is not None:
            if patience := self._bots[entrant].person_ns:
                return person_seat(make, context, patience)
            return InlineSeat(make, context, watch=self._watch)
        dispatcher = self._dispatchers.get((entrant, turn))
        if dispatcher is None:
            dispatcher = self._dispatchers[entrant, turn] = self._open_dispatcher(entrant)
        return dispatcher.open_seat(context)

    def _open_dispatcher(self, entrant: int) -> BotDispatcher:
        bot = self._bots[entrant]
        if self._server is None:
            self._server = ForkServer(self._settings, self._bots)
        open_process = partial(self._open_process, self._server, bot)
        return BotDispatcher(
            codec_for(bot), open_process, self._faults[entrant], self._pool, self._settings
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
