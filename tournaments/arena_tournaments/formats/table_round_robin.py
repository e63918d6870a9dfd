"""Pairs round robins for tables of three to six: all meet about equally often."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.errors import BadInput
from arena.core.tournaments.format import (
    PAIRS,
    Entrant,
    Pairing,
    Round,
    RoundResult,
    Scoring,
    Tables,
)
from arena.core.tournaments.scored import Scored
from arena_tournaments.pairing.circle import circle, factors, turns
from arena_tournaments.pairing.exchange import kept_apart, meetings, part
from arena_tournaments.scoring.scoring import TABLE, history


class TableRoundRobin(Scored, kw_only=True):
    """Tables turned around a circle (see ``arena_tournaments.pairing.circle``).

    A cycle is one turn of the circle: n-1 rounds if equal tables seat everybody, else n; two
    turns where the second evens out what one leaves (5 or 6 entrants in tables of 3, say); one
    round if one table holds everybody. Over a cycle

    - everybody has rested equally often, if anybody rests, and nobody again before all have;
    - any two have met equally often for most small fields whose average of meetings is a whole
      number: 9, 12, 15 .. 30 in tables of 3 and 7 with one resting; 8, 12, 16, 20, 28 in tables
      of 4; 20, 25 of 5; 12 of 6; 7 as 4 + 3, 11 as 6 + 5, and so on. Elsewhere meetings differ
      by 1, the least that is possible without a whole average, or by 2: measured up to 40
      entrants, beyond (up to 200) by 4 at most, as also where nearly half of the field rests.
      Further cycles even them out;
    - everybody has sat in every seat equally often, if the number of games is a multiple of the
      seats. By the order within the pairings alone that is so wherever nobody stands in the
      middle, which is to say in tables of unequal size or with some resting.

    Where bots have one author, some exchange their tables, so that these do not meet; the exchanges
    also even out the meetings of all others (``exchange``).

    The number of rounds that a user requests counts cycles: 1 by default.
    """

    score: Scoring = TABLE
    name: str = "tables"
    summary: str = "everybody meets everybody at tables of 3-6; --rounds counts cycles (default 1)"
    seats: range = range(3, 7)
    rulings: frozenset[str] = frozenset(("withdraw", "disqualify", "lots"))

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """Returns ``requested`` cycles (1 by default)."""
        cycles = 1 if requested is None else requested
        if cycles < 1:
            raise BadInput(f"tables play 1 cycle or more, not {cycles} (rounds = cycles)")
        return cycles * _rounds_a_cycle(entrants, tables.sizes(entrants))

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        number, sizes = len(played), tables.sizes(len(field))
        if number >= rounds:
            return None
        if sizes == (len(field),):
            first = number % len(field)
            everybody = (*range(first, len(field)), *range(first))
            return _seated(number + 1, [everybody], field, tables)
        made = circle(len(field), sizes)
        turn, step = divmod(number, made.points)
        factor = factors(made)[turn % len(factors(made))] if turn else 1
        seated = self._authors_apart(field, played, made.round(step, factor))
        return _seated(number + 1, seated, field, tables)

    def _authors_apart(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        seated: Sequence[Sequence[int]],
    ) -> list[list[int]]:
        """Exchanges entrants where bots of one author would meet; evens out the other meetings."""
        tables = [list(table) for table in seated]
        met = meetings(history(len(field), played, TABLE))
        apart = kept_apart(field, met)
        if apart != met:
            part(tables, apart, [0.0] * len(field))
        return tables


def _seated(
    number: int, seats: Sequence[Sequence[int]], field: Sequence[Entrant], tables: Tables
) -> Round:
    """Returns a round without those who are absent; a table that is too small then rests."""
    here = (tuple([index for index in each if not field[index].absent]) for each in seats)
    pairings = tuple([Pairing(each) for each in here if len(each) >= tables.least])
    present = {index for index, each in enumerate(field) if not each.absent}
    resting = present.difference(*(pairing.seats for pairing in pairings))
    return Round(number, pairings, tuple(sorted(resting)))


def _rounds_a_cycle(entrants: int, sizes: tuple[int, ...]) -> int:
    if sizes == (entrants,):
        return 1
    made = circle(entrants, sizes)
    return made.points * turns(made)
