"""Settles stakes between the seats of a match, in schedule order (rule book, section 1.5)."""

from __future__ import annotations

from collections.abc import Sequence


def settle(purses: Sequence[int], stake: int, winner: int | None) -> tuple[int, ...]:
    """Settles a match, winner takes all: every loser pays the stake, capped at his purse.

    Args:
        purses: Credits a seat before the match.
        stake: Credits that each loser pays, 0 and up.
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
