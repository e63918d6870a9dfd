"""Counts the hands of each category (rule book, section 12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import comb

from arena.games.sabacc.cards.cards import DECK, Card
from arena.games.sabacc.cards.ranking import CATEGORIES, Ranker, ranker
from arena.games.sabacc.cards.rulesets import SabaccRules
from arena.games.sabacc.cards.variants import Variant


def classify(rules: SabaccRules, variant: Variant, cards: int) -> dict[str, int]:
    """Counts the hands of that many cards of the full deck by category, exactly.

    Hands of equal code are worth the same, so that codes are counted instead of hands.

    Args:
        cards: Size of the hands; all 218,618,940 of six cards take some 0.2 seconds.

    Returns:
        The number of hands of every one of ``CATEGORIES``.
    """
    ranks = ranker(rules, variant)
    found = dict.fromkeys(CATEGORIES, 0)
    for code, count in hands_by_code(ranks, DECK, cards).items():
        found[ranks.value(code).category] += count
    return found


def hands_by_code(ranks: Ranker, deck: Iterable[Card], cards: int) -> Counter[int]:
    """Counts the hands of that many cards of a deck by their codes (``Ranker``), exactly.

    It multiplies a polynomial in the number of cards by one factor for each code of a single card.
    """
    ways: list[Counter[int]] = [Counter({0: 1}), *(Counter[int]() for _ in range(cards))]
    for code, copies in Counter(ranks.codes[card] for card in deck).items():
        # From the largest hands down, so that no card of this code is counted twice.
        for size in range(cards, 0, -1):
            for taken in range(1, min(copies, size) + 1):
                times, added, grown = comb(copies, taken), code * taken, ways[size]
                for rest, count in ways[size - taken].items():
                    grown[rest + added] += count * times
    return ways[cards]
