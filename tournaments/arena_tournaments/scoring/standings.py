"""Computes the standings of a tournament after any round."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from math import inf
from typing import Protocol, runtime_checkable

import msgspec

from arena.core.errors import BadKey, ParseError, UnknownName
from arena.core.tournaments.format import Format, Lots, RoundResult, Scoring
from arena_tournaments.scoring.ranking import Chosen, ranking, tie_break
from arena_tournaments.scoring.scoring import History, by_amount, history, summary_of
from arena_tournaments.scoring.tiebreaks import TIE_BREAKS, Value, Where


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
    if tie_breaks is not None:
        scoring = msgspec.structs.replace(scoring, tie_breaks=tuple(tie_breaks))
    chosen = tie_breaks_named(scoring.tie_breaks)
    past = history(len(names), played, scoring)
    score = past.mean_amount if scoring.by_mean else past.score
    scores = [score(index) for index in range(len(names))]
    first = [each.values for each in values_first(past, scoring, reached)]
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


class First(msgspec.Struct, frozen=True):
    """A value that counts before all tie-breaks: its name, its summary, and values by index."""

    name: str
    summary: str
    values: Sequence[float]


def values_first(past: History, scoring: Scoring, reached: Sequence[float] | None) -> list[First]:
    """Returns what counts before the tie-breaks, in order.

    Args:
        reached: As of ``Format.reached``; without tie-breaks nothing else counts.
    """
    everybody = range(len(past.turns))
    what = scoring.reached or "what the format ranks by"
    first = [] if reached is None else [First("reached", what, reached)]
    if first and not scoring.tie_breaks:
        return first
    if scoring.by_mean:  # who has not played has no mean, and comes last
        means = [past.mean_amount(each) if past.matches(each) else -inf for each in everybody]
        return [*first, First("score", "mean amount per match", means)]
    summary = summary_of(msgspec.structs.replace(scoring, reached=""))
    return [*first, First("score", summary, [past.score(each) for each in everybody])]


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
        scoring = scoring_of(format, played)
        table = standings(names, played, scoring, tallies=tallies, reached=reached)
    table = by_lot(table, format.lots)
    return with_last(table, last) if last else table


def by_lot(table: Sequence[Standing], lots: Sequence[Lots]) -> tuple[Standing, ...]:
    """Returns standings in which lots separate those who share a rank."""
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


def scoring_of(format: Format, played: Sequence[RoundResult]) -> Scoring:
    """Returns the scoring of a format, by amount where these results are."""
    scoring = format.scoring()
    priced = any(result.amounts for past in played for result in past.results)
    return by_amount(scoring) if priced else scoring


def with_last(table: Sequence[Standing], last: Collection[int]) -> tuple[Standing, ...]:
    """Returns standings in which some share the last rank."""
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


def check_own(scoring: Scoring, seats: int) -> None:
    """Checks the points and tie-breaks of an organiser's own.

    Args:
        scoring: Of the format, or the one by amount.
        seats: Seats of a full table.

    Raises:
        BadKey: A tie-break does not exist or means nothing there, or points score nothing.
    """
    if scoring.by_mean and not (scoring.usual and scoring.bye_points is None):
        raise BadKey("points", "by amount the mean amount per match is the score; leave them out")
    choices, found = _choices(scoring, seats), list[Chosen]()
    for name in scoring.tie_breaks if scoring.own else ():
        listed = f"choices: {', '.join(choices)}"
        try:
            chosen = tie_break(name, without="ratings")
        except UnknownName as error:
            rated = "; bots bring no ratings" if error.name in TIE_BREAKS else ""
            raise BadKey("tiebreaks", f"unknown tie-break {name!r}{rated}; {listed}") from None
        except ParseError as error:
            raise BadKey("tiebreaks", str(error)) from None
        row = chosen.row
        if row.name not in choices:
            problem = f"{row.name} has no meaning here: {_MEANING[row.where]}; {listed}"
            raise BadKey("tiebreaks", problem)
        if (row, chosen.modifiers) in [(each.row, each.modifiers) for each in found]:
            raise BadKey("tiebreaks", f"{name} is there twice")
        found.append(chosen)


_MEANING: Mapping[Where, str] = {
    "amounts": "it needs scoring by amount, where a pairing scores as a whole",
    "match points": "the score counts match points, or amounts",
    "tables": "it counts matches at tables of more than two",
    "pairs": "it counts the second seat of two",
    "mean": "points rank first anyway",
}
"""Says of a tie-break that means something elsewhere why it does not here."""


def _choices(scoring: Scoring, seats: int) -> list[str]:
    """Returns the tie-breaks that mean something with a scoring, at tables of that many seats."""
    amounts = scoring.name.endswith("amount")
    there: dict[Where, bool] = {
        "": True,
        "amounts": amounts and not scoring.by_mean,
        "match points": not amounts and (scoring.whole or not scoring.usual),
        "tables": seats > 2,
        "pairs": seats == 2,
        "mean": scoring.by_mean,
    }
    rows = TIE_BREAKS.values()
    return sorted(row.name for row in rows if row.data != "ratings" and there[row.where])
