"""Scoring by amount: the worth of a match, and each entry's mean amount with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import msgspec
from arena_results.ratings.intervals.amounts import AmountEstimate, estimate_amount
from arena_results.schema.rows import MatchRow, TournamentSummary
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.game import AnyGame, Ruleset
from arena.core.outcome import Amounts
from arena.plugins.registry import Registry


class ByAmount(msgspec.Struct, frozen=True):
    """The worth of matches under a ruleset of a game.

    Attributes:
        unit: Their unit, in the plural.
        amounts: The amount of each seat of a match.
    """

    unit: str
    amounts: Amounts


def by_amount(spec: TournamentSpec, game: AnyGame, ruleset: Ruleset) -> ByAmount | None:
    """Returns what the matches of a tournament are worth; ``None`` if wins count."""
    if spec.scoring != "amount":
        return None
    return ByAmount(game.amounts.unit(ruleset), partial(game.amounts.of, ruleset))


def stored_by_amount(
    registry: Registry, summary: TournamentSummary, spec: TournamentSpec
) -> ByAmount | None:
    """Returns what the matches of a stored tournament are worth; ``None`` if wins count.

    Raises:
        UnknownName: Its game is not installed.
    """
    if spec.scoring != "amount":
        return None
    game = registry.game(summary.game)
    return by_amount(spec, game, game.ruleset(summary.ruleset))


def preferred_unit(registry: Registry, summary: TournamentSummary) -> str:
    """Returns the unit in which a game is scored unless wins are asked for; empty if in none.

    Raises:
        UnknownName: The game is not installed.
    """
    game = registry.game(summary.game)
    ruleset = game.ruleset(summary.ruleset)
    return game.amounts.unit(ruleset) if game.amounts.preferred(ruleset) else ""


def estimates(
    matches: Iterable[MatchRow], entries: int, amounts: Amounts, *, mirrored: bool
) -> tuple[AmountEstimate, ...]:
    """Returns each entry's mean amount, by index into the field.

    Args:
        matches: The matches in schedule order.
        mirrored: Whether a deal is played by as many matches in a row as the pairing has seats.
    """
    deals: list[dict[tuple[int, int, int], list[float]]] = [{} for _ in range(entries)]
    for match in matches:
        key, legs = match.key, len(match.seats) if mirrored else 1
        deal = key.round, key.pairing, (key.leg - 1) // legs
        for index, amount in zip(match.seats, amounts(match), strict=True):
            deals[index].setdefault(deal, []).append(amount)
    return tuple(_estimate([*row.values()]) for row in deals)


def _estimate(deals: Sequence[Sequence[float]]) -> AmountEstimate:
    return estimate_amount([(sum(amounts), len(amounts)) for amounts in deals])
