"""Pairs groups, each of which plays a round robin of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any

import msgspec

from arena.core.errors import BadInput
from arena.core.options import Option
from arena.core.tournaments.format import (
    PAIRS,
    Entrant,
    Pairing,
    Round,
    RoundResult,
    Scoring,
    Section,
    Tables,
    Wanted,
)
from arena.core.tournaments.scored import Scored
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.scoring.scoring import EACH_PAIRING, MATCH, History, history, tidy
from arena_tournaments.scoring.sections import ranked_among
from arena_tournaments.scoring.standings import scoring_of

GROUP_SIZE = 4
"""Bots of a group, at most, when nobody says how many."""
REACHED = "the place in the group, then by the share of points"


class Groups(Scored, kw_only=True):
    """Groups, each of which plays a round robin; one round plays a round of all groups at once.

    The initial order makes pots of as many as there are groups. Each group gets one of each pot:
    the first pot goes to the groups from the first to the last, the next one back, and so on (a
    serpentine). So groups are as strong as each other by their seeds, and differ by one in size at
    most. Where sizes differ, the smaller groups rest in the rounds that only larger ones need.

    The standings have the first of all groups, then the second of all, and so on. Of one place the
    share of the points that could be taken counts, as groups may differ in size; then what counts
    in a round robin. Members of a group that no tie-break separates take its places by lot, or in
    initial order, so that as many of each group continue.

    Attributes:
        score: How pairings score: match by match, or each as a whole.
    """

    groups: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None,
        Option("Number of groups.", default="as the group size says"),
    ] = None
    group_size: Annotated[
        Annotated[int, msgspec.Meta(ge=2, le=1_000_000)] | None,
        Option("Bots of a group at most.", default=str(GROUP_SIZE)),
    ] = None
    score: Scoring = MATCH
    name: str = "groups"
    summary: str = "a round robin in each group; --groups or --group-size, --rounds for cycles"
    rulings: frozenset[str] = frozenset(("withdraw", "disqualify", "void", "now", "lots"))

    def configured(self, options: Mapping[str, Any], wanted: Wanted) -> Groups:
        """Returns the format with these groups, and the scoring that suits the volume."""
        made = msgspec.structs.replace(self, **options)
        if made.groups is not None and made.group_size is not None:
            raise BadInput("groups and group_size both say how many groups there are; give one")
        return msgspec.structs.replace(made, score=EACH_PAIRING if wanted.raced else MATCH)

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """Returns the rounds of ``requested`` cycles (or 1) of the largest group."""
        groups = self._number(entrants)
        if entrants < 2 * groups:
            most = f"give at most {entrants // 2}" if entrants > 1 else "enter more bots"
            raise BadInput(
                f"{groups} {'group needs' if groups == 1 else 'groups need'} at least "
                f"{2 * groups} entrants, not {entrants}; {most}"
            )
        return _ROBIN.rounds(-(-entrants // groups), requested)

    def pairings(self, entrants: int, rounds: int, tables: Tables = PAIRS) -> Sequence[int]:
        """Returns the number of pairings of each round: of all groups that play in it."""
        own = [
            (len(each) // 2, self._length(each, entrants, rounds)) for each in self._in(entrants)
        ]
        return [sum(most for most, end in own if number < end) for number in range(rounds)]

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        if len(played) >= rounds:
            return None
        pairings: list[Pairing] = []
        byes: list[int] = []
        for members in self._in(len(field)):
            own = [field[index] for index in members]
            made = _ROBIN.next_round(own, played, self._length(members, len(field), rounds))
            if made is None:
                byes += members
                continue
            byes += [members[index] for index in made.byes]
            seats = (tuple([members[index] for index in each.seats]) for each in made.pairings)
            pairings += map(Pairing, seats)
        return Round(len(played) + 1, tuple(pairings), tuple(byes))

    def scoring(self) -> Scoring:
        return msgspec.structs.replace(super().scoring(), reached=REACHED)

    def reached(self, entrants: int, played: Sequence[RoundResult]) -> Sequence[float]:
        """Returns how many are behind by their places in the groups and their shares of points."""
        scoring = scoring_of(self, played)
        past, names = history(entrants, played, scoring), [""] * entrants
        share = past.mean_amount if scoring.by_mean else partial(_share, past)
        key = [(0, 0.0)] * entrants
        for members in self._in(entrants):
            lines = ranked_among(members, names, played, scoring, lots=self.lots)
            for number, line in enumerate(lines):
                key[line.index] = (number, -share(line.index))
        order = sorted({*key}, reverse=True)
        place = {each: float(number) for number, each in enumerate(order)}
        return [place[each] for each in key]

    def sections(self, names: Sequence[str], played: Sequence[RoundResult]) -> Sequence[Section]:
        """Returns the groups."""
        groups = self._in(len(names))
        return [
            Section(title=f"Group {letters(number)}", members=tuple(members))
            for number, members in enumerate(groups)
        ]

    def _number(self, entrants: int) -> int:
        return self.groups or max(1, -(-entrants // (self.group_size or GROUP_SIZE)))

    def _in(self, entrants: int) -> list[list[int]]:
        """Returns the members of each group, by pots."""
        return serpentine(entrants, self._number(entrants))

    def _length(self, members: Sequence[int], entrants: int, rounds: int) -> int:
        """Returns the number of rounds that a group plays."""
        cycles = rounds // _ROBIN.rounds(-(-entrants // self._number(entrants)), 1)
        return _ROBIN.rounds(len(members), cycles)


_ROBIN = RoundRobin()


def serpentine(entrants: int, groups: int) -> list[list[int]]:
    """Deals a field to groups, there and back, so that each has one of each pot.

    >>> serpentine(7, 3)
    [[0, 5, 6], [1, 4], [2, 3]]
    """
    members: list[list[int]] = [[] for _ in range(groups)]
    for index in range(entrants):
        pot, place = divmod(index, groups)
        members[groups - 1 - place if pot % 2 else place].append(index)
    return members


def letters(number: int) -> str:
    """Returns the letters of a group, counted from 0: A to Z, then AA, AB and so on."""
    more, last = divmod(number, 26)
    return (letters(more - 1) if more else "") + chr(ord("A") + last)


def _share(past: History, index: int) -> float:
    """Returns what somebody took of the points that it could take; 0 without any."""
    turns = past.turns[index]
    worth = sum(turn.worth for turn in turns)
    return tidy(past.score(index) / worth) if worth else 0.0
