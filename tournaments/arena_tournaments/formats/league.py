"""Pairs a league: it plays as long as there is need, and then waits for another entrant.

A newcomer, whose strength is rated least precisely, meets those near it in the order of strength;
whoever is rated precisely enough rests. So a bot is rated soon after it has entered, however large
the league is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import log, sqrt
from typing import TYPE_CHECKING, Annotated

import msgspec

from arena.core.errors import BadInput
from arena.core.options import Option
from arena.core.tournaments.format import PAIRS, Entrant, Round, RoundResult, Tables
from arena.core.tournaments.rating import Z95
from arena_tournaments.formats.adaptive import (
    CONFIDENCE,
    WINDOW,
    ByStrength,
    ConfidenceRow,
    balanced_round,
)

if TYPE_CHECKING:
    from arena_tournaments.pairing import separation

WITHIN = 30.0
"""Elo points, to either side, within which the difference to a neighbour is rated precisely
enough."""
GAMES = 40
"""Matches of a pairing: 20 mirrored sets."""
ROUNDS = 10_000
"""Rounds of a season, at most, when nobody says how many."""
ELO = 400 / log(10)
"""Elo points of a natural unit of strength."""
WORTH = 4
"""A pairing from which less than this part of the most is learned is not worth its matches."""


class League(ByStrength, kw_only=True):
    """Plays whoever is rated least precisely against its neighbours, until all are rated precisely
    enough.

    Neighbours in the order of strength need matches until one is known to be the stronger, or
    their difference is known within some Elo points (a 95 % interval). Where nobody needs any, it
    pairs no round until the field changes: it has no end of its own.

    Attributes:
        within: Elo points to either side.
    """

    within: Annotated[
        Annotated[float, msgspec.Meta(ge=1, le=1000)],
        Option("Precision of Elo differences between neighbours.", group="Length", metavar="ELO"),
    ] = WITHIN
    confidence: ConfidenceRow = CONFIDENCE
    games: int = GAMES
    name: str = "league"
    summary: str = "plays until all are known within --within Elo, then waits for new entrants"
    rulings: frozenset[str] = frozenset(("withdraw", "disqualify", "add", "now", "rest"))
    open_ended: bool = True

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """Returns ``requested``, or as many rounds as a season can have."""
        if entrants < 2:
            raise BadInput(f"a league needs at least 2 entrants, not {entrants}")
        return requested or ROUNDS

    def pairings(self, entrants: int, rounds: int, tables: Tables = PAIRS) -> Sequence[int]:
        """Returns the number of pairings of each round, as if nobody rested."""
        return (entrants // 2,) * rounds

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        present = [index for index, each in enumerate(field) if not each.absent]
        if len(played) >= rounds or len(present) < 2:
            return None
        # Imported here: it brings numpy, which no other format has to wait for.
        from arena_tournaments.pairing import separation

        order = separation.ordered(self.estimate(len(field), played), present, self.confidence)
        wide = self._wide(order)
        if not wide:
            return None
        gains = separation.gains(order, self.games, wide)
        needy = {*chain.from_iterable(wide)}
        near = [
            (one, other)
            for one in range(len(present))
            for other in range(one + 1, min(one + 1 + WINDOW, len(present)))
            if one in needy or other in needy
        ]
        most = max(gains[pair] for pair in near)
        worth = [pair for pair in near if gains[pair] * WORTH >= most]
        widest = max(wide.values())
        first = {rank for pair, half in wide.items() if 2 * half >= widest for rank in pair}
        pairs = separation.best_matching(gains, worth, first)
        unknown = order.variances.mean(axis=0).round(separation.DIGITS)
        # Matches are played in this order: a newcomer is rated at the beginning of a long round.
        pairs.sort(key=lambda pair: -max(unknown[rank] for rank in pair))
        return balanced_round(order.members, pairs, played)

    def _wide(self, order: separation.Order) -> dict[tuple[int, int], float]:
        """Returns the neighbours that need matches, by rank, with their interval in Elo points."""
        found = {}
        for rank in range(len(order.members) - 1):
            pair = (rank, rank + 1)
            half = Z95 * ELO * sqrt(order.variances[pair])
            if order.spare[pair] < 0 and half > self.within:
                found[pair] = half
        return found
