"""Hands with which a seat can have knocked, in gin rummy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena_openspiel.observation import SpielObservation

_RANKS, _SUITS = "A23456789TJQK", "scdh"
_CARD = re.compile("[A2-9TJQK][scdh]")
_MELD = re.compile("(?:[A2-9TJQK][scdh]){3,}")
_LIMIT = re.compile(r"Knock card: (\d+)")
_HAND = 10
_TRIES = 200
_RUNS = (3, 4, 5)
"""Lengths of runs; a longer one is two of them."""


def knocked_with(
    observation: SpielObservation, events: Sequence[str], rng: Random
) -> Mapping[str, int]:
    """Returns the seat that was dealt each card of melds laid down and of a hand that knocked.

    What such a hand holds unseen is drawn so that the seat could knock.

    Args:
        observation: What a seat sees.
        events: What it knows of the match.
        rng: Draws the cards.
    """
    shown = {event.partition(": ")[2] for event in events}
    if "knock" not in shown:
        return {}
    holders: dict[str, int] = {}
    for event in events:
        who, _, what = event.partition(": ")
        if _MELD.fullmatch(what):
            cards = [card for card in _CARD.findall(what) if card not in shown]
            holders |= dict.fromkeys(cards, int(who.removeprefix("seat ")))
    other = 1 - observation.seat
    if f"seat {other}: knock" in events:
        seen = {deal.text for deal in observation.dealt}
        holders |= dict.fromkeys(_Knock(events, other, seen, observation.text).hand(rng), other)
    return holders


class _Knock:
    """A knock of the other seat.

    Args:
        events: What a seat knows of the match.
        seat: The seat that knocked.
        seen: The cards that the looking seat was dealt or all saw.
        text: What OpenSpiel shows.
    """

    def __init__(self, events: Sequence[str], seat: int, seen: set[str], text: str) -> None:
        start = f"seat {seat}: "
        after = events[events.index(f"{start}knock") + 1 :]
        mine = [event.removeprefix(start) for event in after if event.startswith(start)]
        self._done = "pass" in mine
        laid = {card for text in mine if _MELD.fullmatch(text) for card in _CARD.findall(text)}
        held = _taken_openly(events, start)
        shown = {event.partition(": ")[2] for event in events} | laid
        deck = {rank + suit for rank in _RANKS for suit in _SUITS}
        self._pool = sorted(deck - shown - seen - held)
        self._loose = sorted(held - laid)
        self._free = _HAND - len(laid | held) + (not any(map(_CARD.fullmatch, mine)))
        found = _LIMIT.search(text)
        self._limit = int(found[1]) if found else _HAND

    def hand(self, rng: Random) -> Sequence[str]:
        """Returns the cards that the seat holds unseen; none if no hand is found."""
        melds = [] if self._done else [*_melds({*self._pool, *self._loose})]
        for _ in range(_TRIES):
            rng.shuffle(melds)
            left, free, chosen = {*self._loose}, self._free, set[str]()
            used = set[str]()
            for meld in melds:
                fresh = meld - {*self._loose}
                if not used & meld and len(fresh) <= free and rng.random() < 0.8:
                    used, left, chosen, free = (
                        used | meld,
                        left - meld,
                        chosen | fresh,
                        free - len(fresh),
                    )
            low = [card for card in self._pool if card not in chosen]
            low.sort(key=lambda card: _worth(card) * rng.uniform(0.5, 1))
            rest = low[:free]
            if sum(map(_worth, [*left, *rest])) <= self._limit:
                return [*chosen, *rest]
        return []


def _taken_openly(events: Sequence[str], start: str) -> set[str]:
    """Returns the cards that a seat has taken from the discard pile and still holds."""
    held, top = set[str](), ""
    for event in events:
        what = event.partition(": ")[2]
        if event == f"{start}draw upcard":
            held.add(top)
        elif _CARD.fullmatch(what):
            top = what
            if event.startswith(start):
                held.discard(what)
    return held


def _worth(card: str) -> int:
    return min(_RANKS.index(card[0]) + 1, 10)


def _melds(cards: set[str]) -> Iterator[set[str]]:
    """Yields the melds that can be made of some cards."""
    for rank in _RANKS:
        same = [rank + suit for suit in _SUITS if rank + suit in cards]
        for size in (3, 4):
            yield from map(set, combinations(same, size))
    for suit in _SUITS:
        for size in _RUNS:
            for first in range(len(_RANKS) - size + 1):
                run = {rank + suit for rank in _RANKS[first : first + size]}
                if run <= cards:
                    yield run
