"""The field of one round: the players to pair, with the facts for the criteria."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena_tournaments.trf.report import Cell, Player, Report

DOWN, UP, NO_FLOAT = -1, 1, 0

Allowed = NDArray[np.bool_]
"""A square matrix: who may meet whom, by index into the field."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One participant of a round.

    Attributes:
        number: Pairing number.
        order: Place in the initial order, from 1, without those who never took part (C.04.2, 2.4).
        score: Score with virtual points, in tenths: what brackets are made of.
        points: Score without them.
        colours: Colours of the games played, e.g. ``"wbb"``.
        preference: ``"w"``, ``"b"``, or empty (1.7).
        strength: 3 for an absolute preference, 2 for a strong one, 1 for a mild one, 0 for none.
        imbalance: Games with one colour more than with the other (1.6), without its sign.
        bye: Whether the participant may have the pairing-allocated bye (C2).
        unplayed: Rounds without a game.
        floats: In the last round and the one before: ``DOWN``, ``UP`` or ``NO_FLOAT`` (1.4).
        earlier: Its last colour against each opponent of an earlier cycle, by number.
    """

    number: int
    order: int
    score: int
    points: int
    colours: str
    preference: str
    strength: int
    imbalance: int
    bye: bool
    unplayed: int
    floats: tuple[int, int]
    earlier: Mapping[int, str] = {}

    @property
    def repeated(self) -> str:
        """The colour of the two latest games; empty if they differed."""
        last = self.colours[-2:]
        return last[0] if last in ("ww", "bb") else ""


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody who is paired, the highest score first, then the initial order.

    Attributes:
        allowed: Who may meet whom by C1, C3 and the forbidden pairs.
        plain: The same without C3's exception for topscorers.
        groups: Where score groups begin, and at last the length of the field.
        initial_colour: Colour of the first pairing number, if it has no preference (5.2.5).
    """

    entries: tuple[Entry, ...]
    allowed: Allowed
    plain: Allowed
    groups: tuple[int, ...]
    initial_colour: str


class _Past:
    def __init__(self, report: Report, forgotten: int) -> None:
        self.report, self.forgotten = report, forgotten
        self.rounds = report.played_rounds
        self._placeholders = report.placeholders
        self.cells = {each.number: report.cells(each, self.rounds) for each in report.players}
        self.scores = {each.number: report.scores(each, self.rounds) for each in report.players}
        self.bonus = {each.number: report.bonus(each) for each in report.players}
        self._virtual = [report.virtual_points(n) for n in range(1, self.rounds + 2)]

    def score(self, number: int, rounds: int) -> int:
        """Returns a player's score after some rounds, with the next one's virtual points."""
        return sum(self.scores[number][:rounds]) + self._virtual[rounds].get(number, 0)

    def floated(self, number: int, round: int) -> int:
        """Returns how a player floated in a round (1.4): points without a game are a downfloat."""
        if round < 1:
            return NO_FLOAT
        cell = self.cells[number][round - 1]
        if not cell.played:
            won_something = self.scores[number][round - 1] > self.report.points["WL"]
            return DOWN if won_something else NO_FLOAT
        mine, theirs = self.score(number, round - 1), self.score(cell.opponent, round - 1)
        return DOWN if mine > theirs else UP if mine < theirs else NO_FLOAT

    def bye(self, number: int) -> bool:
        """Returns whether a player may have the bye: no win's worth without a game yet (C2)."""
        scored = zip(self.cells[number], self.scores[number], strict=True)
        win = self.report.points["WW"]
        counted = islice(scored, self.forgotten, None)
        return not any(cell.free_win(score, win) for cell, score in counted)

    def absent(self, player: Player) -> bool:
        coming = player.cells[self.rounds :][:1]
        if coming and not (self._placeholders and coming[0].result == "Z"):
            return True
        asked = (self.rounds + 1, player.number) in self.report.byes
        return asked or player.number in self.report.absent


