"""Tournaments in stages: each a format of its own, for the first of the stage before."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate

import msgspec

from arena.core.errors import BadInput
from arena.core.tournaments.format import (
    PAIRS,
    Entrant,
    Format,
    Lots,
    Pairing,
    Round,
    RoundResult,
    Scoring,
    Tables,
)
from arena_tournaments.formats.playoff import MOST_LEVEL, CutTies, most_rounds, play_off
from arena_tournaments.pairing.rivals import without_rivals
from arena_tournaments.scoring.sections import among
from arena_tournaments.scoring.standings import Standing, Tally, ranked


class Stage(msgspec.Struct, frozen=True):
    """A stage: a format, and who enters it.

    Attributes:
        requested: Rounds that were requested; ``None`` for the format's default.
        take: How many of the stage before enter it; ``None`` for all.
        cut_ties: The way to decide a tie at the cut: by the ``"order"`` of the stage before, by a
            ``"playoff"``, or with ``"share"`` all that are level enter.
    """

    format: Format
    requested: int | None = None
    take: int | None = None
    cut_ties: CutTies = "order"


class Part(msgspec.Struct, frozen=True):
    """One stage as it stands.

    Attributes:
        number: 1 and up.
        members: Who plays in it, by index into the field, in the order in which the stage before
            ranked them: its seeding.
        played: Its rounds, with indices into the field, and their numbers in the tournament.
        own: The same rounds with indices into the members, from round 1.
        table: Its standings, with indices into the field.
        rounds: Number of its rounds.
        level: Those of its standings whom no tie-break parts, of whom the next stage takes some:
            the higher seeds of this one. Empty where the cut goes through no tie.
        begin: Number of rounds before it.
        takes: How many of it the next stage takes; 0 while it is not over.
        cut_ties: The way in which a tie at the cut was decided; ``"order"`` also if the other two
            cannot decide it.
        extra: The rounds of the play-off after it, with indices into the field.
        unresolved: The bots that are still level at the cut after it.
        following: The next round of the play-off, while there is one.
    """

    number: int
    format: Format
    members: tuple[int, ...]
    played: tuple[RoundResult, ...]
    own: tuple[RoundResult, ...]
    table: tuple[Standing, ...]
    rounds: int
    level: tuple[int, ...] = ()
    begin: int = 0
    takes: int = 0
    cut_ties: CutTies = "order"
    extra: tuple[RoundResult, ...] = ()
    unresolved: tuple[int, ...] = ()
    following: Round | None = None


class Staged(Format, kw_only=True):
    """Stages played one after another; a stage is seeded by the ranking of the one before.

    The standings have those first who reached the later stage, in the order of that stage.

    Attributes:
        gone: Who has left since the last round; as long as there are others they do not enter the
            next stage.
    """

    stages: tuple[Stage, ...]
    summary: str = "stages, each for the first of the one before"
    rulings: frozenset[str] = frozenset(("withdraw", "disqualify", "now", "lots"))
    gone: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        self.name = "+".join(stage.format.name for stage in self.stages)
        self.ends_early = any(stage.cut_ties != "order" for stage in self.stages)

    def sizes(self, entrants: int) -> list[int]:
        """Returns the number of entrants of each stage, without ties that share a place."""
        sizes: list[int] = []
        for number, stage in enumerate(self.stages, 1):
            before = sizes[-1] if sizes else entrants
            if stage.take is not None and stage.take > before:
                raise BadInput(f"stage {number} takes {stage.take} of {before} entrants")
            sizes.append(before if stage.take is None else stage.take)
        return sizes

    def lengths(self, entrants: int) -> list[int]:
        """Returns the number of rounds of each stage, at most, with a play-off before it."""
        lengths: list[int] = []
        most = entrants
        for stage, size in zip(self.stages, self.sizes(entrants), strict=True):
            length = stage.format.rounds(size, stage.requested, PAIRS)
            if stage.cut_ties == "playoff" and size < most:
                length += most_rounds(most)
            most = most if stage.cut_ties == "share" or stage.take is None else size
            length = max(length, _length(stage, most))
            lengths.append(length)
        return lengths

    def stage_of(self, round: int, entrants: int) -> int:
        """Returns the index of the stage to which a round belongs."""
        ends = accumulate(self.lengths(entrants))
        return next((n for n, end in enumerate(ends) if round <= end), len(self.stages) - 1)

    def check_field(self, names: Sequence[str]) -> None:
        for number, stage in enumerate(self.stages, 1):
            try:
                stage.format.check_field(names)
            except BadInput as error:
                raise BadInput(f"stage {number}: {error}") from None

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """Returns the rounds of all stages."""
        if requested is not None:
            raise BadInput("every stage has its own number of rounds; give it there")
        return sum(self.lengths(entrants))

    def pairings(self, entrants: int, rounds: int, tables: Tables = PAIRS) -> Sequence[int]:
        """Returns the number of pairings of each round, as if no cut went through a tie."""
        found: list[int] = []
        for stage, size in zip(self.stages, self.sizes(entrants), strict=True):
            length = stage.format.rounds(size, stage.requested, PAIRS)
            found += stage.format.pairings(size, length)
        return found + [0] * (rounds - len(found))

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        gone = frozenset([index for index, entrant in enumerate(field) if entrant.gone])
        here = msgspec.structs.replace(self, gone=gone) if gone else self
        *_, now = here.parts([entrant.name for entrant in field], played)
        if now.following is not None:
            return msgspec.structs.replace(now.following, number=len(played) + 1)
        members = [field[index] for index in now.members]
        made = now.format.next_round(members, now.own, now.rounds, tables)
        if made is None:
            return None
        pairings = (tuple(now.members[seat] for seat in each.seats) for each in made.pairings)
        byes = tuple(now.members[index] for index in made.byes)
        return Round(len(played) + 1, tuple(map(Pairing, pairings)), byes)

    def ending(
        self, field: Sequence[Entrant], played: Sequence[RoundResult], tables: Tables = PAIRS
    ) -> str:
        """Returns why the stage that is played cannot be paired any more; empty while it can."""
        *_, now = self.parts([entrant.name for entrant in field], played)
        if len(now.own) >= now.rounds:
            return ""
        return now.format.ending([field[index] for index in now.members], now.own, tables)

    def scoring(self) -> Scoring:
        """Returns the scoring of the last stage; each has its own."""
        return self.stages[-1].format.scoring()

    def standings(
        self,
        names: Sequence[str],
        played: Sequence[RoundResult],
        tallies: Sequence[Tally] | None = None,
    ) -> tuple[Standing, ...]:
        """Ranks the field: those who reached the later stage first, in its order."""
        table: list[Standing] = []
        for part in reversed(self.parts(names, played)):
            ahead, placed = len(table), {line.index for line in table}
            for line in part.table:
                if line.index not in placed:
                    tally = tallies[line.index] if tallies else None
                    rank = max(line.rank, ahead + 1)
                    table.append(msgspec.structs.replace(line, rank=rank, matches=tally))
        return tuple(table)

    def parts(self, names: Sequence[str], played: Sequence[RoundResult]) -> tuple[Part, ...]:
        """Returns the stages that have begun."""
        return tuple(self._parts(names, played))

    def _parts(self, names: Sequence[str], played: Sequence[RoundResult]) -> Iterator[Part]:
        members: Sequence[int] = range(len(names))
        begin = 0
        for number, stage in enumerate(self.stages, 1):
            length = stage.format.rounds(len(members), stage.requested, PAIRS)
            rounds = tuple(played[begin : begin + length])
            own = among(members, rounds)
            last = len(played) < begin + length or number == len(self.stages)
            place = {index: own for own, index in enumerate(members)}
            format = self._drawn(stage.format, place, None if last else begin + length + 1)
            table = tuple(
                msgspec.structs.replace(line, index=members[line.index])
                for line in ranked(format, [names[index] for index in members], own)
            )
            who = tuple(members)
            part = Part(number, stage.format, who, rounds, own, table, length, begin=begin)
            begin += length
            if len(played) < begin or number == len(self.stages):
                yield part
                return
            take = self.stages[number].take or len(members)
            part = self._cut(part, take, self.stages[number], played[begin:])
            yield part
            if part.following is not None:
                return
            begin += len(part.extra)
            entering = self._present_first(part.table, played[begin:])[: part.takes]
            members = seeded_apart(part, names, entering, self.stages[number].format)

    def seatable(self, field: Sequence[Entrant], played: Sequence[RoundResult]) -> Sequence[int]:
        """Returns the members of the present stage that are not absent."""
        gone = frozenset([index for index, entrant in enumerate(field) if entrant.gone])
        here = msgspec.structs.replace(self, gone=gone)
        *_, now = here.parts([entrant.name for entrant in field], played)
        return sorted(index for index in now.members if not field[index].absent)

    def forbidding(self, groups: Sequence[tuple[str, ...]]) -> Staged:
        stages = (
            msgspec.structs.replace(stage, format=stage.format.forbidding(groups))
            for stage in self.stages
        )
        return msgspec.structs.replace(self, stages=tuple(stages))

    def _drawn(self, format: Format, place: Mapping[int, int], until: int | None) -> Format:
        """Returns the format of a stage with the lots of its members.

        Args:
            place: Their places in the stage by index into the field.
            until: The round that is paired by the stage's table: later lots do not change it.
        """
        lots = [
            Lots(each.round, tuple([place[index] for index in each.order if index in place]))
            for each in self.lots
            if until is None or each.round <= until
        ]
        return msgspec.structs.replace(format, lots=tuple(lots)) if lots else format

    def _cut(self, part: Part, size: int, stage: Stage, later: Sequence[RoundResult]) -> Part:
        """Returns a part that is over with the bots level at the cut to the next stage.

        Args:
            size: How many that takes, without ties.
            later: The rounds after the part.
        """
        part = msgspec.structs.replace(part, takes=size)
        level, places = self._level(part.table, size, later)
        if not level:
            return part
        part = msgspec.structs.replace(part, level=level, unresolved=level)
        grown = size - places + len(level)
        if stage.cut_ties == "share" and _length(stage, grown):
            return msgspec.structs.replace(part, takes=grown, cut_ties="share", unresolved=())
        if stage.cut_ties == "playoff" and len(level) <= MOST_LEVEL:
            found = play_off(level, places, later)
            entering = {*[index for group in found.order for index in group][:places]}
            return msgspec.structs.replace(
                part,
                cut_ties="playoff",
                table=_reordered(part.table, found.order),
                extra=tuple(later[: found.rounds]),
                following=found.following,
                unresolved=next(
                    (each for each in found.order if 0 < len(entering & {*each}) < len(each)), ()
                ),
            )
        return part

    def _level(
        self, table: Sequence[Standing], size: int, later: Sequence[RoundResult]
    ) -> tuple[tuple[int, ...], int]:
        """Returns the bots that are level at a cut, and how many of them it takes."""
        order = self._present_first(table, later)
        if size >= len(order):
            return (), 0
        gone, rank = self._gone(later), {line.index: line.rank for line in table}
        place = [(rank[index], index in gone) for index in order]
        if place[size - 1] != place[size]:
            return (), 0
        level = [index for index, own in zip(order, place, strict=True) if own == place[size]]
        return tuple(level), size - place.index(place[size])

    def _present_first(self, table: Sequence[Standing], later: Sequence[RoundResult]) -> list[int]:
        """Returns the bots in ranking order, but gone ones last: they forfeit if they enter."""
        gone = self._gone(later)
        return sorted([line.index for line in table], key=lambda index: index in gone)

    def _gone(self, later: Sequence[RoundResult]) -> Collection[int]:
        if not later:
            return self.gone
        return [each.index for each in later[0].round.absent if each.gone]


def _length(stage: Stage, entrants: int) -> int:
    """Returns the number of rounds of a stage of that many; 0 if it cannot take them."""
    try:
        return stage.format.rounds(entrants, stage.requested, PAIRS)
    except BadInput:
        return 0


def _reordered(table: Sequence[Standing], groups: Sequence[Sequence[int]]) -> tuple[Standing, ...]:
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


def seeded_apart(
    part: Part, names: Sequence[str], entering: Sequence[int], format: Format
) -> list[int]:
    """Returns the seeding of the next stage: in a bracket rivals of a section do not meet at once.

    Args:
        entering: Who enters it, in the order in which the stage before ranked them.
        format: Its format.
    """
    own = [names[index] for index in part.members]
    sections = part.format.sections(own, part.own) if format.eliminates else ()
    group = {
        part.members[index]: number
        for number, section in enumerate(sections)
        for index in section.members
    }
    if not group:
        return [*entering]
    bouts = [
        (one, other)
        for one, other in (bout.entrants for bout in format.bracket(len(entering), ()))
        if one is not None and other is not None
    ]
    return without_rivals(entering, bouts, group)
