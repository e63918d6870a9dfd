"""The ranking of hands (rule book, section 4): the wild five, the categories and their order.

Each kind of card has a code, and a hand's code is their sum: in its low bits small counts (cards,
fives, idiots, ...), above them the total without the wild fives. The code says all that decides
about a hand, so that each is worked out once and looked up ever after.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from arena.games.sabacc.cards.cards import CHARACTERS, FIVE, KINDS, Card
from arena.games.sabacc.cards.rulesets import SabaccRules
from arena.games.sabacc.cards.value import Value
from arena.games.sabacc.cards.variants import Variant

CATEGORIES = ("bomb", "points", "sabacc", "double", "combo", "idiot", "pure")
"""Rising (section 4.2); with ``idiot_upset=always`` the last two change places (I5)."""

PURE: Final = 23
DOUBLE: Final = 46
FOOL: Final = -23
WILD_MOST: Final = 11
"""A wild five is any of 1..11 or -1..-11; 0 is not available (section 4.1)."""

_SABACCS = {PURE: "pure", DOUBLE: "double", FOOL: "sabacc"}
_IDIOT = "Idiot"
_IDIOT_CARDS: Final = 3

_BITS: Final = 6
_COUNTS: Final = 5
"""Counts in every code: cards, wild fives, idiots, twos, threes; a combination's follow."""


class Ranker:
    """Ranks hands under one ruleset and variant; made by ``ranker``.

    Attributes:
        rules: The ruleset.
        variant: The variant in force.
        values: What each kind counts, by card id; a five its printed 5.
        codes: What each kind adds to the code of a hand (of up to 63 cards).
    """

    __slots__ = ("_best", "_seen", "_sizes", "codes", "rules", "values", "variant")

    def __init__(self, rules: SabaccRules, variant: Variant) -> None:
        self.values: tuple[int, ...] = tuple(
            variant.values[CHARACTERS.index(card.rank)] if card.character else card.value
            for card in KINDS
        )
        self.codes: dict[Card, int] = {
            card: _code(rules, variant, card, value)
            for card, value in zip(KINDS, self.values, strict=True)
        }
        self.rules, self.variant = rules, variant
        self._sizes = tuple(number for _, number in variant.needs)
        self._seen: dict[int, Value] = {}
        self._best: dict[tuple[int, int], Value] = {}

    def rank(self, hand: Sequence[Card]) -> Value:
        """Ranks a hand by its best category, with its fives at their best for the owner."""
        return self.value(self._code(hand))

    def _code(self, hand: Sequence[Card]) -> int:
        code, codes = 0, self.codes
        for card in hand:
            code += codes[card]
        return code

    def value(self, code: int) -> Value:
        """Ranks all hands of a code, the sum of their cards' ``codes``."""
        value = self._seen.get(code)
        if value is None:
            value = self._seen[code] = self._work_out(code)
        return value

    def combines(self, hand: Sequence[Card]) -> bool:
        """True if the hand holds a combination, be it pure sabacc as well."""
        return bool(self._combinations(*self._read(self._code(hand))))

    def totals(self, hand: Sequence[Card]) -> list[int]:
        """Every total that the hand's fives can give: 0 and up first, then below 0."""
        total, (_, fives, *_) = self._read(self._code(hand))
        return _totals(total, fives)

    def _read(self, code: int) -> tuple[int, list[int]]:
        counts = []
        for _ in range(_COUNTS + len(self._sizes)):
            counts.append(code & ((1 << _BITS) - 1))
            code >>= _BITS
        return code, counts

    def _work_out(self, code: int) -> Value:
        total, counts = self._read(code)
        best = self._best_total(total, counts[1])
        found = self._combinations(total, counts)
        others = (Value((_rung(self.rules, each),), each, None, PURE) for each in found)
        return max((best, *others), key=_key)

    def _combinations(self, total: int, counts: Sequence[int]) -> tuple[str, ...]:
        rules = self.rules
        cards, fives, idiots, twos, threes, *held = counts
        if rules.combo_vs_bomb == "bomb_first" and not any(
            FOOL <= each <= DOUBLE for each in _totals(total, fives)
        ):
            return ()

        def fits(size: int) -> bool:
            return rules.combo_match == "contains" or cards == size

        stand_ins = fives if rules.five_in_idiot else 0
        found: tuple[str, ...] = ()
        if idiots and (not twos) + (not threes) <= stand_ins and fits(_IDIOT_CARDS):
            found = ("idiot",)
        if fits(sum(self._sizes)) and all(map(int.__ge__, held, self._sizes)):
            found += ("combo",)
        return found

    def _best_total(self, total: int, fives: int) -> Value:
        """The best by the total only; of equal ones the first in the order of ``_totals``."""
        best = self._best.get((total, fives))
        if best is None:
            every = (_of_total(self.rules, each) for each in _totals(total, fives))
            best = self._best[total, fives] = max(every, key=_key)
        return best


@cache
def ranker(rules: SabaccRules, variant: Variant) -> Ranker:
    """The ranker of that ruleset and variant, which remembers the hands it has seen."""
    return Ranker(rules, variant)


def _code(rules: SabaccRules, variant: Variant, card: Card, value: int) -> int:
    wild = rules.wild_five and card.value == FIVE
    face = value if rules.character_in_idiot else card.value
    code = 0 if wild else value
    meets = [_meets(rules, card, what) for what, _ in variant.needs]
    for count in reversed((True, wild, card.rank == _IDIOT, face == 2, face == 3, *meets)):
        code = code << _BITS | count
    return code


def _meets(rules: SabaccRules, card: Card, what: str) -> bool:
    """True if the card is of that rank, or character, or suit (B2)."""
    any_of_suit = card.numbered or rules.suited_combo_cards == "numbered_and_ranked"
    return card.rank == what or (card.suit == what and any_of_suit)


def _totals(total: int, fives: int) -> list[int]:
    """All totals with that many wild fives: 0..22 before 24..45 before negative ones.

    So the first of several that count the same is the natural one, and the first of several that
    lose is the one nearest to the legal range.
    """
    if not fives:
        return [total]
    most = WILD_MOST * fives
    # A single five leaves a hole, because it is never 0; two close it as 1 and -1.
    added = (wild for wild in range(-most, most + 1) if wild or fives > 1)
    return sorted((total + wild for wild in added), key=lambda each: (each < 0, abs(each)))


def _of_total(rules: SabaccRules, total: int) -> Value:
    """A hand judged only by its total (sections 4.2 and 4.3)."""
    if total in _SABACCS:
        return Value((_rung(rules, _SABACCS[total]),), _SABACCS[total], total, PURE)
    if not FOOL < total < DOUBLE or (total == 0 and rules.zero_total == "bust"):
        return Value((_rung(rules, "bomb"),), "bomb", total, 0)
    negative, reduced = total < 0, total > PURE
    strength = total - PURE if reduced else abs(total)
    key = (
        _rung(rules, "points"),
        not (negative and rules.negative_strength == "below_positive"),
        strength,
        not (negative and rules.sign_tie == "positive_wins"),
        not (reduced and rules.reduced_tie == "natural_wins"),
    )
    return Value(key, "points", total, strength)


def _rung(rules: SabaccRules, category: str) -> int:
    """Returns the rank of the category; ``idiot_upset=always`` is an order of its own (I5)."""
    if category == "idiot" and rules.idiot_upset == "always":
        return len(CATEGORIES)
    return CATEGORIES.index(category)


def _key(value: Value) -> tuple[int, ...]:
    return value.key
