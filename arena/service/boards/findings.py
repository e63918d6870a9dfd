"""Findings: things that the author of a bot should check next, counted over its newest matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from math import sqrt
from typing import TypeVar

import msgspec
from arena_results.file.database import Database
from arena_tournaments.play.schedule import match_points
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import Divergence, UnknownName
from arena.core.outcome import Fault, Termination
from arena.core.table import Column, Row
from arena.core.tournaments.rating import Z95
from arena.match.adjudication import faults_of
from arena.match.replay import Step, replay
from arena.plugins.registry import Registry
from arena.service.answers.rows import Document
from arena.service.boards.own_matches import OwnMatch, own_matches
from arena.service.match.replays import replay_command

Key = TypeVar("Key", str, Termination)
MAX_MATCHES = 200
"""Newest matches that are checked, unless another number is asked for."""
FORM = 10
"""Results of the form."""
PATTERNS = 3
"""Patterns of decisions that are named."""
SLOW = 0.5
"""Share of the time limit from which on a bot is near it."""
FEW = 10
"""Matches against an opponent below which nothing is said of it."""
_LOST = {
    Termination.TIMEOUT: "lost on time",
    Termination.CRASH: "lost by a crash",
    Termination.ILLEGAL_ACTION: "lost by an illegal action",
    Termination.TOO_LONG: "lost by too many decisions",
    Termination.MEMORY: "lost by too much memory",
    Termination.THREADS: "lost by too many threads",
    Termination.OUTPUT: "lost by too much output",
    Termination.PROTOCOL: "lost by an answer that is none",
    Termination.LEFT: "lost by leaving the table",
}
FINDINGS = (
    Column("lead", "how often", drop=0),
    Column("text", "what", drop=0, prose=True),
    Column("example", "example", drop=1, prose=True),
    Column("match", "match", drop=0, names="match"),
    Column("move", "move", right=True, drop=0),
)
"""The columns of what to look at next."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to look at, in plain words, with an example.

    Attributes:
        kind: ``fault``, ``pattern``, ``opponent`` or ``time``.
        lead: How often, e.g. ``"11 of 59 losses"``.
        text: What the bot did, or what happened to it.
        example: The case of the example in a few words; empty if there is nothing to add.
        matches: Number of matches that it is about.
        match: The newest of them, a lost one if there is one.
        move: The decision in it; ``None`` if it is about the whole match.
        replay: The command that shows it.
    """

    kind: str
    lead: str
    text: str
    example: str = ""
    matches: int
    match: str
    move: int | None
    replay: str


class Recent(msgspec.Struct, frozen=True, kw_only=True):
    """The newest matches of a bot against others.

    Attributes:
        matches: Number of matches that were checked.
        more: Whether there are more.
        won: Number of them that were won; also ``drawn`` and ``lost``.
        form: The last ten results, the newest last: ``W``, ``D`` and ``L``.
        findings: What to look at next.
    """

    matches: int
    more: bool
    won: int
    drawn: int
    lost: int
    form: str
    findings: tuple[Finding, ...]

    def document(self) -> Document:
        """The value of ``recent`` in the JSON document of ``arena bots show``."""
        document: Document = msgspec.to_builtins(self)
        return document


def recent(
    registry: Registry,
    database: Database,
    bot: str,
    opponents: Sequence[Row],
    *,
    most: int = MAX_MATCHES,
    finished: bool = False,
) -> Recent:
    """Looks at the newest rated matches of a bot.

    Args:
        bot: ``NAME`` or ``NAME@VERSION``, with any parameters and loadout.
        opponents: Its head-to-head results in all matches.
        most: At most that many matches.
        finished: Only matches of finished tournaments, which are public.
    """
    sums = _Sums(registry)
    found = own_matches(database, bot, finished=finished, rated=True, met=True)
    for each in islice(found, most):
        sums.add(each)
    return sums.recent(opponents, more=next(found, None) is not None)


class _Cases(msgspec.Struct):
    """Matches with one thing in common, the newest first.

    Attributes:
        times: How often it happened, perhaps several times in a match.
        lost: Number of them that were lost.
        example: The first of them, a lost one if there is one.
        where: Where in its match each of them has it.
    """

    matches: int = 0
    times: int = 0
    lost: int = 0
    example: OwnMatch | None = None
    move: int | None = None
    detail: str = ""
    where: list[str] = []

    def add(
        self, own: OwnMatch, move: int | None, detail: str, where: str, *, lost: bool, again: bool
    ) -> None:
        self.times += 1
        if again:
            return
        if self.example is None or (lost and not self.lost):
            self.example, self.move, self.detail = own, move, detail
        self.matches += 1
        self.lost += lost
        self.where.append(where)

    def finding(self, kind: str, lead: str, text: str) -> Finding:
        own, move = self.example, self.move
        assert own is not None
        number = own.tournament.summary.id
        return Finding(
            kind=kind, lead=lead, text=text, example=self.detail, matches=self.matches,
            match=own.number, move=move, replay=replay_command(number, own.row.key, move),
        )  # fmt: skip


class _Sums:
    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._results: list[str] = []
        self._patterns: dict[str, _Cases] = {}
        self._faults: dict[Termination, _Cases] = {}
        self._against: dict[str, _Cases] = {}
        self._slow: dict[float, _Cases] = {}
        self._limits: dict[int, float] = {}

    def add(self, own: OwnMatch) -> None:
        score = match_points(own.row.returns)[own.seat]
        lost = score < 0.5
        self._results.append("W" if score > 0.5 else "L" if lost else "D")
        steps = [*self._steps(own)]
        for fault in faults_of(own.played.record.outcome):
            if fault.seat == own.seat:
                cases = self._faults.setdefault(fault.cause, _Cases())
                where = self._where(own, steps, fault)
                cases.add(own, fault.move, "", where, lost=True, again=False)
        self._add_patterns(own, steps, lost=lost)
        if lost:
            best = max(own.row.returns)
            for name, theirs in zip(own.names, own.row.returns, strict=True):
                if theirs == best:
                    cases = self._against.setdefault(name, _Cases())
                    cases.add(own, None, "", "", lost=True, again=False)
        self._add_time(own, lost=lost)

    def _steps(self, own: OwnMatch) -> Iterator[Step]:
        """Yields the positions of a match; none of one that cannot be replayed here."""
        with suppress(UnknownName, Divergence):
            game = self._registry.game(own.tournament.summary.game)
            yield from replay(game, own.played.record)

    def _where(self, own: OwnMatch, steps: Sequence[Step], fault: Fault) -> str:
        """Returns the part of the match with a fault, as the title of its scene begins."""
        state = next((step.state for step in steps if step.move >= fault.move), None)
        if state is None:
            return "before the deal"
        scene = self._registry.game(own.tournament.summary.game).board.scene(state, ())
        title = scene.title.partition(",")[0].partition(" of ")[0]
        return f"in {title[:1].lower()}{title[1:]}" if title else ""

    def _add_patterns(self, own: OwnMatch, steps: Sequence[Step], *, lost: bool) -> None:
        seen: set[str] = set()
        for step in steps:
            if step.seat != own.seat or step.action is None:
                continue
            luck = self._registry.game(own.tournament.summary.game).luck
            if found := luck.pattern(step.state, step.action):
                cases = self._patterns.setdefault(found.text, _Cases())
                again = found.text in seen
                cases.add(own, step.move, found.detail, "", lost=lost, again=again)
                seen.add(found.text)

    def _add_time(self, own: OwnMatch, *, lost: bool) -> None:
        about, measured = own.tournament.summary, own.played.measurement
        if about.id not in self._limits:
            spec = TournamentSpec.from_json(about.spec)
            self._limits[about.id] = spec.decision_seconds
        limit = self._limits[about.id]
        requests = measured.requests[own.seat]
        if requests and measured.nanoseconds[own.seat] / requests >= SLOW * limit * 1e9:
            cases = self._slow.setdefault(limit, _Cases())
            cases.add(own, None, "", "", lost=lost, again=False)

    def recent(self, opponents: Sequence[Row], *, more: bool) -> Recent:
        results = self._results
        return Recent(
            matches=len(results),
            more=more,
            won=results.count("W"),
            drawn=results.count("D"),
            lost=results.count("L"),
            form="".join(reversed(results[:FORM])),
            findings=tuple(self._findings(opponents)),
        )

    def _findings(self, opponents: Sequence[Row]) -> Iterator[Finding]:
        for cause, cases in _most(self._faults, len(self._faults)):
            lead = "1 match" if cases.matches == 1 else f"{cases.matches} matches"
            text = _LOST.get(cause, f"lost: {cause}")
            yield cases.finding("fault", lead, f"{text}{_place(cases.where)}")
        lost = self._results.count("L")
        several = {text: each for text, each in self._patterns.items() if each.times > 1}
        for text, cases in _most(several, PATTERNS):
            lead = f"{cases.lost} of {_counted(lost)}" if cases.lost else f"{cases.times} times"
            yield cases.finding("pattern", lead, text)
        broken = sum(cases.lost for cases in self._faults.values())
        worst = _nemesis(opponents) if 2 * broken < lost else None
        if worst and (against := self._against.get(worst["opponent"])):
            lead = f"{worst['lost']} of {worst['played']} matches"
            yield against.finding("opponent", lead, f"lost to {worst['opponent']}")
        for limit, cases in self._slow.items():
            lead = f"{cases.matches} of {len(self._results)} matches"
            text = f"used half of the {limit:g} s per decision or more, on average"
            yield cases.finding("time", lead, text)


def _most(found: Mapping[Key, _Cases], most: int) -> list[tuple[Key, _Cases]]:
    ranked = sorted(found.items(), key=lambda each: (-each[1].lost, -each[1].times))
    return ranked[:most]


def _counted(lost: int) -> str:
    return "1 loss" if lost == 1 else f"{lost} losses"


def _place(where: Sequence[str]) -> str:
    """Returns where several faults happened, if that is the same for all."""
    if len({*where}) != 1 or not where[0]:
        return ""
    several = {1: "", 2: "both "}.get(len(where), "all ")
    return f", {several}{where[0]}"


def _nemesis(opponents: Sequence[Row]) -> Row | None:
    """Returns the opponent that took most points beyond half, unless that may be chance."""

    def beyond(row: Row) -> float:
        return float((0.5 - row["share"]) * row["played"])

    sure = [
        row
        for row in opponents
        if row["played"] >= FEW and beyond(row) > Z95 / 2 * sqrt(row["played"])
    ]
    return max(sure, key=beyond, default=None)
