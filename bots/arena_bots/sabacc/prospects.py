"""What a hand can still become: the odds of the next card or exchange, exactly, and then typically.

What comes next is counted from the cards that the seat has not seen. What comes after that (the
exchange, when a draw is weighed) is valued as with the whole deck, which makes it the same in
every hand: it is worked out once and remembered by code.
"""

from __future__ import annotations

from functools import lru_cache

from arena.games.sabacc.actions import SabaccAction, exchanges
from arena.games.sabacc.cards import Card
from arena.games.sabacc.hands import Ranker, ranker
from arena.games.sabacc.observation import SabaccObservation
from arena.games.sabacc.rules import exchange_counts
from arena.games.sabacc.rulesets import MOST_CARDS, SabaccRules
from arena.games.sabacc.variants import Variant
from arena_bots.sabacc.laws import Law, laws, unseen, whole_deck
from arena_bots.sabacc.worth import Worth, worth

FEW = 4
"""Exchanges that are counted exactly: those that look best with the whole deck."""


class Prospects:
    """Values of hands before the showdown; made by ``prospects``."""

    __slots__ = ("_codes", "_ranks", "_rules", "_typical", "_variant", "_worth")

    def __init__(self, rules: SabaccRules, variant: Variant, rivals: int) -> None:
        self._rules, self._variant = rules, variant
        self._ranks: Ranker = ranker(rules, variant)
        self._codes = self._ranks.codes.__getitem__
        self._worth: Worth = worth(rules, variant, rivals)
        self._typical: list[dict[int, float]] = [{} for _ in range(MOST_CARDS + 1)]

    def standing(self, observation: SabaccObservation) -> float:
        """What the hand is worth as it is."""
        hand = observation.hand
        code = sum(map(self._codes, hand))
        if observation.untouched[observation.seat]:
            return self._worth.as_dealt(code, hand)
        return self._worth.of(code, hand)

    def before_exchange(self, observation: SabaccObservation) -> float:
        """What the hand is worth when it may still be exchanged."""
        return max(self.standing(observation), self._exchanged(observation.hand))

    def after_draw(self, observation: SabaccObservation) -> float:
        """What the hand is worth with the next card, before the exchange."""
        law = laws(self._ranks, unseen(observation), 1)[1]
        hand, example = observation.hand, law.example
        return (
            sum(ways * self._exchanged((*hand, *example[code])) for code, ways in law.ways.items())
            / law.total
        )

    def best_exchange(
        self, observation: SabaccObservation, choices: tuple[SabaccAction, ...]
    ) -> SabaccAction:
        """The best of these exchanges, by exact odds."""
        hand = observation.hand
        standing = self.standing(observation)
        typical = {
            action: self._as_typical(hand, action.value) if action.value else standing
            for action in choices
        }
        few = sorted(choices, key=typical.__getitem__, reverse=True)[:FEW]
        most = max(action.count for action in few)
        exact = laws(self._ranks, unseen(observation), most)

        def value(action: SabaccAction) -> float:
            if not action.value:
                return standing
            return self._expected(_kept(hand, action.value), exact[action.count])

        return max(few, key=value)

    def _exchanged(self, hand: tuple[Card, ...]) -> float:
        """The hand's value with its best exchange, or none, as with the whole deck."""
        held = len(hand)
        showing = any(card.rank in self._variant.revealers for card in hand)
        counts = exchange_counts(self._rules, self._variant, held, showing)
        codes = [*map(self._codes, hand)]
        given = [0]
        for code in codes:
            given += [code + other for other in given]
        whole, typical, best = given[-1], self._typical, self._worth.of(given[-1], hand)
        for action in exchanges(hand, counts):
            mask = action.value
            value = typical[mask.bit_count()].get(whole - given[mask])
            if value is None:
                value = self._as_typical(hand, mask)
            if value > best:
                best = value
        return best

    def _as_typical(self, hand: tuple[Card, ...], mask: int) -> float:
        """The value of giving away those cards, as with the whole deck."""
        kept, count = _kept(hand, mask), mask.bit_count()
        code = sum(map(self._codes, kept))
        value = self._typical[count].get(code)
        if value is None:
            value = self._expected(kept, whole_deck(self._ranks, count)[count])
            self._typical[count][code] = value
        return value

    def _expected(self, kept: tuple[Card, ...], law: Law) -> float:
        """The mean worth of these cards and as many more as the law draws."""
        code = sum(map(self._codes, kept))
        known, of = self._worth.known, self._worth.of
        total = 0.0
        for added, ways in law.ways.items():
            value = known.get(code + added)
            if value is None:
                value = of(code + added, kept + law.example[added])
            total += ways * value
        return total / law.total


def _kept(hand: tuple[Card, ...], mask: int) -> tuple[Card, ...]:
    return tuple(card for place, card in enumerate(hand) if not mask >> place & 1)


@lru_cache(maxsize=64)
def prospects(rules: SabaccRules, variant: Variant, rivals: int) -> Prospects:
    """The prospects against so many rivals, which remember what they have worked out."""
    return Prospects(rules, variant, rivals)
