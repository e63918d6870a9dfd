"""Improves the tables of a round by exchanging entrants, two at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import TypeAlias

from arena.core.tournaments.format import Entrant
from arena_tournaments.scoring.scoring import History

_Place: TypeAlias = tuple[int, int]
"""A table, and a place at it."""
Met: TypeAlias = Counter[tuple[int, int]]
"""The number of times that two have sat at one table, by pair in both orders."""


def meetings(past: History) -> Met:
    """Counts how often two have sat at one table."""
    return Counter(
        (index, opponent)
        for index, turns in enumerate(past.turns)
        for turn in turns
        for opponent in turn.opponents
    )


def kept_apart(field: Sequence[Entrant], met: Met) -> Met:
    """Counts two of one author as having met more often than all others together.

    So ``part`` keeps them apart before all else: from any tables whose sizes differ by one at most,
    some exchange lowers the number of such pairs until each author's bots are spread over the
    tables as evenly as they can be, which is the least number of such pairs that there is.
    """
    of_author: dict[str, list[int]] = {}
    for index, entrant in enumerate(field):
        if entrant.author:
            of_author.setdefault(entrant.author, []).append(index)
    often = 2 * len(field) ** 2 * (max(met.values(), default=0) + 1)
    found = Counter(met)
    for members in of_author.values():
        for one, other in combinations(members, 2):
            found[one, other] += often
            found[other, one] += often
    return found


def part(tables: list[list[int]], met: Met, scores: Sequence[float]) -> None:
    """Exchanges entrants between tables while that lowers the number of meetings, squared.

    Nobody goes further from his table than he must; then the exchange counts that saves most, then
    that of the nearest scores. That is a local search: it leaves few rematches, not provably the
    fewest.
    """
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
    met: Met,
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


def _change(above: Sequence[int], below: Sequence[int], down: int, up: int, met: Met) -> int:
    change = 0
    for stays in above:
        if stays != down:
            change += met[stays, up] ** 2 - met[stays, down] ** 2
    for stays in below:
        if stays != up:
            change += met[stays, down] ** 2 - met[stays, up] ** 2
    return change
