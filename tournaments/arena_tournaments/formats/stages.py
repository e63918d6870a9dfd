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
    PairingResult,
    Round,
    RoundResult,
    Scoring,
    Tables,
)
from arena_tournaments.scoring.standings import Standing, Tally, ranked


class Stage(msgspec.Struct, frozen=True):
    """A stage: a format, and who enters it.

    Attributes:
        requested: Rounds that were requested; ``None`` for the format's default.
        take: How many of the stage before enter it; ``None`` for all.
    """

    format: Format
    requested: int | None = None
    take: int | None = None


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
    """

    number: int
    format: Format
    members: tuple[int, ...]
    played: tuple[RoundResult, ...]
    own: tuple[RoundResult, ...]
    table: tuple[Standing, ...]
    rounds: int
    level: tuple[int, ...] = ()


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

    def sizes(self, entrants: int) -> list[int]:
        """Returns the number of entrants of each stage."""
        sizes: list[int] = []
        for number, stage in enumerate(self.stages, 1):
            before = sizes[-1] if sizes else entrants
            if stage.take is not None and stage.take > before:
                raise BadInput(f"stage {number} takes {stage.take} of {before} entrants")
            sizes.append(before if stage.take is None else stage.take)
        return sizes

    def lengths(self, entrants: int) -> list[int]:
        """Returns the number of rounds of each stage."""
        return [
            stage.format.rounds(size, stage.requested, PAIRS)
            for stage, size in zip(self.stages, self.sizes(entrants), strict=True)
        ]

    def stage_of(self, round: int, entrants: int) -> int:
        """Returns the index of the stage to which a round belongs."""
        ends = accumulate(self.lengths(entrants))
        return next((n for n, end in enumerate(ends) if round <= end), len(self.stages) - 1)

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """Returns the rounds of all stages."""
        if requested is not None:
            raise BadInput("every stage has its own number of rounds; give it there")
        return sum(self.lengths(entrants))

    def pairings(self, entrants: int, rounds: int, tables: Tables = PAIRS) -> Sequence[int]:
        """Returns the number of pairings of each round."""
        found: list[int] = []
        sizes, lengths = self.sizes(entrants), self.lengths(entrants)
        for stage, size, length in zip(self.stages, sizes, lengths, strict=True):
            format = stage.format
            found += format.pairings(size, length)
        return found

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
        lengths, begin = self.lengths(len(names)), 0
        sizes = self.sizes(len(names))
        for number, (stage, length) in enumerate(zip(self.stages, lengths, strict=True), 1):
            rounds = tuple(played[begin : begin + length])
            place = {index: own for own, index in enumerate(members)}
            own = tuple(_moved(past, place, at) for at, past in enumerate(rounds, 1))
            last = len(played) < begin + length or number == len(self.stages)
            format = self._drawn(stage.format, place, None if last else begin + length + 1)
            table = tuple(
                msgspec.structs.replace(line, index=members[line.index])
                for line in ranked(format, [names[index] for index in members], own)
            )
            part = Part(number, stage.format, tuple(members), rounds, own, table, length)
            begin += length
            if len(played) < begin or number == len(self.stages):
                yield part
                return
            members, level = self._entering(table, sizes[number], played[begin:])
            yield msgspec.structs.replace(part, level=level)

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

    def _entering(
        self, table: Sequence[Standing], size: int, later: Sequence[RoundResult]
    ) -> tuple[list[int], tuple[int, ...]]:
        """Returns who enters a stage, and those who were level at the cut, if any were.

        Those who left forfeit there, where others are missing.

        Args:
            later: Its rounds, and those after it.
        """
        gone: Collection[int] = self.gone
        if later:
            gone = [each.index for each in later[0].round.absent if each.gone]
        order = sorted(table, key=lambda line: line.index in gone)
        place = [(line.rank, line.index in gone) for line in order]
        cut = place[size - 1] if size < len(order) and place[size - 1] == place[size] else None
        level = [line.index for line, own in zip(order, place, strict=True) if own == cut]
        return [line.index for line in order[:size]], tuple(level)


def _moved(past: RoundResult, place: Mapping[int, int], number: int) -> RoundResult:

    def pairing(given: Pairing) -> Pairing:
        return Pairing(tuple([place[index] for index in given.seats]))

    made = past.round
    byes = tuple([place[index] for index in made.byes])
    absent = tuple(
        msgspec.structs.replace(each, index=place[each.index])
        for each in made.absent
        if each.index in place
    )
    results: list[PairingResult] = [
        msgspec.structs.replace(
            each,
            pairing=pairing(each.pairing),
            forfeited=tuple([place[index] for index in each.forfeited]),
        )
        for each in past.results
    ]
    moved = Round(number, tuple(map(pairing, made.pairings)), byes, absent)
    return RoundResult(moved, tuple(results))
