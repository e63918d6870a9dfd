"""Tables at which bots in processes of their own play: one host in a thread plays them all."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import partial
from itertools import count
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeAlias

import msgspec
import trio

from arena.core.actions import Action
from arena.core.bot import MatchContext
from arena.core.errors import BadInput, EndpointFailed, HarnessFault
from arena.core.observation import Observation
from arena.core.outcome import Outcome
from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournaments.format import Job
from arena.host.play.endpoints import Answerer, Answering, EndpointAccess
from arena.host.play.hosts import open_confined
from arena.match.requests import Seating
from arena.plugins.endpoints.spec import Endpoint
from arena.rl.tables import LEARNER, Field, seating

if TYPE_CHECKING:
    from arena.host.play.confined import ConfinedHost

_Event: TypeAlias = Observation | Outcome | BaseException
"""Something that the thread reports of a match: a question, the end, or an error."""


class _Left(EndpointFailed):
    """Ends a match that the learner has left."""


class _Sitting:
    """The learner's seat in one match; its answers come from another thread: an ``Answering``.

    Attributes:
        job: The match.
        events: What the thread of the host reports.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self.events: SimpleQueue[_Event] = SimpleQueue()
        self._left = False
        self._action: Action | None = None
        self._taken = trio.Event()

    async def answer(self, request: object) -> object:
        """Hands on an observation, and waits for the learner."""
        if isinstance(request, Observation) and not self._left:
            self._taken = trio.Event()
            self.events.put(request)
            await self._taken.wait()
        if self._left:
            raise _Left("the learner has left the match")
        return None if isinstance(request, Seating) else self._action

    def take(self, action: Action) -> None:
        """Takes the learner's decision."""
        self._action = action
        self._taken.set()

    def leave(self) -> None:
        """Ends the match as soon as the learner is asked."""
        self._left = True
        self._taken.set()


class _Matches:
    """The matches of all tables: a ``Feed`` of the host, and an ``Answerer`` for the learner.

    Attributes:
        open: The matches that are not over, by number.
        waiting: The numbers of the matches to begin.
        others: Answers for opponents that are language models.
    """

    look_seconds = math.inf

    def __init__(self, members: list[int]) -> None:
        self._members = members
        self.open: dict[int, _Sitting] = {}
        self.waiting: deque[int] = deque()
        self.others: Answerer | None = None
        self.stopped = False

    @property
    def over(self) -> bool:
        """True when the tables are closed; see ``Feed``."""
        return self.stopped

    def take(self, running: int) -> tuple[int, Job] | None:
        """Returns the next match; see ``Feed``."""
        if not self.waiting:
            return None
        number = self.waiting.popleft()
        return number, self.open[number].job

    def played(self, number: int, match: PlayedMatch) -> None:
        """Reports the outcome to the learner."""
        self.open.pop(number).events.put(match.record.outcome)

    def failed(self, number: int, fault: HarnessFault) -> None:
        """Drops a match that the learner has left; raises any other fault."""
        if not isinstance(fault, _Left):
            raise fault
        del self.open[number]

    def open_seat(self, entrant: int, match: MatchKey, context: MatchContext) -> Answering:
        """Opens the learner's seat, or one of a language model; see ``Answerer``."""
        if not entrant:
            return self.open[match.pairing]
        assert self.others is not None
        return self.others.open_seat(self._members[entrant], match, context)


class Hall:
    """Plays the matches of all tables of an environment in one thread, by one host.

    Bots get the requests of many tables at once, and each has one process for all of them.

    Args:
        field: The bots of each table.

    Raises:
        ArenaError: Each call may raise what has ended the thread.
    """

    def __init__(self, field: Field) -> None:
        self._field = field
        self._matches = _Matches(field.members)
        self._numbers = count(1)
        self._loop: Future[trio.lowlevel.TrioToken] = Future()
        self._error: BaseException = BadInput("the environment is closed")
        self._thread = threading.Thread(target=self._play, name="arena tables", daemon=True)
        self._thread.start()

    def begin(self, seat: int, deal: int, bot_seed: int) -> _Sitting:
        """Begins a match; returns the learner's seat in it."""
        number = next(self._numbers)
        order = seating(len(self._field.members), seat)
        sitting = _Sitting(Job(MatchKey(1, number, 1), deal, bot_seed, order))
        self._matches.open[number] = sitting
        self.call(partial(self._matches.waiting.append, number))
        return sitting

    def call(self, work: Callable[[], object]) -> None:
        """Has something done soon by the thread of the host, which looks then what there is to do.

        Raises:
            BaseException: What has ended the thread.
        """

        def done() -> None:
            work()
            self._host.look_again()

        try:
            self._loop.result().run_sync_soon(done)
        except trio.RunFinishedError:
            self._thread.join()
            raise self._error from None

    def close(self) -> None:
        """Leaves all matches, and ends the processes of bots."""
        with suppress(BaseException):  # it has been raised where a match was asked for
            self.call(self._stop)
        self._thread.join()

    def _stop(self) -> None:
        self._matches.stopped = True

    def _play(self) -> None:
        """Plays until it is closed; runs in its thread."""
        resolved, (stand_in, *others) = self._field.resolved, self._field.bots
        learner = msgspec.structs.replace(stand_in, endpoint=Endpoint(url="", model=LEARNER))
        access, bots = EndpointAccess(self._opened), [learner, *others]
        try:
            host: ConfinedHost
            with open_confined(resolved.settings(), bots, resolved.load, access) as host:
                self._host = host
                host.play_from(self._matches)
        except BaseException as error:  # raised again where the environment is called
            self._error = error
        if not self._loop.done():
            self._loop.set_exception(self._error)
        for sitting in list(self._matches.open.values()):
            sitting.events.put(self._error)

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Answerer]:
        access = self._field.resolved.access
        async with nullcontext() if access is None else access.open_answerer() as others:
            self._matches.others = others
            self._loop.set_result(trio.lowlevel.current_trio_token())
            yield self._matches


class ProcessTable:
    """A table of which some bots run in processes of their own; see ``Table``."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._sitting: _Sitting | None = None
        self.outcome: Outcome | None = None

    def begin(self, seat: int, deal: int, bot_seed: int) -> Observation | None:
        self.close()
        self.outcome = None
        self._sitting = self._hall.begin(seat, deal, bot_seed)
        return self.receive()

    def send(self, action: Action) -> None:
        assert self._sitting is not None
        self._hall.call(partial(self._sitting.take, action))

    def receive(self) -> Observation | None:
        assert self._sitting is not None
        event = self._sitting.events.get()
        if isinstance(event, Observation):
            return event
        self._sitting = None
        if isinstance(event, Outcome):
            self.outcome = event
            return None
        raise event

    def close(self) -> None:
        if self._sitting is not None:
            self._hall.call(self._sitting.leave)
            self._sitting = None
