"""Asks endpoints of language models for the seats of matches, each question in a task."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Protocol, TypeAlias

import msgspec
import trio

from arena.core.bot import MatchContext
from arena.core.errors import BadInput, CostLimit, EndpointFailed
from arena.core.outcome import Outcome
from arena.core.record import MatchKey
from arena.host.play.pool import MatchPool, RemoteSeat
from arena.plugins.entries import BotSource


class Answering(Protocol):
    """Answers for an endpoint in one seat of one match."""

    async def answer(self, request: object) -> object:
        """Answers a request, which comes once the one before it is answered.

        Args:
            request: A ``Seating``, or an observation.

        Returns:
            For a ``Seating`` a loadout, or ``None``; for an observation an action; or a
            ``Failure``, which is the player's.

        Raises:
            BadInput: The template of its prompts fails.
            EndpointFailed: The endpoint failed: the match does not count.
        """


class Answerer(Protocol):
    """Answers for all endpoints of a field."""

    def open_seat(self, entrant: int, match: MatchKey, context: MatchContext) -> Answering:
        """Opens a seat of a match that begins; it is dropped with its match."""


MAX_LINES = 100
"""Lines that wait to be said, the last ones."""
OpenAnswerer: TypeAlias = Callable[[], AbstractAsyncContextManager[Answerer]]
"""Opens an answerer in the loop in which matches are played, for as long as they are."""


class EndpointAccess(msgspec.Struct, frozen=True):
    """Access to the endpoints of a field. The functions are called in the thread of the host.

    Attributes:
        open_answerer: Opens what answers for them.
        may_begin: Returns why a match may not begin, and the run pauses; ``None`` if it may.
        ended: Called when a match has ended; false stands for one that is set aside.
        leave: Called while the run pauses: no question waits for a failing endpoint any more.
        notices: Lines for people; a line is removed when it is said.
    """

    open_answerer: OpenAnswerer
    may_begin: Callable[[MatchKey], CostLimit | None] = lambda match: None
    ended: Callable[[MatchKey, bool], object] = lambda match, finished: None
    leave: Callable[[], object] = lambda: None
    notices: deque[str] = msgspec.field(default_factory=lambda: deque(maxlen=MAX_LINES))


class EndpointDispatcher:
    """Sends requests to the answerer, and its answers to the matches.

    An endpoint's seat is charged no time: only its own limit a call counts.

    Args:
        answerer: Answers for all endpoints of the field.
        pool: The matches.
        nursery: Its tasks wait for answers.
        interrupt: Called when something may have happened in a match.
    """

    def __init__(
        self,
        answerer: Answerer,
        pool: MatchPool,
        nursery: trio.Nursery,
        interrupt: Callable[[], object],
    ) -> None:
        self._answerer, self._pool = answerer, pool
        self._nursery, self._interrupt = nursery, interrupt

    def open_seat(
        self, bot: BotSource, entrant: int, match: MatchKey, context: MatchContext
    ) -> RemoteSeat:
        """Makes a seat of an endpoint in a match that begins."""
        where = ", ".join(filter(None, [bot.participant.name, f"match {match}", bot.prompt]))
        with _naming(where):
            answering = self._answerer.open_seat(entrant, match, context)

        def ask(seat: RemoteSeat) -> None:
            self._nursery.start_soon(self._ask, answering, where, seat)

        return RemoteSeat(context, False, ask, ask, _finish)

    async def _ask(self, answering: Answering, where: str, seat: RemoteSeat) -> None:
        failed: EndpointFailed | None = None
        try:
            with _naming(where):
                answer = await answering.answer(seat.request)
        except EndpointFailed as error:
            failed = error
        if failed is None:
            self._pool.advance([seat], [answer], 0)
        else:
            self._pool.drop(seat.match, failed)
        self._interrupt()


@contextmanager
def _naming(where: str) -> Iterator[None]:
    """Adds the place to an error of the user's, such as a template that fails late."""
    try:
        yield
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None


def _finish(seat: RemoteSeat, outcome: Outcome) -> None:
    """Does nothing: nobody waits for the outcome."""
