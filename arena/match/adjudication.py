"""Adjudication: a seat that breaks the match loses it, and the cause is kept."""

from __future__ import annotations

import msgspec

from arena.core.outcome import Outcome, Termination


class Failure(msgspec.Struct, frozen=True):
    """What a host sends the match loop in place of an answer when a bot gave none.

    Attributes:
        cause: ``CRASH`` or ``TIMEOUT``.
        reason: One line, free of paths and addresses: it goes into the record.
        error: The bot's own traceback: it goes into the measurement.
    """

    cause: Termination
    reason: str
    error: str = ""


def forfeit(
    seat: int, scores: tuple[int, ...], cause: Termination, move: int, reason: str
) -> Outcome:
    """The outcome when one seat's fault ends the match: it loses, the others share the win.

    Args:
        seat: The offender.
        scores: The game's own amounts at that moment, one a seat.
        cause: An adjudicated ending.
        move: Decisions taken in the match before the fault.
        reason: One line for people.
    """
    others = 1.0 / (len(scores) - 1)
    returns = tuple(-1.0 if other == seat else others for other in range(len(scores)))
    return Outcome(returns, scores, cause, offender=seat, move=move, reason=reason)
