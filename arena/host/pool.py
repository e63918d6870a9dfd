"""The pool of matches in progress: many matches in lock-step, without I/O.

A match is a generator that asks one seat at a time. A trusted seat is called here and now; a
request to any other waits for its bot's dispatcher, which takes as many at once as it can.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter_ns
from typing import Any, TypeAlias

import msgspec

from arena.core.bot import MatchContext
from arena.core.game import AnyGame
from arena.core.observation import Observation
from arena.core.outcome import Outcome
from arena.core.record import PlayedMatch, SeatLog
from arena.core.seeding import private_seeds
from arena.core.state import State
from arena.core.tournament import Job
from arena.host.inline import InlineSeat
from arena.host.launch import MatchSettings
from arena.host.logs import LogEnd
from arena.match.adjudication import faults_of
from arena.match.play import play_match
from arena.match.requests import (
    Packed,
    Played,
    Referee,
    Seating,
    SeatRequest,
    TimedAnswer,
    View,
)
from arena.plugins.entries import BotSource


class RemoteSeat:
    """A seat of one match whose bot runs in a process of its own.

    Args:
        context: The start of the match, as the bot is sent it.
        packs: Whether the bot takes observations as ``Game.packer`` writes them.
        wait: Queues the seat, whenever it is asked something.
        finish: Reports the outcome of the match.

    Attributes:
        match: The match.
        number: Number of the match in the bot's process.
        request: The request that waits for an answer.
        process: The process that knows the match so far.
        cpu_ns: CPU time used so far.
        bound_ns: Time used at most in slow batches, where each request's own is not known.
        log: What its bot printed in this match; ``None`` if nothing.
        excused: Whether its process was killed by somebody else while it was asked alone.
    """

    __slots__ = (
        *("_finish", "bound_ns", "context", "cpu_ns", "excused", "log", "match", "number", "packs"),
        *("process", "request", "wait"),
    )

    match: Match
    number: int
    request: SeatRequest

    def __init__(
        self,
        context: MatchContext,
        packs: bool,
        wait: Callable[[RemoteSeat], None],
        finish: Callable[[RemoteSeat, Outcome], None],
    ) -> None:
        self.context, self.packs, self.wait, self._finish = context, packs, wait, finish
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
        index: Its place among the jobs of a chunk.
        seats: Its seats, in order.
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


def turn_of(job: Job) -> int:
    """Returns the turn of a match in its mirrored group, from 0: who sits where in the deal."""
    return (job.key.leg - 1) % len(job.seats)


class MatchPool:
    """Holds the matches in progress, and lets them go on with every answer.

    Args:
        settings: The settings of all matches.
        bots: The field.
        open_seat: Makes a seat for the bot of that index, in that turn of a group (from 0).

    Attributes:
        running: Number of matches in progress.
        played: Matches that are over, by the index that they were begun with.
        busy_ns: Nanoseconds that it has let matches begin and go on, trusted seats included.
    """

    def __init__(
        self,
        settings: MatchSettings,
        bots: Sequence[BotSource],
        open_seat: Callable[[int, int, MatchContext], Seat],
    ) -> None:
        self._game, self._ruleset, self._limits = settings.game, settings.ruleset, settings.limits
        self._level, self._own_referee = settings.level.value, settings.referee
        self._all_logs = settings.resources.all_logs
        self._keys = [bot.participant.key for bot in bots]
        self._loadouts = [settings.loadout(bot) for bot in bots]
        self._open_seat = open_seat
        self._numbers = 0
        self.running = self.busy_ns = 0
        self.played: dict[int, PlayedMatch] = {}

    def begin(self, job: Job, index: int) -> None:
        """Begins a match; its seats are asked from now on."""
        began_ns, size = perf_counter_ns(), len(job.seats)
        seeds = private_seeds(job.bot_seed, size)
        turn = turn_of(job)
        match = Match(job, index)
        self._numbers += 1
        for number, entrant in enumerate(job.seats):
            context = MatchContext(self._game, self._ruleset.name, number, size, seeds[number])
            seat = self._open_seat(entrant, turn, context)
            if type(seat) is RemoteSeat:
                seat.match, seat.number = match, self._numbers
            match.seats.append(seat)
        referee = self._referee(match)
        match.send = referee.send
        self.running += 1
        self._ask(match, next(referee))
        self.busy_ns += perf_counter_ns() - began_ns

    def past_requests(self, seat: RemoteSeat) -> tuple[list[SeatRequest], int]:
        """Finds all that a seat was asked before the present request, by a second referee.

        So none of it has to be kept while matches go on.

        Returns:
            The requests in order, and the nanoseconds that the seat took for its answers.
        """
        match = seat.match
        if type(seat.request) is Seating:
            return [], 0
        again = self._referee(match)
        request = next(again)
        past: list[SeatRequest] = []
        took_ns = 0
        for decision, elapsed in zip(match.sent[::2], match.sent[1::2], strict=True):
            if match.seats[request.seat] is seat:
                past.append(request)
                took_ns += elapsed  # type: ignore[operator] # every other one is a time
            request = again.send((decision, elapsed))  # type: ignore[arg-type]
        again.close()
        return past, took_ns

    def advance(
        self, seats: Sequence[RemoteSeat], decisions: Sequence[object], wall_ns: int
    ) -> None:
        """Lets the matches of a batch go on; the hot path.

        Args:
            seats: The seats that were asked.
            decisions: Their answers, in the same order: actions, loadouts, failures or nonsense.
            wall_ns: The share of each in the wall-clock time that the batch took.
        """
        began_ns = perf_counter_ns()
        for seat, decision in zip(seats, decisions, strict=True):
            match = seat.match
            answer = (decision, wall_ns)
            match.sent += answer
            try:
                request = match.send(answer)
            except StopIteration as end:
                self._end(match, end.value)
                continue
            # ``_ask`` written out for the usual case: a call more a decision is too dear here.
            next_seat = match.seats[request.seat]
            if type(next_seat) is RemoteSeat:
                next_seat.request = request
                next_seat.wait(next_seat)
            else:
                self._ask(match, request)
        self.busy_ns += perf_counter_ns() - began_ns

    def _referee(self, match: Match) -> Referee:
        """Makes a referee for a match from its start."""
        job = match.job
        packs = [type(seat) is RemoteSeat and seat.packs for seat in match.seats]
        view: View | None = None
        if any(packs):
            view = _packed_view(self._game)
            if not all(packs):
                view = partial(_mixed_view, packs, view)
        if self._own_referee is not None:
            return self._own_referee(job, view)
        return play_match(
            self._game,
            self._ruleset,
            job.seed,
            [self._keys[entrant] for entrant in job.seats],
            self._limits,
            view=view,
            loadouts=[self._loadouts[entrant] for entrant in job.seats],
        )

    def _ask(self, match: Match, request: SeatRequest) -> None:
        """Asks trusted seats here and now, until another is to be asked or the match is over."""
        try:
            while type(seat := match.seats[request.seat]) is InlineSeat:
                sits = type(request) is Seating
                answer = seat.sit_down(request) if sits else seat.decide(request)  # type: ignore[arg-type]
                match.sent += answer
                request = match.send(answer)
        except StopIteration as end:
            self._end(match, end.value)
            return
        assert type(seat) is RemoteSeat
        seat.request = request
        seat.wait(seat)

    def _end(self, match: Match, played: Played) -> None:
        """Reports the outcome to all seats, and keeps the record."""
        record, measurement = played
        remote = [seat if type(seat) is RemoteSeat else None for seat in match.seats]
        for seat in match.seats:
            seat.finish(record.outcome)
        levels = [self._level if seat else "trusted" for seat in remote]
        if len({*levels}) == 1:
            levels = levels[:1]
        measurement = msgspec.structs.replace(
            measurement,
            isolation=",".join(levels),
            cpu_nanoseconds=tuple([seat.cpu_ns if seat else 0 for seat in remote]),
            logs=_kept_logs(remote, record.outcome, all=self._all_logs),
        )
        self.running -= 1
        self.played[match.index] = PlayedMatch(match.job.key, record, measurement)


def _kept_logs(
    seats: Sequence[RemoteSeat | None], outcome: Outcome, *, all: bool
) -> tuple[SeatLog, ...]:
    """Returns the logs of those who broke the match, or of all."""
    offenders = range(len(seats)) if all else [fault.seat for fault in faults_of(outcome)]
    return tuple(
        [
            SeatLog(number, seat.log.text())
            for number, seat in enumerate(seats)
            if seat and seat.log and number in offenders
        ]
    )


def _packed_view(game: AnyGame) -> View:
    """Makes a view of one match for seats whose bots take packed observations."""
    pack = game.packer()
    return lambda state, seat: Packed(seat, pack(state, seat))


def _mixed_view(
    packs: Sequence[bool], packed: View, state: State[Any], seat: int
) -> Observation | Packed:
    """Views a state for seats of which only some take packed observations."""
    return packed(state, seat) if packs[seat] else state.observation(seat)
