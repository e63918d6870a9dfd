"""The limits of what a seat may use in a match, and how it reads that one was broken."""

from __future__ import annotations

import msgspec


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
