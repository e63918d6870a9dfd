"""Adds up the time that seats use and compares it with their limits; reads no clock itself."""

from __future__ import annotations

from arena.core.outcome import Termination
from arena.match.limits import A_DECISION, A_MATCH, Limits, over_time


class SeatClock:
    """Counts the time and requests of one seat.

    Attributes:
        nanoseconds: Time used.
        requests: Requests answered (the decisions, and before them the seating).
    """

    __slots__ = ("nanoseconds", "requests")

    def __init__(self) -> None:
        self.nanoseconds = self.requests = 0


class Clock:
    """The clocks of all seats, compared with their limits.

    Attributes:
        limits: The limits of each seat.
        seats: The clock of each seat.
        unhurried_ns: A seat that has used no more than this is within both its times.
    """

    __slots__ = ("limits", "seats", "unhurried_ns")

    def __init__(self, limits: Limits, seats: int) -> None:
        self.limits = limits
        # An object a seat, not two lists: a decision touches less memory of a match.
        self.seats = tuple([SeatClock() for _ in range(seats)])
        self.unhurried_ns = min(limits.decision_ns, limits.match_ns)

    @property
    def nanoseconds(self) -> tuple[int, ...]:
        """Returns the time used, by seat."""
        return tuple([own.nanoseconds for own in self.seats])

    @property
    def requests(self) -> tuple[int, ...]:
        """Returns the requests answered, by seat."""
        return tuple([own.requests for own in self.seats])

    def charge(self, seat: int, elapsed_ns: int) -> Termination | None:
        """Adds one answer of a seat; returns the limit that it broke, or ``None``."""
        own = self.seats[seat]
        own.nanoseconds += elapsed_ns
        own.requests += 1
        return self.overrun(seat, elapsed_ns)

    def overrun(self, seat: int, elapsed_ns: int) -> Termination | None:
        """Returns the limit that a seat is over after an answer of that length, or ``None``."""
        limits, own = self.limits, self.seats[seat]
        if elapsed_ns > limits.decision_ns or own.nanoseconds > limits.match_ns:
            return Termination.TIMEOUT
        return Termination.TOO_LONG if own.requests > limits.requests else None

    def reason(self, overrun: Termination, elapsed_ns: int) -> str:
        """Returns the reason in one line for what ``overrun`` found after an answer."""
        limits = self.limits
        if overrun is Termination.TOO_LONG:
            return f"over its number of decisions: more than {limits.requests} in a match"
        if elapsed_ns > limits.decision_ns:
            return over_time(limits.decision_ns, A_DECISION)
        return over_time(limits.match_ns, A_MATCH)
