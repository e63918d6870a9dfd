"""Explains why a bot stands where it stands: its rounds, and the steps of the ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite

import msgspec
from arena_tournaments.formats.stages import Part, Staged
from arena_tournaments.play.rulings import disqualified
from arena_tournaments.scoring.explaining import Step, separations
from arena_tournaments.scoring.scoring import Turn, history
from arena_tournaments.scoring.sections import ranked_sections
from arena_tournaments.scoring.standings import Standing, scoring_of

from arena.core.errors import UnknownName
from arena.core.table import Column, Row, Table, known_values
from arena.core.text.printable import joined
from arena.core.tournaments.format import Format, RoundResult
from arena.service.answers.rows import Document
from arena.service.report.report import Report, decided_by, format_now

ROUNDS = (
    Column("round", "round", right=True),
    Column("opponents", "opponent", drop=0, cell=lambda row: ", ".join(row["opponents"]) or None),
    Column("seat", "seat", when=known_values("seat"), drop=4),
    Column("status", "status", drop=0),
    Column("points", "match points", right=True, digits=None, drop=3),
    Column("amount", "amount", right=True, when=known_values("amount"), drop=2),
    Column("score", "score", right=True, when=known_values("score"), drop=0),
    Column("total", "sum", right=True, when=known_values("total")),
)
"""The columns of a bot's rounds, or bouts."""
STEPS = (
    Column("by", "by", drop=0, cell=lambda row: _criterion(row)),
    Column("value", "own", right=True, drop=0),
    Column("ahead", "ahead", right=True, cell=lambda row: len(row["ahead"])),
    Column("behind", "behind", right=True, cell=lambda row: len(row["behind"])),
    Column("level", "still level", prose=True, drop=0, cell=lambda row: _others(row)),
    Column(
        "values",
        "of those level before",
        prose=True,
        cell=lambda row: _values(row),
        when=lambda rows: any(map(_values, rows)),
    ),
    Column("summary", "", prose=True),
)
"""The columns of what a ranking goes by, step by step."""
REASONS = (
    Column("rank", "#", right=True),
    Column("name", "bot", drop=0, names="place"),
    Column("reason", "why", prose=True, drop=0),
)
"""The columns of the places of all bots."""
NOBODY = "nobody"
_FIRST = ("score", "reached", "disqualified")
"""Steps that compare the whole field."""
_LAST = "{} is disqualified, and so stands last."


class PartReason(msgspec.Struct, frozen=True, kw_only=True):
    """The reason in a tournament, or in one stage of it.

    Attributes:
        title: The stage; empty for a tournament without stages.
        rank: Its place there.
        reason: What decided its place, in one sentence.
        rounds: Its rounds, with what each scored.
        steps: The steps of the ranking; without rows in a bracket and where strength ranks.
        continues: What became of it at the cut after the stage; empty without one.
    """

    title: str
    rank: int
    reason: str
    rounds: Table
    steps: Table
    continues: str = ""

    def tables(self, name: str) -> Iterator[Table]:
        """Yields the tables that have rows, under titles that say which is which."""
        of = f"{self.title}: " if self.title else ""
        for table, what in ((self.rounds, "rounds of"), (self.steps, "what ranks")):
            if table.rows:
                title = f"{of}{what} {name}"
                yield msgspec.structs.replace(table, title=title[:1].upper() + title[1:])


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """The explanation of a bot's place, stage by stage."""

    name: str
    rank: int
    entrants: int
    parts: tuple[PartReason, ...]

    @property
    def reason(self) -> str:
        """The last reason: of the tournament, or of the last stage that it reached."""
        return " ".join(filter(None, (self.parts[-1].reason, self.parts[-1].continues)))

    @property
    def title(self) -> str:
        """The rank in words."""
        return f"{self.name}: rank {self.rank} of {self.entrants}"

    def document(self) -> Document:
        """The JSON document."""
        return {
            "name": self.name,
            "rank": self.rank,
            "entrants": self.entrants,
            "parts": [
                {
                    "stage": part.title or None,
                    "rank": part.rank,
                    "reason": part.reason,
                    "rounds": part.rounds.written_rows,
                    "steps": part.steps.written_rows,
                    "continues": part.continues or None,
                }
                for part in self.parts
            ],
        }


def explanation(report: Report, name: str) -> Explanation:
    """Explains the place of a bot in the standings.

    Raises:
        UnknownName: There is no such bot in the tournament.
    """
    if name not in report.names:
        raise UnknownName("bot of the tournament", name, report.names)
    return next(_explained(report, [report.names.index(name)]))