def field_of(report: Report, forgotten: int = 0) -> Field:
    """Returns the field of the round after those that a report has.

    Args:
        forgotten: First rounds, in which meetings and byes do not count.
    """
    past = _Past(report, forgotten)
    players = list(report.players)
    if not report.by_line:
        players.sort(key=lambda player: player.number)
    entries: list[Entry] = []
    order = 0
    for player in players:
        absent = past.absent(player)
        # Whoever has not come yet has no pairing number (C.04.2, 2.4).
        order += not absent or any(cell.paired for cell in player.cells)
        if not absent:
            entries.append(_entry(past, player.number, order))
    entries.sort(key=lambda entry: (-entry.score, entry.order))
    allowed, plain = _allowed(past, entries)
    firsts = [n for n, entry in enumerate(entries) if not n or entry.score < entries[n - 1].score]
    return Field(
        entries=tuple(entries),
        allowed=allowed,
        plain=plain,
        groups=(*firsts, len(entries)),
        initial_colour=report.initial_colour or first_colour(players) or "w",
    )


def _entry(past: _Past, number: int, order: int) -> Entry:
    cells = past.cells[number]
    colours = "".join(cell.colour for cell in cells if cell.played)
    preference, strength = preference_of(colours)
    return Entry(
        number=number,
        order=order,
        score=past.score(number, past.rounds) + past.bonus[number],
        points=sum(past.scores[number]) + past.bonus[number],
        colours=colours,
        preference=preference,
        strength=strength,
        imbalance=abs(colours.count("w") - colours.count("b")),
        bye=past.bye(number),
        unplayed=past.rounds - len(colours),
        floats=(past.floated(number, past.rounds), past.floated(number, past.rounds - 1)),
        earlier={each.opponent: each.colour for each in cells[: past.forgotten] if each.played},
    )


def preference_of(colours: str) -> tuple[str, int]:
    """Returns the colour that a player of these games is due, and how strongly (1.7)."""
    if not colours:
        return "", 0
    difference = colours.count("w") - colours.count("b")
    rarer = "b" if difference > 0 else "w"
    other = {"w": "b", "b": "w"}[colours[-1]]
    if abs(difference) > 1:
        return rarer, 3
    if colours[-2:] in ("ww", "bb"):
        return other, 3
    return (rarer, 2) if difference else (other, 1)


def _allowed(past: _Past, entries: Sequence[Entry]) -> tuple[Allowed, Allowed]:
    """Returns who may meet, with and without the exception of C3 for topscorers."""
    size = len(entries)
    index = {entry.number: n for n, entry in enumerate(entries)}
    met = ~np.eye(size, dtype=bool)
    for n, entry in enumerate(entries):
        cells = past.cells[entry.number][past.forgotten :]
        mine = [index[cell.opponent] for cell in cells if _here(cell, index)]
        met[n, mine] = False
    for group in past.report.forbidden:
        last = group.last_round or past.rounds + 1
        if group.first_round <= past.rounds + 1 <= last:
            rows = [index[number] for number in set(group.numbers) if number in index]
            met[np.ix_(rows, rows)] = False
    due = np.array([" wb".index(entry.preference or " ") for entry in entries])
    due[[entry.strength < 3 for entry in entries]] = 0
    plain = met & ~((due[:, None] == due[None, :]) & (due[:, None] != 0))
    if not past.report.rounds or past.rounds < past.report.rounds - 1:
        return plain, plain
    points = past.report.points
    half = past.rounds * max(points["WW"], points["WD"]) // 2
    top = np.array([entry.score > half for entry in entries], dtype=bool)
    return np.where(top[:, None] | top[None, :], met, plain), plain


def _here(cell: Cell, index: Mapping[int, int]) -> bool:
    return cell.played and cell.opponent in index


def first_colour(players: Sequence[Player]) -> str:
    """Returns the initial colour that the first games show; the players in initial order."""
    rounds = max((len(player.cells) for player in players), default=0)
    for round in range(1, rounds + 1):
        cells = [player.cells[:round] for player in players]
        if any(len(mine) == round and mine[-1].colour != "-" for mine in cells):
            break
    else:
        return ""
    here = [mine for mine in cells if any(cell.paired for cell in mine)]
    for place, mine in enumerate(here):
        if len(mine) == round and mine[-1].colour != "-":
            return mine[-1].colour if place % 2 == 0 else {"w": "b", "b": "w"}[mine[-1].colour]
    return ""
