"""The time line of a match: win probabilities by move, sets or hands, luck and mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from arena.service.match.analysis import Analysis
from arena.service.match.replay_text import judged_by

LUCKY = 0.1
"""Luck in match points from which on it is marked."""
LONG, HIGH = 1000, 44
"""Size of the time line."""
ROOM = 0.07
"""Part of its length that the name of a set or hand takes."""
ROOM_OF_A_PHONE = 0.14
"""That part on a narrow screen."""


class Curve(msgspec.Struct, frozen=True):
    """The win probability of one seat.

    Attributes:
        points: Its places, as a polyline has them.
        area: The area between it and even chances, as a path; for two seats only.
    """

    name: str
    points: str
    area: str = ""


class Mark(msgspec.Struct, frozen=True):
    """Something at a move.

    Attributes:
        x: Its place in percent.
        kind: ``"luck"``, ``"miss"`` or ``"set"``.
        text: Its meaning; empty where there is no space.
        tight: Whether a narrow screen has no space for the text.
    """

    move: int
    x: float
    kind: str
    text: str
    tight: bool = False


class Timeline(msgspec.Struct, frozen=True):
    """The line of a match; of two seats it has the curve of the first only."""

    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...]
    last: int

    def place(self, move: int) -> float:
        """Returns the place of a move in percent."""
        return round(100 * move / max(self.last, 1), 2)


def timeline(
    analysis: Analysis | None,
    wins: Sequence[Sequence[float]],
    parts: Sequence[tuple[int, str]],
    names: Sequence[str],
    last: int,
) -> Timeline:
    """Draws the line of a match.

    Args:
        analysis: Its luck and mistakes, where they are known.
        wins: The win probabilities of every position.
        parts: Where each set or hand begins, and its name.
        names: The players by seat.
        last: The last move.
    """
    step = LONG / max(last, 1)
    curves = []
    for seat in range((1 if len(names) == 2 else len(names)) if wins else 0):
        points = [f"{x * step:.1f} {_height(value[seat])}" for x, value in enumerate(wins)]
        middle = _height(0.5)
        area = f"M0 {middle}L{'L'.join(points)}L{last * step:.1f} {middle}z"
        curves.append(Curve(names[seat], " ".join(points), area if len(names) == 2 else ""))
    line = Timeline(tuple(curves), (), last)
    marks = [*_sets(parts, line), *(_marked(analysis, names, line) if analysis else ())]
    return msgspec.structs.replace(line, marks=tuple(marks))


def win_by_move(analysis: Analysis | None, moments: int, seats: int) -> list[tuple[float, ...]]:
    """Returns the win probabilities before each decision, and at the end; none if not known."""
    if not analysis:
        return []
    changes = {each.move + 1: each.value for each in analysis.decisions}
    changes |= {each.move: each.value for each in analysis.luck.events}
    values = [changes.get(0, (1 / seats,) * seats)]
    for move in range(1, moments):
        values.append(changes.get(move, values[-1]))
    return values


def worst(analysis: Analysis | None) -> int | None:
    """Returns the move of the mistake that gave away most; ``None`` without one."""
    if not analysis:
        return None
    given = {
        each.move: each.given_away or 0.0
        for each in analysis.decisions
        if each.is_mistake(analysis.threshold)
    }
    return max(given, key=given.__getitem__, default=None)


def decided_by(analysis: Analysis | None, names: Sequence[str]) -> list[tuple[str, str]]:
    """Returns by what a match was decided: the luck of the cards, and mistakes."""
    if not analysis:
        return []
    luck = analysis.luck.luck
    given = [analysis.skill(seat).given_away for seat in range(len(names))]
    judged = any(analysis.skill(seat).evaluated for seat in range(len(names)))
    mean = sum(given) / len(given)
    rows = [("Luck of the cards", list(luck))]
    if judged:
        rows.append(("Mistakes", [(mean - own) * len(given) / (len(given) - 1) for own in given]))
    return [(what, _leader(values, names)) for what, values in rows]


def _leader(values: Sequence[float], names: Sequence[str]) -> str:
    best = max(range(len(names)), key=values.__getitem__)
    percent = round(100 * values[best])
    return f"+{percent} % {names[best]}" if percent > 0 else "even"


def _height(value: float) -> float:
    """Returns the place of a probability from the top; a value function may leave 0 to 1."""
    return round(HIGH - 4 - (HIGH - 8) * min(max(value, 0.0), 1.0), 1)


def _sets(parts: Sequence[tuple[int, str]], line: Timeline) -> Iterator[Mark]:
    places = [line.place(start) for start, _ in parts]
    for (start, name), x, after in zip(parts, places, [*places[1:], 100.0], strict=False):
        room = (after - x) / 100
        text = name.lower() if room >= ROOM else ""
        yield Mark(start, x, "set", text, tight=room < ROOM_OF_A_PHONE)


def _marked(analysis: Analysis, names: Sequence[str], line: Timeline) -> Iterator[Mark]:
    known = judged_by(analysis)
    for each in analysis.decisions:
        if each.is_mistake(analysis.threshold):
            text = f"{names[each.seat]}: {each.action} gives away {each.given_away:.2f}{known}"
            yield Mark(each.move, line.place(each.move), "miss", f"move {each.move}: {text}")
    for event in analysis.luck.events:
        luck = max(event.luck)
        if luck >= LUCKY:
            text = f"luck of {names[event.luck.index(luck)]}: {luck:+.2f}"
            yield Mark(event.move, line.place(event.move), "luck", f"move {event.move}: {text}")
