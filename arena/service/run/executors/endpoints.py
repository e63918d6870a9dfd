"""Asks the endpoints of a run: the journal, the limit of cost, and the first question."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from statistics import fmean

from arena_results.file.database import Database
from arena_results.store.exchanges import ExchangeJournal
from msgspec.structs import replace

from arena.core.errors import BadInput, CostLimit, EndpointFailed
from arena.core.record import MatchKey
from arena.core.tournaments.format import EXHIBITION
from arena.host.endpoints.calibration import (
    Calibration,
    calibrate,
    calibration_body,
    worst_calibration,
)
from arena.host.endpoints.client import EndpointClient, open_clients
from arena.host.endpoints.exchange import Answer, Exchange, Journal, MemoryJournal, Question
from arena.host.endpoints.purse import Purse, worst_cost
from arena.host.endpoints.reply import read_reply
from arena.host.endpoints.request import request_body
from arena.host.play.answerer import EndpointAnswerer, open_answerer
from arena.host.play.endpoints import MAX_LINES, EndpointAccess
from arena.host.prompts.trial import tried_messages
from arena.service.run.executors.model_estimate import QuestionFigures
from arena.service.setup.money import open_purse, too_dear_error
from arena.service.setup.resolve import ResolvedTournament

CALIBRATION = MatchKey(0, 0, 0)
"""The match under which the cost of first questions is stored; there is no such round."""


async def calibrated(resolved: ResolvedTournament, spent: float = 0.0) -> list[Exchange]:
    """Asks each endpoint of a field one question; none where a caller has a way of its own.

    One that could pass the limit of cost is not asked: the run will pause before its first call.

    Args:
        resolved: The tournament.
        spent: Dollars that were spent on it before.

    Returns:
        What the answers took and cost, for ``keep_calibration``.

    Raises:
        BadInput: One of them cannot be asked, or does not keep the form of its answers.
    """
    purse, found = Purse(resolved.spec.max_cost, spent), []
    async with _clients(resolved) as clients:
        for entrant, client in clients.items():
            worst = worst_calibration(client.endpoint)
            if purse.reserve(worst):
                found.append(_asked_first(resolved, entrant, client, await calibrate(client)))
                purse.pay(CALIBRATION, worst, found[-1].cost or 0.0)
    return found


def _asked_first(
    resolved: ResolvedTournament, entrant: int, client: EndpointClient, found: Calibration
) -> Exchange:
    endpoint, cost = client.endpoint, found.cost
    worst = worst_cost(endpoint, calibration_body(endpoint))
    if cost is None and resolved.spec.max_cost is not None:
        cost = worst
    if cost is not None:
        cost += found.unanswered * worst
    return Exchange(
        question=Question(CALIBRATION, entrant, 0, 1, os.urandom(32)),
        entrant=entrant,
        asked=b"",
        answer=Answer(200, b"", found.seconds),
        usage=found.usage,
        reading="legal",
        cost=cost,
    )


async def keep_calibration(database: Database, number: int, exchanges: Sequence[Exchange]) -> None:
    """Keeps the cost of first questions with their tournament, which is stored by now."""
    if exchanges:
        journal = ExchangeJournal(database, number)
        for each in exchanges:
            await journal.keep(each)


async def question_figures(resolved: ResolvedTournament) -> dict[str, QuestionFigures]:
    """Asks each endpoint a first question and one position; returns what one takes, by names.

    The tokens of the prompt are scaled to the mean length of the first positions of a match.

    Raises:
        BadInput: As ``calibrated``.
    """
    async with _clients(resolved) as clients:
        return {
            resolved.names[index]: await _figures(resolved, client)
            for index, client in clients.items()
        }


async def _figures(resolved: ResolvedTournament, client: EndpointClient) -> QuestionFigures:
    await calibrate(client)
    endpoint, seats = client.endpoint, resolved.tables.most
    tried = tried_messages(endpoint, resolved.game, resolved.ruleset, seats)
    bodies = [request_body(endpoint, messages, (), "calibration") for messages in tried]
    offered = resolved.game.loadouts.offer(resolved.ruleset, 0) is not None
    asked = bodies[len(bodies) // 2]
    answer = await client.send(asked)
    usage = read_reply(answer, endpoint.answer).usage
    longer = fmean(map(len, bodies)) / len(asked)
    return QuestionFigures(
        prompt=None if usage.prompt is None else usage.prompt * longer,
        completion=usage.completion,
        seconds=answer.seconds,
        loadouts=int(offered and not endpoint.loadout),
    )


@asynccontextmanager
async def _clients(resolved: ResolvedTournament) -> AsyncIterator[dict[int, EndpointClient]]:
    """Opens the clients of a field's endpoints, by index; what fails is a mistake of the user's."""
    bots = enumerate(resolved.bots if _asks(resolved) else ())
    endpoints = {index: bot.endpoint for index, bot in bots if bot.endpoint is not None}
    if not endpoints:
        yield {}
        return
    try:
        async with open_clients(list(endpoints.values())) as clients:
            yield dict(zip(endpoints, clients, strict=True))
    except EndpointFailed as failed:
        raise BadInput(failed.reason) from None


class _Access:
    """Opens answerers, and remembers which are open.

    Args:
        resolved: The tournament.
        journal: Gets a function that takes lines for people; returns the journal.
        purse: Holds the cost.
        too_dear: Returns the error of a run that pauses because of its cost.
    """

    def __init__(
        self,
        resolved: ResolvedTournament,
        journal: Callable[[Callable[[str], object]], Journal],
        purse: Purse,
        too_dear: Callable[[], CostLimit],
    ) -> None:
        self._resolved, self._purse, self._too_dear = resolved, purse, too_dear
        self._notices: deque[str] = deque(maxlen=MAX_LINES)
        self._journal = journal(self._notices.append)
        self._open = set[EndpointAnswerer]()

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[EndpointAnswerer]:
        asking = (self._journal, self._purse, self._too_dear, self._notices.append)
        async with open_answerer(self._resolved.bots, *asking) as answerer:
            self._open.add(answerer)
            try:
                yield answerer
            finally:
                self._open.remove(answerer)

    def _leave(self) -> None:
        for each in self._open:
            each.leave()

    def _may_begin(self, match: MatchKey) -> CostLimit | None:
        return None if self._purse.may_begin(match) else self._too_dear()

    def _ended(self, match: MatchKey, finished: bool) -> None:
        self._purse.end(match, finished=finished)
        if finished:
            self._journal.forget(match)

    def granted(self) -> ResolvedTournament:
        """Returns the tournament with this access to its endpoints."""
        access = EndpointAccess(
            self._opened, self._may_begin, self._ended, self._leave, self._notices
        )
        return replace(self._resolved, access=access)


def with_journal(
    resolved: ResolvedTournament, database: Database, number: int
) -> ResolvedTournament:
    """Returns a stored tournament with access to its endpoints: no question is asked twice."""
    if not _asks(resolved):
        return resolved
    purse = open_purse(database, number, resolved.spec)
    exhibition = resolved.format.name == EXHIBITION
    too_dear = partial(too_dear_error, database, number, purse, exhibition=exhibition)
    journal = partial(ExchangeJournal, database, number)
    return _Access(resolved, journal, purse, too_dear).granted()


def without_journal(resolved: ResolvedTournament) -> ResolvedTournament:
    """Returns a tournament that is not stored with access to its endpoints."""
    if not _asks(resolved):
        return resolved

    def too_dear() -> CostLimit:
        return CostLimit("the next call could pass the limit of cost", 0.0)

    return _Access(resolved, lambda notice: MemoryJournal(), Purse(), too_dear).granted()


def _asks(resolved: ResolvedTournament) -> bool:
    """Returns whether endpoints are asked in the usual way."""
    return resolved.access is None and any(bot.answered_by == "endpoint" for bot in resolved.bots)
