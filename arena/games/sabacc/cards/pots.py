"""Pots: who can win which chips, and how chips are shared."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import TypeAlias

Pot: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The chips that each seat put into one pot, and the seats that can win them."""


def pots(staked: Sequence[int], order: Sequence[int], all_in: Sequence[bool]) -> tuple[Pot, ...]:
    """The main pot and, behind seats that are all in, side pots (B14).

    A seat that is all in can win from each other seat as much as it put itself; any other seat
    in the hand can win everything, for stakes are never equalised (section 7).

    Args:
        staked: Chips put in this hand, by seat.
        order: The seats in the hand.
        all_in: Who is all in, by seat.

    Returns:
        The pots, the main one first; together they hold every chip.
    """
    levels = sorted({staked[seat] for seat in order if all_in[seat]})
    made: list[Pot] = []
    below = 0
    for level in (*levels, max(staked)):
        puts = tuple(min(put, level) - min(put, below) for put in staked)
        can_win = tuple(seat for seat in order if not all_in[seat] or staked[seat] >= level)
        if can_win and (any(puts) or not made):
            made.append((puts, can_win))
        else:  # more than any seat in the hand can win by itself: it goes with the last pot
            puts_before, can_win = made[-1]
            made[-1] = (tuple(map(add, puts_before, puts)), can_win)
        below = level
    return tuple(made)


def shares(chips: int, seats: Sequence[int]) -> dict[int, int]:
    """Equal shares; odd chips go one each to the first seats (nearest the dealer's left)."""
    each, odd = divmod(chips, len(seats))
    return {seat: each + (number < odd) for number, seat in enumerate(seats)}
