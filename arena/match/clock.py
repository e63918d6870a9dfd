"""Adds up the time that seats use and compares it with their limits; reads no clock itself."""

from __future__ import annotations

from arena.core.outcome import Termination
from arena.match.limits import A_DECISION, A_MATCH, Limits, over_time


class Clock:
    """Counts the time and requests that each seat has used.

    Attributes:
        limits: The limits of each seat.
        nanoseconds: Time used, by seat.
        requests: Requests answered (the decisions, and before them the seating).
        unhurried_ns: A seat that has used no more than this in all is within both its times.
    """

    __slots__ = ("limits", "nanoseconds", "requests", "unhurried_ns")

    def __init__(self, limits: Limits, seats: int) -> None:
        self.limits = limits
        self.nanoseconds = [0] * seats
        self.requests = [0] * seats
        self.unhurried_ns = min(limits.decision_ns, limits.match_ns)

    def charge(self, seat: int, elapsed_ns: int) -> Termination | None:
        """Adds one answer of a seat; returns the limit that it broke, or ``None``."""
        self.nanoseconds[seat] += elapsed_ns
        self.requests[seat] += 1
        return self.overrun(seat, elapsed_ns)

    def overrun(self, seat: int, elapsed_ns: int) -> Termination | None:
        """Returns the limit that a seat is over after an answer of that length, or ``None``."""
        limits = self.limits
        if elapsed_ns > limits.decision_ns or self.nanoseconds[seat] > limits.match_ns:
            return Termination.TIMEOUT
        return Termination.TOO_LONG if self.requests[seat] > limits.requests else None

    def reason(self, overrun: Termination, elapsed_ns: int) -> str:
        """Returns the reason in one line for what ``overrun`` found after an answer."""
        limits = self.limits
        if overrun is Termination.TOO_LONG:
            return f"over its number of decisions: more than {limits.requests} in a match"
        if elapsed_ns > limits.decision_ns:
            return over_time(limits.decision_ns, A_DECISION)
        return over_time(limits.match_ns, A_MATCH)
