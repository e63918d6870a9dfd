"""Explains why somebody stands where it stands: the steps of its ranking."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from arena.core.tournaments.format import Format, RoundResult
from arena_tournaments.scoring.ranking import split
from arena_tournaments.scoring.scoring import history
from arena_tournaments.scoring.standings import scoring_of, tie_breaks_named, values_first
from arena_tournaments.scoring.tiebreaks import Value


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a ranking, among entrants that were level before it.

    Attributes:
        by: ``"disqualified"``, ``"reached"``, ``"score"``, or a tie-break as typed.
        summary: One line for people.
        values: Of all entrants that were level before, by index.
        ahead: The entrants that now stand higher, by index.
        level: The entrants that are still level, the explained one among them.
        behind: The entrants that stand lower.
    """

    by: str
    summary: str
    values: Mapping[int, Value]
    ahead: tuple[int, ...]
    level: tuple[int, ...]
    behind: tuple[int, ...]


def separations(
    format: Format,
    entrants: int,
    played: Sequence[RoundResult],
    index: int,
    last: Collection[int] = (),
) -> list[Step]:
    """Returns the steps until nobody is level with an entrant, or all of them.

    The entrant's rank is one more than the number of entrants ahead in all steps. Entrants that
    are level in the last one share it.

    Args:
        last: Entrants that share the last rank, whatever they scored.
    """
    steps = []
    tied: Sequence[int] = range(entrants)
    if last:
        values: dict[int, Value] = {each: float(each in last) for each in tied}
        summary = "who is disqualified stands last"
        groups = split(tied, values, ascending=True)
        steps.append(_step("disqualified", summary, values, groups, index))
        if index in last:
            return steps
    for by, summary, found, groups in _criteria(format, entrants, played, index):
        kept = [[each for each in group if each not in last] for group in groups]
        steps.append(_step(by, summary, found, kept, index))
        if len(steps[-1].level) == 1:
            break
    return steps


def _criteria(
    format: Format, entrants: int, played: Sequence[RoundResult], index: int
) -> Iterator[tuple[str, str, Mapping[int, Value], list[list[int]]]]:
    """Yields what the ranking goes by, with the groups into which it splits those still level."""
    scoring = scoring_of(format, played)
    chosen = tie_breaks_named(scoring.tie_breaks)
    past = history(entrants, played, scoring)
    tied: list[int] = [*range(entrants)]
    for first in values_first(past, scoring, format.reached(entrants, played)):
        found: dict[int, Value] = {each: first.values[each] for each in tied}
        groups = split(tied, found)
        yield first.name, first.summary, found, groups
        tied = next(group for group in groups if index in group)
    for each in chosen:
        found = dict(zip(tied, each.values(past, tied), strict=True))
        groups = split(tied, found, ascending=each.row.ascending)
        yield each.name, each.summary, found, groups
        tied = next(group for group in groups if index in group)


def _step(
    by: str, summary: str, values: Mapping[int, Value], groups: Sequence[Sequence[int]], index: int
) -> Step:
    own = next(number for number, group in enumerate(groups) if index in group)
    order = [each for group in groups for each in group]
    return Step(
        by=by,
        summary=summary,
        values={each: values[each] for each in order},
        ahead=tuple([each for group in groups[:own] for each in group]),
        level=tuple(groups[own]),
        behind=tuple([each for group in groups[own + 1 :] for each in group]),
    )
