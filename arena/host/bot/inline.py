"""Matches with bots called in this process; only for bots that the operator trusts."""

from __future__ import annotations

import signal
import traceback
from collections.abc import Callable, Generator, Sequence
from time import perf_counter_ns
from typing import Any, TypeAlias

from arena.core.actions import type_name
from arena.core.bot import Bot, MatchContext
from arena.core.chance.seeding import private_seeds
from arena.core.game import AnyGame, Ruleset
from arena.core.outcome import Outcome, Termination
from arena.host.bot.watch import LATE_NS, LeftTable, OutOfTime, Watch
from arena.match.adjudication import Failure
from arena.match.limits import A_DECISION, Limits, over_time
from arena.match.play import play_match
from arena.match.requests import Played, Seating, SeatRequest, TimedAnswer

Act: TypeAlias = Callable[[Any], object]
"""A bot's ``act``, looked up once a match: from an observation to whatever it answers."""

ERROR_LIMIT = 8_000
"""Most characters of a bot's traceback: its end, which names the cause."""

_UNSEATED: Act = Bot[Any]().act
"""Stands in for the bot of a seat that failed at its seating; the match loop asks it nothing."""

_NOBODY = Watch(0, 0)
"""A watchdog that never ticks, for hosts without one; its ``began`` is written and never read."""


def play_inline(
    game: AnyGame,
    ruleset: Ruleset,
    seed: int,
    bot_seed: int,
    makers: Sequence[Callable[[], Bot[Any]]],
    names: Sequence[str],
    limits: Limits,
    now: Callable[[], int] = perf_counter_ns,
    watch: Watch = _NOBODY,
    loadouts: Sequence[bytes | None] = (),
) -> Played:
    """Plays one match with new bots, called directly.

    Args:
        game: The game.
        ruleset: The rules to play by.
        seed: Seed of the deal.
        bot_seed: The bots' private seeds come from it.
        makers: Make the bot of each seat.
        names: Key of the participant in each seat.
        limits: Time of each seat.
        now: A clock in nanoseconds.
        watch: Interrupts a bot that takes too long.
        loadouts: The loadout of each seat, as in ``play_match``.

    Raises:
        HarnessFault: The game itself failed; the match is void.
    """
    loop = play_match(game, ruleset, seed, names, limits, loadouts=loadouts)
    seeds = private_seeds(bot_seed, len(names))
    bots = [
        InlineSeat(
            make, MatchContext(game, ruleset.name, seat, len(names), seeds[seat]), now, watch
        )
        for seat, make in enumerate(makers)
    ]
    try:
        request: SeatRequest = next(loop)
        while type(request) is Seating:
            request = loop.send(bots[request.seat].sit_down(request))
        _drive(loop, request, [bot.act for bot in bots], now, watch)
    except StopIteration as end:
        played: Played = end.value
    for bot in bots:
        bot.finish(played[0].outcome)
    return played


class InlineSeat:
    """A trusted bot in one seat of one match, called in this process.

    Args:
        method: Name of the bot's method that answers.

    Attributes:
        act: The bot's own method, once it has sat down.
    """

    __slots__ = ("_bot", "_context", "_make", "_method", "_now", "_watch", "act")

    def __init__(
        self,
        make: Callable[[], Bot[Any]],
        context: MatchContext,
        now: Callable[[], int] = perf_counter_ns,
        watch: Watch = _NOBODY,
        method: str = "act",
    ) -> None:
        self._make, self._context, self._method = make, context, method
        self._now, self._watch = now, watch
        self._bot: Bot[Any] | None = None
        self.act: Act = _UNSEATED

    def sit_down(self, request: Seating) -> TimedAnswer:
        """Makes and starts the bot, and asks for its loadout."""
        answer: object = None
        watch, now = self._watch, self._now
        began = now()
        try:
            watch.began = began
            bot = self._bot = self._make()
            bot.start(self._context)
            if request.offer is not None:
                answer = bot.prepare(request.offer)
            self.act = getattr(bot, self._method)
            watch.began = 0
        except BaseException as error:
            watch.began = 0
            answer = failure(error, watch)
        return answer, _own_ns(watch, began, now())

    def decide(self, request: Any) -> TimedAnswer:  # noqa: ANN401 - an observation of whichever game
        """Asks for one decision."""
        watch, now = self._watch, self._now
        began = now()
        try:
            watch.began = began
            answer: object = self.act(request)
            watch.began = 0
        except BaseException as error:
            watch.began = 0
            answer = failure(error, watch)
        return answer, _own_ns(watch, began, now())

    def finish(self, outcome: Outcome) -> None:
        """Reports the outcome to the bot; nothing that it does can change it."""
        if self._bot is None:
            return
        watch = self._watch
        try:
            watch.began = self._now()
            self._bot.finish(outcome)
            watch.began = 0
        except BaseException as error:
            watch.began = 0
            failure(error, watch)


