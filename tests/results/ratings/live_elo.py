"""Elo's live rating, from the product's update by single matches."""

from __future__ import annotations

from collections.abc import Iterable

from arena_results.ratings.systems.elo import START, play

from arena.core.tournaments.rating import Duels


def elo(matches: Iterable[Duels], players: int) -> list[float]:
    """Returns the ratings, one a player, after matches in schedule order."""
    ratings = [START] * players
    for match in matches:
        play(ratings, (match,), at_once=False)
    return ratings
