"""Values a final hand for its owner: the odds to win the hand, or points.

Rivals are assumed to end with the best of ``TRIES`` hands of four cards, each of them as likely as
any: under every ruleset and variant that gives an exact curve, and with two tries it has about
as many pure sabaccs, and as few losing hands, as players who draw and exchange with sense.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

from arena.games.sabacc.cards.cards import Card
from arena.games.sabacc.cards.points import hand_points
from arena.games.sabacc.cards.ranking import Ranker
from arena.games.sabacc.cards.rulesets import HAND_BONUS
from arena_bots.sabacc.draw_counts import whole_deck

TRIES = 2
_CARDS = 4

Key: TypeAlias = tuple[int, ...]


@lru_cache(maxsize=64)
def _curve(ranks: Ranker) -> tuple[list[Key], list[float]]:
    """Returns the keys of a rival's hands, rising, and before each the odds of a lower one."""
    counts = whole_deck(ranks, _CARDS)[_CARDS]
    number: Counter[Key] = Counter()
    for code, ways in counts.ways.items():
        number[ranks.value(code).key] += ways
    keys = sorted(number)
    below = accumulate((number[key] for key in keys), initial=0)
    return keys, [(count / counts.total) ** TRIES for count in below]


class HandValue:
    """Values final hands against that many rivals; built and cached by ``hand_value``.

    Attributes:
        known: Value by code, as far as it was asked for.
    """

    __slots__ = ("_curve", "_ranks", "_rivals", "known")

    def __init__(self, ranks: Ranker, rivals: int) -> None:
        self._ranks, self._rivals = ranks, rivals
        self._curve = _curve(ranks)
        self.known: dict[int, float] = {}

    def of(self, code: int, hand: tuple[Card, ...]) -> float:
        """Returns the value of a hand of that code: points, or the odds to win, 0..1."""
        value = self.known.get(code)
        if value is None:
            value = self.known[code] = self._work_out(code, hand, dealt=False)
        return value

    def as_dealt(self, code: int, hand: tuple[Card, ...]) -> float:
        """Returns the same for the three dealt cards, left alone (I9)."""
        return self._work_out(code, hand, dealt=True)

    def _work_out(self, code: int, hand: tuple[Card, ...], *, dealt: bool) -> float:
        rules = self._ranks.rules
        if rules.mode != "points":
            return self._odds(code)
        points = float(hand_points(self._ranks, hand, dealt=dealt, won=False))
        return points + HAND_BONUS * self._odds(code) if rules.bonus == "winner" else points

    def _odds(self, code: int) -> float:
        """Returns the odds to beat every rival; a tie counts its share."""
        value, rivals = self._ranks.value(code), self._rivals
        if value.bomb:
            return 0.0
        keys, below = self._curve
        low, high = below[bisect_left(keys, value.key)], below[bisect_right(keys, value.key)]
        if low == high:
            return low**rivals
        return (high ** (rivals + 1) - low ** (rivals + 1)) / ((rivals + 1) * (high - low))


hand_value = lru_cache(maxsize=64)(HandValue)
"""Returns the cached values by a ranking of hands, against that many rivals."""
