"""The decisions of the rule book as pure functions, each with its clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

from arena.core.errors import IllegalLoadout
from arena.core.outcome import Outcome, Termination
from arena.games.pazaak.engine.actions import END_TURN, PLAYS_OF, STAND, PazaakAction
from arena.games.pazaak.engine.cards import (
    CATALOGUE,
    FORTY,
    TEN,
    Card,
    Square,
    cards_named,
    in_order,
    square,
)
from arena.games.pazaak.engine.rulesets import KINDS, PazaakRules
from arena.games.pazaak.engine.side_decks import LEVELS

ENDINGS = (END_TURN, STAND)
"""S19: what remains when no hand card may be played any more."""


@cache
def acts_with(hand: tuple[Card, ...], card_set: str = "all") -> tuple[PazaakAction, ...]:
    """S18, S19: a turn's choices after the draw: end it, stand, or one hand card in any way.

    Args:
        card_set: C15: the kinds that exist; others may lie in a described hand, unplayable.
    """
    kinds = KINDS[card_set]
    plays = (way for card in dict.fromkeys(hand) if card in kinds for way in PLAYS_OF[card])
    return (*ENDINGS, *plays)


def acts_with_targets(
    rules: PazaakRules, hand: tuple[Card, ...], tables: Sequence[tuple[Square, ...]]
) -> tuple[PazaakAction, ...]:
    """A10: the same where a flip must turn something; ``tables`` are those a flip reaches."""
    return tuple(
        act
        for act in acts_with(hand, rules.card_set)
        if act.card is None
        or not act.card.flips
        or any(flipped(rules, table, act.card.flips) != table for table in tables)
    )


def flipped(
    rules: PazaakRules, table: tuple[Square, ...], magnitudes: tuple[int, ...]
) -> tuple[Square, ...]:
    """C9: the table after a flip card of these magnitudes."""
    return tuple(_flipped(rules, sq, magnitudes) for sq in table)


def _flipped(rules: PazaakRules, sq: Square, magnitudes: tuple[int, ...]) -> Square:
    magnitude = abs(sq.value) if rules.flip_by == "present" else sq.printed  # A9
    if magnitude not in magnitudes:
        return sq
    if rules.flip == "toggle":
        return sq.with_value(-sq.value)
    if rules.flip == "negate_deck_persistent" and not sq.face.from_deck:
        return sq
    return sq.with_value(-abs(sq.value))


def doubled(
    rules: PazaakRules, table: tuple[Square, ...], card: Card, negated: Sequence[int]
) -> tuple[Square, ...]:
    """C10: the table after a Double; the last card is this turn's deck card (A12)."""
    last = table[-1]
    value = last.value
    turned = last.face.from_deck and value < 0 and last.printed in negated
    if turned and rules.double_of_negated == "positive":  # A13
        value = -value
    if rules.double == "duplicate":
        return (*table, square(value, card, last.printed))
    return (*table[:-1], last.with_value(last.value + value), square(0, card))


def counted_squares(rules: PazaakRules, table: tuple[Square, ...]) -> int:
    """S26, A7: how many cards of the table count toward nine."""
    if rules.specials_fill:
        return len(table)
    return sum(not sq.face.special for sq in table)


def tiebreak(
    rules: PazaakRules, tables: Sequence[tuple[Square, ...]], laid: Sequence[int]
) -> int | None:
    """S27, C11, A1: the seat whose Tiebreaker (``Marks.laid``) wins an equal set, or ``None``."""
    if rules.tiebreaker_scope == "set":
        claims = [seat for seat in (0, 1) if laid[seat]]
    else:
        claims = [seat for seat in (0, 1) if tables[seat] and tables[seat][-1].face.breaks_ties]
    if len(claims) == 1:
        return claims[0]
    if len(claims) == 2 and rules.tiebreaker_both != "tie":
        later = 0 if laid[0] > laid[1] else 1
        return later if rules.tiebreaker_both == "last_played" else 1 - later
    return None


