"""A graph of win probabilities by move, with the luck and the mistakes that changed them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from arena.service.match.analysis import Analysis
from arena.service.match.replay_text import judged_by, value_text

LUCKY = 0.1
"""Luck in match points from which on it is marked."""


class Curve(msgspec.Struct, frozen=True):
    """The win probability of one seat; places are in percent."""

    name: str
    points: str


class Mark(msgspec.Struct, frozen=True):
    """A change of a win probability at a move; places are in percent.

    Attributes:
        style: ``"luck"`` or ``"mistake"``.
    """

    move: int
    x: float
    y: float
    style: str
    text: str


class Graph(msgspec.Struct, frozen=True):
    """The curves of a match, of two seats that of the first only.

    Attributes:
        values: By move, the win probabilities as text.
    """

    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...]
    values: tuple[str, ...]


def graph(analysis: Analysis, moments: int, names: Sequence[str]) -> Graph:
    """Draws the win probabilities before each decision, and at the end.

    Args:
        moments: Number of moments, the end among them.
        names: The players by seat.
    """
    values = _values(analysis, moments, len(names))
    two, step = len(names) == 2, 100 / max(moments - 1, 1)
    curves = []
    for seat in range(1 if two else len(names)):
        points = [f"{x * step:.2f},{_height(value[seat])}" for x, value in enumerate(values)]
        curves.append(Curve(names[seat], " ".join(points)))
    marks = [
        Mark(move, round(move * step, 2), _height(values[move][0 if two else seat]), style, text)
        for move, seat, style, text in _marked(analysis, names)
    ]
    return Graph(tuple(curves), tuple(marks), tuple(map(value_text, values)))


def _height(value: float) -> float:
    """Returns the place of a probability from the top; a value function may leave 0 to 1."""
    return round(100 - 100 * min(max(value, 0.0), 1.0), 1)


def _values(analysis: Analysis, moments: int, seats: int) -> list[tuple[float, ...]]:
    changes = {each.move + 1: each.value for each in analysis.decisions}
    changes |= {each.move: each.value for each in analysis.luck.events}
    values = [changes.get(0, (1 / seats,) * seats)]
    for move in range(1, moments):
        values.append(changes.get(move, values[-1]))
    return values


def _marked(analysis: Analysis, names: Sequence[str]) -> Iterator[tuple[int, int, str, str]]:
    known = judged_by(analysis)
    for each in analysis.decisions:
        if each.is_mistake(analysis.threshold):
            text = f"{names[each.seat]}: {each.action} gives away {each.given_away:.2f}{known}"
            yield each.move, each.seat, "mistake", text
    for event in analysis.luck.events:
        luck = max(event.luck)
        if luck >= LUCKY:
            seat = event.luck.index(luck)
            yield event.move, seat, "luck", f"luck of {names[seat]}: {luck:+.2f}"
