"""Ties at the cut to the next stage of a tournament: bots whom no tie-break parts."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from arena_tournaments.formats.playoff import CutTies
from arena_tournaments.scoring.sections import RankedSection
from arena_tournaments.scoring.standings import Standing


class Tie(msgspec.Struct, frozen=True, kw_only=True):
    """Bots of a stage whom no tie-break parts, of whom only some enter the next one.

    Attributes:
        level: The bots by index into the field, in the order that decides in the end.
        places: How many of them enter; with ``by="share"`` all do.
        section: Title of the section of the standings in which they are level; empty for a tie
            in the standings themselves.
        by: The way in which it is decided; ``"order"`` also if the other two cannot decide it.
        order: Their order after the play-off so far; those in one group are level.
        rounds: Number of the rounds of the play-off that they have played.
    """

    level: tuple[int, ...]
    places: int
    section: str = ""
    by: CutTies = "order"
    order: tuple[tuple[int, ...], ...] = ()
    rounds: int = 0

    @property
    def unresolved(self) -> tuple[int, ...]:
        """The bots that are still level at the cut, of whom the order decides."""
        if self.by == "share":
            return ()
        left = self.places
        for group in self.order or (self.level,):
            if left < len(group):
                return group if left else ()
            left -= len(group)
        return ()


def ties_in_sections(
    sections: Sequence[RankedSection], order: Sequence[int], size: int, gone: Collection[int]
) -> list[Tie]:
    """Returns the ties of members of one section; a bot is in one of them at most.

    Args:
        sections: Those whose members have played each other only, with indices into the field.
        order: All bots, the first to enter first.
        size: How many enter.
        gone: Who has left; they are behind those who are level with them.
    """
    place, found = {index: number for number, index in enumerate(order)}, list[Tie]()
    seen: set[int] = set()
    for section in sections:
        groups: dict[tuple[int, bool], list[int]] = {}
        for line in section.lines:
            groups.setdefault((line.rank, line.index in gone), []).append(line.index)
        for group in groups.values():
            group.sort(key=place.__getitem__)
            places = sum(place[index] < size for index in group)
            if 0 < places < len(group) and seen.isdisjoint(group):
                seen.update(group)
                found.append(Tie(level=tuple(group), places=places, section=section.title))
    return found


def tie_in_table(
    table: Sequence[Standing], order: Sequence[int], size: int, gone: Collection[int]
) -> list[Tie]:
    """Returns the tie of bots that share the rank at the cut, if there is one."""
    if size >= len(order):
        return []
    rank = {line.index: line.rank for line in table}
    place = [(rank[index], index in gone) for index in order]
    if place[size - 1] != place[size]:
        return []
    level = [index for index, own in zip(order, place, strict=True) if own == place[size]]
    return [Tie(level=tuple(level), places=size - place.index(place[size]))]


def reordered(table: Sequence[Standing], groups: Sequence[Sequence[int]]) -> tuple[Standing, ...]:
    """Returns standings in which groups that shared a rank are ranked in their order."""
    moved = {index: place for place, group in enumerate(groups) for index in group}
    lines = {line.index: line for line in table}
    first = next(n for n, line in enumerate(table) if line.rank == lines[groups[0][0]].rank)
    level: list[Standing] = []
    for group in groups:
        rank = first + 1 + len(level)
        level += [msgspec.structs.replace(lines[index], rank=rank) for index in group]
    others = [line for line in table[first:] if line.index not in moved]
    shared = [line for line in others if line.rank == first + 1]
    rank = first + 1 + len(level)
    return (
        *table[:first],
        *level,
        *(msgspec.structs.replace(line, rank=rank) for line in shared),
        *others[len(shared) :],
    )


def exchanged(table: Sequence[Standing], order: Sequence[int]) -> tuple[Standing, ...]:
    """Returns standings in which some take the places that they hold in another order."""
    lines = {line.index: line for line in table}
    following = iter(order)
    return tuple(
        msgspec.structs.replace(lines[next(following)], rank=line.rank)
        if line.index in order
        else line
        for line in table
    )


def in_sections(
    sections: Sequence[RankedSection], ties: Sequence[Tie]
) -> tuple[RankedSection, ...]:
    """Returns sections ranked after the play-offs of their members."""
    found = list[RankedSection]()
    for section in sections:
        lines = section.lines
        for tie in ties:
            if tie.section == section.title and tie.order:
                lines = reordered(lines, tie.order)
        found.append(msgspec.structs.replace(section, lines=lines))
    return tuple(found)
