"""Counts the ways in which cards drawn from a deck add to each code of a hand.

Hands of equal code have the same value (``arena.games.sabacc.cards.ranking``), so codes are counted
instead of hands: two cards of 71 come in 2,485 ways but add to some 300 codes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from math import comb

import msgspec

from arena.games.sabacc.cards.cards import COPIES, DECK, KINDS, Card
from arena.games.sabacc.cards.ranking import Ranker
from arena.games.sabacc.engine.observation import SabaccObservation


class DrawCounts(msgspec.Struct, frozen=True):
    """Number of ways in which a draw of a fixed size adds to each code.

    Attributes:
        ways: Number of ways by the sum of the cards' codes.
        example: Some cards that add to it.
        total: Number of ways in all.
    """

    ways: dict[int, int]
    example: dict[int, tuple[Card, ...]]
    total: int


def draw_counts(ranks: Ranker, cards: Iterable[Card], most: int) -> list[DrawCounts]:
    """Returns the counts of drawing 0, 1, ... ``most`` cards of these."""
    codes = ranks.codes
    card_of = {codes[card]: card for card in cards}
    copies_of = Counter(codes[card] for card in cards)
    ways: list[dict[int, int]] = [{0: 1}, *({} for _ in range(most))]
    example: list[dict[int, tuple[Card, ...]]] = [{0: ()}, *({} for _ in range(most))]
    for code, copies in copies_of.items():
        card = card_of[code]
        # From the largest down, so that no card of this code is counted twice.
        for size in range(most, 0, -1):
            grown, shown = ways[size], example[size]
            for taken in range(1, min(copies, size) + 1):
                times, added, before = comb(copies, taken), code * taken, example[size - taken]
                for rest, count in ways[size - taken].items():
                    made = rest + added
                    if made in grown:
                        grown[made] += count * times
                    else:
                        grown[made] = count * times
                        shown[made] = before[rest] + (card,) * taken
    return [DrawCounts(by, some, sum(by.values())) for by, some in zip(ways, example, strict=True)]


@lru_cache(maxsize=64)
def whole_deck(ranks: Ranker, most: int) -> list[DrawCounts]:
    """Returns the same counts for the full deck of 76 cards."""
    return draw_counts(ranks, DECK, most)


def unseen(observation: SabaccObservation) -> list[Card]:
    """Returns the cards that the seat has not seen: in the deck, or hidden elsewhere."""
    left = [*COPIES]
    seen = Counter(observation.memory)
    held = Counter([card.id for card in observation.hand])
    back = observation.recycled or observation.rules.discards == "reshuffled"
    for id in seen | held:
        # A card that came and went was noted twice, one that stayed once.
        left[id] -= held[id] if back else (seen[id] + held[id]) // 2
    for seat, cards in enumerate(observation.shown):
        if seat != observation.seat and not back:
            for card in cards:
                left[card.id] -= 1
    return [card for card, copies in zip(KINDS, left, strict=True) for _ in range(copies)]
