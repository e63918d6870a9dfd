"""Counts the main-deck cards that may still come, from those on the tables.

The deck is reshuffled before every set (rule book S7), so the cards to count are those of this
set: both tables, and what the opening draw burnt where it does (A2).
"""

from __future__ import annotations

from arena.games.pazaak.engine.observation import PazaakObservation
from arena.games.pazaak.parts.solver import UNBOUND

FULL = (4,) * 10
"""A deck of forty: how many cards there are of each value 1..10."""


def unseen(observation: PazaakObservation, own_draw: bool) -> list[int]:
    """Returns the number of cards of each value 1..10 that may come next, up to a common factor.

    Args:
        own_draw: Whether the seat itself draws next; it matters where each seat has its own
            deck.
    """
    kind = observation.ruleset.main_deck
    if kind == "infinite":
        return list(UNBOUND)
    left = list(FULL)
    burnt = observation.marks.burnt
    squares = observation.table + observation.rival_table
    if kind == "forty_each":
        seat = observation.seat if own_draw else 1 - observation.seat
        burnt = burnt[seat::2]
        squares = observation.table if own_draw else observation.rival_table
    for square in squares:
        card = square.face.id
        if card > 100:
            left[card - 101] -= 1
    for value in burnt:
        left[value - 1] -= 1
    return left
