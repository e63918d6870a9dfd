"""Compares how each bot fares at tables with another bot and without it, against collusion."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import permutations
from math import sqrt
from statistics import fmean, variance

import msgspec
from arena_results.file.database import Database
from arena_results.ratings.intervals.quantiles import students_t
from arena_results.schema.rows import MatchRow, StoredTournament
from arena_results.store.queries import match_rows
from arena_tournaments.play.schedule import match_points

from arena.core.errors import BadInput
from arena.service.answers.rows import Document

MIN_DEALS = 10
"""Deals with the other bot, and without it, below which no interval is given."""


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's match points per match, at tables with another bot and without it.

    Attributes:
        together: Its mean over the deals that the other sat at its table for; ``None`` for none.
        apart: The same over all other deals that it played.
        difference: ``together`` less ``apart``.
        error: Half the difference's 95 % interval; ``None`` where there are too few deals.
        same_author: Whether the two have one author.
    """

    name: str
    other: str
    deals_together: int
    deals_apart: int
    together: float | None
    apart: float | None
    difference: float | None
    error: float | None
    same_author: bool

    @property
    def stands_out(self) -> float:
        """The difference in units of its error; 0 without an error."""
        return abs(self.difference) / self.error if self.difference and self.error else 0.0


def fares_together(database: Database, stored: StoredTournament) -> list[Pair]:
    """Compares every two bots of a tournament, both ways; those that stand out most come first.

    The unit is the deal: the matches of one deal share their luck, so that they count as one
    value, their mean.

    Raises:
        BadInput: All its tables were of two, where a bot has one opponent.
    """
    summary, names = stored.summary, stored.names
    rows = [*match_rows(database, summary.id)]
    if rows and max(len(row.seats) for row in rows) == 2:
        raise BadInput(
            f"no table of tournament {summary.id} had more than two seats; who fares how together "
            "is of tables of three and more"
        )
    deals = _points_by_deal(rows, mirrored=summary.mirrored)
    authors = [" ".join(entry.author.casefold().split()) for entry in stored.field]
    found = []
    for bot, other in permutations(range(len(names)), 2):
        own = [points for points in deals if bot in points]
        with_other = [points[bot] for points in own if other in points]
        without = [points[bot] for points in own if other not in points]
        together, apart = _mean(with_other), _mean(without)
        found.append(
            Pair(
                name=names[bot],
                other=names[other],
                deals_together=len(with_other),
                deals_apart=len(without),
                together=together,
                apart=apart,
                difference=None if together is None or apart is None else together - apart,
                error=_error(with_other, without),
                same_author=bool(authors[bot]) and authors[bot] == authors[other],
            )
        )
    return sorted(found, key=lambda pair: (-pair.stands_out, -abs(pair.difference or 0)))


def together_document(number: int, pairs: Sequence[Pair]) -> Document:
    """The JSON document of ``arena tournament together``."""
    return {"tournament": number, "pairs": [msgspec.structs.asdict(pair) for pair in pairs]}


def _points_by_deal(rows: Iterable[MatchRow], *, mirrored: bool) -> list[dict[int, float]]:
    taken: defaultdict[tuple[int, int, int], defaultdict[int, list[float]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in rows:
        key = row.key
        deal = (key.leg - 1) // len(row.seats) if mirrored else key.leg
        points = taken[key.round, key.pairing, deal]
        for bot, share in zip(row.seats, match_points(row.returns), strict=True):
            points[bot].append(share)
    return [{bot: fmean(shares) for bot, shares in deal.items()} for deal in taken.values()]


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _error(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Half the 95 % interval of the difference of two means (Welch 1947)."""
    if min(len(one), len(other)) < MIN_DEALS:
        return None
    parts = [variance(values) / len(values) for values in (one, other)]
    if not sum(parts):
        return 0.0
    degrees = sum(parts) ** 2 / sum(
        part**2 / (len(values) - 1) for part, values in zip(parts, (one, other), strict=True)
    )
    return students_t(degrees) * sqrt(sum(parts))
