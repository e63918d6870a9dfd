"""Pairs round robins, in which all meet, by the Berger tables (FIDE C.05, annex 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from arena.core.errors import BadInput
from arena.core.tournaments.format import (
    PAIRS,
    Entrant,
    Format,
    Pairing,
    Round,
    RoundResult,
    Scoring,
    Tables,
    Wanted,
)
from arena.core.tournaments.scored import Scored
from arena_tournaments.formats.adaptive import MatchesRow, UntilRow, until_separated
from arena_tournaments.pairing.factors import cycle_of
from arena_tournaments.scoring.scoring import EACH_PAIRING, MATCH


class RoundRobin(Scored, kw_only=True):
    """Everybody meets everybody once a cycle; an odd field has a bye every round.

    The number of rounds that a user requests counts cycles: 1 by default, and every second cycle
    is the first with the seats reversed.

    Attributes:
        score: How pairings score: match by match, or each as a whole.
    """

    score: Scoring = MATCH
    until: UntilRow = ""
    matches: MatchesRow = None
    name: str = "round-robin"
    summary: str = "everybody meets everybody; --rounds counts cycles (default 1)"
    rulings: frozenset[str] = frozenset(("withdraw", "disqualify", "void", "now", "lots"))

    def configured(self, options: Mapping[str, Any], wanted: Wanted) -> Format:
        """Returns the format that scores whole pairings, if these play until one is ahead."""
        score = EACH_PAIRING if wanted.raced else self.score
        made = msgspec.structs.replace(self, **options, score=score)
        return until_separated(made, made.until, made.matches, wanted)

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """Returns the rounds of ``requested`` cycles (or 1): n-1 each, or n if the field is odd."""
        if entrants < 2:
            raise BadInput(f"a round robin needs at least 2 entrants, not {entrants}")
        cycles = 1 if requested is None else requested
        if cycles < 1:
            raise BadInput(f"a round robin plays 1 cycle or more, not {cycles} (rounds = cycles)")
        return cycles * cycle_of(entrants)

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        if len(played) >= rounds:
            return None
        cycle, row = divmod(len(played), cycle_of(len(field)))
        pairings: list[Pairing] = []
        byes: list[int] = []
        for first, second in berger_round(len(field), row + 1):
            if len(field) in (first, second):
                byes.append(min(first, second))
            else:
                pairings.append(Pairing((second, first) if cycle % 2 else (first, second)))
        return Round(len(played) + 1, tuple(pairings), tuple(byes))


def berger_round(entrants: int, row: int) -> tuple[tuple[int, int], ...]:
    """Returns one row of the Berger table, boards in the table's order, first seat first.

    With N the even number of places at the table, the pairing numbers 1..N-1 that meet in row r
    are those whose sum is r+1 modulo N-1; who would meet himself meets N. Of two numbers of the
    same parity the higher has the first seat, of two others the lower; against N the lower half
    has it. This closed form gives the tables of C.05, annex 1, line by line.

    Args:
        entrants: Size of the field, 2 and up.
        row: 1 .. N-1.

    Returns:
        Pairs of indices (pairing number less 1). In an odd field the index ``entrants`` stands
        for nobody: who meets it has the bye.
    """
    last = entrants + entrants % 2
    circle = last - 1
    middle = next(number for number in range(1, last) if (2 * number - row - 1) % circle == 0)
    pairs = [(middle, last) if middle <= last // 2 else (last, middle)]
    for step in range(1, last // 2):
        low, high = sorted(((middle + step - 1) % circle + 1, (middle - step - 1) % circle + 1))
        pairs.append((high, low) if (high - low) % 2 == 0 else (low, high))
    return tuple((first - 1, second - 1) for first, second in pairs)
