"""Describes a match to a person step by step: the text of playthroughs, for any game."""

from __future__ import annotations

from textwrap import indent
from typing import Any, Protocol, TypeAlias

from arena.core.actions import Action
from arena.core.game import AnyGame
from arena.core.outcome import Outcome
from arena.core.state import CHANCE, State

AnyState: TypeAlias = State[Any]
"""Some state, of whichever game."""


class Narrator(Protocol):
    """Follows a match step by step and writes lines about it.

    Attributes:
        lines: The lines so far.
    """

    lines: list[str]

    def begin(self, state: AnyState) -> None:
        """The match is about to begin."""

    def step(self, before: AnyState, action: Action, after: AnyState) -> None:
        """One action of a seat, or of chance, and what followed from it."""

    def expelled(self, seat: int, after: AnyState) -> None:
        """Writes that a seat was eliminated."""

    def end(self, after: AnyState, outcome: Outcome) -> None:
        """The match is over."""


class PlainNarrator:
    """Narrates a match of any game: the views of the seats, their actions, the public events."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._known = 0
        self.lines: list[str] = []

    def begin(self, state: AnyState) -> None:
        self._events(state)

    def step(self, before: AnyState, action: Action, after: AnyState) -> None:
        seat = before.current_player()
        if seat == CHANCE:
            line = f"chance: {action.text}"
        else:
            line = f"seat {seat}: {action.text}"
            self._sees(before, seat)
        self.lines.append(line)
        self._events(after, line)

    def expelled(self, seat: int, after: AnyState) -> None:
        self.lines += ["", f"seat {seat} is taken out of the match"]
        self._events(after)

    def end(self, after: AnyState, outcome: Outcome) -> None:
        for seat in range(len(outcome.returns)):
            self._sees(after, seat)
        self.lines += outcome_lines(outcome)

    def _sees(self, state: AnyState, seat: int) -> None:
        view = self._game.render(state.observation(seat))
        self.lines += ["", f"seat {seat} sees", indent(view, "  ")]

    def _events(self, state: AnyState, known: str = "") -> None:
        events = self._game.notation.events(state.observation(0).history)
        self.lines += [f"  {event}" for event in events[self._known :] if event != known]
        self._known = len(events)


def outcome_lines(outcome: Outcome) -> list[str]:
    """Returns the lines on how a match ended."""
    reason = f" (seat {outcome.offender}: {outcome.reason})" if outcome.reason else ""
    ends = enumerate(zip(outcome.scores, outcome.returns, strict=True))
    return [
        "",
        f"The end: {outcome.termination}{reason}",
        *(f"  seat {seat}: score {score}, return {gain:+.2f}" for seat, (score, gain) in ends),
    ]
