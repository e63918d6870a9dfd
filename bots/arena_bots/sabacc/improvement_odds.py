"""Values a hand before the showdown by the odds of improving it.

The next chance event is counted exactly from the cards that the seat has not seen. The one after it
(the exchange, when a draw is weighed) is valued as with the whole deck, which makes it the same in
every hand: it is computed once and cached by code.
"""

from __future__ import annotations

from functools import lru_cache

from arena.games.sabacc.cards.cards import Card
from arena.games.sabacc.cards.ranking import Ranker
from arena.games.sabacc.cards.rulesets import MAX_CARDS
from arena.games.sabacc.engine.actions import SabaccAction, exchanges
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.rules import exchange_counts
from arena_bots.sabacc.draw_counts import DrawCounts, draw_counts, unseen, whole_deck
from arena_bots.sabacc.hand_value import hand_value

FEW = 4
"""Exchanges that are counted exactly: those that look best with the whole deck."""


class ImprovementOdds:
    """Values hands before the showdown; built and cached by ``improvement_odds``."""

    __slots__ = ("_codes", "_ranks", "_typical", "_values")

    def __init__(self, ranks: Ranker, rivals: int) -> None:
        self._ranks, self._codes = ranks, ranks.codes.__getitem__
        self._values = hand_value(ranks, rivals)
        self._typical: list[dict[int, float]] = [{} for _ in range(MAX_CARDS + 1)]

    def standing(self, observation: SabaccObservation) -> float:
        """Returns the hand's value as it is."""
        hand = observation.hand
        code = sum(map(self._codes, hand))
        if observation.untouched[observation.seat]:
            return self._values.as_dealt(code, hand)
        return self._values.of(code, hand)

    def before_exchange(self, observation: SabaccObservation) -> float:
        """Returns the hand's value when it may still be exchanged."""
        return max(self.standing(observation), self._exchanged(observation.hand))

    def after_draw(self, observation: SabaccObservation) -> float:
        """Returns the hand's mean value with the next card, before the exchange."""
        counts = draw_counts(self._ranks, unseen(observation), 1)[1]
        hand, example = observation.hand, counts.example
        return (
            sum(
                ways * self._exchanged((*hand, *example[code]))
                for code, ways in counts.ways.items()
            )
            / counts.total
        )

    def best_exchange(
        self, observation: SabaccObservation, choices: tuple[SabaccAction, ...]
    ) -> SabaccAction:
        """Returns the best of these exchanges, by exact odds."""
        hand = observation.hand
        standing = self.standing(observation)
        typical = {
            action: self._as_typical(hand, action.value) if action.value else standing
            for action in choices
        }
        few = sorted(choices, key=typical.__getitem__, reverse=True)[:FEW]
        most = max(action.count for action in few)
        exact = draw_counts(self._ranks, unseen(observation), most)

        def value(action: SabaccAction) -> float:
            if not action.value:
                return standing
            return self._expected(_kept(hand, action.value), exact[action.count])

        return max(few, key=value)

    def _exchanged(self, hand: tuple[Card, ...]) -> float:
        """Returns the hand's value with its best exchange, or none, as with the whole deck."""
        held = len(hand)
        showing = any(card.rank in self._ranks.variant.revealers for card in hand)
        counts = exchange_counts(self._ranks.rules, self._ranks.variant, held, showing)
        codes = [*map(self._codes, hand)]
        given = [0]
        for code in codes:
            given += [code + other for other in given]
        whole, typical, best = given[-1], self._typical, self._values.of(given[-1], hand)
        for action in exchanges(hand, counts):
            mask = action.value
            value = typical[mask.bit_count()].get(whole - given[mask])
            if value is None:
                value = self._as_typical(hand, mask)
            if value > best:
                best = value
        return best

    def _as_typical(self, hand: tuple[Card, ...], mask: int) -> float:
        """Returns the value of giving away those cards, as with the whole deck."""
        kept, count = _kept(hand, mask), mask.bit_count()
        code = sum(map(self._codes, kept))
        value = self._typical[count].get(code)
        if value is None:
            value = self._expected(kept, whole_deck(self._ranks, count)[count])
            self._typical[count][code] = value
        return value

    def _expected(self, kept: tuple[Card, ...], counts: DrawCounts) -> float:
        """Returns the mean value of these cards with the draws that were counted."""
        code = sum(map(self._codes, kept))
        known, of = self._values.known, self._values.of
        total = 0.0
        for added, ways in counts.ways.items():
            value = known.get(code + added)
            if value is None:
                value = of(code + added, kept + counts.example[added])
            total += ways * value
        return total / counts.total


def _kept(hand: tuple[Card, ...], mask: int) -> tuple[Card, ...]:
    return tuple(card for place, card in enumerate(hand) if not mask >> place & 1)


improvement_odds = lru_cache(maxsize=64)(ImprovementOdds)
"""Returns the cached values by a ranking of hands, against that many rivals."""
