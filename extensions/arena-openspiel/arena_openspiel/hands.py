"""Hands that some games lay open or pass on: who was dealt cards that a seat came to see later."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_SEATS = ("North", "East", "South", "West")
_DUMMY = re.compile("Dummy is (\\w+); it holds: (.*)")
_SUIT = re.compile("([♠♥♦♣])([^♠♥♦♣]*)")
_RECEIVED = re.compile("Received Cards: (.*)")
_GIVERS = {"Left": 3, "Across": 2, "Right": 1}
"""The seats to the left of the receiver until the one that gave, by the direction of the pass."""


def dummy_of(seat: int, events: Sequence[str]) -> Mapping[str, int]:
    """Returns the seat that held each card of the dummy, in bridge.

    Args:
        seat: The seat that looks.
        events: What it knows of the match.
    """
    for event in events:
        if found := _DUMMY.search(event):
            suits = _SUIT.findall(found[2])
            cards = [suit + rank for suit, ranks in suits for rank in ranks.split()]
            return dict.fromkeys(cards, _SEATS.index(found[1]))
    return {}


def passed_to(seat: int, events: Sequence[str]) -> Mapping[str, int]:
    """Returns the seat that held each card which the seat was passed, in hearts.

    Args:
        seat: The seat that looks.
        events: What it knows of the match.
    """
    for event in events:
        if found := _RECEIVED.search(event):
            direction = events[0].rpartition(" ")[2].title()  # "chance: left"
            return dict.fromkeys(found[1].split(), (seat + _GIVERS[direction]) % len(_SEATS))
    return {}
