"""Many matches in lock-step, without I/O: who is to be asked what, and what an answer sets off.

A match is a generator that asks one seat at a time. A trusted seat is called here and now; what
another is asked waits in the queue of its bot's lane, until the lane takes as many as it can.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from typing import TypeAlias

import msgspec

from arena.core.actions import Action
from arena.core.bot import MatchContext
from arena.core.errors import BadSpelling
from arena.core.game import AnyGame
from arena.core.outcome import Outcome, Termination
from arena.core.record import PlayedMatch
from arena.core.seeding import private_seeds
from arena.core.tournament import Job
from arena.host.dialects import BadAnswer, Dialect
from arena.host.inline import InlineSeat
from arena.host.launch import Terms
from arena.host.messages import Answer, Decide, Failed, Finish, Request, Start
from arena.match.adjudication import Failure
from arena.match.play import Answer as Decision
from arena.match.play import Played, Seating, play_match
from arena.match.play import Request as Asked

VOCABULARY = 100_000
"""Actions that are remembered by their id or text, before the memory is begun anew."""

_OVER_CPU = Failure(Termination.TIMEOUT, "over its CPU time")
_CAUSES = {
    "crash": Termination.CRASH,
    "illegal": Termination.ILLEGAL_ACTION,
    "timeout": Termination.TIMEOUT,
    "memory": Termination.MEMORY,
}
"""What a bot may say of why it does not answer."""


class Queue:
    """What the bot of one lane is to be asked.

    Attributes:
        waiting: Seats that wait for its answer, in order.
        share: Its share of the matches in progress: half of those for two, a third of those for
            three.
        farewells: What is to be told of matches that are over.
        epoch: Number of the lane's present process; an earlier one's matches are unknown to it.
        actions: The actions that were answered so far, by what names them in an answer.
    """

    def __init__(self, dialect: Dialect, game: AnyGame) -> None:
        self.waiting: deque[RemoteSeat] = deque()
        self.share = 0.0
        self.epoch = 0
        self.farewells: list[Finish] = []
        self._game, self._dialect = game, dialect
        self._view, self._offers = dialect.view(game), dialect.offers(game)
        self.actions: dict[object, Action] = {}

    def requests(self, first_id: int, seats: Sequence[RemoteSeat]) -> list[Request]:
        """What these seats are asked now, as messages; part of the hot path."""
        view = self._view
        made: list[Request] = []
        for id, seat in enumerate(seats, first_id):
            if seat.past:
                seat.said = said = view(seat.asked)  # type: ignore[arg-type] # an observation
                made.append(Decide(id, seat.number, said))
            else:
                offer = seat.asked.offer  # type: ignore[union-attr] # a seating comes first
                seat.said = None if offer is None else self._offers(offer)
                made.append(_start(id, seat, seat.said))
        return made

    def again(self, first_id: int, seat: RemoteSeat) -> list[Request]:
        """All that the seat was asked before, for a new process: recorded actions stand."""
        return [
            Decide(first_id + number, seat.number, said) if number else _start(first_id, seat, said)
            for number, said in enumerate(seat.past)
        ]

    def farewell(self, seat: RemoteSeat, outcome: Outcome) -> None:
        """Its match is over."""
        if seat.epoch == self.epoch:
            self.farewells.append(Finish(seat.number, self._dialect.outcome(outcome)))

    def decision(self, seat: RemoteSeat, answer: Answer) -> object:
        """What an answer means to the match: an action, a loadout, a failure, or nonsense."""
        sitting = not seat.past
        if answer.failed is not None:
            return _failure(answer.failed, sitting=sitting)
        try:
            if sitting:
                text = answer.loadout
                return None if text is None else self._game.notation.brought(text)
            return self._action(answer)
        except BadSpelling as error:
            return Failure(Termination.ILLEGAL_ACTION, plain(str(error)))
        except BadAnswer as error:
            return Failure(Termination.PROTOCOL, error.reason)

    def _action(self, answer: Answer) -> Action:
        if len(self.actions) >= VOCABULARY:
            self.actions.clear()
        action = self._dialect.action(self._game, answer)
        self.actions[answer.action] = action
        return action


class RemoteSeat:
    """A seat of one match whose bot runs in a process of its own.

    Attributes:
        match: The match; ``send`` lets its loop go on.
        context: What the bot is told when it begins.
        number: Number of the match in the bot's process.
        queue: Where it waits for its bot's answers.
        asked: What it is asked now.
        said: The same, as it was written to the bot.
        past: All that it was asked before, as it was written: what a new process needs to know.
        epoch: The process that knows the match so far; 0 for none.
        cpu_ns: CPU time that it used.
    """

    __slots__ = (
        "asked", "context", "cpu_ns", "epoch", "match", "number", "past", "queue", "said", "send",
    )  # fmt: skip

    def __init__(self, match: Match, context: MatchContext, number: int, queue: Queue) -> None:
        self.match, self.context, self.number, self.queue = match, context, number, queue
        self.send = match.loop.send
        self.asked: Asked | None = None
        self.said: object = None
        self.past: list[object] = []
        self.epoch = self.cpu_ns = 0


Seat: TypeAlias = InlineSeat | RemoteSeat


class Match:
    """A match in progress.

    Attributes:
        job: What was scheduled.
        index: Its place among the jobs of a chunk.
        loop: The referee.
        seats: Who sits where.
    """

    __slots__ = ("index", "job", "loop", "seats")

    def __init__(self, job: Job, index: int, loop: Generator[Asked, Decision, Played]) -> None:
        self.job, self.index, self.loop = job, index, loop
        self.seats: list[Seat] = []


class Lockstep:
    """The matches in progress at one table process.

    Args:
        terms: What they have in common.
        keys: Key of each participant, by index into the field.
        seat: Makes an inline seat, or gives the queue in which a bot's seat waits: for the bot of
            that index, on that leg of its deal (from 0).

    Attributes:
        running: Number of matches in progress.
        played: Those that are over, by the index that they were begun with.
    """

    def __init__(
        self,
        terms: Terms,
        keys: Sequence[str],
        seat: Callable[[int, int, MatchContext], InlineSeat | Queue],
    ) -> None:
        self._game, self._ruleset, self._limits = terms.game, terms.ruleset, terms.limits
        self._resources, self._level = terms.resources, terms.level.value
        self._keys, self._seat = keys, seat
        self._numbers = 0
        self.running = 0
        self.played: dict[int, PlayedMatch] = {}

    def begin(self, job: Job, index: int) -> None:
        """Begins a match; its seats are asked from now on."""
        names = [self._keys[entrant] for entrant in job.seats]
        loop = play_match(self._game, self._ruleset, job.seed, names, self._limits)
        match = Match(job, index, loop)
        self._numbers += 1
        size = len(names)
        seeds = private_seeds(job.bot_seed, size)
        leg = (job.place.leg - 1) % size
        for seat, entrant in enumerate(job.seats):
            context = MatchContext(self._game, self._ruleset.name, seat, size, seeds[seat])
            place = self._seat(entrant, leg, context)
            if type(place) is Queue:
                place.share += 1 / size
                match.seats.append(RemoteSeat(match, context, self._numbers, place))
            else:
                match.seats.append(place)  # type: ignore[arg-type] # the other kind
        self.running += 1
        self._go_on(match, None)

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
                past = seat.past
                decision = known(answer.action) if past and answer.failed is None else None
                if decision is None:
                    decision = queue.decision(seat, answer)
                past.append(seat.said)
            # ``_go_on`` written out for the usual case: a call more a decision is too dear here.
            try:
                request = seat.send((decision, wall_ns))
            except StopIteration as end:
                self._over(seat.match, end.value)
                continue
            next_seat = seat.match.seats[request.seat]
            if type(next_seat) is RemoteSeat:
                next_seat.asked = request
                next_seat.queue.waiting.append(next_seat)
            else:
                self._ask(seat.match, request)

    def fail(self, seat: RemoteSeat, failure: Failure, wall_ns: int = 0) -> None:
        """A bot gave no answer: its match goes on, or ends, without it."""
        self._go_on(seat.match, (failure, wall_ns))

    def _go_on(self, match: Match, decision: Decision | None) -> None:
        """Plays on until somebody in another process is to be asked, or the match is over."""
        try:
            request = match.loop.send(decision)  # type: ignore[arg-type] # None starts it
        except StopIteration as end:
            self._over(match, end.value)
        else:
            self._ask(match, request)

    def _ask(self, match: Match, request: Asked) -> None:
        """Asks trusted seats here and now, until another is to be asked or the match is over."""
        try:
            while type(seat := match.seats[request.seat]) is InlineSeat:
                if type(request) is Seating:
                    request = match.loop.send(seat.sit_down(request))
                else:
                    request = match.loop.send(seat.decide(request))
        except StopIteration as end:
            self._over(match, end.value)
            return
        assert type(seat) is RemoteSeat
        seat.asked = request
        seat.queue.waiting.append(seat)

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
        self.played[match.index] = PlayedMatch(match.job.place, record, measurement)


def _start(id: int, seat: RemoteSeat, offer: object) -> Start:
    told = seat.context
    return Start(id, seat.number, told.ruleset, told.seat, told.seats, told.seed, offer)


def plain(text: str) -> str:
    """One printable line of what a bot said, for a record."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)[:200]


def _failure(failed: Failed, *, sitting: bool) -> object:
    """What a bot's own word of its failure means.

    An answer that is no action at all is handed on as an object of a class of that name: so the
    state refuses it in the same words as it would have refused the bot's own object in process.
    """
    cause = _CAUSES.get(failed.kind)
    if cause is None:
        return Failure(Termination.PROTOCOL, "it failed in a way that is not known")
    reason = plain(failed.reason)
    if cause is Termination.ILLEGAL_ACTION and not sitting:
        return type(reason.split("\0")[0] or "object", (), {})()
    return Failure(cause, reason, failed.error)
