"""Ranks the players of a report by points, then tie-break by tie-break."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena_tournaments.c07.acronyms import Chosen, Value
from arena_tournaments.c07.event import Event


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the standings.

    Attributes:
        index: Index into the event.
        rank: 1 and up; shared by those whom no tie-break parts.
        tie_breaks: Values by spelling, in the order in which they count.
    """

    index: int
    rank: int
    tie_breaks: dict[str, Value]


def ranking(event: Event, tie_breaks: Sequence[Chosen], *, points_first: bool = True) -> list[Line]:
    """Returns the standings, the best first; equals stand by their numbers.

    Args:
        points_first: Whether points count before all tie-breaks; else where ``PTS`` stands.
    """
    everybody = range(len(event.numbers))
    values: list[dict[str, Value]] = [{} for _ in everybody]
    groups = _split(everybody, dict(enumerate(event.scores))) if points_first else [[*everybody]]
    for chosen in tie_breaks:
        found: dict[int, Value] = {}
        for tied in groups if chosen.row.among_tied else [everybody]:
            found |= zip(tied, chosen.values(event, tied), strict=True)
        for index, value in found.items():
            values[index][chosen.spelling] = value
        ascending = chosen.row.ascending
        groups = [part for group in groups for part in _split(group, found, ascending=ascending)]
    lines: list[Line] = []
    for group in groups:
        rank = len(lines) + 1
        lines += [Line(index=each, rank=rank, tie_breaks=values[each]) for each in group]
    return lines


def _split(
    indices: Sequence[int], values: dict[int, Value] | dict[int, float], *, ascending: bool = False
) -> list[list[int]]:
    groups: dict[Value, list[int]] = {}
    for index in sorted(indices):
        groups.setdefault(values[index], []).append(index)
    there = sorted((value for value in groups if value is not None), reverse=not ascending)
    return [groups[value] for value in (*there, *({None} & groups.keys()))]
