"""The dispatcher of one bot for one turn of mirrored groups, and the count of its faults."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic, perf_counter_ns

import trio

from arena.core.actions import Action
from arena.core.bot import MatchContext
from arena.core.errors import ParseError
from arena.core.observation import Observation
from arena.core.outcome import Outcome, Termination
from arena.host.codecs import PACKED, BadAnswer, Codec
from arena.host.launch import MatchSettings
from arena.host.logs import MOST, LogEnd
from arena.host.loss import ProcessLost, plain
from arena.host.messages import Answer, Failed, Finish, Request, Start
from arena.host.pool import MatchPool, RemoteSeat
from arena.host.process import Answered, BotProcess
from arena.match.adjudication import Failure
from arena.match.limits import A_DECISION, A_MATCH, over_time
from arena.match.requests import Packed, Seating, SeatRequest

BATCH_NS = 50_000_000
"""Nanoseconds that a batch may take before the next one is made smaller, ..."""
BATCH_OF_LIMIT = 8
"""... and at most this part of the time for a decision: the whole batch has but that."""
UNNOTICED = 2_000
"""Batches that take less than one in so many parts of a match's time do not matter to it."""
ALONE_FROM = 8
"""A match of which one in so many parts of its time may be gone is asked alone."""
REPLAY_FACTOR = 2
"""Factor by which the history of a match may take longer when it is replayed."""
LOSSES_UNTIL_ALONE = 3
"""Lost batches after which a bot is asked one request at a time, where limits are exact."""
VOCABULARY = 100_000
"""Actions that are remembered by their id or text, before the memory is begun anew."""
_UNFORESEEN = 0xFFFF
"""Greatest distance between two ids."""
_LATE_AGAIN = "over its time: a new process took more than twice as long for the match so far"
_CAUSES = {
    "crash": Termination.CRASH,
    "illegal": Termination.ILLEGAL_ACTION,
    "timeout": Termination.TIMEOUT,
    "memory": Termination.MEMORY,
}
"""Reasons that a bot may give for not answering."""


