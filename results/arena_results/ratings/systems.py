"""Our own rating systems, as leaderboards use them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from arena.core.rating import Rating, Unit
from arena_results.ratings.elo import START, K, elo

REPLAYS = 500
"""Number of bootstrap replays of a leaderboard's intervals."""
FEW_MATCHES, FEW_DEALS = 20, 10
"""With fewer of either (ten mirrored pairs, or deals played around a table) the results say
little, and an interval too much."""


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

    def rate(self, units: Sequence[Unit], players: int, seed: int) -> list[Rating]:
        # Here: it needs numpy, which takes long to load for commands that rate nothing.
        from arena_results.ratings.bootstrap import elo_intervals

        values = elo(chain.from_iterable(units), players)
        intervals = elo_intervals(units, players, seed, REPLAYS)
        return [Rating(value, *ends) for value, ends in zip(values, intervals, strict=True)]
