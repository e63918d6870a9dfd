"""Adds up the time that seats use and compares it with their limits; reads no clock itself."""

from __future__ import annotations

import msgspec

from arena.core.outcome import Termination


class Limits(msgspec.Struct, frozen=True):
    """The limits of one seat in one match.

    Attributes:
        decision_ns: Nanoseconds for one decision (choosing a side deck and starting included).
        match_ns: Nanoseconds for all its decisions of a match together.
        requests: Number of requests of a match that it may answer.
    """

    decision_ns: int = 10_000_000_000
    match_ns: int = 120_000_000_000
    requests: int = 10_000


A_DECISION, A_MATCH, ITS_START = "for a decision", "for a match", "to start"
"""The limits of time in words, for ``over_time``."""


def over_time(limit_ns: int, limit: str, kind: str = "time") -> str:
    """Returns the reason of a timeout in one line, with the limit that was broken."""
    return f"over its {kind}: more than {limit_ns / 1e9:g} s {limit}"


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
