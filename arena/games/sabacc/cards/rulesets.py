"""Rulesets: the nine variants, card exchange and changing variants, every option a field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from arena.core.game import Ruleset
from arena.games.sabacc.cards.variants import VARIANTS, Variant, VariantName

DEALT: Final = 3  # 004:78
MAX_CARDS: Final = 5  # 004:78, 80
TIE_ROUNDS: Final = 5  # B8
HAND_BONUS: Final = 10  # 004:338
MAX_CHIPS: Final = 10_000
"""Most chips of one put, so that every put is an action made once."""


class SabaccRules(Ruleset, frozen=True, kw_only=True):
    """One row of Sabacc's rules. Letters and numbers are those of the rule book.

    Attributes:
        variant: Section 2: the variant in force (with ``variable``: at the start of the match).
        mode: What is played for: won hands, chips (section 7) or points (section 8).
        dice: Section 5: card exchange by dice.
        variable: Section 6: the variant changes by slips.
        hands: Hands of a match: won hands, or chips; points too when there is no target.
        target: Points: the total that ends the match; 0 for ``hands`` hands.
        max_hands: Points: hands after which a match to a target is over all the same.
        stack: Chips: what each seat begins with.
        ante: Chips: B15: the entry, which is also the first stake.
        cap: Chips: B15: most chips of one put (poker: of one bet or raise); 0 for no cap.
        betting: Chips: I11: in orbits stage by stage, in turn with the exchange on demand, or by
            check, bet, call and raise.
        max_raises: Chips: orbits of stage 6 (``staged``), or raises a betting round (``poker``).
        short_stack: Chips: B14: who cannot put the stake folds, or goes all in.
        all_bomb: Chips: B13: what becomes of the pot when everybody loses.
        tick_every: Section 11: when dice or slips are due: after that many decisions, after one
            decision of every active player, or at every change of phase.
        wild_five: I4: whether fives are wild.
        combo_match: B1: a combination is within the hand, or the whole hand.
        suited_combo_cards: B2: whether ranked cards count as a combination's card of a suit.
        five_in_idiot: B3: whether any five may be the two or the three of the Idiot combination.
        character_in_idiot: B3: whether a character worth 2 or 3 may be.
        combo_vs_bomb: B4: what a combination with a losing total is.
        idiot_upset: I5: when the Idiot combination beats pure sabacc.
        negative_strength: I6: negative totals count by size, or below every positive one.
        sign_tie: B5: who wins with +15 against -15.
        reduced_tie: B6: who wins with 20 against 43, which counts 20.
        zero_total: B7: whether a total of 0 loses.
        second_draw: B9: who may take a second card.
        reveal: B11: whether the shown card may itself be exchanged.
        discards: B12: out until the hand ends, or back into the deck at once.
        corellian_exchange: I10: one or two cards, or two to four.
        slips: B17: with or without the Old Republic.
        slip_return: B17: a drawn slip goes back, or stays out until all are drawn.
        points_over_46: I3: what more than 46 scores.
        points_24_45: I7: what 24 to 45 score.
        points_negative: I8: what -1 to -22 score.
        bonus: I9: ten points for a sabacc dealt and left alone, for winning the hand, or none.
    """

    variant: VariantName = "old_republic"
    mode: Literal["showdown", "chips", "points"] = "showdown"
    dice: bool = False
    variable: bool = False
    hands: int = 12
    target: int = 1000
    max_hands: int = 500
    stack: int = 100
    ante: int = 1
    cap: int = 20
    betting: Literal["staged", "alternating", "poker"] = "staged"
    max_raises: int = 3
    short_stack: Literal["fold", "all_in"] = "fold"
    all_bomb: Literal["carry_over", "split", "refund"] = "carry_over"
    tick_every: int | Literal["orbit", "phase"] = 6
    wild_five: bool = True
    combo_match: Literal["contains", "exact"] = "contains"
    suited_combo_cards: Literal["numbered_and_ranked", "numbered_only"] = "numbered_and_ranked"
    five_in_idiot: bool = False
    character_in_idiot: bool = False
    combo_vs_bomb: Literal["combo_first", "bomb_first"] = "combo_first"
    idiot_upset: Literal["tied_pure", "two_idiots", "never", "always"] = "tied_pure"
    negative_strength: Literal["absolute", "below_positive"] = "absolute"
    sign_tie: Literal["positive_wins", "tie"] = "positive_wins"
    reduced_tie: Literal["tie", "natural_wins"] = "tie"
    zero_total: Literal["ordinary", "bust"] = "ordinary"
    second_draw: Literal["anyone", "drawers"] = "anyone"
    reveal: Literal["exchangeable", "kept"] = "exchangeable"
    discards: Literal["out", "reshuffled"] = "out"
    corellian_exchange: Literal["up_to_two", "at_least_two"] = "up_to_two"
    slips: Literal["nine", "eight"] = "nine"
    slip_return: Literal["put_back", "kept_out"] = "put_back"
    points_over_46: Literal["minus_46", "zero", "penalty"] = "minus_46"
    points_24_45: Literal["reduced", "raw"] = "reduced"
    points_negative: Literal["absolute", "signed", "zero"] = "absolute"
    bonus: Literal["dealt", "winner", "off"] = "dealt"

    def __post_init__(self) -> None:
        for problem in self._problems():
            raise ValueError(problem)

    def _problems(self) -> Iterator[str]:
        row = self.name.partition("(")[0]
        if row in VARIANTS and row != self.variant:
            yield f"variant={self.variant} is not {row}; it is the ruleset {self.variant}"
        for field, mode in _NEEDS_MODE.items():
            value = getattr(self, field)
            if value != _DEFAULTS[field] and self.mode != mode:
                yield f"{field}={value} needs mode={mode}, not mode={self.mode}"
        if self.mode == "points" and self.target and self.hands != _DEFAULTS["hands"]:
            yield f"hands={self.hands} needs target=0, not target={self.target}"
        if self.max_hands != _DEFAULTS["max_hands"] and not self.target:
            yield f"max_hands={self.max_hands} needs a target, not target=0"
        if self.tick_every != 6 and not (self.dice or self.variable):
            on = "dice=true or variable=true"
            yield f"tick_every={self.tick_every} needs {on}, not dice=false,variable=false"
        for field in ("slips", "slip_return"):
            if getattr(self, field) != _DEFAULTS[field] and not self.variable:
                yield f"{field}={getattr(self, field)} needs variable=true, not variable=false"
        if self.betting == "alternating" and self.max_raises != _DEFAULTS["max_raises"]:
            yield f"max_raises={self.max_raises} needs betting=staged or poker, not alternating"
        for field, (least, most) in _RANGES.items():
            if not least <= getattr(self, field) <= most:
                yield f"{field} must lie within {least}..{most}, not {getattr(self, field)}"
        if isinstance(self.tick_every, int) and not 1 <= self.tick_every <= 1000:
            yield f"tick_every must lie within 1..1000, not {self.tick_every}"
        if self.cap and self.cap < self.ante:
            yield f"cap={self.cap} is less than ante={self.ante}"
        if self.stack < self.ante:
            yield f"stack={self.stack} is less than ante={self.ante}"

    @property
    def row(self) -> Variant:
        """The row of section 2 that is in force (at the start, with ``variable``)."""
        return VARIANTS[self.variant]

    @property
    def most_hands(self) -> int:
        """The number of hands after which a match is over in any case (sections 8 and 14)."""
        return self.max_hands if self.mode == "points" and self.target else self.hands


_NEEDS_MODE = {
    "target": "points",
    "max_hands": "points",
    "stack": "chips",
    "ante": "chips",
    "cap": "chips",
    "betting": "chips",
    "max_raises": "chips",
    "short_stack": "chips",
}
_RANGES = {
    "hands": (1, 1000),
    "target": (0, 1_000_000),
    "max_hands": (1, 10_000),
    "stack": (1, 1_000_000),
    "ante": (1, MAX_CHIPS),
    "cap": (0, MAX_CHIPS),
    "max_raises": (1, 100),
}
_DEFAULTS = {field.name: field.default for field in msgspec.structs.fields(SabaccRules)}


def _rows() -> Iterator[SabaccRules]:
    for row in VARIANTS.values():
        yield SabaccRules(name=row.name, source=row.source, variant=row.name)
    yield SabaccRules(name="card_exchange", source="004:142-146, section 5", dice=True)
    yield SabaccRules(name="variable", source="004:146-148, section 6", variable=True)


RULESETS = {row.name: row for row in _rows()}
"""The eleven named rulesets; the first is the default."""
