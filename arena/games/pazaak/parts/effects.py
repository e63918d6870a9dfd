"""The effect of each side card under a ruleset, in a sentence or two."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.pazaak.engine.cards import Card
from arena.games.pazaak.engine.rulesets import PazaakRules

_TABLES = {"own": "on your table", "both": "on both tables"}
_FLIPS = {
    "toggle": "Turns the sign of every {which} {tables}{printed}.",
    "negate_positive": "Makes every {which} {tables} negative{printed}.",
    "negate_deck_persistent": "Makes every deck card {which} {tables} negative{printed}, now and "
    "for the rest of the {lasts}.",
}
_DOUBLES = {
    "duplicate": "Copies the last card on your table.",
    "in_place": "The last card on your table counts twice. Counts as 0.",
}
_BOTH = {
    "tie": "If both did: a tie.",
    "last_played": "If both did, the later one wins.",
    "first_played": "If both did, the earlier one wins.",
}


def effect(rules: PazaakRules, card: Card, *alike: Card) -> str:
    """Returns the effect of a side card (rule book 1.6, C9 to C11, A8 to A13).

    Args:
        alike: Flip cards besides, if it is one.
    """
    if card.flips:
        return _flip(rules, (card, *alike))
    if card.doubles:
        persistent = rules.flip == "negate_deck_persistent"
        adds = persistent and rules.double_of_negated == "positive"
        turned = " Adds even where a flip made that card negative." if adds else ""
        return _DOUBLES[rules.double] + turned
    sizes = " or ".join(dict.fromkeys(str(abs(value)) for value in card.values))
    if len(card.values) == 1:
        return f"Adds {sizes}." if card.values[0] > 0 else f"Takes {sizes} away."
    either = f"Adds or takes away {sizes}."
    return f"{either} {_tiebreaker(rules)}" if card.breaks_ties else either


def _flip(rules: PazaakRules, cards: Sequence[Card]) -> str:
    text = _FLIPS[rules.flip].format(
        which=", or ".join(" and ".join(map(str, card.flips)) for card in cards),
        tables=_TABLES[rules.flip_scope],
        printed=", by the value that was laid" if rules.flip_by == "printed" else "",
        lasts=rules.flip_lasts,
    )
    target = " Must turn a card." if rules.flip_without_target == "illegal" else ""
    return f"{text}{target} Counts as 0."


def _tiebreaker(rules: PazaakRules) -> str:
    when = "as the last card on your table"
    if rules.tiebreaker_scope == "set":
        when = "in which you laid it"
    return f"Wins a tied set {when}. {_BOTH[rules.tiebreaker_both]}"
