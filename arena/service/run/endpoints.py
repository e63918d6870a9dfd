"""Asks the endpoints of a run: the journal, the limit of cost, and the first question."""

from __future__ import annotations

from functools import partial

from arena_results.file.database import Database
from arena_results.store.exchanges import ExchangeJournal
from msgspec.structs import replace

from arena.core.errors import BadInput, EndpointFailed
from arena.core.record import MatchKey
from arena.host.endpoints.calibration import Calibration, calibrate
from arena.host.endpoints.client import open_clients
from arena.host.endpoints.exchange import Journal, MemoryJournal
from arena.host.endpoints.purse import Purse
from arena.host.play.answerer import open_answerer
from arena.host.play.endpoints import EndpointAccess
from arena.service.setup.money import cost_line, open_purse
from arena.service.setup.resolve import ResolvedTournament


async def calibrated(resolved: ResolvedTournament) -> dict[int, Calibration]:
    """Asks each endpoint of a field one question; returns what that found, by index in the field.

    Where they are asked in a way of the caller's, it asks none.

    Raises:
        BadInput: One of them cannot be asked, or does not keep the form of its answers.
    """
    if not _asks(resolved):
        return {}
    bots = enumerate(resolved.bots)
    endpoints = {index: bot.endpoint for index, bot in bots if bot.endpoint is not None}
    try:
        async with open_clients(list(endpoints.values())) as clients:
            asked = zip(endpoints, clients, strict=True)
            return {index: await calibrate(client) for index, client in asked}
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
