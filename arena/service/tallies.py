"""Counts of matches by entry: results, places and amounts at tables, adjudicated losses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
from arena_results.rows import MatchRow
from arena_tournaments.schedule import match_points
from arena_tournaments.scoring import tidy
from arena_tournaments.standings import Tally

from arena.core.record import MatchKey


class FirstLoss(msgspec.Struct, frozen=True):
    """The first adjudicated loss of a bot by one cause, in schedule order.

    Attributes:
        entrant: The bot, by index into the field.
        move: Number of decisions taken in the match before the fault.
    """

    entrant: int
    cause: str
    key: MatchKey
    move: int


class TableTally(msgspec.Struct, frozen=True):
    """The record of one participant at tables of more than two.

    Attributes:
        average_place: The average of its places, 1 the best; who share places have their
            average. ``None`` before its first match.
        amount: The sum of the game's own amounts (chips, points, ...) over its matches.
    """

    average_place: float | None
    amount: int


def tallies(matches: Sequence[MatchRow], entries: int) -> tuple[Tally, ...]:
    """Matches won, drawn and lost; at tables: finished alone on top, shared the top, the rest."""
    found = [Counter[str]() for _ in range(entries)]
    for match in matches:
        best = max(match.returns)
        top = "drawn" if match.returns.count(best) > 1 else "won"
        for index, utility in zip(match.seats, match.returns, strict=True):
            found[index][top if utility == best else "lost"] += 1
    return tuple(Tally(row["won"], row["drawn"], row["lost"]) for row in found)


def table_tallies(matches: Sequence[MatchRow], entries: int) -> tuple[TableTally, ...]:
    """Each one's average place, and the sum of its amounts, at tables of more than two."""
    places: list[list[float]] = [[] for _ in range(entries)]
    amounts = [0] * entries
    for match in matches:
        others = len(match.seats) - 1
        shares = match_points(match.returns)
        for index, share, amount in zip(match.seats, shares, match.scores, strict=True):
            places[index].append(1 + others * (1 - share))
            amounts[index] += amount
    return tuple(
        TableTally(tidy(sum(row) / len(row)) if row else None, amount)
        for row, amount in zip(places, amounts, strict=True)
    )


def losses(matches: Sequence[MatchRow], entries: int) -> tuple[dict[str, int], ...]:
    """Adjudicated losses by cause, by index into the field."""
    found = [Counter[str]() for _ in range(entries)]
    for match in matches:
        for fault in match.faults:
            found[match.seats[fault.seat]][fault.cause.value] += 1
    return tuple(dict(sorted(row.items())) for row in found)


def first_losses(matches: Sequence[MatchRow]) -> tuple[FirstLoss, ...]:
    """The first adjudicated loss of each bot and cause; matches are in schedule order."""
    found: dict[tuple[int, str], FirstLoss] = {}
    for match in matches:
        for fault in match.faults:
            entrant, cause = match.seats[fault.seat], fault.cause.value
            if (entrant, cause) not in found:
                found[entrant, cause] = FirstLoss(entrant, cause, match.key, fault.move)
    return tuple(found[key] for key in sorted(found))
