"""Pairs Swiss tournaments for tables of three to six: near scores together, few rematches."""

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
from arena_tournaments.pairing.exchange import kept_apart, meetings, part
from arena_tournaments.scoring.scoring import TABLE_SWISS, History, history


class TableSwiss(Scored, kw_only=True):
    """Tables cut from the ranking, from the top; the larger tables come first.

    Everybody is ranked by score, then in initial order. If some have to rest, they are the last
    in that ranking among those who rested least; they score the average, half a point a match.
    The others are cut into tables from the top. Then, as long as that lowers the number of
    rematches (who met m times counts m squared), two exchange places, as near their own tables as
    they can (``exchange.part``). Two of one author sit together where there is no other way only.
    """

    score: Scoring = TABLE_SWISS
    name: str = "table-swiss"
    summary: str = "Swiss at tables of 3-6; --rounds defaults to ceil(log_seats entrants) + 1"
    seats: range = range(3, 7)
    rulings: frozenset[str] = frozenset(("withdraw", "disqualify", "add", "bye", "pair", "lots"))

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """Returns ``requested``, or ceil(log n, base seats) + 1; 1 if all fit one table."""
        sizes = tables.sizes(entrants)
        if requested is not None:
            if requested < 1:
                raise BadInput(f"a Swiss plays 1 round or more, not {requested}")
            return requested
        if sizes == (entrants,):
            return 1
        rounds, reach = 1, 1
        while reach < entrants:
            rounds, reach = rounds + 1, reach * tables.most
        return rounds

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        number = len(played)
        if number >= rounds or self.ending(field, played, tables):
            return None
        past = history(len(field), played, self.scoring())
        scores = [past.score(index) for index in range(len(field))]
        present = [index for index, each in enumerate(field) if not each.absent]
        if len(present) < tables.least:
            return Round(number + 1, (), tuple(present))
        ranking = sorted(present, key=lambda index: (-scores[index], index))
        sizes = tables.sizes(len(present))
        resting = _resting(past, ranking, len(present) - sum(sizes))
        seated = [index for index in ranking if index not in resting]
        cut = [[seated.pop(0) for _ in range(size)] for size in sizes]
        part(cut, kept_apart(field, meetings(past)), scores)
        return Round(
            number + 1,
            tuple(Pairing(_in_turn(table, ranking, number)) for table in cut),
            tuple(sorted(resting)),
        )

    def ending(
        self, field: Sequence[Entrant], played: Sequence[RoundResult], tables: Tables = PAIRS
    ) -> str:
        """Returns why no table can be seated any more: too few are left; empty while one can."""
        left = sum(not each.gone for each in field)
        if left >= tables.least:
            return ""
        return f"{left or 'none'} of {len(field)} left, and a table seats {tables.least} at least"


def _resting(past: History, ranking: Sequence[int], count: int) -> set[int]:
    rests = [sum(not turn.opponents for turn in turns) for turns in past.turns]
    place = {index: number for number, index in enumerate(ranking)}
    return set(sorted(ranking, key=lambda index: (rests[index], -place[index]))[:count])


def _in_turn(table: Sequence[int], ranking: Sequence[int], number: int) -> tuple[int, ...]:
    """Seats a table by rank; from round to round the next one has the first seat."""
    ranked = sorted(table, key=ranking.index)
    first = number % len(ranked)
    return (*ranked[first:], *ranked[:first])
