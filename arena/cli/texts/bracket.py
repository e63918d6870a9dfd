"""A bracket as text: trees of bouts, with each winner between the two who met."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.tournaments.format import Bout
from arena.service.report.report_text import decision_text

NARROWEST, READABLE = 10, 14
"""Columns of text for a round: at least, and below which the sides of a final are drawn apart."""


def bracket_lines(names: Sequence[str], bouts: Sequence[Bout], width: int) -> list[str]:
    """The lines of a bracket: its trees, the bouts for which they have no room, and drawn ones.

    Args:
        names: The field's names in initial order.
        width: Columns of text that there are.
    """
    roots = _roots(bouts, width)
    lines: list[str] = []
    drawn: set[int] = set()
    for root in roots:
        if bouts[root].entrants == (None, None) and root and bouts[root - 1].winner is not None:
            continue  # a second final that is not needed
        tree = _Tree(names, bouts, {*roots} - {root}, root, width)
        title = [bouts[root].name] if len(roots) > 1 else []
        lines += [*title, *tree.lines(), ""]
        drawn |= tree.drawn
    left = [bout for number, bout in enumerate(bouts) if number not in drawn | {*roots}]
    lines += [_line(names, bout) for bout in left if bout.points]
    return lines + [text for bout in bouts if (text := decision_text(names, bout))]


def _roots(bouts: Sequence[Bout], width: int) -> list[int]:
    """The bouts at which trees end; where a final's tree is too deep, also the two before it."""
    fed = {source for bout in bouts for source in bout.winner_of}
    roots = [number for number in range(len(bouts)) if number not in fed]
    for root in list(roots):
        one, other = bouts[root].winner_of
        if one is None or other is None or (_depth(bouts, root) + 1) * READABLE <= width:
            continue
        roots += [one, other]
    return sorted(roots)


def _depth(bouts: Sequence[Bout], number: int) -> int:
    sources = [source for source in bouts[number].winner_of if source is not None]
    return 1 + max((_depth(bouts, source) for source in sources), default=0)


def _line(names: Sequence[str], bout: Bout) -> str:
    sides = [names[index] if index is not None else "-" for index in bout.entrants]
    points = bout.points or (0.0, 0.0)
    return f"{bout.name}: {sides[0]} {points[0]:g}, {sides[1]} {points[1]:g}"


class _Tree:
    """The tree of one bout and of those that its sides won before.

    Args:
        apart: Bouts that are drawn in trees of their own.
        width: Columns of text that there are.

    Attributes:
        drawn: The bouts that are part of it.
    """

    def __init__(
        self, names: Sequence[str], bouts: Sequence[Bout], apart: set[int], root: int, width: int
    ) -> None:
        self._names, self._bouts, self._apart = names, bouts, apart
        self._root, self.drawn = root, set[int]()
        self._columns = min(self._deep(root), width // NARROWEST - 1)
        widest = max(map(len, names)) + 8
        self._wide = min(widest, width // (self._columns + 1))

    def lines(self) -> list[str]:
        """The lines of the tree; the champion stands at its right."""
        block, middle = self._block(self._root, self._columns - 1)
        winner = self._bouts[self._root].winner
        if winner is not None:
            block[middle] += " " + self._names[winner][: self._wide - 1]
        return block

    def _deep(self, number: int) -> int:
        return 1 + max((self._deep(source) for source in self._sources(number)), default=0)

    def _sources(self, number: int) -> list[int]:
        return [
            source
            for source in self._bouts[number].winner_of
            if source is not None and source not in self._apart
        ]

    def _block(self, number: int, column: int) -> tuple[list[str], int]:
        self.drawn.add(number)
        upper, high = self._side(number, 0, column)
        lower, low = self._side(number, 1, column)
        low += len(upper) + 1
        block = [*upper, "", *lower]
        middle = (high + low) // 2
        end = (column + 1) * self._wide - 1
        for row in range(high, low + 1):
            mark = {high: "┐", low: "┘", middle: "├"}.get(row, "│")
            block[row] = f"{block[row]:{end}}{mark}"
        return block, middle

    def _side(self, number: int, side: int, column: int) -> tuple[list[str], int]:
        source = self._bouts[number].winner_of[side]
        cell = self._cell(number, side)
        if column == 0 or source is None or source in self._apart:
            return [f"{'':{column * self._wide}}{cell}"], 0
        block, middle = self._block(source, column - 1)
        block[middle] = f"{block[middle]:{column * self._wide}}{cell}"
        return block, middle

    def _cell(self, number: int, side: int) -> str:
        bout, room = self._bouts[number], self._wide - 2
        entrant = bout.entrants[side]
        name = f" {bout.sides[side] if entrant is None else self._names[entrant]}"
        points = f" {bout.points[side]:g}" if bout.points else ""
        fits = room - len(points)
        return f"{name if len(name) <= fits else name[: fits - 1] + '…':{fits}}{points} "
