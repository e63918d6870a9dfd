"""Stakes: what a match is played for, settled in schedule order (rule book, section 1.5)."""

from __future__ import annotations

from collections.abc import Sequence


def settle(purses: Sequence[int], stake: int, winner: int | None) -> tuple[int, ...]:
    """Winner takes all: every loser pays the stake, capped at what he holds.

    Args:
        purses: Credits a seat before the match.
        stake: What each loser pays, 0 and up.
        winner: The winning seat; ``None`` for a drawn match, in which nobody pays.

    Returns:
        Credits a seat after the match; their sum is unchanged.
    """
    if winner is None:
        return tuple(purses)
    paid = [0 if seat == winner else min(stake, held) for seat, held in enumerate(purses)]
    taken = sum(paid)
    return tuple(
        held + taken if seat == winner else held - paid[seat] for seat, held in enumerate(purses)
    )