def reason_table(report: Report) -> Table:
    """Returns the place of every bot with the reason, the best first."""
    found = _explained(report, [line.index for line in report.table])
    rows = [{"rank": each.rank, "name": each.name, "reason": each.reason} for each in found]
    return Table(title="Why each bot stands where it stands", columns=REASONS, rows=rows)


def _explained(report: Report, wanted: Sequence[int]) -> Iterator[Explanation]:
    names, format = report.names, format_now(report.decoded)
    last = frozenset(disqualified(report.stored.rulings))
    staged = format.parts(names, report.played) if isinstance(format, Staged) else ()
    for index in wanted:
        parts = [
            _Place(report, part.format, part.members, part.own, part.table, index).reason(
                f"Stage {part.number} ({part.format.name})", _cut(staged, part, index)
            )
            for part in staged
            if index in part.members
        ]
        if not staged:
            everybody = tuple(range(len(names)))
            one = _Place(report, format, everybody, report.played, report.table, index, last)
            parts = [one.reason()]
        elif index in last:
            parts[-1] = msgspec.structs.replace(parts[-1], continues=_LAST.format(names[index]))
        rank = _line(report.table, index).rank
        yield Explanation(name=names[index], rank=rank, entrants=len(names), parts=tuple(parts))


def _cut(parts: Sequence[Part], part: Part, index: int) -> str:
    """Says whether somebody entered the stage after one; empty before that stage."""
    later = next((each for each in parts if each.number == part.number + 1), None)
    if later is None:
        return ""
    stage, taken = f"Stage {later.number} took {len(later.members)}", "it was not among them"
    if index in later.members:
        taken = f"it entered as seed {later.members.index(index) + 1}"
    level = ", after a tie at the cut" if index in part.level else ""
    return f"{stage}: {taken}{level}."


def _line(table: Sequence[Standing], index: int) -> Standing:
    return next(line for line in table if line.index == index)


