"""Asks the endpoints of a run: the journal, the limit of cost, and the first question."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from statistics import fmean

from arena_results.file.database import Database
from arena_results.store.exchanges import ExchangeJournal
from msgspec.structs import replace

from arena.core.errors import BadInput, EndpointFailed
from arena.core.record import MatchKey
from arena.host.endpoints.calibration import calibrate
from arena.host.endpoints.client import EndpointClient, open_clients
from arena.host.endpoints.exchange import Journal, MemoryJournal
from arena.host.endpoints.purse import Purse
from arena.host.endpoints.reply import read_reply
from arena.host.endpoints.request import request_body
from arena.host.play.answerer import open_answerer
from arena.host.play.endpoints import EndpointAccess
from arena.host.prompts.trial import tried_messages
from arena.service.run.model_estimate import QuestionFigures
from arena.service.setup.money import cost_line, open_purse
from arena.service.setup.resolve import ResolvedTournament


async def calibrated(resolved: ResolvedTournament) -> None:
    """Asks each endpoint of a field one question; none where a caller has a way of its own.

    Raises:
        BadInput: One of them cannot be asked, or does not keep the form of its answers.
    """
    async with _clients(resolved) as clients:
        for client in clients.values():
            await calibrate(client)


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
    asked = bodies[len(bodies) // 2]
    answer = await client.send(asked)
    usage = read_reply(answer, endpoint.answer).usage
    longer = fmean(map(len, bodies)) / len(asked)
    return QuestionFigures(
        prompt=None if usage.prompt is None else usage.prompt * longer,
        completion=usage.completion,
        seconds=answer.seconds,
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


def with_journal(
    resolved: ResolvedTournament, database: Database, number: int
) -> ResolvedTournament:
    """Returns a stored tournament with access to its endpoints: no question is asked twice."""
    if not _asks(resolved):
        return resolved
    purse = open_purse(database, number, resolved.spec)
    too_dear = partial(cost_line, database, number, purse)

    def may_begin(match: MatchKey) -> str:
        return "" if purse.may_begin(match) else too_dear()

    def ended(match: MatchKey, finished: bool) -> None:
        purse.end(match, finished=finished)

    journal = ExchangeJournal(database, number)
    asks = partial(open_answerer, resolved.bots, journal, purse, too_dear)
    return replace(resolved, access=EndpointAccess(asks, may_begin, ended))


def without_journal(resolved: ResolvedTournament) -> ResolvedTournament:
    """Returns a tournament that is not stored with access to its endpoints."""
    if not _asks(resolved):
        return resolved
    journal: Journal = MemoryJournal()
    asks = partial(open_answerer, resolved.bots, journal, Purse(), str)
    return replace(resolved, access=EndpointAccess(asks))


def _asks(resolved: ResolvedTournament) -> bool:
    """Returns whether endpoints are asked in the usual way."""
    return resolved.access is None and any(bot.answered_by == "endpoint" for bot in resolved.bots)
