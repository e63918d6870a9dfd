"""Draws the top of a tournament's page: podium, bracket, and pairings that are being played."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec
from arena_tournaments.play.volume import Fixed

from arena.core.table import Column
from arena.core.tournaments.format import Bout
from arena.pages.drawing import Addresses
from arena.pages.page import Link
from arena.service.report.report import Report
from arena.service.report.report_text import short_decision
from arena.service.report.sums.running import Meeting
from arena.service.report.tables.podium import Honour, is_consolation, podium, score_text

BOT = Column("name", names="bot")
"""Kind of a name of a bot, for its address."""
MAX_PAIRS = 12
"""Pairings of the round that a page lists."""


def bot_link(name: str, addresses: Addresses) -> Link:
    """Returns a bot's name with its address."""
    return Link(name, addresses(BOT, {"name": name}))


class Step(msgspec.Struct, frozen=True):
    """A step of the podium; ``place`` is ``"first"``, ``"second"`` or ``"third"``."""

    place: str
    honour: Honour
    bot: Link


def steps(report: Report, addresses: Addresses) -> tuple[Step, ...]:
    """Returns the podium as it is drawn: the champion stands in the middle."""
    found = [
        Step(place, each, bot_link(each.name, addresses))
        for place, each in zip(("first", "second", "third", "third"), podium(report), strict=False)
    ]
    return (*found[1:2], *found[:1], *found[2:])


class Side(msgspec.Struct, frozen=True):
    """One side of a tie: its seed, its name and its points so far.

    Attributes:
        style: ``"w"`` for the winner, ``"l"`` for the loser, else empty.
    """

    seed: str
    name: str
    points: str
    style: str


class TieView(msgspec.Struct, frozen=True):
    """A tie of a bracket: two sides, and the reason if equal points were decided."""

    name: str
    sides: tuple[Side, ...]
    why: str = ""


class BracketRound(msgspec.Struct, frozen=True):
    """A round of a bracket.

    Attributes:
        ties: ``None`` stands for a bye, which only keeps its place.
        below: Ties outside of the tree, as for the third place.
    """

    title: str
    ties: tuple[TieView | None, ...]
    below: tuple[TieView, ...] = ()


class BracketView(msgspec.Struct, frozen=True):
    """A bracket, round by round.

    Attributes:
        tree: Whether each tie is fed by the two next to it in the round before.
    """

    rounds: tuple[BracketRound, ...]
    tree: bool

    @property
    def open(self) -> int:
        """The index of the first round that has a tie to play; of a finished one of the last."""
        undecided = (
            number
            for number, each in enumerate(self.rounds)
            if any(tie and not any(side.style for side in tie.sides) for tie in each.ties)
        )
        return next(undecided, len(self.rounds) - 1)

    def part(self, rounds: int) -> BracketView:
        """Returns as many rounds, from the one that is played on; the last ones after the end."""
        first = max(0, min(self.open, len(self.rounds) - rounds))
        return BracketView(self.rounds[first : first + rounds], self.tree)


def bracket_view(
    report: Report, bouts: Sequence[Bout], members: Sequence[int] = ()
) -> BracketView | None:
    """Returns a bracket as it is drawn, with the points of the round that is being played.

    Args:
        members: The bots in it, in the order of its seeding; by default the whole field.
    """
    if not bouts:
        return None
    drawn = _Ties(report, members or range(len(report.names)))
    columns = _columns(bouts)
    if columns is None:
        found = sorted(bouts, key=lambda bout: bout.round)
        by_round = [[*each] for _, each in groupby(found, key=lambda bout: bout.round)]
        rounds = [BracketRound(_title(each), tuple(map(drawn.view, each))) for each in by_round]
        return BracketView(tuple(rounds), tree=False)
    rounds = [
        BracketRound(
            _title([each for each in column if each]),
            tuple([drawn.view(each) if each else None for each in column]),
        )
        for column in columns
    ]
    others = tuple([drawn.view(each) for each in bouts if is_consolation(each)])
    rounds[-1] = msgspec.structs.replace(rounds[-1], below=others)
    return BracketView(tuple(rounds), tree=True)


