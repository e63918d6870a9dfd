"""The pool of matches in progress: many matches in lock-step, without I/O.

A match is a generator that asks one seat at a time. A trusted seat is called at once. A request to
any other waits for its bot's dispatcher, which sends as many at once as it can.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter_ns
from typing import Any, TypeAlias

from arena.core.bot import MatchContext
from arena.core.chance.seeding import private_seeds
from arena.core.errors import HarnessFault
from arena.core.outcome import Outcome, Termination
from arena.core.record import Measurement, PlayedMatch, SeatLog
from arena.core.state import State
from arena.core.tournaments.format import Job
from arena.host.bot.inline import InlineSeat
from arena.host.bot.logs import LogEnd
from arena.host.play.feeds import Feed
from arena.host.process.launch import MatchSettings
from arena.match.adjudication import faults_of
from arena.match.course import Course
from arena.match.play import play_match
from arena.match.requests import Played, Referee, Seating, SeatRequest, View, content_of, seat_of
from arena.plugins.entries import BotSource


class RemoteSeat:
    """A seat of one match for an endpoint, or for a bot with a process of its own.

    Args:
        context: The start of the match, as the bot is sent it.
        packs: Whether the bot takes observations as ``Wire.packer`` writes them.
        sit: Queues the seat when the match begins for it.
        wait: Queues it for each decision.
        finish: Reports the outcome of the match.

    Attributes:
        match: The match.
        number: Number of the match in the bot's process.
        request: The open request: a ``Seating``, or the position as the match sends it.
        process: The process that knows the match so far.
        cpu_ns: CPU time used so far.
        bound_ns: Most time used in slow batches, where each request's own is unknown.
        log: Its bot's output in this match; ``None`` if nothing.
        excused: Whether a third party has killed its process during a batch of its own.
    """

    __slots__ = (
        *("_finish", "bound_ns", "context", "cpu_ns", "excused", "log", "match", "number", "packs"),
        *("process", "request", "sit", "wait"),
    )

    # In this order, compiled: what every decision touches lies together.
    match: Match
    request: object  # without its tuple: that would be one more object that outlives a batch
    wait: Callable[[RemoteSeat], None]
    cpu_ns: int
    number: int

    def __init__(
        self,
        context: MatchContext,
        packs: bool,
        sit: Callable[[RemoteSeat], None],
        wait: Callable[[RemoteSeat], None],
        finish: Callable[[RemoteSeat, Outcome], None],
    ) -> None:
        self.context, self.packs, self._finish = context, packs, finish
        self.sit, self.wait = sit, wait
        self.process: object = None
        self.cpu_ns = self.bound_ns = 0
        self.excused = False
        self.log: LogEnd | None = None

    def finish(self, outcome: Outcome) -> None:
        """Reports the outcome, once the match is over."""
        self._finish(self, outcome)


Seat: TypeAlias = InlineSeat | RemoteSeat


class Match:
    """A match in progress.

    Attributes:
        job: The match as it was scheduled.
        index: Its number for the feed.
        seats: Its seats, in order.
        course: The answers that its referee was sent so far.
        referee: Returns the next request when it is sent an answer.
    """

    __slots__ = ("course", "index", "job", "referee", "seats")

    referee: Referee

    def __init__(self, job: Job, index: int, course: Course) -> None:
        self.job, self.index, self.course = job, index, course
        self.seats: tuple[Seat, ...] = ()


class MatchPool:
    """Holds the matches in progress, and advances them with every answer.

    Args:
        settings: The settings of all matches.
        bots: The field.
        open_seat: Makes a seat for the bot of that index in that match.

    Attributes:
        feed: Takes the matches that are over.
        running: Number of matches in progress.
        busy_ns: Nanoseconds spent on beginning and advancing matches, trusted seats included.
    """

    feed: Feed

    def __init__(
        self,
        settings: MatchSettings,
        bots: Sequence[BotSource],
        open_seat: Callable[[int, Job, MatchContext], Seat],
    ) -> None:
        self._game, self._ruleset, self._limits = settings.game, settings.ruleset, settings.limits
        self._own_referee = settings.referee
        self._levels = [_level_of(bot, settings.level.value) for bot in bots]
        self._all_logs = settings.resources.all_logs
        self._keys = [bot.participant.key for bot in bots]
        self._loadouts = [settings.loadout(bot) for bot in bots]
        self._open_seat = open_seat
        self._numbers = 0
        self.running = self.busy_ns = 0

    def begin(self, index: int, job: Job) -> None:
        """Begins a match; its seats are asked from now on."""
        began_ns, size = perf_counter_ns(), len(job.seats)
        seeds = private_seeds(job.bot_seed, size)
        match = Match(job, index, Course(self._limits, size))
        self._numbers += 1
        seats: list[Seat] = []
        for number, entrant in enumerate(job.seats):
            context = MatchContext(self._game, self._ruleset.name, number, size, seeds[number])
            seat = self._open_seat(entrant, job, context)
            if type(seat) is RemoteSeat:
                seat.match, seat.number = match, self._numbers
            seats.append(seat)
        match.seats = tuple(seats)
        referee = self._referee(match, match.course)
        match.referee = referee
        self.running += 1
        try:
            request = next(referee)
        except HarnessFault as fault:
            self.drop(match, fault)
        else:
            self._ask(match, request)
        self.busy_ns += perf_counter_ns() - began_ns

    def past_requests(self, seat: RemoteSeat) -> tuple[list[object], int]:
        """Returns the past requests of a seat in order, by a second referee, and the time of its
        answers.

        So none of them has to be stored.
        """
        match = seat.match
        if type(seat.request) is Seating:
            return [], 0
        course = match.course
        again = self._referee(match, Course(self._limits, len(match.seats)))
        request = next(again)
        past: list[object] = []
        for answer in course.answers:
            if match.seats[seat_of(request)] is seat:
                past.append(content_of(request))
            request = again.send((answer, 0))
        again.close()
        return past, course.clock.nanoseconds[seat.context.seat]

    def advance(
        self, seats: Sequence[RemoteSeat], decisions: Sequence[object], wall_ns: int
    ) -> None:
        """Advances the matches of a batch; hot path.

        Args:
            seats: The seats of the batch.
            decisions: Their answers, in the same order: actions, loadouts, failures or nonsense.
            wall_ns: The share of each in the wall-clock time of the batch.
        """
        began_ns = perf_counter_ns()
        # All of them first, as none waits for another one: so the memory of the next match is on
        # its way to the caches while that of this one is.
        referees = [seat.match.referee for seat in seats]
        for seat, referee, decision in zip(seats, referees, decisions, strict=True):
            try:
                request = referee.send((decision, wall_ns))
            except StopIteration as end:
                self._end(seat.match, end.value)
                continue
            except HarnessFault as fault:
                self.drop(seat.match, fault)
                continue
            match = seat.match
            # ``_ask`` written out for the usual case: a call more a decision is too dear here.
            if type(request) is tuple:
                asked = match.seats[request[0]]
                if type(asked) is RemoteSeat:
                    asked.request = request[1]
                    asked.wait(asked)
                    continue
            self._ask(match, request)
        self.busy_ns += perf_counter_ns() - began_ns

    def _referee(self, match: Match, course: Course) -> Referee:
        job = match.job
        packs = [type(seat) is RemoteSeat and seat.packs for seat in match.seats]
        view: View | None = None
        if any(packs):
            view = self._game.wire.packer()
            if not all(packs):
                view = partial(_mixed_view, packs, view)
        if self._own_referee is not None:
            return self._own_referee(job, view, course)
        return play_match(
            self._game,
            self._ruleset,
            job.seed,
            tuple([self._keys[entrant] for entrant in job.seats]),
            self._limits,
            view=view,
            loadouts=tuple([self._loadouts[entrant] for entrant in job.seats]),
            course=course,
        )

    def _ask(self, match: Match, request: SeatRequest) -> None:
        try:
            while type(seat := match.seats[seat_of(request)]) is InlineSeat:
                if type(request) is Seating:
                    answer = seat.sit_down(request)
                else:
                    answer = seat.decide(content_of(request))
                request = match.referee.send(answer)
        except StopIteration as end:
            self._end(match, end.value)
            return
        except HarnessFault as fault:
            self.drop(match, fault)
            return
        assert type(seat) is RemoteSeat
        seat.request = content_of(request)
        queue = seat.sit if type(request) is Seating else seat.wait
        queue(seat)

    def _end(self, match: Match, played: Played) -> None:
        record, measurement = played
        remote = [seat if type(seat) is RemoteSeat else None for seat in match.seats]
        for seat in match.seats:
            seat.finish(record.outcome)
        levels = [self._levels[entrant] for entrant in match.job.seats]
        measurement = Measurement(
            measurement.nanoseconds,
            measurement.requests,
            levels[0] if len({*levels}) == 1 else ",".join(levels),
            measurement.error,
            tuple([seat.cpu_ns if seat else 0 for seat in remote]),
            _kept_logs(remote, record.outcome, all=self._all_logs),
        )
        match.seats = ()  # else a cycle would keep its memory from the next match
        self.running -= 1
        self.feed.played(match.index, PlayedMatch(match.job.key, record, measurement))

    def drop(self, match: Match, fault: HarnessFault) -> None:
        """Ends a match that does not count; its bots get an outcome that says so."""
        match.referee.close()
        nothing = len(match.seats) * (0,)
        void = Outcome(nothing, nothing, Termination.HARNESS_FAULT)
        for seat in match.seats:
            seat.finish(void)
        match.seats = ()
        self.running -= 1
        self.feed.failed(match.index, fault)


def _level_of(bot: BotSource, level: str) -> str:
    """Returns the level at which a bot's seats are played."""
    answered = bot.answered_by
    return {"process": level, "endpoint": "endpoint"}.get(answered, "trusted")


def _kept_logs(
    seats: Sequence[RemoteSeat | None], outcome: Outcome, *, all: bool
) -> tuple[SeatLog, ...]:
    logs = [
        SeatLog(number, seat.log.text()) for number, seat in enumerate(seats) if seat and seat.log
    ]
    if logs and not all:
        offenders = [fault.seat for fault in faults_of(outcome)]
        logs = [log for log in logs if log.seat in offenders]
    return tuple(logs)


def _mixed_view(packs: Sequence[bool], packed: View, state: State[Any], seat: int) -> object:
    return packed(state, seat) if packs[seat] else state.observation(seat)
