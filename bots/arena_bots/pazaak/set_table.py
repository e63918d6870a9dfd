"""Solves the set with hand cards by backward induction over totals and *numbers* of hand cards.

Both hands are taken for typical ones: at every turn each seat is assumed to hold a fresh draw of
that many cards from the same ten-card side deck. That keeps the state to the two totals, the two
numbers of cards and whether the rival stands (22,050 states), small enough for pure Python, while
a card keeps its price: the value of the set, and of the match after it, with one card less. The
nine squares are left out: they decide a set about once in a hundred.

The recursion is that of ``arena.games.pazaak.parts.solver`` with one more choice in each turn; with
no cards in either hand the two agree to four digits (a test holds them to it).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple, TypeAlias

from arena.games.pazaak.engine.rulesets import HAND_SIZE, LIMIT

Kinds: TypeAlias = tuple[tuple[int, tuple[int, ...]], ...]
"""A side deck as (number of cards, values that each of them can add), one entry a kind."""
Grid: TypeAlias = tuple[tuple[float, ...], ...]
"""A value for every (own cards left, rival's cards left)."""
Row: TypeAlias = list[float]
Values: TypeAlias = list[list[list[Row]]]
"""By own cards, the rival's cards, the rival's total, and the own total."""
Plays: TypeAlias = Sequence[Sequence[tuple[float, int]]]
"""By total: (value, number of cards) of every kind that can be played."""

HIGHEST = LIMIT + 10
"""The highest total that a draw can reach."""
SAFE = LIMIT - 10
"""Up to this total no draw busts, so nobody stands there: those targets share one row."""
LOWEST_STAND = 15
"""Below this total nobody stands, so that ties there do not matter."""
_COUNTS = range(HAND_SIZE + 1)
_TOTALS = range(LIMIT + 1)


class Stakes(NamedTuple):
    """Values of the end of the set to a seat, -1..1, by the cards that both have left."""

    won: Grid
    tied: Grid
    lost: Grid

    def rivals(self) -> Stakes:
        """Returns the same values from the rival's side."""
        return Stakes(_turned(self.lost), _turned(self.tied), _turned(self.won))


def _turned(grid: Grid) -> Grid:
    return tuple(tuple(-grid[mine][its] for mine in _COUNTS) for its in _COUNTS)


class SeatTable:
    """Holds a seat's values in the set, by ``[own cards][rival's cards][rival's total][total]``.

    Attributes:
        stakes: Value of the set's end to this seat.
        chasing: It has just drawn to that total (1..30) and the rival stands.
        outdoing: The same as ``chasing`` where the rival wins a tie by its Tiebreaker (S27).
        drawn: The same while the rival still plays.
        chased: Its turn is over (it stands or continues) at that total and the rival stands.
        ended: The same while the rival still plays.
    """

    def __init__(self, stakes: Stakes) -> None:
        self.stakes = stakes
        self.chasing = _blank()
        self.outdoing = _blank()
        self.drawn = _blank()
        self.chased = _blank()
        self.ended = _blank()


def _blank() -> Values:
    return [[[] for _ in _COUNTS] for _ in _COUNTS]


def solve(kinds: Kinds, stakes: Stakes, rescue: bool = True) -> tuple[SeatTable, SeatTable]:
    """Computes both seats' tables, in about 60 ms.

    Args:
        kinds: The side deck that both hands are assumed to come from.
        stakes: Value of the set's end to the first seat.
        rescue: Whether a card may still be played after drawing over 20 (C5).
    """
    return _Induction(kinds, rescue).run(SeatTable(stakes), SeatTable(stakes.rivals()))


class _Induction:
    """Runs one backward induction: later states first, fewer hand cards first."""

    def __init__(self, kinds: Kinds, rescue: bool) -> None:
        self.kinds = kinds
        self.copies = [copies for copies, _ in kinds]
        self.top = LIMIT + 6 if rescue else LIMIT
        size = sum(copies for copies, _ in kinds)
        self.missing = [
            [comb(size - copies, cards) / comb(size, cards) for copies in range(size + 1)]
            for cards in _COUNTS
        ]

    def run(self, first: SeatTable, second: SeatTable) -> tuple[SeatTable, SeatTable]:
        for seat in (first, second):
            for cards in _COUNTS:
                for rivals in _COUNTS:
                    self._chase(seat, cards, rivals)
        for both in range(2 * HAND_SIZE + 1):
            for cards in range(max(0, both - HAND_SIZE), min(HAND_SIZE, both) + 1):
                self._duel(first, second, cards, both - cards)
        return first, second

    def _chase(self, seat: SeatTable, cards: int, rivals: int) -> None:
        """Fills the seat's rows for a rival that stands: the seat draws on until it stands too."""
        tied, lost = seat.stakes.tied[cards][rivals], seat.stakes.lost[cards][rivals]
        after: Row = []
        drawn: Row = []
        for target in _TOTALS:
            if target == 0 or target > SAFE:
                rank = max(target, SAFE)
                after, drawn = self._pursue(seat, cards, rivals, rank, tied)
            seat.chased[cards][rivals].append(after)
            seat.chasing[cards][rivals].append(drawn)
            tight = target >= LOWEST_STAND
            edge = self._pursue(seat, cards, rivals, target, lost)[1] if tight else drawn
            seat.outdoing[cards][rivals].append(edge)

    def _pursue(
        self, seat: SeatTable, cards: int, rivals: int, target: int, tied: float
    ) -> tuple[Row, Row]:
        """Returns values after the turn and the draw, with ``tied`` for a tie on ``target``."""
        won, lost = seat.stakes.won[cards][rivals], seat.stakes.lost[cards][rivals]
        after = [lost] * (LIMIT + 1)
        drawn = [lost] * (HIGHEST + 1)
        below = seat.chased[cards - 1][rivals][target] if cards else after
        plays = self.plays(below, cards, lost)
        for total in range(self.top, -1, -1):
            value = lost
            if total <= LIMIT:
                value = won if total > target else tied if total == target else lost
                if total < LIMIT:
                    value = max(value, sum(drawn[total + 1 : total + 11]) / 10)
                after[total] = value
            drawn[total] = self.best(plays[total], value, cards)
        return after, drawn

    def _duel(self, first: SeatTable, second: SeatTable, cards: int, rivals: int) -> None:
        """Fills both seats' rows where neither stands: after a seat's turn the other draws."""
        sides = [_Side(self, first, cards, rivals), _Side(self, second, rivals, cards)]
        for both in range(2 * LIMIT, -1, -1):
            before = [
                [
                    sum(side.drawn[both - own][own + 1 : own + 11]) / 10
                    for own in range(max(0, both - LIMIT), min(LIMIT, both) + 1)
                ]
                for side in sides
            ]
            low = max(0, both - LIMIT)
            for side, other, its in zip(sides, reversed(sides), reversed(before), strict=True):
                for total in range(low, min(LIMIT, both) + 1):
                    target = both - total
                    chasing = other.chasing[total]
                    value = -sum(chasing[target + 1 : target + 11]) / 10
                    if total < LIMIT:
                        value = max(value, -its[target - low])
                    side.ended[target][total] = value
                    plays = side.plays[target][total]
                    side.drawn[target][total] = self.best(plays, value, side.cards)

    def plays(self, after: Row, cards: int, lost: float) -> Plays:
        """Returns for every total drawn to the values that each kind of card gives it, best first.

        A card played while no draw can bust is a card wasted, so those totals have none.
        """
        if not cards:
            return [()] * (HIGHEST + 1)
        padded = after + [lost] * 12
        made = []
        for _, adds in self.kinds:
            rows = [padded[SAFE + 1 + add : self.top + 1 + add] for add in adds]
            made.append(list(map(max, *rows)) if len(rows) > 1 else rows[0])
        values = (zip(row, self.copies, strict=True) for row in zip(*made, strict=True))
        return [()] * (SAFE + 1) + [sorted(value, reverse=True) for value in values]

    def best(self, plays: Sequence[tuple[float, int]], without: float, cards: int) -> float:
        """Returns the expected value of the best choice: each kind is in the hand or is not."""
        expected, missing, copies = 0.0, 1.0, 0
        for value, number in plays:
            if value <= without:
                break
            copies += number
            absent = self.missing[cards][copies]
            expected += value * (missing - absent)
            missing = absent
        return expected + without * missing


class _Side:
    """Holds a seat's rows of one head-to-head result, filled from the highest totals down."""

    def __init__(self, induction: _Induction, seat: SeatTable, cards: int, rivals: int) -> None:
        lost = seat.stakes.lost[cards][rivals]
        self.cards = cards
        self.chasing = seat.chasing[cards][rivals]
        self.ended = seat.ended[cards][rivals] = [[lost] * (LIMIT + 1) for _ in _TOTALS]
        self.drawn = seat.drawn[cards][rivals] = [[lost] * (HIGHEST + 1) for _ in _TOTALS]
        below = seat.ended[cards - 1][rivals] if cards else self.ended
        self.plays = [induction.plays(row, cards, lost) for row in below]
        for target, plays in enumerate(self.plays):
            for total in range(LIMIT + 1, induction.top + 1):
                self.drawn[target][total] = induction.best(plays[total], lost, cards)
