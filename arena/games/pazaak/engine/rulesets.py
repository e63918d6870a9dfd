"""Rulesets: the five named rows of rule book section 5; every option of sections 3-5 is a field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from arena.core.errors import ParseError
from arena.core.game import Ruleset
from arena.games.pazaak.engine.cards import CATALOGUE, Card, cards_named, in_order
from arena.games.pazaak.engine.side_decks import deck_named

SETS_TO_WIN: Final = 3  # S3
HAND_SIZE: Final = 4  # S11
SQUARES: Final = 9  # S26
LIMIT: Final = 20  # S1

KINDS = {
    "all": CATALOGUE,
    "without_one_or_two": tuple(card for card in CATALOGUE if card.name != "±1/2"),
    "signed": CATALOGUE[:18],
}
"""The kinds of side card that exist (C15), by ``card_set``, in catalogue order."""


class PazaakRules(Ruleset, frozen=True, kw_only=True):
    """One row of Pazaak's rules. Section numbers are those of the rule book.

    Attributes:
        hand_scope: C1: one hand for the match, or a new one each set.
        first_set: S14, S16: who starts the first set: the higher card of an opening draw, always
            seat 0, or by lot.
        next_set: C2: who starts later sets: the last set's winner or loser (after a tie the
            other than the last starter), the seats in turn, always the same, or by lot.
        opening_cards: A2: the cards of the opening draw go back, or are out of the first set.
        side_deck_size: C3: ``10``, or a range such as ``10..25``.
        collection_size: C3: size of a named collection, a range; empty for no limit.
        collection: Side decks come from these cards (names, each as often as owned); empty for
            an unlimited catalogue.
        deck: Every bot plays this side deck: ten card names, or a ready-made deck's name
            (novice, average, good; very-easy, easy, medium, hard, very-hard); empty lets the
            bots choose. One entry alone is given a deck by ``BOT with DECK``.
        max_copies: A14: copies of one kind in a side deck; 0 for no limit.
        max_gold_copies: A14: the same for gold cards; 0 for as ``max_copies``.
        card_set: C15: which kinds exist: all 23, without ``±1/2``, or only ``+ - ±``.
        main_deck: C4, A15: forty cards shared, forty each, or unbound (uniform 1-10).
        bust_check: C5: over 20 loses when the turn ends, or at once.
        auto_stand: C6, A3: exactly 20 stands at once, at the end of the turn, or not at all.
        fill: C8: nine cards within 20 win at once, or merely stand.
        fill_overflow: A5: a ninth card over 20 leaves no square, or a tenth may be played.
        ninth_on_twenty: A4: a ninth card that makes 20 fills the table first, or stands first.
        overshoot_spoils_fill: A6: whether having been over 20 in the set spoils the nine cards.
        specials_fill: A7: whether flip, Double and Tiebreaker count toward nine.
        flip: C9: change of sign; deck cards negative now and later; positive cards negative now.
        flip_scope: A8: the player's own table, or both.
        flip_by: A9: by present value or by the printed one.
        flip_without_target: A10: whether a flip that turns nothing is legal.
        flip_lasts: A11: how long a lasting flip lasts.
        double: C10: a duplicate card, or the card itself counts twice.
        double_of_negated: A13: sign of a Double of a deck card that a lasting flip turned.
        tiebreaker_scope: C11: laid in this set, or the last card on its owner's table.
        tiebreaker_both: A1: both laid one: a tie, or the last or the first one wins.
        max_sets: A18: sets after which the match is over; 0 for no cap.
    """

    hand_scope: Literal["match", "set"] = "match"
    first_set: Literal["opening_draw", "seat_0", "random"] = "opening_draw"
    next_set: Literal["winner", "loser", "alternate", "fixed", "random"] = "winner"
    opening_cards: Literal["return", "burn"] = "return"
    side_deck_size: int | str = 10
    collection_size: str = ""
    collection: str = ""
    deck: str = ""
    max_copies: int = 0
    max_gold_copies: int = 0
    card_set: Literal["all", "without_one_or_two", "signed"] = "all"
    main_deck: Literal["forty_shared", "forty_each", "infinite"] = "forty_shared"
    bust_check: Literal["end_of_turn", "immediate"] = "end_of_turn"
    auto_stand: Literal["immediate", "end_of_turn", "off"] = "immediate"
    fill: Literal["win", "full_table_stands"] = "win"
    fill_overflow: Literal["bust", "allow_tenth"] = "bust"
    ninth_on_twenty: Literal["fill", "stand"] = "fill"
    overshoot_spoils_fill: bool = False
    specials_fill: bool = True
    flip: Literal["toggle", "negate_deck_persistent", "negate_positive"] = "toggle"
    flip_scope: Literal["own", "both"] = "own"
    flip_by: Literal["present", "printed"] = "present"
    flip_without_target: Literal["legal", "illegal"] = "legal"
    flip_lasts: Literal["set", "match"] = "set"
    double: Literal["duplicate", "in_place"] = "duplicate"
    double_of_negated: Literal["negative", "positive"] = "negative"
    tiebreaker_scope: Literal["set", "last_card"] = "set"
    tiebreaker_both: Literal["tie", "last_played", "first_played"] = "tie"
    max_sets: int = 25

    def __post_init__(self) -> None:
        for problem in self._problems():
            raise ValueError(problem)

    def _problems(self) -> Iterator[str]:
        for field in ("max_copies", "max_gold_copies", "max_sets"):
            if getattr(self, field) < 0:
                yield f"{field} must be 0 (no limit) or more"
        try:
            low, high = self.deck_sizes
            if not HAND_SIZE <= low <= high <= 25:
                yield f"side_deck_size must lie within {HAND_SIZE}..25"
            owned = cards_named(self.collection)
            if self.collection_size:
                least, most = _range(self.collection_size)
                if owned and not least <= len(owned) <= most:
                    yield f"the collection has {len(owned)} cards, not {self.collection_size}"
            if owned and len(owned) < low:
                yield f"the collection has {len(owned)} cards; a side deck needs {low}"
            fixed = self.fixed_deck
            if fixed and not low <= len(fixed) <= high:
                yield f"the deck has {len(fixed)} cards, not {self.side_deck_size}"
            for card in dict.fromkeys(fixed):
                limit = self.copies_allowed(card)
                if limit and fixed.count(card) > limit:
                    yield f"the deck has {fixed.count(card)} of card {card}, not at most {limit}"
                if owned and fixed.count(card) > owned.count(card):
                    yield f"the deck has more of card {card} than the collection"
            for card in (*owned, *fixed):
                if card not in self.kinds:
                    yield f"card {card} does not exist in this ruleset"
        except ParseError as error:
            yield str(error)

    @property
    def deck_sizes(self) -> tuple[int, int]:
        """Least and most cards of a side deck."""
        return _range(str(self.side_deck_size))

    def copies_allowed(self, card: Card) -> int:
        """A14: most copies of a kind in one side deck; 0 for no limit."""
        return (card.gold and self.max_gold_copies) or self.max_copies

    @property
    def kinds(self) -> tuple[Card, ...]:
        """The kinds of side card that exist, in catalogue order."""
        return KINDS[self.card_set]

    @property
    def fixed_deck(self) -> tuple[Card, ...]:
        """The side deck that every bot must play; empty when they choose."""
        return in_order(deck_named(self.deck))


def _range(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)(?:\.\.(\d+))?", text.strip())
    if match is None:
        raise ParseError(f"{text!r} is not a size; write 10 or 10..25")
    return int(match[1]), int(match[2] or match[1])


STANDARD = PazaakRules(name="standard", source="rule book section 2, the recommended default")
WIKI = PazaakRules(name="wiki", source="000 (English wiki page)", double="in_place")
CONSOLE = PazaakRules(
    name="console",
    source="002 (English rules of the second video game)",
    next_set="alternate",
    auto_stand="off",
    flip="negate_deck_persistent",
    card_set="without_one_or_two",
)
KOTOR1 = PazaakRules(
    name="kotor1",
    source="002:6, its aside on the first video game",
    first_set="seat_0",
    next_set="fixed",
    auto_stand="off",
    card_set="signed",
)
TABLE = PazaakRules(
    name="table",
    source="003 (French role-playing aid)",
    collection_size="10..25",
    fill="full_table_stands",
    main_deck="infinite",
    card_set="signed",
)

RULESETS = {row.name: row for row in (STANDARD, WIKI, CONSOLE, KOTOR1, TABLE)}
"""The five named rulesets; the first is the default."""
