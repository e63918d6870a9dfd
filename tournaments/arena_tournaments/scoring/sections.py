"""Ranks the named parts of standings, such as groups."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from msgspec.structs import replace

from arena.core.table import Table
from arena.core.tournaments.format import Format, Lots, Pairing, RoundResult, Scoring
from arena_tournaments.scoring.standings import (
    Standing,
    Tally,
    by_lot,
    scoring_of,
    standings,
    with_last,
)


class RankedSection(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the standings as it stands.

    Attributes:
        lines: Its members, the best first, with indices into the field.
        table: Its own table, if it has one.
    """

    title: str
    lines: tuple[Standing, ...] = ()
    table: Table | None = None


def ranked_sections(
    format: Format,
    names: Sequence[str],
    played: Sequence[RoundResult],
    tallies: Sequence[Tally] | None = None,
    last: Collection[int] = (),
) -> tuple[RankedSection, ...]:
    """Ranks the sections of a format; arguments as of ``standings.ranked``."""
    scoring = scoring_of(format, played)
    found = []
    for each in format.sections(names, played):
        lines: tuple[Standing, ...] = ()
        if each.table is None:
            lines = ranked_among(each.members, names, played, scoring, tallies, last, format.lots)
        found.append(RankedSection(title=each.title, lines=lines, table=each.table))
    return tuple(found)


def ranked_among(
    members: Sequence[int],
    names: Sequence[str],
    played: Sequence[RoundResult],
    scoring: Scoring,
    tallies: Sequence[Tally] | None = None,
    last: Collection[int] = (),
    lots: Sequence[Lots] = (),
) -> tuple[Standing, ...]:
    """Ranks some of the field by their pairings with each other, then by their lots.

    Indices are of the field.
    """
    own = standings([names[index] for index in members], among(members, played), scoring)
    table = [
        replace(line, index=index, matches=tallies[index] if tallies else None)
        for line in own
        for index in [members[line.index]]
    ]
    return with_last(by_lot(table, lots), {*last} & {*members})


def among(members: Sequence[int], played: Sequence[RoundResult]) -> tuple[RoundResult, ...]:
    """Returns rounds as some of the field played them with each other.

    Indices are those into ``members``, and rounds count from 1.
    """
    place = {index: own for own, index in enumerate(members)}

    def placed(indices: Sequence[int]) -> tuple[int, ...]:
        return tuple([place[index] for index in indices if index in place])

    def moved(past: RoundResult, number: int) -> RoundResult:
        here = [each for each in past.results if place.keys() >= {*each.pairing.seats}]
        results = tuple(
            replace(
                each,
                pairing=Pairing(placed(each.pairing.seats)),
                forfeited=placed(each.forfeited),
                void=placed(each.void),
            )
            for each in here
        )
        absent = tuple(
            replace(each, index=place[each.index])
            for each in past.round.absent
            if each.index in place
        )
        made = replace(
            past.round,
            number=number,
            pairings=tuple(each.pairing for each in results),
            byes=placed(past.round.byes),
            absent=absent,
        )
        return RoundResult(made, results)

    return tuple(moved(past, number) for number, past in enumerate(played, 1))
