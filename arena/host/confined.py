"""A table process's matches: trusted bots called here, all others in lanes of their own.

A bot has one long-lived process for each leg of a deal (a lane), so that no process ever sees two
matches of one deal, or two seats of one table.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from time import monotonic, perf_counter
from typing import Any, Self

import trio

from arena.core.bot import Bot, MatchContext
from arena.core.record import PlayedMatch
from arena.core.tournament import Job
from arena.host.attendant import BotDispatcher, FaultCount
from arena.host.forkserver import ForkServer
from arena.host.inline import InlineSeat
from arena.host.launch import MatchSettings, ProcessSpec
from arena.host.loss import LAST_WORDS_SECONDS
from arena.host.pool import MatchPool
from arena.host.process import BotProcess
from arena.host.queue import Queue
from arena.host.trio_helpers import run_alone
from arena.host.watch import Watch
from arena.plugins.entries import BotSource
from arena.plugins.loading import LoadBot, load_bot

LEAST = 8
"""Matches in progress at first, until it is known how fast they go."""
MOST_WIDTHS = 4
"""Matches in progress at most, in widths of a batch: for two bots with two lanes each."""
DRAIN_SECONDS = 0.2
"""About how long it may take to finish what is in progress once the time is up."""
MOST_LANES = 48
"""Processes of bots at a time; the one that was idle for longest makes room for the next."""


class ConfinedHost:
    """Plays matches of one field; keeps its bots' processes until it is closed.

    Use it as a context.

    Args:
        settings: What the matches have in common.
        bots: The field.
        watch: Interrupts trusted bots.
        load: Loads trusted bots.
    """

    def __init__(
        self,
        settings: MatchSettings,
        bots: Sequence[BotSource],
        watch: Watch,
        load: LoadBot = load_bot,
    ) -> None:
        self._terms, self._bots, self._watch = settings, bots, watch
        self._makers: list[Callable[[], Bot[Any]] | None] = [
            load(bot) if bot.trusted else None for bot in bots
        ]
        self._records = [FaultCount() for _ in bots]
        self._window = LEAST
        self._server: ForkServer | None = None
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Nothing is in progress, and no bot has a process."""
        keys = [bot.participant.key for bot in self._bots]
        loadouts = [self._terms.loadout(bot) for bot in self._bots]
        self._steps = MatchPool(self._terms, keys, loadouts, self._seat)
        self._attendants: list[BotDispatcher] = []
        self._queues: dict[tuple[int, int], Queue] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def play(self, jobs: Sequence[Job], seconds: float) -> list[PlayedMatch]:
        """Plays matches until the time is up.

        Args:
            jobs: What to play.
            seconds: No match begins later than this, except the first.

        Returns:
            The matches that were played, at least one, in the order of the jobs.

        Raises:
            HarnessFault: The harness failed; none of these matches counts.
        """
        # Matches in progress are many objects, all in use: looking for garbage among them costs a
        # tenth of the time. Bots that are called here may make some, so then it is looked for.
        collects = gc.isenabled()
        if not any(self._makers):
            gc.disable()
        try:
            return run_alone(self._play, jobs, seconds)
        except BaseException:
            self.close()
            raise
        finally:
            if collects:
                gc.enable()

    def close(self) -> None:
        """Ends all processes of bots; further matches would start them anew."""
        if self._server is not None:
            for attendant in self._attendants:
                attendant.lane.hang_up()
            deadline = monotonic() + LAST_WORDS_SECONDS
            for attendant in self._attendants:
                attendant.lane.stop(deadline)
            self._server.close()
            self._server = None
        self._begin_anew()

    async def _play(self, jobs: Sequence[Job], seconds: float) -> list[PlayedMatch]:
        self._ends = perf_counter() + seconds
        self._began, self._begun, self._waiting = perf_counter(), 0, jobs
        self._steps.played.clear()
        # The watch ticks within trio's run: its signal must not come while trio takes leave.
        with self._watch if any(self._makers) else nullcontext():
            async with trio.open_nursery() as self._nursery:
                for attendant in self._attendants:
                    self._nursery.start_soon(self._serve, attendant)
                self._go_on()
        played = self._steps.played
        return [played[index] for index in sorted(played)]

    def _go_on(self) -> None:
        """Begins as many matches as there is room for; when all are over, ends the run."""
        steps = self._steps
        done = len(steps.played)
        if done:
            rate = done / (perf_counter() - self._began)
            most = MOST_WIDTHS * self._terms.width
            self._window = max(LEAST, min(most, int(rate * DRAIN_SECONDS)))
        while steps.running < self._window and self._begun < len(self._waiting):
            if self._begun and perf_counter() > self._ends:
                break
            index = self._begun
            self._begun += 1
            steps.begin(self._waiting[index], index)
        for attendant in self._attendants:
            attendant.call()
        if not steps.running:
            self._say_farewell()
            self._nursery.cancel_scope.cancel()

    async def _serve(self, attendant: BotDispatcher) -> None:
        """Serves one queue for as long as the run lasts."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(attendant.lane.attend)
            while True:
                await attendant.serve_next()
                self._go_on()

    def _seat(self, entrant: int, leg: int, context: MatchContext) -> InlineSeat | Queue:
        make = self._makers[entrant]
        if make is not None:
            return InlineSeat(make, context, watch=self._watch)
        queue = self._queues.get((entrant, leg))
        if queue is None:
            queue = self._queues[entrant, leg] = self._open(entrant)
        return queue

    def _open(self, entrant: int) -> Queue:
        """A new lane, its queue, and who serves it."""
        settings = self._terms
        if self._server is None:
            self._server = ForkServer(settings, self._bots)
        launch = ProcessSpec.of(self._bots[entrant], settings)
        lane = BotProcess(self._server, launch, settings.resources)
        queue = Queue(lane.codec, settings.game, lane.log)
        record = self._records[entrant]
        attendant = BotDispatcher(queue, lane, record, self._steps, settings, self._make_room)
        self._attendants.append(attendant)
        self._nursery.start_soon(self._serve, attendant)
        return queue

    def _make_room(self) -> None:
        """Ends the process that was idle for longest, when there are too many."""
        running = [each for each in self._attendants if each.lane.running]
        idle = [each for each in running if not each.busy]
        if len(running) >= MOST_LANES and idle:
            min(idle, key=lambda each: each.used_at).lane.stop()

    def _say_farewell(self) -> None:
        for attendant in self._attendants:
            attendant.say_farewell()
