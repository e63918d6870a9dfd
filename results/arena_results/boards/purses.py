"""Computes each entry's credits from wagers between two, settled in schedule order."""

from __future__ import annotations

from collections.abc import Iterable

from arena.core.errors import BadInput
from arena.core.wager import settle
from arena_results.schema.rows import MatchRow


def purses(matches: Iterable[MatchRow], entries: int, purse: int, stake: int) -> tuple[int, ...]:
    """Returns the credits of each entry, by index into the field, after matches in schedule order.

    Args:
        purse: Credits each entry starts with.
        stake: Credits each match is played for, capped at the loser's credits.

    Raises:
        BadInput: A match has more than two seats: at a table the chips are the wager.
    """
    held = [purse] * entries
    for match in matches:
        if len(match.seats) != 2:
            raise BadInput(
                f"stakes are for two seats; match {match.key} has {len(match.seats)}; "
                "play tables without a stake"
            )
        best = max(match.returns)
        winner = match.returns.index(best) if match.returns.count(best) == 1 else None
        after = settle([held[index] for index in match.seats], stake, winner)
        for index, amount in zip(match.seats, after, strict=True):
            held[index] = amount
    return tuple(held)
