"""The promises of a game's words: lines of a match only grow, and say what the seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from arena.core.game import AnyGame
from arena.core.observation import Observation
from arena.testing.probes import Broken

Said: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...]]
"""Past, events and position of one observation."""


class SaidWords:
    """Compares what each seat of one match is told from decision to decision.

    Args:
        seats: Number of seats.
    """

    def __init__(self, game: AnyGame, seats: int) -> None:
        self._game = game
        self._before: list[tuple[Sequence[str], Sequence[str]]] = [((), ())] * seats

    def look(self, seen: Observation, again: Observation) -> int:
        """Returns 1 after a check of what a seat is told; raises ``Broken``.

        Args:
            seen: What the seat sees.
            again: The same, of another world that it holds possible.
        """
        said, other = self._said(seen), self._said(again)
        for name, mine, theirs in zip(("past", "events", "position"), said, other, strict=True):
            if mine != theirs:
                where = f"the words of seat {seen.seat}"
                raise Broken(f"re-dealt, {where} differ in {name}: {mine} or {theirs}")
        past, events, position = said
        was, had = self._before[seen.seat]
        _grows("past", was, past)
        if len(past) == len(was):
            _grows("events", had, events)
        else:
            had = ()
        for line in (*past[len(was) :], *events[len(had) :]):
            if not (line and line.isprintable()):
                raise Broken(f"the words have the line {line!r:.80}")
        names = [name for name, _ in position]
        if len({*names}) < len(names):
            raise Broken(f"the position names a fact twice: {names}")
        self._before[seen.seat] = past, events
        return 1

    def _said(self, seen: Observation) -> Said:
        words = self._game.words
        return words.past(seen), words.events(seen), words.position(seen)


def _grows(name: str, was: Sequence[str], now: Sequence[str]) -> None:
    if tuple(now[: len(was)]) != tuple(was):
        raise Broken(f"the words in {name} do not only grow: {list(was)} became {list(now)}")
