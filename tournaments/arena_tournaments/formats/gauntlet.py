"""Pairs gauntlets: the first entrants meet all others, who do not meet each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from arena.core.errors import BadInput
from arena.core.options import Option
from arena.core.tournaments.format import (
    PAIRS,
    Entrant,
    Pairing,
    Round,
    RoundResult,
    Scoring,
    Tables,
    Wanted,
)
from arena.core.tournaments.scored import Scored
from arena_tournaments.scoring.scoring import EACH_PAIRING, MATCH


class Gauntlet(Scored, kw_only=True):
    """One or several champions, the first of the initial order, each against the rest.

    The standings have the champions first, who play more pairings, then the others by what they
    took from them. The number of rounds that a user requests counts cycles: 1 by default, and
    every second cycle is the first with the seats reversed.

    Attributes:
        champions: Number of champions.
        score: How pairings score: match by match, or each as a whole.
    """

    champions: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=1_000_000)],
        Option("Number of top bots that meet all others."),
    ] = 1
    score: Scoring = MATCH
    name: str = "gauntlet"
    summary: str = "the first meets all others; --champions for more of them, --rounds for cycles"
    rulings: frozenset[str] = frozenset(("withdraw", "disqualify", "void", "now", "lots"))

    def configured(self, options: Mapping[str, Any], wanted: Wanted) -> Gauntlet:
        """Returns the format with that many champions, and the scoring that suits the volume."""
        score = EACH_PAIRING if wanted.raced else self.score
        return msgspec.structs.replace(self, **options, score=score)

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """Returns the rounds of ``requested`` cycles (or 1)."""
        if entrants <= self.champions:
            raise BadInput(
                f"a gauntlet needs more entrants than champions ({self.champions}), not {entrants}"
            )
        cycles = 1 if requested is None else requested
        if cycles < 1:
            raise BadInput(f"a gauntlet plays 1 cycle or more, not {cycles} (rounds = cycles)")
        return cycles * self._rounds_a_cycle(entrants)

    def pairings(self, entrants: int, rounds: int, tables: Tables = PAIRS) -> Sequence[int]:
        """Returns the number of pairings of each round: of all champions, or all others."""
        return [min(self.champions, entrants - self.champions)] * rounds

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        if len(played) >= rounds:
            return None
        others = len(field) - self.champions
        longer = self._rounds_a_cycle(len(field))
        cycle, step = divmod(len(played), longer)
        pairings = []
        for place in range(min(self.champions, others)):
            # The shorter side stays, the longer one moves past it.
            moved = (place + step) % longer
            champion, other = (place, moved) if others == longer else (moved, place)
            seats = (champion, self.champions + other)
            pairings.append(Pairing(seats[::-1] if (cycle + step) % 2 else seats))
        seated = {index for pairing in pairings for index in pairing.seats}
        resting = tuple(index for index in range(len(field)) if index not in seated)
        return Round(len(played) + 1, tuple(pairings), resting)

    def reached(self, entrants: int, played: Sequence[RoundResult]) -> Sequence[float]:
        """Returns 1 for the champions, 0 for the others."""
        return [float(index < self.champions) for index in range(entrants)]

    def _rounds_a_cycle(self, entrants: int) -> int:
        return max(self.champions, entrants - self.champions)