class _Place(msgspec.Struct, frozen=True):
    """The place of a bot in a tournament or a stage.

    Attributes:
        members: The field of the stage, by index into the tournament's.
        played: Its rounds, with indices into the members.
        table: Its standings, with indices into the field of the tournament.
        index: The bot, by index into the field of the tournament.
        last: The disqualified bots.
    """

    report: Report
    format: Format
    members: tuple[int, ...]
    played: tuple[RoundResult, ...]
    table: tuple[Standing, ...]
    index: int
    last: frozenset[int] = frozenset()

    def reason(self, title: str = "", continues: str = "") -> PartReason:
        """Returns the reason of its place."""
        own = self.members.index(self.index)
        steps: list[Step] = []
        if self.format.eliminates:
            rounds, why = [*self._bouts(own)], self._in_bracket(own)
        else:
            rounds = [*self._rounds(own)]
            if self.format.by_strength and self.index not in self.last:
                why = self._by_strength()
            else:
                args = self.format, len(self.members), self.played, own
                steps = separations(*args, self.last)
                why = self._in_section() + self._by_steps(steps)
        return PartReason(
            title=title,
            rank=_line(self.table, self.index).rank,
            reason=why,
            rounds=Table(columns=ROUNDS, rows=rounds),
            steps=Table(columns=STEPS, rows=[self._row(step, own) for step in steps]),
            continues=continues,
        )

    def _name(self, own: int) -> str:
        return self.report.names[self.members[own]]

    def _named(self, several: Sequence[int]) -> list[str]:
        return [self._name(each) for each in several]

    def _row(self, step: Step, own: int) -> Row:
        values = {
            self._name(each): value if value is None or isfinite(value) else None
            for each, value in step.values.items()
        }
        return {
            "by": step.by,
            "value": values[self._name(own)],
            "ahead": self._named(step.ahead),
            "behind": self._named(step.behind),
            "level": self._named([each for each in step.level if each != own]),
            "values": values,
            "summary": step.summary,
        }

    def _in_section(self) -> str:
        """Says which place it has in its section, such as a group; empty without one."""
        own, name = self.members.index(self.index), self.report.names[self.index]
        names = self._named(range(len(self.members)))
        last = [self.members.index(each) for each in self.last]
        for section in ranked_sections(self.format, names, self.played, last=last):
            for place, line in enumerate(section.lines, 1):
                if line.index == own:
                    return f"{name} has place {place} in {section.title}. "
        return ""

    def _by_steps(self, steps: Sequence[Step]) -> str:
        name, last = self.report.names[self.index], steps[-1]
        if last.by == "disqualified" and self.index in self.last:
            return _LAST.format(name)
        others = [each for each in last.level if self.members[each] != self.index]
        if not others:
            by = last.summary if last.by == "reached" else last.by
            return f"Nobody is level with {name} after {by}."
        shared = f"{joined(self._named(others))} {'shares' if len(others) == 1 else 'share'}"
        return f"{shared} the rank of {name}: nothing separates them. They stand in initial order."

    def _rounds(self, own: int) -> Iterator[Row]:
        scoring = scoring_of(self.format, self.played)
        total = 0.0
        for past in self.played:
            for turn in history(len(self.members), [past], scoring).turns[own]:
                total += turn.score
                yield {
                    "round": past.round.number,
                    "opponents": self._named(turn.opponents),
                    "seat": self._seat(turn),
                    "status": _status(past, turn, own),
                    "points": turn.points if turn.opponents else None,
                    "amount": turn.amount if turn.matches else None,
                    "score": None if scoring.by_mean else turn.score,
                    "total": None if scoring.by_mean else round(total, 9),
                }

    def _seat(self, turn: Turn) -> str | None:
        if len(turn.opponents) != 1:
            return None
        return "first" if turn.first else "second"

    def _bouts(self, own: int) -> Iterator[Row]:
        for bout in self.format.bracket(len(self.members), self.played):
            if own not in bout.entrants or bout.winner is None or bout.points is None:
                continue
            at = bout.entrants.index(own)
            other = bout.entrants[1 - at]
            how = decided_by(bout)
            status = f"{'won' if bout.winner == own else 'lost'} {bout.name}"
            yield {
                "round": bout.round,
                "opponents": [] if other is None else [self._name(other)],
                "seat": None,
                "status": f"{status}, by {how}" if how else status,
                "points": bout.points[at],
                "amount": None,
                "score": None,
                "total": None,
            }

    def _in_bracket(self, own: int) -> str:
        """Says how far it came, by its last bout, and who came as far."""
        name, line = self.report.names[self.index], _line(self.table, self.index)
        if self.index in self.last:
            return _LAST.format(name)
        bouts = [
            bout
            for bout in self.format.bracket(len(self.members), self.played)
            if own in bout.entrants and bout.winner is not None
        ]
        level = [each.name for each in self.table if each.rank == line.rank and each is not line]
        shared = f" {joined(level)} came as far." if level else ""
        if not bouts:
            return f"{name} has not played a bout.{shared}"
        bout = bouts[-1]
        other = next(each for each in bout.entrants if each != own)
        met = NOBODY if other is None else self._name(other)
        won = "won" if bout.winner == own else "lost"
        how = decided_by(bout)
        by = f", by {how}" if how else ""
        return f"{name} {won} {bout.name} against {met}{by}.{shared}"

    def _by_strength(self) -> str:
        """Says by how much it is stronger and weaker than its neighbours."""
        found, name = self.report.separation, self.report.names[self.index]
        texts = []
        for row in found.rows() if found else ():
            if name in (row["upper"], row["lower"]):
                known = "separated" if row["separated"] else "not separated yet"
                texts.append(
                    f"{row['upper']} is ahead of {row['lower']} by {row['elo']:.0f} Elo "
                    f"({row['low']:.0f} to {row['high']:.0f}), {known}"
                )
        between = f": {'; '.join(texts)}" if texts else ""
        return f"Strength ranks, a joint fit of all matches{between}."


def _status(past: RoundResult, turn: Turn, own: int) -> str:
    if turn.opponents:
        met = {own, *turn.opponents}
        forfeited = next(each.forfeited for each in past.results if {*each.pairing.seats} == met)
        if own in forfeited:
            return "forfeited"
        return "won by forfeit" if forfeited else "played"
    if own in past.round.byes:
        return "bye"
    return "void" if any(own in each.pairing.seats for each in past.results) else "absent"


def _criterion(row: Row) -> str:
    return str(row["summary"] if row["by"] == "reached" else row["by"])


def _others(row: Row) -> str:
    if row["by"] not in _FIRST and _separates_nobody(row):
        return "the same"
    return joined(row["level"]) if row["level"] else NOBODY


def _separates_nobody(row: Row) -> bool:
    return len(row["values"]) == len(row["level"]) + 1


def _values(row: Row) -> str:
    """Returns the values that a tie-break compared; of the first steps the whole field has some."""
    if row["by"] in _FIRST or _separates_nobody(row):
        return ""
    column = STEPS[1]
    return ", ".join(f"{name} {column.text(value)}" for name, value in row["values"].items())
