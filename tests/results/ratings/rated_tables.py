"""Matches of tables of every size, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from arena.core.tournaments.rating import Duels, pairs

PLAYERS = 7


def finished(players: tuple[int, ...], places: tuple[int, ...]) -> Duels:
    """The match in which these players took these places, the lowest the best."""
    scores = tuple(
        0.5 if places[one] == places[other] else float(places[one] < places[other])
        for one, other in pairs(len(players))
    )
    return Duels(players, scores)


@st.composite
def tables(draw: st.DrawFn, seats: st.SearchStrategy[int] | None = None) -> Duels:
    """One match of some of seven players, in any finishing order, ties included."""
    size = draw(seats or st.integers(2, 6))
    players = draw(st.permutations(range(PLAYERS)))[:size]
    places = draw(st.tuples(*[st.integers(1, size)] * size))
    return finished(tuple(players), places)
