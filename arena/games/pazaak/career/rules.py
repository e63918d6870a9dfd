"""Rulesets of career matches: Pazaak's own rows, with the extras of section 7 as options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

from msgspec import structs

from arena.core.game import Ruleset
from arena.core.text.parsing import format_call, parse_call
from arena.games.pazaak.engine.cards import CATALOGUE, Card, card_named, in_order
from arena.games.pazaak.engine.rulesets import HAND_SIZE, RULESETS, PazaakRules

PERSON, RIVAL = 0, 1
"""The seats of a career match: the extras are open to seat 0 only."""
MAX_VALUE = 6
"""The largest value of a hand card that is changed (section 7, cheat 3)."""


class CareerRules(PazaakRules, frozen=True, kw_only=True):
    """One row of Pazaak's rules with the extras of section 7, all off by default.

    The extras are those of the person, who has seat 0. Chances are whole per cent.

    Attributes:
        skill_roll: Section 7, "unimportant game" (003:133-134): no card is played, both roll their
            skill until one alone succeeds and wins; a drawn match after ``max_sets`` rolls (25
            where that is 0).
        skill: Section 7 (003:133-147): the person's chance in a roll of the skill "game".
        rival_skill: Section 7 (003:133-134): the rival's chance, which ``skill_roll`` alone uses.
        auxiliary: Section 7 (003:144-147): the person may look at a second hand of four, of the
            side-deck cards not dealt, and exchange a hand card for one of them: one roll of
            ``skill`` a set at most, before a deck card of the person's; failure costs nothing.
        cheats: Section 7 (003:153-161): the person may cheat once a turn, after the deck card:
            alter a deck card, turn a hand card's sign, or change a hand card's value. Who is
            caught has lost the match.
        cheat_chance: Section 7: the chance of the first attempt of a match.
        cheat_step: Section 7: what every attempt takes from the chance of those after it.
    """

    skill_roll: bool = False
    skill: int = 50
    rival_skill: int = 50
    auxiliary: bool = False
    cheats: bool = False
    cheat_chance: int = 60
    cheat_step: int = 15

    def _problems(self) -> Iterator[str]:
        yield from super()._problems()
        for field in ("skill", "rival_skill", "cheat_chance", "cheat_step"):
            if not 0 <= getattr(self, field) <= 100:
                yield f"{field} is a chance in per cent, 0 to 100"
        if self.auxiliary and self.deck_sizes[0] < 2 * HAND_SIZE:
            yield f"an auxiliary hand needs side decks of at least {2 * HAND_SIZE} cards"

    def chance_of_cheat(self, attempts: int) -> int:
        """Section 7: the chance in per cent that an attempt succeeds after that many others."""
        return max(0, self.cheat_chance - attempts * self.cheat_step)

    @property
    def most_rolls(self) -> int:
        """The number of rolls after which a match by skill is drawn."""
        return self.max_sets or 25


@cache
def plain(rules: CareerRules) -> PazaakRules:
    """The rules of the table only, as Pazaak knows them by name."""
    row, options = parse_call(rules.name)
    kept = {name: value for name, value in options.items() if name in _PLAIN}
    fields = {name: getattr(rules, name) for name in _PLAIN}
    return PazaakRules(**{**fields, "name": format_call(row, kept)})


_PLAIN = frozenset(field.name for field in structs.fields(PazaakRules))


def _row(rules: PazaakRules) -> CareerRules:
    return CareerRules(**structs.asdict(rules))


RULESETS_OF_CAREER: dict[str, Ruleset] = {name: _row(rules) for name, rules in RULESETS.items()}
"""Pazaak's five named rulesets, by name; the first is the default."""


def auxiliary_pool(side_deck: tuple[Card, ...], dealt: tuple[Card, ...]) -> tuple[Card, ...]:
    """Section 7: the cards of a side deck that were not dealt, of which an auxiliary hand comes."""
    return in_order((Counter(side_deck) - Counter(dealt)).elements())


@cache
def turned(card: Card) -> Card | None:
    """Section 7, cheat 2: the hand card of the other sign; ``None`` where the sign is not fixed."""
    if card not in CATALOGUE[:12]:
        return None
    return card_named(f"{-card.values[0]:+d}")


@cache
def changed(card: Card) -> tuple[Card, ...]:
    """Section 7, cheat 3: hand cards of the same kind with the other values of 1 to 6."""
    if card not in CATALOGUE[:18]:
        return ()
    same = CATALOGUE[card.id // MAX_VALUE * MAX_VALUE :][:MAX_VALUE]
    return tuple(other for other in same if other is not card)
