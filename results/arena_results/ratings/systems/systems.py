"""Our own rating systems, as leaderboards use them."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain

from arena.core.rating import Rated, Rating, Results
from arena_results.ratings.intervals.statistics import Z95
from arena_results.ratings.systems.elo import START, K, elo

REPLAYS = 500
"""Number of bootstrap replays of the intervals of Elo."""


class Joint:
    """Rates by one fit of all results together, from their sums."""

    name = "joint"
    summary = f"joint maximum likelihood on the scale of Elo, about {START:.0f}"
    note = (
        f"rating: joint maximum likelihood of all results (in Elo; {START:.0f} is the mean of bots "
        "that results hold), ± 95 % over deals (a mirrored pair, or a deal played around a table, "
        "counts as one)"
    )
    table_note = " (Plackett-Luce on the whole finishing order)"
    takes: Collection[str] = ("anchors", "amounts", "luck")

    def rate(self, results: Results) -> Rated:
        # Here: they need numpy, which takes long to load for commands that rate nothing.
        from arena_results.ratings.systems.amounts_board import rate_amounts
        from arena_results.ratings.systems.joint_board import rate_jointly

        return rate_amounts(results) if results.worths else rate_jointly(results)


class Elo:
    """Rates by Elo's live rating with a bootstrap interval."""

    name = "elo"
    summary = f"Elo, start {START:.0f}, K={K:.0f}, with a bootstrap interval"
    note = (
        f"low-high: 2.5-97.5 % range of {REPLAYS} bootstrap replays of the stored matches "
        "(a mirrored pair, or a deal played around a table, is drawn as one); "
        f"Elo, start {START:.0f}, K={K:.0f}, in schedule order"
    )
    table_note = ", at K/(n-1)"
    takes: Collection[str] = ()

    def rate(self, results: Results) -> Rated:
        from arena_results.ratings.systems.bootstrap import elo_intervals

        units = [*chain.from_iterable(results.in_order())]
        players = len(results.names)
        values = elo(chain.from_iterable(units), players)
        intervals = elo_intervals(units, players, results.seed, REPLAYS)
        return Rated([Rating(value, *ends) for value, ends in zip(values, intervals, strict=True)])


class Glicko2:
    """Rates by Glicko-2, each tournament being a rating period."""

    name = "glicko2"
    summary = "Glicko-2, a rating period a tournament"
    note = (
        "low-high: rating ± 1.96 rating deviations; Glicko-2, a rating period a tournament, every "
        "match an observation of its own"
    )
    table_note = " (each duel a result)"
    takes: Collection[str] = ()

    def rate(self, results: Results) -> Rated:
        from arena_results.ratings.systems.glicko2 import TAU, Glicko, glicko2

        ratings, seen = [Glicko() for _ in results.names], set[int]()
        for units in results.in_order():
            matches = chain.from_iterable(units)
            glicko2(ratings, (duel for match in matches for duel in match.duels), seen, TAU)
        return _apart([(each.rating, each.deviation) for each in ratings])


class OpenSkill:
    """Rates by OpenSkill, match by match."""

    name = "openskill"
    summary = "OpenSkill (Plackett-Luce), match by match in schedule order"
    note = (
        "low-high: mu ± 1.96 sigma; OpenSkill (Plackett-Luce, start 25), in schedule order, every "
        "match an observation of its own"
    )
    table_note = " (Plackett-Luce on the whole finishing order)"
    takes: Collection[str] = ()

    def rate(self, results: Results) -> Rated:
        from arena_results.ratings.systems.openskill import DEVIATION, openskill
        from arena_results.ratings.systems.openskill import START as MEAN

        matches = (match for units in results.in_order() for unit in units for match in unit)
        start = [(MEAN, DEVIATION)] * len(results.names)
        return _apart(openskill(start, ((match.players, match.ranks) for match in matches)))


def _apart(ratings: list[tuple[float, float]]) -> Rated:
    """Ratings with standard deviations of their own."""
    size = range(len(ratings))
    return Rated(
        [
            Rating(value, value - Z95 * error, value + Z95 * error, error)
            for value, error in ratings
        ],
        [
            [error * error if own == other else 0.0 for other in size]
            for own, (_, error) in enumerate(ratings)
        ],
    )
