"""Splits what is left of a cycle of meetings into rounds, where that can be done.

A cycle can be completed if the graph of the meetings that are left is the union of perfect
matchings: a proper colouring of its edges with as many colours as each vertex has edges. Whether
there is one is hard to tell in general (Holyer 1981), and easy to find in nearly all graphs that a
tournament leaves. The search recolours alternating paths, as in the proof of Vizing's theorem, and
displaces an edge where no path helps.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

Pair: TypeAlias = tuple[int, int]

PATIENCE = 60
"""Steps for each edge after which a search gives up. Where there is a colouring, fewer than three
do nearly always."""


def cycle_of(entrants: int) -> int:
    """Returns the number of rounds in which everybody can meet everybody once."""
    return entrants - 1 + entrants % 2


def rounds_left(pairs: Collection[Pair], patience: int = PATIENCE) -> list[list[Pair]] | None:
    """Splits pairs into rounds in which everybody plays, if they are found.

    The same pairs give the same rounds.

    Returns:
        The rounds, each in the order of its pairs; ``None`` if somebody has more pairs than
        another, or if the search gives up.
    """
    colours = _degree(pairs)
    if colours is None:
        return None
    if not colours:
        return []
    found = _Colouring(sorted(pairs), colours)
    # With two colours there are but circles: paths alone decide.
    return found.classes() if found.search((patience if colours > 2 else 2) * len(pairs)) else None


def _degree(pairs: Collection[Pair]) -> int | None:
    """Returns the number of pairs that everybody has; ``None`` if they differ."""
    degrees: dict[int, int] = {}
    for pair in pairs:
        for one in pair:
            degrees[one] = degrees.get(one, 0) + 1
    counts = {*degrees.values()}
    return None if len(counts) > 1 or len(degrees) % 2 else max(counts, default=0)


class _Colouring:
    def __init__(self, pairs: Sequence[Pair], colours: int) -> None:
        people = sorted({one for pair in pairs for one in pair})
        self._colours = range(colours)
        self._partner: dict[int, dict[int, int]] = {one: {} for one in people}  # by colour
        self._open = [*reversed(pairs)]
        self._state = 1

    def classes(self) -> list[list[Pair]]:
        return [
            sorted((one, mine[colour]) for one, mine in self._partner.items() if one < mine[colour])
            for colour in self._colours
        ]

    def search(self, steps: int) -> bool:
        """Colours the edges one by one; returns whether all are coloured."""
        for _ in range(steps):
            if not self._open:
                return True
            self._colour(*self._open.pop())
        return not self._open

    def _colour(self, one: int, other: int) -> None:
        mine, theirs = self._free(one), self._free(other)
        if both := [colour for colour in mine if colour in theirs]:
            self._set(one, other, both[0])
            return
        for colour in mine:
            for swapped in theirs:
                if self._turned(other, one, colour, swapped):
                    self._set(one, other, colour)
                    return
        self._displace(one, other, self._drawn(len(self._colours)))

    def _displace(self, one: int, other: int, colour: int) -> None:
        for each in (one, other):
            if (displaced := self._partner[each].pop(colour, None)) is not None:
                del self._partner[displaced][colour]
                pair = min(each, displaced), max(each, displaced)
                self._open.insert(self._drawn(len(self._open) + 1), pair)
        self._set(one, other, colour)

    def _drawn(self, choices: int) -> int:
        """Returns a number below ``choices``: the next of Park and Miller's generator."""
        self._state = self._state * 48_271 % (2**31 - 1)
        return self._state % choices

    def _free(self, one: int) -> list[int]:
        return [colour for colour in self._colours if colour not in self._partner[one]]

    def _set(self, one: int, other: int, colour: int) -> None:
        self._partner[one][colour], self._partner[other][colour] = other, one

    def _turned(self, start: int, barred: int, colour: int, swapped: int) -> bool:
        """Exchanges two colours on the path from ``start``, unless it ends in ``barred``."""
        path, wanted = [start], colour
        while (following := self._partner[path[-1]].get(wanted)) is not None:
            path.append(following)
            wanted = swapped if wanted == colour else colour
        if path[-1] == barred:
            return False
        for place in range(len(path) - 1):
            del self._partner[path[place]][colour if place % 2 == 0 else swapped]
            self._partner[path[place + 1]].pop(colour if place % 2 == 0 else swapped, None)
        for place in range(len(path) - 1):
            self._set(path[place], path[place + 1], swapped if place % 2 == 0 else colour)
        return True
