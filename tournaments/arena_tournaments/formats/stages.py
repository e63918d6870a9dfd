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
from arena_tournaments.formats.playoff import (
    MAX_LEVEL,
    CutTies,
    PlayOff,
    most_rounds,
    play_off,
    side_by_side,
)
from arena_tournaments.formats.ties import (
    Tie,
    exchanged,
    in_sections,
    reordered,
    tie_in_table,
    ties_in_sections,
)
from arena_tournaments.pairing.rivals import without_rivals
from arena_tournaments.scoring.sections import RankedSection, among, ranked_sections
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
        begin: Number of rounds before it.
        takes: How many of it the next stage takes; 0 while it is not over.
        ties: Those through which the cut to the next stage goes: first those of members of one
            section, then the one in the standings.
        extra: The rounds of the play-offs after it, with indices into the field.
        following: The next round of the play-off, while there is one.
    """

    number: int
    format: Format
    members: tuple[int, ...]
    played: tuple[RoundResult, ...]
    own: tuple[RoundResult, ...]
    table: tuple[Standing, ...]
    rounds: int
    begin: int = 0
    takes: int = 0
    ties: tuple[Tie, ...] = ()
    extra: tuple[RoundResult, ...] = ()
    following: Round | None = None

    @property
    def level(self) -> tuple[int, ...]:
        """The bots of all ties."""
        return tuple(dict.fromkeys(index for tie in self.ties for index in tie.level))

    @property
    def unresolved(self) -> tuple[int, ...]:
        """The bots of all ties that are still level at the cut, of whom the order decides."""
        return tuple(dict.fromkeys(index for tie in self.ties for index in tie.unresolved))

    @property
    def cut_ties(self) -> CutTies:
        """The way in which ties were decided, ``"order"`` if none of them in another one."""
        return next((tie.by for tie in self.ties if tie.by != "order"), "order")

    def sections(
        self, names: Sequence[str], tallies: Sequence[Tally] | None = None
    ) -> tuple[RankedSection, ...]:
        """Returns the sections of its standings, with indices into the field.

        Args:
            names: Those of the field; so are ``tallies``.
        """
        members = self.members
        counts = None if tallies is None else [tallies[index] for index in members]
        own = ranked_sections(self.format, [names[index] for index in members], self.own, counts)
        made = [
            msgspec.structs.replace(
                each,
                lines=tuple(
                    msgspec.structs.replace(line, index=members[line.index]) for line in each.lines
                ),
            )
            for each in own
        ]
        return in_sections(made, self.ties)


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
        ways = {stage.cut_ties for stage in self.stages}
        self.ends_early = ways != {"order"}
        self.plays_off = ways == {"order", "playoff"}

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
            part = Part(number, format, who, rounds, own, table, length, begin=begin)
            begin += length
            if len(played) < begin or number == len(self.stages):
                yield part
                return
            take = self.stages[number].take or len(members)
            part = self._cut(part, names, take, self.stages[number], played[begin:])
            yield part
            if part.following is not None:
                return
            begin += len(part.extra)
            entering = self._entering(part, take, played[begin:])
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

    def _cut(
        self,
        part: Part,
        names: Sequence[str],
        size: int,
        stage: Stage,
        later: Sequence[RoundResult],
    ) -> Part:
        """Returns a part that is over with the ties at the cut to the next stage.

        Members of a section who are level come first: the standings may go by their places.

        Args:
            size: How many that takes, without ties.
            later: The rounds after the part.
        """
        part = msgspec.structs.replace(part, takes=size)
        order, gone = self._present_first(part.table, later), self._gone(later)
        if size < len(order):
            closed = [each for each in part.sections(names) if _closed(each, part.played)]
            part = self._decided(
                part, ties_in_sections(closed, order, size, gone), size, stage, later
            )
        if part.following is None:
            rest = later[len(part.extra) :]
            order, gone = self._present_first(part.table, rest), self._gone(rest)
            part = self._decided(
                part, tie_in_table(part.table, order, size, gone), size, stage, rest
            )
        return part

    def _decided(
        self, part: Part, ties: Sequence[Tie], size: int, stage: Stage, later: Sequence[RoundResult]
    ) -> Part:
        """Returns a part with more ties, decided as the next stage wants, where that can be."""
        if stage.cut_ties == "playoff":
            return _played_off(part, ties, later)
        if stage.cut_ties == "share":
            shared = tuple(msgspec.structs.replace(tie, by="share") for tie in ties)
            made = msgspec.structs.replace(part, ties=(*part.ties, *shared))
            takes = len(self._entering(made, size, later))
            if shared and takes > part.takes and _length(stage, takes):
                return msgspec.structs.replace(made, takes=takes)
        return msgspec.structs.replace(part, ties=(*part.ties, *ties))

    def _entering(self, part: Part, size: int, later: Sequence[RoundResult]) -> list[int]:
        """Returns who enters the next stage of that size, and with whom they share it."""
        order = self._present_first(part.table, later)
        shared = {index for tie in part.ties if tie.by == "share" for index in tie.level}
        return [index for n, index in enumerate(order) if n < size or index in shared]

    def _present_first(self, table: Sequence[Standing], later: Sequence[RoundResult]) -> list[int]:
        """Returns the bots in ranking order, but gone ones last: they forfeit if they enter."""
        gone = self._gone(later)
        return sorted([line.index for line in table], key=lambda index: index in gone)

    def _gone(self, later: Sequence[RoundResult]) -> Collection[int]:
        if not later:
            return self.gone
        return [each.index for each in later[0].round.absent if each.gone]


def _played_off(part: Part, ties: Sequence[Tie], later: Sequence[RoundResult]) -> Part:
    """Returns a part with more ties that are played off in the same rounds."""
    most = most_rounds(len(part.members)) - len(part.extra)
    made: list[Tie] = []
    offs: list[PlayOff] = []
    table = part.table
    for tie in ties:
        if len(tie.level) > MAX_LEVEL:
            made.append(tie)
            continue
        off = play_off(tie.level, tie.places, later, most)
        offs.append(off)
        made.append(msgspec.structs.replace(tie, by="playoff", order=off.order, rounds=off.rounds))
        flat = [index for group in off.order for index in group]
        table = exchanged(table, flat) if tie.section else reordered(table, off.order)
    rounds = max([off.rounds for off in offs], default=0)
    return msgspec.structs.replace(
        part,
        table=table,
        ties=(*part.ties, *made),
        extra=(*part.extra, *later[:rounds]),
        following=side_by_side(offs),
    )


def _closed(section: RankedSection, played: Sequence[RoundResult]) -> bool:
    """Returns whether members of a section met each other only: nothing else can part them."""
    members = {line.index for line in section.lines}
    seats = ({*each.pairing.seats} for past in played for each in past.results)
    return all(members >= met or members.isdisjoint(met) for met in seats)


def _length(stage: Stage, entrants: int) -> int:
    """Returns the number of rounds of a stage of that many; 0 if it cannot take them."""
    try:
        return stage.format.rounds(entrants, stage.requested, PAIRS)
    except BadInput:
        return 0


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