class FaultCount:
    """Counts the lost processes of one bot, over all its dispatchers in this host.

    Args:
        incidents: Losses after which the bot forfeits.

    Attributes:
        lost_batches: Processes that were lost while they answered several requests at once,
            were sent the outcome of matches, or were asked nothing.
        lost_matches: Matches that it lost by losing its process.
        forfeit: Once it has lost too many: the end of every match that is left.
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


class BotDispatcher:
    """Sends the requests of one bot to its process in batches, and its answers to the matches.

    There is one for each turn of a mirrored group, so that no process sees two matches of one deal.

    Args:
        codec: The codec of the bot.
        open_process: Makes a process of the bot, to be started.
        faults: The bot's faults, in all its dispatchers.
        pool: The matches.
        settings: The settings of all matches.

    Attributes:
        process: The bot's process, the last one that was started.
        idle_since: When it was asked last, by the monotonic clock; infinite while it is asked.
    """

    def __init__(
        self,
        codec: Codec,
        open_process: Callable[[], BotProcess],
        faults: FaultCount,
        pool: MatchPool,
        settings: MatchSettings,
    ) -> None:
        self._codec, self._open_process, self._faults = codec, open_process, faults
        self._pool, self._game, self._most = pool, settings.game, settings.width
        self._limits, self._resources = settings.limits, settings.resources
        self._match_ns = min(self._limits.match_ns, self._resources.match_cpu_ns)
        self._target_ns = min(BATCH_NS, self._limits.decision_ns // BATCH_OF_LIMIT)
        self.process: BotProcess | None = None
        self._waiting: deque[RemoteSeat] = deque()
        self._alone: deque[RemoteSeat] = deque()
        self._share = 0.0
        self._finishes: list[Finish] = []
        self._actions: dict[object, Action] = {}
        self._width, self._ids = 1, 0
        self._enough = trio.Event()
        self.idle_since = 0.0

    def open_seat(self, context: MatchContext) -> RemoteSeat:
        """Makes a seat of this bot in a match that begins."""
        self._share += 1 / context.seats
        return RemoteSeat(context, self._codec is PACKED, self._waiting.append, self._finish_seat)

    def call(self) -> None:
        """Checks whether enough requests wait; to be called when matches have gone on.

        Enough is half of this bot's share of its matches, or a full batch: small batches cost
        more than waiting does, and with halves there is always one under way while another one is
        judged. Some dispatcher always has enough, as all shares together are the matches that wait.
        """
        enough = min(self._width, int(self._share / 2))
        if self._alone or len(self._waiting) >= max(enough, 1):
            self._enough.set()

    async def serve_next(self) -> None:
        """Waits until there is enough to ask, asks it, and lets the matches go on."""
        await self._enough.wait()
        self._enough = trio.Event()
        self.idle_since = math.inf
        for _ in range(len(self._alone)):
            await self._ask([self._alone.popleft()])
        if self._faults.asked_alone:  # another dispatcher of this bot may have counted the loss
            self._width = 1
        waiting = self._waiting
        if len(waiting) <= self._width:
            seats = list(waiting)
            waiting.clear()
        else:
            seats = [waiting.popleft() for _ in range(self._width)]
        if seats:
            await self._ask(_sitting_first(seats))
        self.idle_since = monotonic()

    def send_finishes(self) -> None:
        """Sends the outcomes of matches that are over, where nothing more is asked."""
        if self.process is not None and self._finishes:
            self.process.send(self._finishes)
        self._finishes.clear()

    async def _ask(self, seats: Sequence[RemoteSeat]) -> None:
        faults, size = self._faults, len(seats)
        if faults.forfeit is not None:
            self._pool.advance(seats, [faults.forfeit] * size, 0)
            return
        finishes: list[Finish] = []
        try:
            process = await self._process_knowing(seats)
            finishes, self._finishes = self._finishes, []
            # Nobody can foresee the ids: so no answer can be there before it is asked for.
            first = self._ids + 1 + (perf_counter_ns() & _UNFORESEEN)
            self._ids = first + size - 1
            asked = [seat.request for seat in seats]
            requests = [*finishes, *self._requests(first, seats, asked)]
            ids = range(first, first + size)
            answered = await process.ask(requests, ids, self._limits.decision_ns)
            for id, log in process.take_logs().items():
                _add_log(seats[id - first], log)
        except ProcessLost as lost:
            # Outcomes may be guilty, too: what a bot does once a match is over costs no match,
            # nor what it does while it is asked nothing.
            if size == 1 and not finishes and not lost.idle and not _is_excused(seats[0], lost):
                self._blame(seats[0], lost)
                return
            faults.lose_batch(lost)
            self._width = 1
            for seat in seats:
                await self._ask([seat])
            return
        self._adapt(size, answered.wall_ns, process.ready.batch)
        self._bound(seats, answered)
        # Of one request alone the time is exact, of a batch an equal share.
        decisions = self._decisions(seats, answered.answers, answered.cpu_ns // size)
        self._pool.advance(seats, decisions, answered.wall_ns // size)

    async def _process_knowing(self, seats: Sequence[RemoteSeat]) -> BotProcess:
        """Returns a running process that knows the matches of these seats."""
        process = self.process
        if process is None or not process.running:
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
        self, process: BotProcess, seat: RemoteSeat, past: Sequence[SeatRequest], limit_ns: int
    ) -> None:
        """Sends a new process what the last one was asked in a match; the answers do not count.

        It may take twice what they took at first, and two decisions more, in all its parts
        together.
        """
        batch = process.ready.batch
        for begin in range(0, len(past), batch):
            part = past[begin : begin + batch]
            first = self._ids + 1
            self._ids += len(part)
            ids = range(first, first + len(part))
            requests = self._requests(first, [seat] * len(part), part)
            answered = await process.ask(requests, ids, limit_ns, len(part), _LATE_AGAIN)
            for log in process.take_logs().values():
                _add_log(seat, log)
            limit_ns = max(0, limit_ns - answered.wall_ns)

    def _requests(
        self, first_id: int, seats: Sequence[RemoteSeat], asked: Sequence[SeatRequest]
    ) -> list[Request]:
        """Writes what these seats are asked as messages; part of the hot path.

        Args:
            first_id: The id of the first message that wants an answer; the others follow it.
            seats: The seats, those first that sit down.
            asked: What each is asked.
        """
        requests: list[Request] = []
        for seat, request in zip(seats, asked, strict=True):
            if type(request) is not Seating:
                break
            requests.append(self._start(first_id + len(requests), seat, request))
        begin = len(requests)
        if begin < len(seats):
            numbers = [seat.number for seat in seats[begin:]]
            observations = [
                request.payload if type(request) is Packed else self._written(request)
                for request in asked[begin:]
            ]
            requests += self._codec.decides(first_id + begin, numbers, observations)
        return requests

    def _start(self, id: int, seat: RemoteSeat, request: Seating) -> Start:
        offer = None if request.offer is None else self._codec.offer(self._game, request.offer)
        own = seat.context
        return Start(id, seat.number, own.ruleset, own.seat, own.seats, own.seed, offer)

    def _written(self, request: SeatRequest) -> object:
        assert isinstance(request, Observation)
        return self._codec.observation(self._game, request)

    def _decisions(
        self, seats: Sequence[RemoteSeat], answers: Sequence[Answer | int], cpu_ns: int
    ) -> list[object]:
        """Reads answers as what they mean to their matches; part of the hot path.

        Args:
            seats: The seats that were asked.
            answers: Their answers, in the same order.
            cpu_ns: The share of each in the CPU time that the batch took.
        """
        known = self._actions.get
        most_ns = self._resources.match_cpu_ns
        if cpu_ns > self._resources.decision_cpu_ns:
            most_ns = -1
        decisions: list[object] = []
        for seat, answer in zip(seats, answers, strict=True):
            seat.cpu_ns = used = seat.cpu_ns + cpu_ns
            decision: object = known(answer if type(answer) is int else answer.action)  # type: ignore[union-attr]
            if used > most_ns:
                decision = self._over_cpu(cpu_ns)
            elif decision is None:
                decision = self._decision(seat, answer)
            decisions.append(decision)
        return decisions

    def _over_cpu(self, cpu_ns: int) -> Failure:
        """Returns the loss of a seat whose last decision took that much CPU time."""
        limits = self._resources
        if cpu_ns > limits.decision_cpu_ns:
            reason = over_time(limits.decision_cpu_ns, A_DECISION, "CPU time")
        else:
            reason = over_time(limits.match_cpu_ns, A_MATCH, "CPU time")
        return Failure(Termination.TIMEOUT, reason)

    def _decision(self, seat: RemoteSeat, given: Answer | int) -> object:
        """Reads an answer as an action, a loadout, a failure, or nonsense."""
        answer = Answer(0, given) if isinstance(given, int) else given
        sitting = type(seat.request) is Seating
        if answer.failed is not None:
            log = "" if seat.log is None else seat.log.text()
            return _failure(answer.failed, log, sitting=sitting)
        try:
            if sitting:
                text = answer.loadout
                return None if text is None else self._game.notation.parse_loadout(text)
            if len(self._actions) >= VOCABULARY:
                self._actions.clear()
            action = self._actions[answer.action] = self._codec.action(self._game, answer)
            return action
        except ParseError as error:
            return Failure(Termination.ILLEGAL_ACTION, plain(str(error)))
        except BadAnswer as error:
            return Failure(Termination.PROTOCOL, error.reason)

    def _finish_seat(self, seat: RemoteSeat, outcome: Outcome) -> None:
        """Notes the outcome of a match for the process that knows it."""
        self._share -= 1 / seat.context.seats
        if seat.process is not None and seat.process is self.process:
            self._finishes.append(Finish(seat.number, self._codec.outcome(outcome)))

    def _bound(self, seats: Sequence[RemoteSeat], answered: Answered) -> None:
        """Adds a slow batch to what each of its matches may have used at most.

        An equal share is a guess. Once an eighth of its time may be gone, a match is asked alone,
        where its time is exact: so that no slow match hides among quick ones.
        """
        most_ns = max(answered.wall_ns, answered.cpu_ns)
        if len(seats) > 1 and most_ns * UNNOTICED > self._match_ns:
            for seat in seats:
                seat.bound_ns += most_ns
                if ALONE_FROM * seat.bound_ns > self._match_ns:
                    seat.wait = self._alone.append

    def _blame(self, seat: RemoteSeat, lost: ProcessLost) -> None:
        """Loses the match over whose request alone a process was lost."""
        self._faults.lose_match(lost)
        if self.process is not None:
            for log in self.process.take_logs().values():
                _add_log(seat, log)
            if seat.log is None and (printed := self.process.log()):  # before it was ready
                seat.log = LogEnd(MOST)
                seat.log.add(printed.encode())
        failure = Failure(lost.cause, lost.reason, lost.error)
        took_ns = self._limits.decision_ns if lost.cause is Termination.TIMEOUT else 0
        self._pool.advance([seat], [failure], took_ns)

    def _adapt(self, size: int, wall_ns: int, batch: int) -> None:
        """Finds the width at which a batch takes neither long nor hardly any time."""
        if self._faults.asked_alone:
            self._width = 1
        elif wall_ns > self._target_ns:
            self._width = max(1, size * self._target_ns // wall_ns)
        elif size == self._width and 2 * wall_ns < self._target_ns:
            self._width = min(2 * size, self._most, batch)


def _sitting_first(seats: list[RemoteSeat]) -> Sequence[RemoteSeat]:
    """Returns these seats, those first that sit down, so that all decisions follow each other."""
    sitting = [seat for seat in seats if type(seat.request) is Seating]
    if not sitting:
        return seats
    return sitting + [seat for seat in seats if type(seat.request) is not Seating]


def _add_log(seat: RemoteSeat, log: LogEnd) -> None:
    if seat.log is None:
        seat.log = log
    else:
        seat.log.extend(log)


def _is_excused(seat: RemoteSeat, lost: ProcessLost) -> bool:
    """Excuses a process that somebody else has killed, once a match."""
    if not lost.killed or seat.excused:
        return False
    seat.excused = True
    return True


def _failure(failed: Failed, log: str, *, sitting: bool) -> object:
    """Reads a bot's report of its own failure.

    An answer that is no action at all is handed on as an object of a class of that name: so the
    state refuses it in the same words as it would have refused the bot's own object in process.
    """
    cause = _CAUSES.get(failed.kind)
    if cause is None:
        return Failure(Termination.PROTOCOL, "it failed in a way that is not known")
    reason = plain(failed.reason)
    if cause is Termination.ILLEGAL_ACTION and not sitting:
        return type(reason.split("\0")[0] or "object", (), {})()
    end = f"\nthe end of its log:\n{log}" if log else ""
    return Failure(cause, reason, f"{failed.error}{end}")
