"""Ready-made side decks: ten seed-legal cards each, by name (rule book sections 7 and 8)."""

from __future__ import annotations

from arena.core.errors import ParseError
from arena.games.pazaak.engine.cards import Card, cards_named, in_order


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


def deck_named(text: str) -> tuple[Card, ...]:
    """The side deck that a text names: ``"hard"``, or its cards ``"+1 -2 ±3 D ..."``.

    Whether the rules allow it is not judged.

    Raises:
        ParseError: It is neither a ready-made deck nor made of side cards.
    """
    ready = READY_MADE.get(text.strip())
    if ready is not None:
        return ready
    # What a bot writes may become the reason of its loss: a short line, whatever it wrote.
    names = [name[:20] for name in text.replace(",", " ").split()]
    try:
        return cards_named(" ".join(names))
    except ParseError:
        if len(names) > 1:
            raise
    raise ParseError(
        f"no side deck {names[0]!r}; write its cards (+1 -2 ±3 D ...), or {', '.join(READY_MADE)}"
    )
