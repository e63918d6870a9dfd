"""Words: rules and positions as plain text, for a player that reads, such as a language model."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Generic, TypeAlias

import msgspec

from arena.core.parts.part import ObservationT, Part, RulesetT

NamedFact: TypeAlias = tuple[str, str]
"""The name of a fact of a position, and its value."""

_SEAT = re.compile(r"\bseat (\d+)\b")


class Words(Part, Generic[RulesetT, ObservationT]):
    """Says what a game's rules are and what a seat knows; by default with the game's own lines.

    The seat itself is "you". Others are "rival" at a table of two, else "seat N", counted from 1.
    Actions are named by ``Action.text``, which is also the answer. ``arena check game`` proves that
    the lines of a match only grow, and that nothing is said that the seat may not know.
    """

    def rules(self, ruleset: RulesetT) -> str:
        """Returns the rules that are in force under a ruleset, in full, as plain text."""
        text = self.game.how_to_play.strip("\n") or self.game.summary
        values = msgspec.to_builtins(ruleset)
        options = [
            f"{name}={str(value).lower()}" for name, value in values.items() if name not in _ROW
        ]
        return f"{text}\nOptions of {ruleset.name}: {', '.join(options)}" if options else text

    def past(self, observation: ObservationT) -> tuple[str, ...]:
        """Returns a line for each hand or set of the match that is over: who won, and by what.

        Later observations of the seat have the same lines, and perhaps more at the end.
        """
        return ()

    def events(self, observation: ObservationT) -> tuple[str, ...]:
        """Returns the events of the present hand or set as the seat saw them, a line each.

        They only grow, like ``past``, until ``past`` does; then they begin again.
        """
        own, seats = observation.seat, max(self.game.seats)
        lines = self.game.notation.events(observation.history)
        return tuple([_told(line, own, seats) for line in lines])

    def position_tells_events(self, ruleset: RulesetT) -> bool:
        """Returns whether a position says as much as its events; then a prompt needs none."""
        return False

    def position(self, observation: ObservationT) -> tuple[NamedFact, ...]:
        """Returns the facts of the position, without drawings: no name stands twice."""
        own, seats = observation.seat, max(self.game.seats)
        return (("position", _named(self.game.render(observation), own, seats)),)


_ROW = ("name", "source")


def seat_name(seat: int, own: int, seats: int) -> str:
    """Returns the name by which a text for one seat calls another.

    Args:
        seat: The seat that is named, from 0.
        own: The seat for which the text is.
        seats: Number of seats at the table.
    """
    if seat == own:
        return "you"
    return "rival" if seats == 2 else f"seat {seat + 1}"


def _named(text: str, own: int, seats: int) -> str:
    return _SEAT.sub(lambda found: seat_name(int(found[1]), own, seats), text)


_told = lru_cache(maxsize=4096)(_named)  # each decision tells the events before it again
