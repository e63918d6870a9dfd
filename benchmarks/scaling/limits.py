"""Finds the size at which each part takes too much: the first table of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import exp, log
from typing import NamedTuple

from benchmarks.scaling.parts import Point, count, slope


class Limit(NamedTuple):
    """A value that is too much for most.

    Attributes:
        what: What takes it, in words, with the value.
        size: What grows, in words.
        per: Whether the value is per unit of the size, and counts for all of them.
    """

    what: str
    part: str
    measure: str
    value: float
    size: str
    per: bool = False


GB, MINUTE, DAY = 1e9, 60.0, 86_400.0
LIMITS = (
    Limit("a league's next round takes a minute", "pairing", "league", MINUTE, "bots"),
    Limit("an adaptive round takes a minute", "pairing", "adaptive", MINUTE, "bots"),
    Limit("a Swiss round takes a minute", "pairing", "swiss", MINUTE, "bots"),
    Limit("a leaderboard takes a minute", "board", "leaderboard", MINUTE, "bots"),
    Limit("a leaderboard takes 8 GB of memory", "board", "memory", 8 * GB, "bots"),
    Limit(
        "a leaderboard takes a minute, of 1,000 bots",
        *("pairings", "leaderboard", MINUTE, "pairings"),
    ),
    Limit("a report takes a minute", "board", "report", MINUTE, "bots"),
    Limit("a report takes a minute, of 1,000 bots", "pairings", "report", MINUTE, "pairings"),
    Limit("a report takes a minute, of 50 pairings", "matches", "report", MINUTE, "matches"),
    Limit("the database has 1 TB", "matches", "bytes per match", 1_000 * GB, "matches", per=True),
    Limit("a backup takes an hour", "matches", "backup", 60 * MINUTE, "matches"),
    Limit("a verification takes a day of one core", "verification", "verified", DAY, "matches"),
    Limit(
        "the runner has no time left, quick bots", "workers", "quick: runner busy", 0.9, "workers"
    ),
    Limit("the runner has no time left, slow bots", "workers", "slow: runner busy", 0.9, "workers"),
    Limit("the site needs a whole core", "listeners", "server busy", 1.0, "listeners"),
)
"""The rows of the table, until they are sorted."""


def reached(points: Sequence[tuple[int, float]], value: float) -> float | None:
    """Returns the size at which a measure has a value, by its slope; ``None`` where it has not."""
    for (before, low), (size, high) in pairwise(points):
        if low < value <= high:
            share = log(value / low) / log(high / low)
            return exp(log(before) + share * log(size / before))
    power = slope([*points])
    if power is None or power < LEAST:
        return None
    size, last = points[-1]
    return float(size * (value / last) ** (1 / power))


def table(kept: Mapping[str, Sequence[Point]]) -> str:
    """Returns the table of all limits in Markdown, for each what grows, the lowest size first."""
    lines = ["| limit | reached at |", "|---|---|"]
    found = []
    for limit in LIMITS:
        values = [
            (each.size, each.value * (each.size if limit.per else 1))
            for each in kept.get(limit.part, ())
            if each.measure == limit.measure
        ]
        at = reached(values, limit.value) if values else None
        found.append((ORDER.index(limit.size), at or float("inf"), limit, values))
    for _, at, limit, values in sorted(found, key=lambda each: each[:2]):
        if not values:
            continue
        beyond = at > values[-1][0]
        size = f"{count(round(float(f'{at:.1g}')))} {limit.size}" if at < MOST else "not seen"
        lines.append(f"| {limit.what} | {f'*{size}*' if beyond and at < MOST else size} |")
    return "\n".join(lines)


ORDER = ("bots", "pairings", "matches", "workers", "listeners")
MOST = 1e13
"""Size from which on a limit is none."""
LEAST = 0.2
"""Slope below which a measure does not grow: what it takes is something else."""