def person_seat(
    make: Callable[[], Bot[Any]], context: MatchContext, patience_ns: int
) -> InlineSeat:
    """Makes the seat of a person, who is not on the match clock.

    Its bot raises ``OutOfTime`` after the patience, or ``LeftTable``.
    """
    return InlineSeat(make, context, now=lambda: 0, watch=Watch(patience_ns, 0))


def _own_ns(watch: Watch, began: int, ended: int) -> int:
    """Returns the time that a bot took, without that in which the process stood still."""
    elapsed = ended - began
    return elapsed - watch.stood_still_ns(began) if elapsed > LATE_NS else elapsed


def _drive(
    loop: Generator[SeatRequest, TimedAnswer, Played],
    request: Any,  # noqa: ANN401 - an observation of whichever game
    acts: list[Act],
    now: Callable[[], int],
    watch: Watch,
) -> None:
    """Asks for decision after decision, until the loop stops with the record; hot path.

    It repeats ``InlineSeat.decide``: a call more per decision costs too much.
    """
    send = loop.send
    while True:
        seat: int = request.seat
        act = acts[seat]
        began = now()
        try:
            watch.began = began
            answer: object = act(request)
            watch.began = 0
        except BaseException as error:  # a bot may raise anything, SystemExit included
            watch.began = 0
            answer = failure(error, watch)
        elapsed = now() - began
        if elapsed > LATE_NS:
            elapsed -= watch.stood_still_ns(began)
        request = send((answer, elapsed))


def failure(error: BaseException, watch: Watch = _NOBODY) -> Failure:
    """Describes how a bot failed, by its exception, of which nothing is believed.

    Args:
        error: The exception.
        watch: Interrupts an error that takes too long to describe itself.

    Raises:
        KeyboardInterrupt: The user's. In a process that ignores Ctrl-C it is the bot's own.
    """
    kind = type(error)
    if issubclass(kind, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        raise error
    if issubclass(kind, LeftTable):
        return Failure(Termination.LEFT, "left the table")
    text = _described(error, watch)
    if issubclass(kind, OutOfTime):
        return Failure(Termination.TIMEOUT, over_time(watch.limit_ns, A_DECISION), text)
    return Failure(Termination.CRASH, type_name(error), text)


def _described(error: BaseException, watch: Watch) -> str:
    """Writes the traceback if that is possible: it runs code of the bot's."""
    try:
        watch.began = perf_counter_ns()
        trace = error.__traceback__
        own = trace and trace.tb_next  # the first frame is this module's
        lines = traceback.format_exception(type(error), error, own)
        watch.began = 0
    except BaseException:
        watch.began = 0
        lines = [f"{type_name(error)} (its traceback cannot be written)"]
    # An error object that is raised match after match would gather frames without end.
    BaseException.with_traceback(error, None)
    text = "".join(lines)[-ERROR_LIMIT:]
    return text.encode("utf-8", "backslashreplace").decode()
