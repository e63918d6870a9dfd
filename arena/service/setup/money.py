"""Checks the limit of a tournament's cost, and opens the purse of a run."""

from __future__ import annotations

from collections.abc import Sequence

from arena_results.file.database import Database
from arena_results.store.exchange_sums import match_costs, spent
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import BadInput, CostLimit
from arena.core.record import MatchKey
from arena.host.endpoints.purse import Purse
from arena.plugins.entries import BotSource
from arena.plugins.options import option

_STORED = (0, 0, 0)


def check_models(spec: TournamentSpec, bots: Sequence[BotSource]) -> None:
    """Checks what limits of time and cost need of language models.

    Raises:
        BadInput: There is a budget of time; or the cost is limited, and an endpoint has no prices,
            or no most tokens of an answer, so that no call has a bound.
    """
    if spec.budget and any(bot.endpoint for bot in bots):
        raise BadInput(
            f"the time of language models is not known before; instead of {option('budget')} give "
            f"{option('games')}, and {option('max_cost')} to bound the cost"
        )
    if spec.max_cost is None:
        return
    for bot in bots:
        if bot.endpoint is None:
            continue
        needed = ("price_in", "price_out", "max_tokens")
        missing = [key for key in needed if getattr(bot.endpoint, key) is None]
        if missing:
            raise BadInput(
                f"{bot.participant.name} has no {' and no '.join(missing)}, without which its cost "
                f"has no bound; add {'it' if len(missing) == 1 else 'them'} to its file, or leave "
                f"out {option('max_cost')}"
            )


def open_purse(
    database: Database, number: int, spec: TournamentSpec, cost_per_match: float = 0.0
) -> Purse:
    """Returns the purse of a tournament, from what its calls have cost so far.

    Args:
        cost_per_match: Dollars of a match as they were estimated, where none was played yet.
    """
    costs = match_costs(database, number)
    dearest = costs.pop(_STORED, cost_per_match)
    under_way = {MatchKey(*key): cost for key, cost in costs.items()}
    return Purse(spec.max_cost, spent(database, number), dearest, under_way)


def too_dear_error(
    database: Database, number: int, purse: Purse, *, exhibition: bool = False
) -> CostLimit:
    """Returns the error of a run that pauses because of its cost, with the command to go on."""
    who, then = ("it", "call") if exhibition else (f"tournament {number}", "call or match")
    line = (
        f"{who} has cost ${purse.spent:.4f}, and the next {then} could pass "
        f"{option('max_cost')} {purse.limit or 0.0:g}"
    )
    if not exhibition:  # a match of a person does not go on later
        line += f"; to go on: arena tournament resume {number} {raised(purse.enough)}"
        line += database.option
    return CostLimit(line, purse.enough)


def raised(limit: float) -> str:
    """Returns the option of a command that continues with a higher limit of cost."""
    return f"--max-cost {limit:g}"
