"""Many matches in lock-step, without I/O: who is to be asked what, and what an answer sets off.

A match is a generator that asks one seat at a time. A trusted seat is called here and now; what
another is asked waits in the queue of its bot's lane, until the lane takes as many as it can.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import Any, TypeAlias

import msgspec

from arena.core.bot import MatchContext
from arena.core.game import AnyGame
from arena.core.observation import Observation
from arena.core.outcome import Termination
from arena.core.record import PlayedMatch
from arena.core.seeding import private_seeds
from arena.core.state import State
from arena.core.tournament import Job
from arena.host.inline import InlineSeat
from arena.host.launch import MatchSettings
from arena.host.messages import Answer
from arena.host.queue import Queue
from arena.match.adjudication import Failure
from arena.match.play import Packed, Played, Seating, SeatRequest, TimedAnswer, View, play_match

Referee: TypeAlias = Generator[SeatRequest, TimedAnswer, Played]
"""The loop of one match (``play_match``)."""

_OVER_CPU = Failure(Termination.TIMEOUT, "over its CPU time")


class RemoteSeat:
    """A seat of one match whose bot runs in a process of its own.

    Attributes:
        match: The match.
        context: What the bot is told when it begins.
        number: Number of the match in the bot's process.
        queue: Where it waits for its bot's answers.
        wait: Appends it there; kept at hand for the hot path.
        asked: What it is asked now.
        epoch: The process that knows the match so far; 0 for none.
        cpu_ns: CPU time that it used.
        bound_ns: What it may have used at most, in batches that were slow; see ``BotDispatcher``.
        excused: Whether its process was killed by somebody else while it was asked alone.
    """

    __slots__ = (
        "asked",
        "bound_ns",
        "context",
        "cpu_ns",
        "epoch",
        "excused",
        "match",
        "number",
        "queue",
        "wait",
    )

    def __init__(self, match: Match, context: MatchContext, number: int, queue: Queue) -> None:
        self.match, self.context, self.number, self.queue = match, context, number, queue
        self.wait = queue.waiting.append
        self.asked: SeatRequest | None = None
        self.epoch = self.cpu_ns = self.bound_ns = 0
        self.excused = False


Seat: TypeAlias = InlineSeat | RemoteSeat


class Match:
    """A match in progress.

    Attributes:
        job: What was scheduled.
        index: Its place among the jobs of a chunk.
        seats: Who sits where.
        sent: All that the referee was sent: decision, its nanoseconds, decision, ... Sent again,
            it asks the same again. (Pairs would be objects for the garbage collector to visit.)
        send: Lets the referee go on.
    """

    __slots__ = ("index", "job", "seats", "send", "sent")

    send: Callable[[TimedAnswer], SeatRequest]

    def __init__(self, job: Job, index: int) -> None:
        self.job, self.index = job, index
        self.seats: list[Seat] = []
        self.sent: list[object] = []


class MatchPool:
    """The matches in progress at one table process.

    Args:
        settings: What they have in common.
        keys: Key of each participant, by index into the field.
        loadouts: What each brings to every match; ``None`` for those that are asked.
        seat: Makes an inline seat, or gives the queue in which a bot's seat waits: for the bot of
            that index, on that leg of its deal (from 0).

    Attributes:
        running: Number of matches in progress.
        played: Those that are over, by the index that they were begun with.
    """

    def __init__(
        self,
        settings: MatchSettings,
        keys: Sequence[str],
        loadouts: Sequence[bytes | None],
        seat: Callable[[int, int, MatchContext], InlineSeat | Queue],
    ) -> None:
        self._game, self._ruleset, self._limits = settings.game, settings.ruleset, settings.limits
        self._resources, self._level = settings.resources, settings.level.value
        self._keys, self._loadouts, self._seat = keys, loadouts, seat
        self._packed = _packed_view(settings.game)
        self._numbers = 0
        self.running = 0
        self.played: dict[int, PlayedMatch] = {}

    def begin(self, job: Job, index: int) -> None:
        """Begins a match; its seats are asked from now on."""
        size = len(job.seats)
        seeds = private_seeds(job.bot_seed, size)
        leg = (job.key.leg - 1) % size
        match = Match(job, index)
        self._numbers += 1
        for seat, entrant in enumerate(job.seats):
            context = MatchContext(self._game, self._ruleset.name, seat, size, seeds[seat])
            place = self._seat(entrant, leg, context)
            if type(place) is Queue:
                place.share += 1 / size
                match.seats.append(RemoteSeat(match, context, self._numbers, place))
            else:
                match.seats.append(place)  # type: ignore[arg-type] # the other kind
        referee = self._referee(match)
        match.send = referee.send
        self.running += 1
        self._ask(match, next(referee))

    def _referee(self, match: Match) -> Referee:
        """A referee for a match from its start."""
        job = match.job
        names = [self._keys[entrant] for entrant in job.seats]
        packs = [type(seat) is RemoteSeat and seat.queue.packs for seat in match.seats]
        view: View | None = None
        if all(packs):
            view = self._packed
        elif any(packs):
            view = partial(_either, packs, self._packed)
        return play_match(
            self._game,
            self._ruleset,
            job.seed,
            names,
            self._limits,
            view=view,
            loadouts=[self._loadouts[entrant] for entrant in job.seats],
        )

    def past_requests(self, seat: RemoteSeat) -> tuple[list[SeatRequest], int]:
        """All that a seat was asked before the present question, in order: by a second referee.

        So nothing of it has to be kept while matches go on.

        Returns:
            The questions, and the nanoseconds that the seat took for its answers.
        """
        match = seat.match
        if type(seat.asked) is Seating:
            return [], 0
        again = self._referee(match)
        request = next(again)
        asked: list[SeatRequest] = []
        took_ns = 0
        for decision, elapsed in zip(match.sent[::2], match.sent[1::2], strict=True):
            if match.seats[request.seat] is seat:
                asked.append(request)
                took_ns += elapsed  # type: ignore[operator] # every other one is a time
            request = again.send((decision, elapsed))  # type: ignore[arg-type]
        again.close()
        return asked, took_ns

    def answer(
        self,
        queue: Queue,
        seats: Sequence[RemoteSeat],
        answers: Sequence[Answer],
        wall_ns: int,
        cpu_ns: int,
    ) -> None:
        """A bot has answered a batch: its matches go on. The hot path.

        Args:
            queue: Where these seats had waited.
            seats: Who was asked.
            answers: Their answers, in the same order.
            wall_ns: The share of each in the wall-clock time that it took.
            cpu_ns: The same of the CPU time.
        """
        known = queue.actions.get
        most_ns = self._resources.match_cpu_ns
        if cpu_ns > self._resources.decision_cpu_ns:
            most_ns = -1
        for seat, answer in zip(seats, answers, strict=True):
            seat.cpu_ns = used = seat.cpu_ns + cpu_ns
            decision: object = _OVER_CPU
            if used <= most_ns:
                decision = known(answer.action)
                if decision is None:
                    decision = queue.decision(seat, answer)
            # ``_go_on`` written out for the usual case: a call more a decision is too dear here.
            match = seat.match
            sent = (decision, wall_ns)
            match.sent += sent
            try:
                request = match.send(sent)
            except StopIteration as end:
                self._over(match, end.value)
                continue
            next_seat = match.seats[request.seat]
            if type(next_seat) is RemoteSeat:
                next_seat.asked = request
                next_seat.wait(next_seat)
            else:
                self._ask(match, request)

    def fail(self, seat: RemoteSeat, failure: Failure, wall_ns: int = 0) -> None:
        """A bot gave no answer: its match goes on, or ends, without it."""
        self._go_on(seat.match, (failure, wall_ns))

    def _go_on(self, match: Match, decision: TimedAnswer) -> None:
        """Plays on until somebody in another process is to be asked, or the match is over."""
        match.sent += decision
        try:
            request = match.send(decision)
        except StopIteration as end:
            self._over(match, end.value)
        else:
            self._ask(match, request)

    def _ask(self, match: Match, request: SeatRequest) -> None:
        """Asks trusted seats here and now, until another is to be asked or the match is over."""
        try:
            while type(seat := match.seats[request.seat]) is InlineSeat:
                sits = type(request) is Seating
                decision = seat.sit_down(request) if sits else seat.decide(request)  # type: ignore[arg-type]
                match.sent += decision
                request = match.send(decision)
        except StopIteration as end:
            self._over(match, end.value)
            return
        assert type(seat) is RemoteSeat
        seat.asked = request
        seat.wait(seat)

    def _over(self, match: Match, played: Played) -> None:
        record, measurement = played
        levels, cpu_ns = [], []
        for seat in match.seats:
            if type(seat) is RemoteSeat:
                seat.queue.share -= 1 / len(match.seats)
                seat.queue.farewell(seat, record.outcome)
                levels.append(self._level)
                cpu_ns.append(seat.cpu_ns)
            else:
                seat.finish(record.outcome)  # type: ignore[union-attr] # the other kind
                levels.append("trusted")
                cpu_ns.append(0)
        if len({*levels}) == 1:
            levels = levels[:1]
        measurement = msgspec.structs.replace(
            measurement, isolation=",".join(levels), cpu_nanoseconds=tuple(cpu_ns)
        )
        self.running -= 1
        self.played[match.index] = PlayedMatch(match.job.key, record, measurement)


def _packed_view(game: AnyGame) -> View:
    """What a seat is asked whose bot takes packed observations."""
    pack = game.pack_state
    return lambda state, seat: Packed(seat, pack(state, seat))


def _either(
    packs: Sequence[bool], packed: View, state: State[Any], seat: int
) -> Observation | Packed:
    """What a seat is asked where some take packed observations, and some do not."""
    return packed(state, seat) if packs[seat] else state.observation(seat)
