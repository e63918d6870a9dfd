"""Seats a pair: who of two has White (C.04.3, 5.2)."""

from __future__ import annotations

from arena_tournaments.dutch.field import Entry

_OTHER = {"w": "b", "b": "w"}


def white_first(one: Entry, other: Entry, initial_colour: str) -> tuple[Entry, Entry]:
    """Returns a pair as White and Black."""
    higher, lower = sorted((one, other), key=lambda entry: (-entry.score, entry.order))
    colour = _colour(higher, lower, initial_colour)
    return (higher, lower) if colour == "w" else (lower, higher)


def _colour(higher: Entry, lower: Entry, initial_colour: str) -> str:
    if higher.preference != lower.preference:  # 5.2.1: both can have what they are due
        return higher.preference or _OTHER[lower.preference]
    if not higher.preference:  # 5.2.5
        return initial_colour if higher.order % 2 else _OTHER[initial_colour]
    granted = _granted(higher), _granted(lower)
    if granted[0] != granted[1]:  # 5.2.2: the stronger preference, the wider imbalance
        stronger = granted[0] > granted[1]
        return higher.preference if stronger else _OTHER[higher.preference]
    if before := higher.earlier.get(lower.number):  # of an earlier cycle: ours, no rule of FIDE's
        return _OTHER[before]
    for mine, theirs in zip(reversed(higher.colours), reversed(lower.colours), strict=False):
        if mine != theirs:  # 5.2.3: alternate to the last round with different colours
            return theirs
    return higher.preference  # 5.2.4


def _granted(entry: Entry) -> tuple[int, int]:
    return entry.strength, entry.imbalance if entry.strength == 3 else 0
