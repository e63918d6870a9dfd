"""Who serves one queue: takes what waits in it to its lane, and finds who is guilty of a loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic, perf_counter_ns

import trio

from arena.core.outcome import Termination
from arena.host.launch import MatchSettings
from arena.host.loss import ProcessLost
from arena.host.messages import Answered, Request
from arena.host.pool import MatchPool, RemoteSeat
from arena.host.process import BotProcess
from arena.host.queue import Queue
from arena.match.adjudication import Failure

BATCH_NS = 50_000_000
"""Nanoseconds that a batch may take before the next one is made smaller, ..."""
BATCH_OF_LIMIT = 8
"""... and at most this part of the time for a decision: the whole batch has but that."""
_UNFORESEEN = 0xFFFF
"""How far ids may jump."""
UNNOTICED = 2_000
"""Batches that take less than one in so many parts of a bank for a match do not matter to it."""
ALONE_FROM = 8
"""A match of which one in so many parts of its bank may be gone is asked alone."""
AGAIN = 2
"""How much longer a match may take when it is told again."""
LOSSES_UNTIL_ALONE = 3
"""Lost batches after which a bot is asked one request at a time, where limits are exact."""


class FaultCount:
    """What a bot has come to, over all its lanes at this table process.

    Attributes:
        lost_batches: Processes that were lost while they answered several requests at once,
            were told of matches that were over, or were asked nothing.
        guilty: Matches that it lost by losing its process.
        forfeit: Once it has lost too many: what becomes of every match that is left.
    """

    def __init__(self) -> None:
        self.lost_batches = self.guilty = 0
        self.forfeit: Failure | None = None


class BotDispatcher:
    """Serves one queue.

    Args:
        queue: What its bot is to be asked.
        lane: The bot's process.
        record: What the bot has come to.
        steps: The matches; told of every answer, and of every failure.
        settings: What all matches have in common.
        make_room: Called before a process is started.

    Attributes:
        busy: Whether its lane is being asked.
        used_at: When it was asked last, by the monotonic clock.
    """

    def __init__(
        self,
        queue: Queue,
        lane: BotProcess,
        record: FaultCount,
        steps: MatchPool,
        settings: MatchSettings,
        make_room: Callable[[], None],
    ) -> None:
        self.queue, self.lane = queue, lane
        self._record, self._steps, self._make_room = record, steps, make_room
        self._limits, self._incidents = settings.limits, settings.resources.incidents
        self._most = settings.width
        self._target_ns = min(BATCH_NS, self._limits.decision_ns // BATCH_OF_LIMIT)
        self._width = 1
        self._ids = 0
        self._called = trio.Event()
        self._has_bounds = False
        self._told = False  # whether farewells went with what was asked last
        self.busy = False
        self.used_at = 0.0

    def call(self) -> None:
        """Looks whether enough waits in the queue; to be called when matches have gone on.

        Enough is half of the queue's share of its matches, or a full batch: small batches cost
        more than waiting does, and with halves there is always one under way while another one is
        judged. Some queue always has enough, as all shares together are the matches that wait.
        """
        enough = min(self._width, int(self.queue.share / 2))
        if len(self.queue.waiting) >= max(enough, 1):
            self._called.set()

    async def serve_next(self) -> None:
        """Waits until there is enough to ask, asks it, and lets the matches go on."""
        waiting = self.queue.waiting
        await self._called.wait()
        self._called = trio.Event()
        self.busy = True
        self.used_at = monotonic()
        if len(waiting) <= self._width:
            seats = list(waiting)
            waiting.clear()
        else:
            seats = [waiting.popleft() for _ in range(self._width)]
        if self._has_bounds:
            match_ns = self._limits.match_ns
            alone = [seat for seat in seats if ALONE_FROM * seat.bound_ns > match_ns]
            seats = [seat for seat in seats if ALONE_FROM * seat.bound_ns <= match_ns]
            for seat in alone:
                await self._ask([seat])
        if seats:
            await self._ask(seats)
        self.busy = False

    def say_farewell(self) -> None:
        """Tells the bot of matches that are over, where it is not asked anything any more."""
        if self.queue.farewells:
            self.lane.tell(self.queue.farewells)
            self.queue.farewells.clear()

    async def _ask(self, seats: Sequence[RemoteSeat]) -> None:
        record, size = self._record, len(seats)
        if record.forfeit is not None:
            for seat in seats:
                self._steps.fail(seat, record.forfeit)
            return
        self._told = False
        try:
            answered = await self._exchange(seats)
        except ProcessLost as lost:
            # Farewells may be guilty, too: what a bot does once a match is over costs no match,
            # nor what it does while it is asked nothing.
            blames = size == 1 and not self._told and not lost.idle
            if blames and not self._is_excused(seats[0], lost):
                self._blame(seats[0], lost)
                return
            record.lost_batches += 1
            self._forfeit_after(record.lost_batches - LOSSES_UNTIL_ALONE, lost)
            self._width = 1
            for seat in seats:
                await self._ask([seat])
            return
        self._adapt(size, answered.wall_ns)
        self._bound(seats, answered)
        # Of one request alone the time is exact, of a batch an equal share.
        wall_ns, cpu_ns = answered.wall_ns // size, answered.cpu_ns // size
        self._steps.answer(self.queue, seats, answered.answers, wall_ns, cpu_ns)

    async def _exchange(self, seats: Sequence[RemoteSeat]) -> Answered:
        """Asks a batch, of a process that knows the matches."""
        lane, queue = self.lane, self.queue
        if not lane.running:
            self._make_room()
            await lane.start()
            queue.epoch = lane.epoch
            queue.farewells.clear()
        epoch = lane.epoch
        for seat in seats:
            if seat.epoch != epoch:
                seat.epoch = epoch
                asked, took_ns = self._steps.past_requests(seat)
                if asked:
                    again = queue.again(self._ids + 1, seat, asked)
                    await self._replay_history(again, AGAIN * (self._limits.decision_ns + took_ns))
        # Nobody can foresee the ids: so no answer can be there before it is asked for.
        first = self._ids + 1 + (perf_counter_ns() & _UNFORESEEN)
        self._ids = first + len(seats) - 1
        requests = [*queue.farewells, *queue.requests(first, seats)]
        self._told = bool(queue.farewells)
        queue.farewells.clear()
        ids = range(first, first + len(seats))
        return await lane.ask(requests, list(ids), self._limits.decision_ns)

    async def _replay_history(self, requests: Sequence[Request], limit_ns: int) -> None:
        """Tells a new process of a match what the last one knew; the answers do not count.

        It may take twice what they took at first, and two decisions more, in all its parts
        together.
        """
        batch, left_ns = self.lane.batch, limit_ns
        for begin in range(0, len(requests), batch):
            part = requests[begin : begin + batch]
            first = self._ids + 1
            self._ids += len(part)
            ids = range(first, first + len(part))
            answered = await self.lane.ask(part, list(ids), left_ns, len(part))
            left_ns = max(0, left_ns - answered.wall_ns)

    def _bound(self, seats: Sequence[RemoteSeat], answered: Answered) -> None:
        """Notes what each of a batch may have used at most, if that could matter to its bank.

        An equal share is a guess. Once an eighth of a bank may be gone, the match is asked alone,
        where its time is exact: so that no slow match hides among quick ones.
        """
        most_ns = max(answered.wall_ns, answered.cpu_ns)
        if len(seats) > 1 and most_ns * UNNOTICED > self._limits.match_ns:
            for seat in seats:
                seat.bound_ns += most_ns
            self._has_bounds = True

    def _is_excused(self, seat: RemoteSeat, lost: ProcessLost) -> bool:
        """Once a match nobody is guilty whose process somebody else has killed."""
        if not lost.killed or seat.excused:
            return False
        seat.excused = True
        return True

    def _blame(self, seat: RemoteSeat, lost: ProcessLost) -> None:
        """A process was lost over one request alone: that match is lost with it."""
        self._record.guilty += 1
        self._forfeit_after(self._record.guilty, lost)
        failure = Failure(lost.cause, lost.reason, lost.error)
        took = self._limits.decision_ns if lost.cause is Termination.TIMEOUT else 0
        self._steps.fail(seat, failure, took)

    def _forfeit_after(self, losses: int, lost: ProcessLost) -> None:
        """Forfeits what is left, if that was one loss too many."""
        if losses >= self._incidents and self._record.forfeit is None:
            reason = f"forfeited after {losses} lost processes; the last: {lost.reason}"
            self._record.forfeit = Failure(lost.cause, reason, lost.error)

    def _adapt(self, size: int, wall_ns: int) -> None:
        """Finds the width at which a batch takes neither long nor hardly any time."""
        if self._record.lost_batches >= LOSSES_UNTIL_ALONE:
            self._width = 1
        elif wall_ns > self._target_ns:
            self._width = max(1, size * self._target_ns // wall_ns)
        elif size == self._width and 2 * wall_ns < self._target_ns:
            self._width = min(2 * size, self._most, self.lane.batch)
