"""The dispatcher of one bot for one turn of mirrored sets, and the count of its faults."""

from __future__ import annotations

import math
import select
from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic, perf_counter_ns
from typing import NamedTuple

from arena.core.bot import MatchContext
from arena.core.outcome import Outcome, Termination
from arena.host.bot.logs import MAX_LOG_BYTES, LogEnd
from arena.host.play.pool import MatchPool, RemoteSeat
from arena.host.play.translator import Translator
from arena.host.process.launch import MatchSettings
from arena.host.process.loss import ProcessLost
from arena.host.process.process import BotProcess
from arena.host.wire.answers import Answered
from arena.host.wire.codecs import PACKED, Codec
from arena.host.wire.messages import Finish
from arena.match.adjudication import Failure

PART = 0.7
"""Largest part of a bot's share of all matches in one batch: so two bots can compute at once."""
BATCH_NS = 50_000_000
"""Nanoseconds that a batch may take before the next one is made smaller, ..."""
BATCH_OF_LIMIT = 8
"""... and at most this part of the time for a decision: the whole batch has but that."""
UNNOTICED = 2_000
"""A batch that takes less than 1/UNNOTICED of a match's time is not counted against it."""
ALONE_FROM = 8
"""A match that may have used 1/ALONE_FROM of its time gets batches of its own."""
REPLAY_FACTOR = 2
"""Factor by which the history of a match may take longer when it is replayed."""
LOSSES_UNTIL_ALONE = 3
"""Lost batches after which a bot is asked one request at a time, where limits are exact."""
_UNFORESEEN = 0xFFFF
"""Greatest distance between two ids."""
_LATE_AGAIN = "over its time: a new process took more than twice as long for the match so far"


class FaultCount:
    """Counts the lost processes of one bot, over all its dispatchers in this host.

    Args:
        incidents: Losses after which the bot forfeits.

    Attributes:
        lost_batches: Processes lost with several requests open, with none, or at outcomes of
            matches.
        lost_matches: Matches that it lost with its process.
        forfeit: After too many losses, the end of every further match.
    """

    def __init__(self, incidents: int) -> None:
        self._incidents = incidents
        self.lost_batches = self.lost_matches = 0
        self.forfeit: Failure | None = None

    @property
    def asked_alone(self) -> bool:
        """True if the bot is asked one request at a time."""
        return self.lost_batches >= LOSSES_UNTIL_ALONE

    def lose_batch(self, lost: ProcessLost) -> None:
        """Counts a process that was lost without a match to blame."""
        self.lost_batches += 1
        self._forfeit_after(self.lost_batches - LOSSES_UNTIL_ALONE, lost)

    def lose_match(self, lost: ProcessLost) -> None:
        """Counts a process that was lost over one match."""
        self.lost_matches += 1
        self._forfeit_after(self.lost_matches, lost)

    def _forfeit_after(self, losses: int, lost: ProcessLost) -> None:
        if losses >= self._incidents and self.forfeit is None:
            reason = f"forfeited after {losses} lost processes; the last: {lost.reason}"
            self.forfeit = Failure(lost.cause, reason, lost.error)


class _Batch(NamedTuple):
    """Requests that were sent together.

    Attributes:
        seats: The seats that they are for.
        first: The id of the first request; those of the others follow it.
        outcomes: Whether outcomes of other matches were sent before them.
        busy_ns: ``MatchPool.busy_ns`` when they were sent.
    """

    seats: Sequence[RemoteSeat]
    first: int
    outcomes: bool
    busy_ns: int


