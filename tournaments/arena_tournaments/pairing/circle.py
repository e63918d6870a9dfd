"""Pairs round robins for tables of any size by turning them around a circle.

For pairs the circle method seats everybody on a circle, draws one round's pairings as chords and
turns the circle from round to round. Here the chords are tables. When the circle has been turned
once around, everybody has sat in each place of the first round once, and two who are d places
apart have met as often as d occurs as a distance within its tables (a difference family of
combinatorics; with one entrant in the middle who never moves, a 1-rotational one). So only the
first round has to be found, by a search that evens out its distances.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import gcd

import msgspec

from arena.core.chance.seeding import generator

TRIES = 20_000
"""Exchanges that the search tries, and as many more a hundred entrants."""
SWING = 2_000
"""Exchanges in which the search goes from bold (it takes what makes it worse) to strict."""
BOLD = 6
"""Loss that an exchange may bring at the beginning of a swing."""


class Circle(msgspec.Struct, frozen=True):
    """A round of tables that is turned around a circle.

    Attributes:
        tables: Who sits at each table in the first round: points of the circle, clockwise from
            0; the number ``points`` stands for the entrant in the middle, if there is one.
        resting: How many of the circle rest in the first round: points 0 .. ``resting`` - 1.
    """

    points: int
    tables: tuple[tuple[int, ...], ...]
    resting: int

    def distances(self) -> list[int]:
        """Counts how often each distance 1 .. ``points`` // 2 occurs within the tables."""
        counts = [0] * (self.points // 2)
        for table in self.tables:
            for one, other in combinations(sorted(table), 2):
                if other < self.points:
                    apart = other - one
                    counts[min(apart, self.points - apart) - 1] += 1
        return counts

    def meetings(self, factor: int = 1) -> list[int]:
        """Counts how often two meet in one turn, by their distance 1 .. ``points`` // 2.

        Last, if there is somebody in the middle, how often everybody meets him. The factor is as
        for ``rounds``.
        """
        distances = self.distances()
        met = [0] * len(distances)
        for place, count in enumerate(distances, 1):
            apart = place * factor % self.points
            met[min(apart, self.points - apart) - 1] = count * (1 + (2 * place == self.points))
        middle = [len(table) - 1 for table in self.tables if self.points in table]
        return met + middle

    def round(self, number: int, factor: int = 1) -> tuple[tuple[int, ...], ...]:
        """Returns the tables of one round of a turn.

        Those who rest move on by as many places as rest, so that nobody rests twice before
        everybody has rested.

        Args:
            number: 0 .. ``points`` - 1.
            factor: What all points are multiplied by, prime to ``points``; it gives a turn with
                other meetings.
        """
        lap = self.points // gcd(self.points, self.resting)
        shift = number // lap + number % lap * self.resting
        return tuple(
            tuple(
                point if point == self.points else (point + shift) * factor % self.points
                for point in self._seated(table, number)
            )
            for table in self.tables
        )

    def _seated(self, table: tuple[int, ...], number: int) -> tuple[int, ...]:
        """Turns the table of the one who does not move, so that he moves from seat to seat."""
        turn = number % len(table) if self.points in table else 0
        return table[turn:] + table[:turn]


@lru_cache(maxsize=8)
def circle(entrants: int, sizes: tuple[int, ...]) -> Circle:
    """Returns the circle on which the numbers of meetings differ least; always the same one.

    ``sizes`` says how many sit at each table; who is left over rests. With tables of one size and
    nobody resting, one entrant may stand in the middle.
    """
    if len({*sizes}) > 1 or sum(sizes) < entrants:
        return _search(entrants, sizes)
    found = _search(entrants - 1, sizes)
    if spread(found.meetings()) == 0:
        return found
    return min(found, _search(entrants, sizes), key=lambda made: spread(made.meetings()))


def spread(meetings: Sequence[int]) -> int:
    """Returns the number by which the most frequent meeting exceeds the rarest."""
    return max(meetings) - min(meetings)


@lru_cache(maxsize=8)
def factors(made: Circle) -> tuple[int, ...]:
    """Returns the factors of successive turns, each evening out the meetings so far the most."""
    left = [factor for factor in range(1, made.points // 2 + 1) if gcd(factor, made.points) == 1]
    total = [0] * len(made.meetings())
    order: list[int] = []
    while left:
        sums = {
            factor: [sum(each) for each in zip(total, made.meetings(factor), strict=True)]
            for factor in left
        }
        best = min(left, key=lambda factor: (sum(met * met for met in sums[factor]), factor))
        total = sums[best]
        order.append(best)
        left.remove(best)
    return tuple(order)


def turns(made: Circle) -> int:
    """Returns the number of turns, one or two, that makes meetings as equal as possible.

    Two where one leaves meetings more than one apart and the second evens them out entirely.
    """
    once = made.meetings()
    if spread(once) < 2 or len(factors(made)) < 2:
        return 1
    again = made.meetings(factors(made)[1])
    return 2 if spread([sum(each) for each in zip(once, again, strict=True)]) == 0 else 1


def _search(points: int, sizes: Sequence[int]) -> Circle:
    resting = max(0, points - sum(sizes))
    seats = [table for table, size in enumerate(sizes) for _ in range(size)]
    where = [-1] * resting + seats[-(points - resting) :]
    middle = [sizes[0] - 1] if sum(sizes) > points else []
    search = _Search(where, len(sizes), middle)
    search.run(TRIES + TRIES * points // 100)
    tables: list[list[int]] = [[] for _ in sizes]
    for point, table in enumerate(search.best):
        if table >= 0:
            tables[table].append(point)
    if middle:
        tables[0].append(points)
    return Circle(points, tuple(map(tuple, tables)), resting)


class _Search:
    """Searches by threshold accepting (Dueck and Scheuer 1990) over exchanges of two points.

    What it lowers is the sum of the squares of the meetings, over all pairs; the sum of the
    meetings is given, so that equal meetings are the lowest. All in whole numbers: every machine
    finds the same.
    """

    def __init__(self, where: Sequence[int], tables: int, middle: Sequence[int]) -> None:
        self.best, self._where, self._middle = list(where), list(where), middle
        self._points = len(where)
        self._members: list[set[int]] = [set() for _ in range(tables)]
        for point, table in enumerate(where):
            if table >= 0:
                self._members[table].add(point)
        # Points that are half a circle apart are half as many pairs, which meet twice as often.
        self._weight = [1 + (2 * apart == self._points) for apart in range(self._points)]
        # By the difference of two points, which may be negative: an index from the end.
        self._apart = [min(apart, self._points - apart) for apart in range(self._points)]
        self._counts = [0] * self._points
        for members in self._members:
            for one, other in combinations(members, 2):
                self._counts[self._apart[one - other]] += 1

    def run(self, tries: int) -> None:
        """Tries that many exchanges at most; ``best`` is the best that was met."""
        draw, points, where = generator(self._points).random, self._points, self._where
        counts, weight = self._counts, self._weight
        gone = lowest = 0
        for step in range(0 if self._even() else tries):
            one, other = int(draw() * points), int(draw() * points)
            if where[one] == where[other] or min(where[one], where[other]) < 0:
                continue
            change = self._changes(one, other)
            cost = 0
            for apart, by in change.items():
                cost += weight[apart] * by * (2 * counts[apart] + by)
            if cost > BOLD - step % SWING * (BOLD + 1) // SWING:
                continue
            self._exchange(one, other, change)
            gone += cost
            if gone < lowest:
                lowest, self.best = gone, where[:]
                if self._even():
                    return

    def _even(self) -> bool:
        """Returns whether no better circle exists: meetings differ by one at most."""
        half = self._points // 2 + 1
        pairs = zip(self._counts[1:half], self._weight[1:half], strict=True)
        return spread([*(count * weight for count, weight in pairs), *self._middle]) <= 1

    def _changes(self, one: int, other: int) -> dict[int, int]:
        change: dict[int, int] = {}
        apart = self._apart
        for leaves, comes in ((one, other), (other, one)):
            for stays in self._members[self._where[leaves]]:
                if stays != leaves:
                    before, after = apart[stays - leaves], apart[stays - comes]
                    change[before] = change.get(before, 0) - 1
                    change[after] = change.get(after, 0) + 1
        return change

    def _exchange(self, one: int, other: int, change: dict[int, int]) -> None:
        for apart, by in change.items():
            self._counts[apart] += by
        where, members = self._where, self._members
        for point, table in ((one, where[one]), (other, where[other])):
            members[table].remove(point)
        where[one], where[other] = where[other], where[one]
        members[where[one]].add(one)
        members[where[other]].add(other)