def next_starters(rules: PazaakRules, winner: int | None, starter: int) -> tuple[int, ...]:
    """S15, S16, C2: who may start the next set, with equal chances; a tie has no winner."""
    if rules.next_set == "winner" and winner is not None:
        return (winner,)
    if rules.next_set == "random":
        return (0, 1)
    if rules.next_set == "fixed":
        return (0,) if rules.first_set == "seat_0" else (starter,)
    if rules.next_set == "loser" and winner is not None:
        return (1 - winner,)
    return (1 - starter,)


def outcome_of(sets: Sequence[int], termination: Termination) -> Outcome:
    """S3, A18: the outcome of a match, by the sets that each seat won."""
    first, second = sets
    lead = float((first > second) - (first < second))
    return Outcome((lead, 0.0 - lead), (first, second), termination)


def main_deck(rules: PazaakRules) -> tuple[int, ...]:
    """S6, C4: the values of a main deck in canonical order; ``infinite`` has each value once."""
    return TEN if rules.main_deck == "infinite" else FORTY


def undrawn(
    rules: PazaakRules, tables: Sequence[tuple[Square, ...]], seat: int, burnt: Sequence[int]
) -> tuple[int, ...]:
    """Returns the cards that may still come from the deck of a seat, none of which was seen yet.

    Args:
        tables: Both tables; the deck cards on them are out of the deck.
        burnt: Values that the opening draw took out of this set (A2 ``burn``), seat by seat.
    """
    if rules.main_deck == "infinite":
        return TEN
    seen = tables
    if rules.main_deck == "forty_each":
        seen, burnt = (tables[seat],), burnt[seat::2]
    left = [*FORTY]
    for value in (*burnt, *(s.face.values[0] for table in seen for s in table if s.face.from_deck)):
        if value in left:  # a described situation may hold more than a deck has
            left.remove(value)
    return tuple(left) or TEN


@cache
def check_side_deck(rules: PazaakRules, deck: tuple[Card, ...]) -> tuple[Card, ...]:
    """S8, C3, A14, C15: the side deck in catalogue order, if the rules allow it.

    Raises:
        IllegalLoadout: Wrong size, a kind that does not exist, too many copies, not owned.
    """
    low, high = rules.deck_sizes
    if not low <= len(deck) <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise IllegalLoadout(f"a side deck has {wanted} cards, not {len(deck)}")
    if rules.fixed_deck and in_order(deck) != rules.fixed_deck:
        raise IllegalLoadout("this tournament hands every bot the same side deck")
    owned = Counter(_collection(rules))
    for card, copies in Counter(deck).items():
        if card not in rules.kinds:
            raise IllegalLoadout(f"card {card} does not exist in ruleset {rules.name}")
        if owned and copies > owned[card]:
            raise IllegalLoadout(f"{copies} of card {card}, but the collection has {owned[card]}")
        limit = rules.copies_allowed(card)
        if limit and copies > limit:
            raise IllegalLoadout(f"{copies} of card {card}, but at most {limit} are allowed")
    return in_order(deck)


def _collection(rules: PazaakRules) -> tuple[Card, ...]:
    return cards_named(rules.collection)


@cache
def side_deck_choice(rules: PazaakRules) -> tuple[Card, ...]:
    """Returns the cards to choose a side deck from: the collection, or every kind once."""
    return in_order(_collection(rules)) or rules.kinds


@cache
def default_side_deck(rules: PazaakRules) -> tuple[Card, ...]:
    """The side deck of a bot that does not choose.

    The fixed deck where there is one; else the level deck ``average`` where the rules allow it
    (section 7); else as near to it as the collection and the caps allow, filled up from the
    catalogue in order.
    """
    if rules.fixed_deck:
        return rules.fixed_deck
    size = rules.deck_sizes[0]
    supply = Counter(_collection(rules)) or Counter(dict.fromkeys(rules.kinds, size))
    for card in supply:
        supply[card] = min(supply[card], rules.copies_allowed(card) or size)
    deck: list[Card] = []
    for card in (*LEVELS["average"], *(c for c in CATALOGUE for _ in range(size))):
        if len(deck) < size and supply[card] > 0:
            supply[card] -= 1
            deck.append(card)
    return check_side_deck(rules, tuple(deck))
