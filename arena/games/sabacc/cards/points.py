"""Scores of hands in points play (rule book, section 8, with I3, I7, I8 and I9)."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.sabacc.cards.cards import Card
from arena.games.sabacc.cards.ranking import DOUBLE, FOOL, PURE, Ranker
from arena.games.sabacc.cards.rulesets import HAND_BONUS, SabaccRules

_DEALT_SABACCS = (PURE, FOOL)


def hand_points(ranks: Ranker, hand: Sequence[Card], *, dealt: bool, won: bool) -> int:
    """Points that one hand adds to its owner's; less than 0 only by ``signed`` or ``penalty``.

    A five takes the value that scores most, on lost hands too; a combination scores 23, even if
    a five makes the hand pure sabacc as well.

    Args:
        dealt: Whether these are the three dealt cards, untouched.
    """
    rules = ranks.rules
    from_the_hand = HAND_BONUS if dealt and rules.bonus == "dealt" else 0
    category = ranks.rank(hand).category
    pure_too = category == "pure" and ranks.combines(hand)
    if pure_too or category in ("idiot", "combo"):
        points = PURE + from_the_hand
    else:
        points = max(
            _of_total(rules, total) + (from_the_hand if total in _DEALT_SABACCS else 0)
            for total in ranks.totals(hand)
        )
    return points + (HAND_BONUS if won and rules.bonus == "winner" else 0)


def _of_total(rules: SabaccRules, total: int) -> int:
    if total > DOUBLE:
        return {"minus_46": total - DOUBLE, "zero": 0, "penalty": DOUBLE - total}[
            rules.points_over_46
        ]
    if total in (PURE, DOUBLE, FOOL):
        return PURE
    if total > PURE:
        return total if rules.points_24_45 == "raw" else total - PURE
    if total < FOOL:
        return 0
    if total < 0:
        return {"absolute": -total, "signed": total, "zero": 0}[rules.points_negative]
    return total
