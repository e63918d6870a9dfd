"""Settles stakes between the seats of a match, in schedule order (rule book, section 1.5)."""

from __future__ import annotations

from collections.abc import Sequence


def settle(purses: Sequence[int], stake: int, winner: int | None) -> tuple[int, ...]:
    """Settles a match, winner takes all: every loser pays the stake, capped at his purse.

    Purses are credits a seat, before and after the match; their sum is unchanged. Without a winner,
    in a drawn match, nobody pays.
    """
    if winner is None:
        return tuple(purses)
    paid = [0 if seat == winner else min(stake, held) for seat, held in enumerate(purses)]
    taken = sum(paid)
    return tuple(
        held + taken if seat == winner else held - paid[seat] for seat, held in enumerate(purses)
    )