class BotDispatcher:
    """Sends a bot's requests to its process in batches, and its answers to the matches.

    Each turn of a mirrored set has its own, so that no process sees two matches of one deal.

    Args:
        codec: The codec of the bot.
        open_process: Makes a process of the bot, to be started.
        faults: The bot's faults, in all its dispatchers.
        pool: The matches.
        settings: The settings of all matches.
        eager: Whether a single request is sent at once: the matches wait for endpoints, too.

    Attributes:
        process: The bot's latest process.
        idle_since: The time of the last request, by the monotonic clock; infinite during one.
    """

    def __init__(
        self,
        codec: Codec,
        open_process: Callable[[], BotProcess],
        faults: FaultCount,
        pool: MatchPool,
        settings: MatchSettings,
        *,
        eager: bool = False,
    ) -> None:
        self._eager = eager
        self._codec, self._open_process, self._faults = codec, open_process, faults
        self._pool, self._most = pool, settings.width
        self._translator = Translator(codec, settings)
        self._limits, self._resources = settings.limits, settings.resources
        self._match_ns = min(self._limits.match_ns, self._resources.match_cpu_ns)
        self._target_ns = min(BATCH_NS, self._limits.decision_ns // BATCH_OF_LIMIT)
        self.process: BotProcess | None = None
        self._sitting: list[RemoteSeat] = []
        self._waiting: list[RemoteSeat] = []
        self._alone: deque[RemoteSeat] = deque()
        self._replaced = False  # from the second process on seats may know another one
        # What a seat calls, bound once: it would be three more objects for every seat.
        self._of_seats = self._sitting.append, self._waiting.append, self._finish_seat
        self._share = 0.0
        self._finishes: list[Finish] = []
        self._width, self._ids = 1, 0
        self._batch: _Batch | None = None
        self.idle_since = 0.0

    def open_seat(self, context: MatchContext) -> RemoteSeat:
        """Makes a seat of this bot in a match that begins."""
        self._share += 1 / context.seats
        return RemoteSeat(context, self._codec is PACKED, *self._of_seats)

    @property
    def under_way(self) -> bool:
        """True if its process has been sent a batch by ``start``, and not answered it yet."""
        return self._batch is not None

    @property
    def late_from_ns(self) -> int:
        """The time by ``perf_counter_ns`` from which on its answers are late: for ``serve``."""
        assert self.process is not None
        return self.process.quick_until_ns

    @property
    def events(self) -> select.epoll:
        """Can be read when there is something to receive; the next process has another one."""
        assert self.process is not None
        return self.process.events

    def start(self) -> bool:
        """Sends the next batch, if none is under way and half of this bot's share, or a full batch,
        waits.

        Small batches cost more than waiting. Some dispatcher always has enough, as all shares
        together are the matches that wait.

        Returns:
            Whether it needs ``serve``: it waits for something.
        """
        if not self._alone:
            enough = 1 if self._eager else min(self._width, int(self._share / 2))
            if len(self._sitting) + len(self._waiting) < max(enough, 1):
                return False
        process = self.process
        if self._alone or process is None or not process.running or self._faults.forfeit:
            return True
        sitting, waiting = self._take()
        if self._replaced and any(seat.process is not process for seat in waiting):
            self._sitting[:0], self._waiting[:0] = sitting, waiting
            return True  # the process has to learn their matches first
        for seat in sitting:
            seat.process, seat.log = process, None
        seats = sitting + waiting
        self._batch = self._send(process, seats)
        return process.needs_finish

    def receive(self) -> bool:
        """Takes the answers to its batch if they have come; sends the next batch, then advances the
        matches.

        Returns:
            Whether it needs ``serve``: something is wrong, or it waits for something.
        """
        process, batch = self.process, self._batch
        assert process is not None
        assert batch is not None
        answered = process.receive()
        if answered is None:
            return process.needs_finish
        self._batch = None
        answered = self._received(process, batch, answered)
        self.idle_since = monotonic()
        needs_serve = self.start()
        self._deliver(batch.seats, answered)
        return needs_serve

    async def serve(self) -> None:
        """Does what takes longer than sending and receiving a batch of matches that go well."""
        self.idle_since = math.inf
        batch, self._batch = self._batch, None
        if batch is not None:
            await self._finish_batch(batch)
        else:
            for _ in range(len(self._alone)):
                await self._ask([self._alone.popleft()])
            sitting, waiting = self._take()
            if seats := sitting + waiting:
                await self._ask(seats)
        self.idle_since = monotonic()

    def _take(self) -> tuple[list[RemoteSeat], list[RemoteSeat]]:
        if self._faults.asked_alone:  # another dispatcher of this bot may have counted the loss
            self._width = 1
        most = min(self._width, max(1, math.ceil(self._share * PART)))
        sitting, waiting = self._sitting[:most], self._waiting[: max(0, most - len(self._sitting))]
        del self._sitting[: len(sitting)], self._waiting[: len(waiting)]
        return sitting, waiting

    def send_finishes(self) -> None:
        """Sends the outcomes of matches that are over, where nothing more is asked."""
        if self.process is not None and self._finishes:
            self.process.send(self._finishes)
        self._finishes.clear()

    async def _ask(self, seats: Sequence[RemoteSeat]) -> None:
        if self._faults.forfeit is not None:
            self._pool.advance(seats, [self._faults.forfeit] * len(seats), 0)
            return
        lost: ProcessLost | None = None
        try:
            process = await self._process_knowing(seats)
        except ProcessLost as error:
            lost = error
        # Not while it is handled: what a trusted rival raises then would carry it along.
        if lost is not None:
            await self._lose(_Batch(seats, 0, outcomes=False, busy_ns=0), lost)
        else:
            await self._finish_batch(self._send(process, seats))

    async def _finish_batch(self, batch: _Batch) -> None:
        process = self.process
        assert process is not None
        lost: ProcessLost | None = None
        try:
            answered = await process.finish()
        except ProcessLost as error:
            lost = error
        if lost is not None:  # as above
            await self._lose(batch, lost)
        else:
            self._deliver(batch.seats, self._received(process, batch, answered))

    async def _lose(self, batch: _Batch, lost: ProcessLost) -> None:
        """Blames a lost process on the only match of its batch, or asks each match by itself."""
        seats = batch.seats
        # Outcomes may be guilty, too: what a bot does once a match is over costs no match,
        # nor what it does while it is asked nothing.
        alone = len(seats) == 1 and not batch.outcomes and not lost.idle
        if alone and not _is_excused(seats[0], lost):
            self._blame(seats[0], lost)
            return
        self._faults.lose_batch(lost)
        self._width = 1
        for seat in seats:
            await self._ask([seat])

    def _send(self, process: BotProcess, seats: Sequence[RemoteSeat]) -> _Batch:
        finishes, self._finishes = self._finishes, []
        # Nobody can foresee the ids: so no answer can be there before it is asked for.
        first = self._ids + 1 + (perf_counter_ns() & _UNFORESEEN)
        end = first + len(seats)
        self._ids = end - 1
        self.idle_since = math.inf
        asked = [seat.request for seat in seats]
        requests = [*finishes, *self._translator.requests(first, seats, asked)]
        process.begin(requests, range(first, end), self._limits.decision_ns)
        return _Batch(seats, first, bool(finishes), self._pool.busy_ns)

    def _received(self, process: BotProcess, batch: _Batch, answered: Answered) -> Answered:
        """Takes the logs that came with answers; returns these with the bot's own time.

        An answer may have waited while the host advanced other matches, with trusted bots and
        persons. Of that time only the bot's CPU time counts.
        """
        for id, log in process.take_logs().items():
            _add_log(batch.seats[id - batch.first], log)
        busy_ns = self._pool.busy_ns - batch.busy_ns
        own_ns = min(answered.wall_ns, max(answered.cpu_ns, answered.wall_ns - busy_ns))
        self._adapt(len(batch.seats), own_ns, process.ready.batch)
        return Answered(answered.answers, own_ns, answered.cpu_ns)

    def _deliver(self, seats: Sequence[RemoteSeat], answered: Answered) -> None:
        self._bound(seats, answered)
        # Of one request alone the time is exact, of a batch an equal share.
        size = len(seats)
        decisions = self._translator.decisions(seats, answered.answers, answered.cpu_ns // size)
        self._pool.advance(seats, decisions, answered.wall_ns // size)

    async def _process_knowing(self, seats: Sequence[RemoteSeat]) -> BotProcess:
        process = self.process
        if process is None or not process.running:
            self._replaced = process is not None
            process = self.process = self._open_process()
            await process.start()
            self._finishes.clear()
        for seat in seats:
            if seat.process is not process:
                seat.process, seat.log = process, None  # it prints it all again
                past, took_ns = self._pool.past_requests(seat)
                limit_ns = REPLAY_FACTOR * (self._limits.decision_ns + took_ns)
                await self._replay_history(process, seat, past, limit_ns)
        return process

    async def _replay_history(
        self, process: BotProcess, seat: RemoteSeat, past: Sequence[object], limit_ns: int
    ) -> None:
        """Sends a new process the past requests of a match, whose answers do not count.

        It may take twice its first time, and two decisions more.
        """
        batch = process.ready.batch
        for begin in range(0, len(past), batch):
            part = past[begin : begin + batch]
            first = self._ids + 1
            self._ids += len(part)
            ids = range(first, first + len(part))
            requests = self._translator.requests(first, [seat] * len(part), part)
            process.begin(requests, ids, limit_ns, len(part), _LATE_AGAIN)
            answered = await process.finish()
            for log in process.take_logs().values():
                _add_log(seat, log)
            limit_ns = max(0, limit_ns - answered.wall_ns)

    def _finish_seat(self, seat: RemoteSeat, outcome: Outcome) -> None:
        self._share -= 1 / seat.context.seats
        if seat.process is not None and seat.process is self.process:
            self._finishes.append(Finish(seat.number, self._codec.outcome(outcome)))

    def _bound(self, seats: Sequence[RemoteSeat], answered: Answered) -> None:
        """Adds a slow batch to the most that each of its matches may have used.

        Equal shares are a guess. A match whose bound reaches an eighth of its time gets batches of
        its own, where its time is exact.
        """
        most_ns = max(answered.wall_ns, answered.cpu_ns)
        if len(seats) > 1 and most_ns * UNNOTICED > self._match_ns:
            for seat in seats:
                seat.bound_ns += most_ns
                if ALONE_FROM * seat.bound_ns > self._match_ns:
                    seat.wait = self._alone.append

    def _blame(self, seat: RemoteSeat, lost: ProcessLost) -> None:
        self._faults.lose_match(lost)
        if self.process is not None:
            for log in self.process.take_logs().values():
                _add_log(seat, log)
            if seat.log is None and (printed := self.process.log()):  # before it was ready
                seat.log = LogEnd(MAX_LOG_BYTES)
                seat.log.add(printed.encode())
        failure = Failure(lost.cause, lost.reason, lost.error)
        took_ns = self._limits.decision_ns if lost.cause is Termination.TIMEOUT else 0
        self._pool.advance([seat], [failure], took_ns)

    def _adapt(self, size: int, wall_ns: int, batch: int) -> None:
        """Adapts the width until a batch takes neither long nor hardly any time."""
        if self._faults.asked_alone:
            self._width = 1
        elif wall_ns > self._target_ns:
            self._width = max(1, size * self._target_ns // wall_ns)
        elif size == self._width and 2 * wall_ns < self._target_ns:
            self._width = min(2 * size, self._most, batch)


def _add_log(seat: RemoteSeat, log: LogEnd) -> None:
    if seat.log is None:
        seat.log = log
    else:
        seat.log.extend(log)


def _is_excused(seat: RemoteSeat, lost: ProcessLost) -> bool:
    """Excuses a process that a third party killed, once per match."""
    if not lost.killed or seat.excused:
        return False
    seat.excused = True
    return True
