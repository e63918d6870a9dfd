"""Chooses a side deck by a published ranking from self-play, as far as the rules allow.

Source: the repository loopfz/pazaak (ten hours of self-play) ranks ±2 > ±3 > ±4 far above
±5 and ±1, either sign above one, and minus above plus; draketungsten's guide to the video game
agrees. The gold cards are not in that ranking. ±1/2 is a ±1 and a ±2 in one card; and between two
good players, who both reach 20 often, winning ties pays: over 4,000 mirrored pairs of the optimal
player, ``WANTED`` scored 61.6 % (± 0.9) against the same deck with ±3 ±3 ±4 for its three ±1T.
"""

from __future__ import annotations

from collections import Counter

from arena.games.pazaak.engine.cards import Card, cards_named
from arena.games.pazaak.engine.observation import SideDeckOffer

WANTED = cards_named("±1/2 ±1/2 ±1/2 ±1T ±1T ±1T ±3 ±3 ±4 ±4")
"""The deck where nothing is scarce."""
RANKING = cards_named("±2 ±3 ±4 ±1/2 ±5 ±1 ±1T ±6 -4 -3 -5 D -2 -6 2&4 3&6 -1 +2 +3 +4 +5 +6 +1")
"""All 23 kinds, best first."""


def choose_side_deck(offer: SideDeckOffer) -> tuple[Card, ...]:
    """Returns the best deck of the least size on offer: ``WANTED``, then by ``RANKING``."""
    size = offer.sizes[0]
    rules = offer.ruleset
    deck: Counter[Card] = Counter()
    owned = Counter(offer.catalogue)
    wishes = (*WANTED, *(card for _ in range(4) for card in RANKING), *RANKING * size)
    for card in wishes:
        if deck.total() == size:
            break
        supply = size if offer.unlimited and card in owned else owned[card]
        if deck[card] < min(supply, rules.copies_allowed(card) or size):
            deck[card] += 1
    return tuple(deck.elements())
