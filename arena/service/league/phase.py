"""Says how far a season with a final is: a pure function of the league's file, time and results."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import msgspec

from arena.service.league.league_file import LeagueSpec


class Stage(StrEnum):
    """The stages of a season, in their order; a season without a final stays in the first."""

    OPEN = "open"
    """Authors can still submit."""
    DECIDING = "deciding"
    """Submissions are closed, and some are not decided."""
    RATING = "rating"
    """The season is played until nobody needs a match."""
    BEGINNING = "beginning"
    """The season is finished, and its final will begin."""
    PLAYING = "playing"
    """The final is being played."""
    OVER = "over"
    """The final has a winner, or there is none to be played."""


class SeasonState(msgspec.Struct, frozen=True, kw_only=True):
    """The stored results of a season that its phase depends on.

    Attributes:
        finished: Whether the season is finished.
        undecided: Number of submissions without a decision.
        entrants: Number of bots that would play in its final now.
        final: Number of the tournament that is its final; 0 before it begins.
        winner: The winner of the final; empty before it is finished.
    """

    finished: bool = False
    undecided: int = 0
    entrants: int = 0
    final: int = 0
    winner: str = ""


class Phase(msgspec.Struct, frozen=True):
    """The stage of a season.

    Attributes:
        stage: The stage.
        reason: Why the season is in it, a sentence without its stop; empty without a final.
    """

    stage: Stage
    reason: str = ""

    @property
    def closed(self) -> bool:
        """True if no submission is taken any more."""
        return self.stage is not Stage.OPEN


def phase_of(spec: LeagueSpec, now: datetime, state: SeasonState) -> Phase:
    """Returns the phase of a season.

    What has begun decides before the file and the time do: a final is played to its end.
    """
    if state.winner:
        return Phase(Stage.OVER, f"the final is over: {state.winner} has won")
    if state.final:
        return Phase(Stage.PLAYING, f"the final is being played as tournament {state.final}")
    final = spec.final
    if final is None:
        return Phase(Stage.OPEN)
    if not final.is_due(now):
        return Phase(Stage.OPEN, f"submissions close at {final.when}; then a final is played")
    closed = f"submissions closed at {final.when}"
    if not state.finished:
        if state.undecided:
            waiting = "one of them is" if state.undecided == 1 else f"{state.undecided} of them are"
            return Phase(Stage.DECIDING, f"{closed}; {waiting} still to be decided")
        why = "the season is played until its ratings are precise enough"
        return Phase(Stage.RATING, f"{closed}; {why}")
    if state.entrants < 2:
        few = "only one bot of an author plays" if state.entrants else "no author has a bot in it"
        return Phase(Stage.OVER, f"the season is over without a final: {few}")
    return Phase(Stage.BEGINNING, f"{closed}; the final of {state.entrants} bots begins soon")