def _columns(bouts: Sequence[Bout]) -> list[list[Bout | None]] | None:
    """Returns the bouts of a knockout by round, in the order of the tree; ``None`` of another."""
    final = max((each for each in bouts if not is_consolation(each)), key=lambda bout: bout.round)
    columns: list[list[Bout | None]] = [[final]]
    while any(each and each.winner_of != (None, None) for each in columns[0]):
        before: list[Bout | None] = []
        for each in columns[0]:
            feeding = each.winner_of if each else (None, None)
            before += [None if index is None else bouts[index] for index in feeding]
        if len(before) > len(bouts) + 1:  # a ladder, or two brackets
            return None
        columns.insert(0, before)
    first = final.round - len(columns) + 1
    drawn = [each for column in columns for each in column if each]
    there = sum(not is_consolation(each) for each in bouts)
    straight = all(
        each is None or each.round == first + number
        for number, column in enumerate(columns)
        for each in column
    )
    return columns if straight and len(drawn) == there else None


class _Ties:
    """Draws the ties of one bracket."""

    def __init__(self, report: Report, members: Sequence[int]) -> None:
        self._report = report
        self._seeds = {index: str(number) for number, index in enumerate(members, 1)}
        running = report.running
        self._now = {frozenset(each.seats): each for each in running.pairings} if running else {}
        self._numbers = {
            (made.number, frozenset(pairing.seats)): number
            for made in report.stored.rounds
            for number, pairing in enumerate(made.pairings, 1)
        }

    def view(self, bout: Bout) -> TieView:
        """Returns a tie as it stands."""
        sides = tuple([self._side(bout, side) for side in (0, 1)])
        return TieView(bout.name, sides, self._why(bout))

    def _side(self, bout: Bout, side: int) -> Side:
        entrant, points = bout.entrants[side], ""
        if entrant is None:
            return Side("", bout.sides[side], "", "")
        if bout.points is not None:
            points = score_text([bout.points[side]])
        elif now := self._now.get(frozenset(each for each in bout.entrants if each is not None)):
            points = score_text([now.values[now.seats.index(entrant)]]) if now.begun else ""
        style = "" if bout.winner is None else "w" if bout.winner == entrant else "l"
        return Side(self._seeds.get(entrant, ""), self._report.names[entrant], points, style)

    def _why(self, bout: Bout) -> str:
        return short_decision(self._report.names, bout, self._more(bout))

    def _more(self, bout: Bout) -> int:
        """Returns the number of matches that a drawn pairing played on."""
        stored, met = (
            self._report.stored,
            frozenset(each for each in bout.entrants if each is not None),
        )
        volume = self._report.decoded.schedule.volume(bout.round)
        sums = stored.sums.get((bout.round, self._numbers.get((bout.round, met), 0)))
        planned = 0 if isinstance(volume, Fixed) else volume.games
        return max(0, sums.matches - planned) if sums and planned else 0


def _title(bouts: Sequence[Bout]) -> str:
    """Returns the heading of a round of a bracket: ``"Semi-finals"``."""
    names = {each.name.rpartition(" ")[0] if len(bouts) > 1 else each.name for each in bouts}
    if len(names) > 1:
        return f"Round {bouts[0].round}"
    name = names.pop()
    for word in ("semi", "quarter"):
        name = name.replace(f"{word}final", f"{word}-final")
    plural = "s" if len(bouts) > 1 and name.endswith("final") else ""
    return f"{name[:1].upper()}{name[1:]}{plural}"


class PairView(msgspec.Struct, frozen=True):
    """A pairing of the round that is being played.

    Attributes:
        style: ``"now"`` while it is played, ``"done"`` after it, ``"next"`` before.
        score: What each took so far.
        bots: All of a table; two otherwise.
    """

    style: str
    bots: tuple[Link, ...]
    score: str
    values: tuple[str, ...]


def pair_views(report: Report, addresses: Addresses) -> tuple[PairView, ...]:
    """Returns the pairings of the round, those first that are being played, then the last ones."""
    if report.running is None:
        return ()
    ordered = sorted(report.running.pairings, key=lambda each: (_order(each), each.number))
    return tuple([_pair(report, each, addresses) for each in ordered])


def _order(meeting: Meeting) -> int:
    return 1 if meeting.over else 0 if meeting.begun else 2


def _pair(report: Report, meeting: Meeting, addresses: Addresses) -> PairView:
    names = [report.names[index] for index in meeting.seats]
    values = [score_text([each]) for each in meeting.values]
    return PairView(
        style=("now", "done", "next")[_order(meeting)],
        bots=tuple([bot_link(name, addresses) for name in names]),
        score=" : ".join(values) if meeting.begun else "–",
        values=tuple(values if meeting.begun else [""] * len(values)),
    )
