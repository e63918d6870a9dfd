"""Pairs Swiss tournaments for tables of three to six: near scores together, few rematches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import TypeAlias

from arena.core.errors import BadInput
from arena.core.tournament import PAIRS, Entrant, Pairing, Round, RoundResult, Scoring, Tables
from arena_tournaments.scoring import TABLE_SWISS, History, history

_Place: TypeAlias = tuple[int, int]
"""A table, and a place at it."""


class TableSwiss:
    """Tables cut from the ranking, from the top; the larger tables come first.

    Everybody is ranked by score, then in initial order. If some have to rest, they are the last
    in that ranking among those who rested least; they score the average, half a point a match.
    The others are cut into tables from the top. Then, as long as that lowers the number of
    rematches (who met m times counts m squared), two exchange places: so that nobody goes further
    from the table of his rank than he must, then the exchange that saves most, then that of the
    nearest scores. That is a local search: it leaves few rematches, not provably the fewest.
    """

    name = "table-swiss"
    summary = "Swiss at tables of 3-6; --rounds defaults to ceil(log_seats entrants) + 1"
    seats = range(3, 7)

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
        if number >= rounds:
            return None
        past = history(len(field), played, self.scoring())
        scores = [past.score(index) for index in range(len(field))]
        ranking = sorted(range(len(field)), key=lambda index: (-scores[index], index))
        sizes = tables.sizes(len(field))
        resting = _resting(past, ranking, len(field) - sum(sizes))
        seated = [index for index in ranking if index not in resting]
        cut = [[seated.pop(0) for _ in range(size)] for size in sizes]
        _part_rematches(cut, _meetings(past), scores)
        return Round(
            number + 1,
            tuple(Pairing(_in_turn(table, ranking, number)) for table in cut),
            tuple(sorted(resting)),
        )

    def scoring(self) -> Scoring:
        return TABLE_SWISS


def _resting(past: History, ranking: Sequence[int], count: int) -> set[int]:
    """Returns the last of those who rested least."""
    rests = [sum(not turn.opponents for turn in turns) for turns in past.turns]
    place = {index: number for number, index in enumerate(ranking)}
    return set(sorted(ranking, key=lambda index: (rests[index], -place[index]))[:count])


def _meetings(past: History) -> Counter[tuple[int, int]]:
    """Counts how often two have sat at one table, both ways round."""
    return Counter(
        (index, opponent)
        for index, turns in enumerate(past.turns)
        for turn in turns
        for opponent in turn.opponents
    )


def _in_turn(table: Sequence[int], ranking: Sequence[int], number: int) -> tuple[int, ...]:
    """Seats a table by rank; from round to round the next one has the first seat."""
    ranked = sorted(table, key=ranking.index)
    first = number % len(ranked)
    return (*ranked[first:], *ranked[:first])


def _part_rematches(
    tables: list[list[int]], met: Counter[tuple[int, int]], scores: Sequence[float]
) -> None:
    """Exchanges entrants between tables while that helps, as near their own as possible."""
    home = {who: table for table, seats in enumerate(tables) for who in seats}
    reach = 1
    while reach < len(tables):
        exchange = _best_exchange(tables, home, reach, met, scores)
        if exchange is None:
            reach += 1
            continue
        (upper, one), (lower, other) = exchange
        tables[upper][one], tables[lower][other] = tables[lower][other], tables[upper][one]
        reach = 1


def _best_exchange(
    tables: Sequence[Sequence[int]],
    home: Mapping[int, int],
    reach: int,
    met: Counter[tuple[int, int]],
    scores: Sequence[float],
) -> tuple[_Place, _Place] | None:
    """Finds the best exchange in which nobody moves further than ``reach`` from his table.

    Among equals that of the nearest scores, then the first from the top.
    """
    exchanges: list[tuple[int, float, _Place, _Place]] = []
    rematch = [any(met[pair] for pair in combinations(table, 2)) for table in tables]
    for upper, above in enumerate(tables):
        for lower in range(upper + 1, min(upper + reach, len(tables) - 1) + 1):
            if not (rematch[upper] or rematch[lower]):
                continue
            below = tables[lower]
            for (one, down), (other, up) in product(enumerate(above), enumerate(below)):
                if lower - home[down] > reach or home[up] - upper > reach:
                    continue
                change = _change(above, below, down, up, met)
                if change < 0:
                    apart = abs(scores[down] - scores[up])
                    exchanges.append((change, apart, (upper, one), (lower, other)))
    return min(exchanges)[2:] if exchanges else None


def _change(
    above: Sequence[int], below: Sequence[int], down: int, up: int, met: Counter[tuple[int, int]]
) -> int:
    """Returns the change in the sum of squared meetings when two exchange their tables."""
    change = 0
    for stays in above:
        if stays != down:
            change += met[stays, up] ** 2 - met[stays, down] ** 2
    for stays in below:
        if stays != up:
            change += met[stays, down] ** 2 - met[stays, up] ** 2
    return change
