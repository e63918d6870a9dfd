"""Ready-made side decks: ten seed-legal cards each, by name (rule book sections 7 and 8)."""

from __future__ import annotations

from arena.games.pazaak.cards import Card, cards_named, in_order


def _deck(names: str) -> tuple[Card, ...]:
    return in_order(cards_named(names))


LEVELS = {
    "novice": _deck("+1 +1 +2 +2 +3 +3 +4 +4 +5 +5"),
    "average": _deck("+1 +2 +3 +4 +5 -1 -2 -3 ±2 ±3"),
    "good": _deck("±1 ±1 ±2 ±2 ±3 ±3 ±4 ±4 ±5 ±6"),
}
"""The three decks by level of the role-playing aid (section 7, 003:137-141; 003:10 for novice)."""

LADDER = {
    "very-easy": _deck("+3 -3 +4 -4 +5 -5 +5 -3 +4 -5"),
    "easy": _deck("+1 +2 +3 +4 +5 -6 -4 -3 -2 -1"),
    "medium": _deck("±1 ±2 +3 +4 +5 +6 ±5 -6 ±4 D"),
    "hard": _deck("2&4 3&6 ±4 ±6 D ±1T ±1/2 ±3 ±6 2&4"),
    "very-hard": _deck("D D 2&4 2&4 3&6 3&6 ±1T ±1T ±1/2 ±1/2"),
}
"""The opponents' decks of the second video game (section 8).

Its "average" row is called ``medium`` here, because ``average`` is one of the three above.
"""

READY_MADE = {**LEVELS, **LADDER}
"""Every ready-made deck by name."""
