"""Computes the standings of a tournament after any round."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from math import inf
from typing import Protocol, runtime_checkable

import msgspec

from arena.core.tournaments.format import Format, Lots, RoundResult, Scoring
from arena_tournaments.scoring.ranking import Chosen, ranking, tie_break
from arena_tournaments.scoring.scoring import by_amount, history
from arena_tournaments.scoring.tiebreaks import Value


class Tally(msgspec.Struct, frozen=True):
    """The numbers of one participant's matches won, drawn and lost."""

    won: int
    drawn: int
    lost: int


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the standings.

    Attributes:
        rank: 1 and up; shared by those whom no tie-break parts.
        score: What the ranking goes by first.
        match_points: Match points taken in pairings (byes add none).
        tie_breaks: Values by name, in the order in which they count.
        matches: Matches won, drawn, lost, if they were given.
    """

    rank: int
    index: int
    name: str
    score: float
    match_points: float
    tie_breaks: dict[str, Value]
    matches: Tally | None = None


def standings(
    names: Sequence[str],
    played: Sequence[RoundResult],
    scoring: Scoring,
    *,
    tie_breaks: Sequence[str] | None = None,
    tallies: Sequence[Tally] | None = None,
    reached: Sequence[float] | None = None,
) -> tuple[Standing, ...]:
    """Ranks the field by score, then tie-break by tie-break, then in initial order.

    Args:
        names: The field's names in initial order.
        tie_breaks: Acronyms in the order in which they count; the scoring's own by default.
        tallies: Matches won, drawn and lost of each participant, in field order, to show.
        reached: What counts before the score (``arena.core.tournaments.format.Format.reached``).
    """
    chosen = tie_breaks_named(scoring.tie_breaks if tie_breaks is None else tie_breaks)
    past = history(len(names), played, scoring)
    score = past.mean_amount if scoring.by_mean else past.score
    scores = [score(index) for index in range(len(names))]
    order = scores
    if scoring.by_mean:  # who has not played has no mean, and comes last
        order = [each if past.matches(index) else -inf for index, each in enumerate(scores)]
    first = [order] if reached is None else [reached, order] if chosen else [reached]
    return tuple(
        Standing(
            rank=place.rank,
            index=place.index,
            name=names[place.index],
            score=scores[place.index],
            match_points=past.match_points(place.index),
            tie_breaks=place.tie_breaks,
            matches=None if tallies is None else tallies[place.index],
        )
        for place in ranking(past, chosen, *first)
    )


@runtime_checkable
class Composed(Protocol):
    """A format that ranks the field by the standings of its parts."""

    def standings(
        self,
        names: Sequence[str],
        played: Sequence[RoundResult],
        tallies: Sequence[Tally] | None = None,
    ) -> tuple[Standing, ...]:
        """Ranks the field; arguments as of the function of this name."""


def ranked(
    format: Format,
    names: Sequence[str],
    played: Sequence[RoundResult],
    tallies: Sequence[Tally] | None = None,
    last: Collection[int] = (),
) -> tuple[Standing, ...]:
    """Ranks the field as the format does; those who are ``last`` share the last rank.

    Bots that are level stand in the order of their lots, if all of them were drawn together.
    """
    if isinstance(format, Composed):
        table = format.standings(names, played, tallies)
    else:
        reached = format.reached(len(names), played)
        scoring = format.scoring()
        if any(result.amounts for past in played for result in past.results):
            scoring = by_amount(scoring)
        table = standings(names, played, scoring, tallies=tallies, reached=reached)
    table = _by_lot(table, format.lots)
    return _with_last(table, last) if last else table


def _by_lot(table: Sequence[Standing], lots: Sequence[Lots]) -> tuple[Standing, ...]:
    places = [{index: place for place, index in enumerate(each.order)} for each in lots]
    found: list[Standing] = []
    for rank, tied in groupby(table, key=lambda line: line.rank):
        level = [*tied]
        drawn = [each for each in places if each.keys() >= {line.index for line in level}]
        for place in drawn[:1]:
            level.sort(key=lambda line: place[line.index])
            level = [msgspec.structs.replace(e, rank=rank + n) for n, e in enumerate(level)]
        found += level
    return tuple(found)


def _with_last(table: Sequence[Standing], last: Collection[int]) -> tuple[Standing, ...]:
    kept = [line for line in table if line.index not in last]
    moved = [line for line in table if line.index in last]
    ahead = [(line, sum(other.rank < line.rank for other in moved)) for line in kept]
    return (
        *(msgspec.structs.replace(line, rank=line.rank - above) for line, above in ahead),
        *(msgspec.structs.replace(line, rank=len(kept) + 1) for line in moved),
    )


def tie_breaks_named(names: Sequence[str]) -> list[Chosen]:
    """Returns the tie-breaks of these names, which need no ratings; raises ``UnknownName``."""
    return [tie_break(name, without="ratings") for name in names]
