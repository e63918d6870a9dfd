"""Hands that some games lay open or pass on: who was dealt cards that a seat came to see later."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena_openspiel.observation import SpielObservation

_SEATS = ("North", "East", "South", "West")
_DUMMY = re.compile("Dummy is (\\w+); it holds: (.*)")
_SUIT = re.compile("([♠♥♦♣])([^♠♥♦♣]*)")
_RECEIVED = re.compile("Received Cards: (.*)")
_CARD = re.compile("[2-9TJQKA][CDHS]")
_HAND, _PASSED = 13, 3
"""Cards of a hand in hearts, and how many of them are passed on."""
_GIVERS = {"Left": 3, "Across": 2, "Right": 1}
"""The seats to the left of the receiver until the one that gave, by the direction of the pass."""


def dummy_of(
    observation: SpielObservation, events: Sequence[str], rng: Random
) -> Mapping[str, int]:
    """Returns the seat that held each card of the dummy, in bridge.

    Args:
        observation: What a seat sees.
        events: What it knows of the match.
        rng: Not used: the cards were laid open.
    """
    for event in events:
        if found := _DUMMY.search(event):
            suits = _SUIT.findall(found[2])
            cards = [suit + rank for suit, ranks in suits for rank in ranks.split()]
            return dict.fromkeys(cards, _SEATS.index(found[1]))
    return {}


def passed_to(
    observation: SpielObservation, events: Sequence[str], rng: Random
) -> Mapping[str, int]:
    """Returns the seat that was dealt each card which another one came to hold, in hearts.

    Of cards that passed between others, some of those that they played later are chosen.

    Args:
        observation: What a seat sees.
        events: What it knows of the match.
        rng: Chooses.
    """
    steps = _GIVERS.get(events[0].rpartition(" ")[2].title(), 0) if events else 0
    if not steps:
        return {}
    seat = observation.seat
    holders: dict[str, int] = {}
    for receiver in range(len(_SEATS)):
        giver = (receiver + steps) % len(_SEATS)
        start = f"seat {receiver}: "
        shown = [event.removeprefix(start) for event in events if event.startswith(start)]
        cards = [text for text in shown if _CARD.fullmatch(text)]
        if receiver != seat and giver != seat:
            chosen = rng.sample(range(_HAND), _PASSED)
            holders |= {cards[place]: giver for place in chosen if place < len(cards)}
    for event in events:
        if found := _RECEIVED.search(event):
            holders |= dict.fromkeys(found[1].split(), (seat + steps) % len(_SEATS))
    return holders
