"""The answers to the expectations of a Sabacc rule case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from arena.core.parts.cases import Json, items, known
from arena.games.sabacc.cards.cards import CHARACTERS, DECK, KINDS, Card
from arena.games.sabacc.cards.ranking import CATEGORIES, Ranker
from arena.games.sabacc.cards.rulesets import SabaccRules
from arena.games.sabacc.cards.showdown import finishing, leaders
from arena.games.sabacc.cards.value import Value
from arena.games.sabacc.cases.given import Given, cards, spelled
from arena.games.sabacc.engine.history import events_of

_BY_PLAYER = (
    "category", "strength", "total", "chips", "contributed", "hand_sizes", "hands", "counts",
    "points",
)  # fmt: skip
_FOUND = (
    "points", "counts", "legal", "count", "sum", "numbered", "ranked", "characters", "suits",
    "copies_of_each_character", "characters_sum_of_eight_kinds", "categories",
)  # fmt: skip

_FATES = {"carry_over": "carried_over", "refund": "refunded"}


class Answers:
    """The present state of a case's table, key by key.

    Attributes:
        expectations: The keys that it can answer.
        rules: The ruleset.
        hand: The engine's state.
        names: The players by seat.
        found: What steps have found out, by key.
        laid: By seat, once there was a showdown: the hands as they were laid down.
        left_the_hand: Whether somebody has folded.
    """

    expectations: Sequence[str]

    def __init__(self, given: Given, rules: SabaccRules) -> None:
        self.given, self.rules = given, rules
        self.hand, self.names = given.hand, given.names
        self.found: dict[str, Json] = {}
        self.laid: dict[int, tuple[Card, ...]] = {}
        self.left_the_hand = False
        self._first_hands, self._first_memory = self.hand.deck.hands, self.hand.deck.memory
        self._answers: dict[str, Callable[[], Json]] = {
            **{key: partial(self.found.get, key) for key in _FOUND},
            "category": lambda: self._of_hands(lambda value: value.category),
            "strength": lambda: self._of_hands(lambda value: value.strength),
            "total": self._total,
            "winner": self._winner,
            "rule": lambda: next(iter(self._rules_that_decided()), None),
            "order": self._order,
            "pot": lambda: self._pot_word() or self._pot(),
            "hands": lambda: self._by_name([spelled(hand) for hand in self.hand.deck.hands]),
            "hand_sizes": lambda: self._by_name(self.hand.deck.hand_sizes),
            "chips": lambda: self._by_name(self.hand.match.amounts),
            "contributed": lambda: self._by_name(self.hand.betting.staked),
            "last_stake": lambda: self.hand.betting.last_stake,
            "union_of_hands_unchanged": self._same_cards,
            "each_hand_keeps_at_least": self._least_kept,
            "untouched": self._untouched,
            "must_roll_after_fold": lambda: self.left_the_hand and self.rules.dice,
            "variant_used": lambda: self.hand.match.variant.name,
        }
        self._also_right: dict[str, Callable[[Json], bool]] = {
            "rule": lambda wanted: wanted in self._rules_that_decided(),
            "order": self._fits_the_order,
            "pot": self._is_the_pot,
            "untouched": lambda wanted: set(self._seated(wanted)) <= {*self._untouched()},
            "each_hand_keeps_at_least": lambda wanted: (
                type(wanted) is int and wanted <= self._least_kept()
            ),
        }
        self.expectations = tuple(self._answers)

    def actual(self, key: str) -> Json:
        return self._answers[key]()

    def normalized(self, key: str, expected: Json) -> Json:
        if key in self._also_right and self._also_right[key](expected):
            return self.actual(key)
        if key == "winner" and expected is not None:
            return list(self._seated([expected] if isinstance(expected, str) else expected))
        if key == "legal":
            return sorted(map(str, items(expected, key)))
        if key == "categories" and isinstance(expected, Mapping):
            known(expected, "category", CATEGORIES)
        if key not in _BY_PLAYER:
            return expected
        if isinstance(expected, Mapping):
            known(expected, "player", self.names)
            if key == "hands":
                return {who: spelled(cards(hand, who)) for who, hand in expected.items()}
        elif isinstance(self.actual(key), Mapping):
            return dict.fromkeys(self.names, expected)
        return expected

    # Hands

    def values(self) -> dict[int, Value]:
        """The values of the hands as they were laid down, by seat."""
        hands = self.laid or dict(enumerate(self.hand.deck.hands))
        return {seat: self.hand.match.ranks.rank(hand) for seat, hand in hands.items()}

    def _of_hands(self, what: Callable[[Value], Json]) -> Json:
        values = self.values()
        if self.given.lone is not None:
            return what(values[self.given.lone])
        return {self.names[seat]: what(value) for seat, value in values.items()}

    def _total(self) -> Json:
        if "total" in self.found:
            return self.found["total"]
        return self._of_hands(lambda value: value.total)

    # Showdown

    def _winner(self) -> Json:
        winners = self.hand.winners
        return None if winners is None else [self.names[seat] for seat in sorted(winners)]

    def _rules_that_decided(self) -> Sequence[str]:
        upset = bool(self.laid) and leaders(self.hand.match.ranks, self.laid)[1]
        return ["tiebreak"] * self.hand.was_tied + ([upset] if upset else [])

    def _places(self) -> list[list[str]]:
        winners = sorted(self.hand.winners or ())
        groups = finishing(self.hand.match.ranks, self.laid, winners)
        return [[self.names[seat] for seat in group] for group in groups]

    def _order(self) -> Json:
        if not self.laid:
            return self.found.get("order")
        return [name for group in self._places() for name in group]

    def _fits_the_order(self, wanted: Json) -> bool:
        if not self.laid:
            return False
        place = {name: number for number, group in enumerate(self._places()) for name in group}
        names = self._listed(wanted)
        return sorted(names) == sorted(place) and sorted(names, key=place.__getitem__) == names

    # Chips

    def _pot(self) -> int:
        return sum(self.hand.betting.staked)

    def _pot_word(self) -> str:
        winners = self.hand.winners
        if winners is None or len(winners) == 1 or not self.hand.match.chips:
            return ""
        if any(event.kind == "carry" for event in events_of(self.hand.match.history)):
            return "carried_over"
        return "refunded" if not winners and self.rules.all_bomb == "refund" else "split"

    def _is_the_pot(self, wanted: Json) -> bool:
        """Its size; or its fate by the name of the option that decided it (B13)."""
        if isinstance(wanted, str):
            return _FATES.get(wanted) == self._pot_word()
        return not isinstance(wanted, bool) and wanted == self._pot()

    # Dice

    def _untouched(self) -> list[str]:
        now = self.hand.deck.memory
        return [n for n, a, b in zip(self.names, now, self._first_memory, strict=True) if a == b]

    def _same_cards(self) -> bool:
        now, before = (Counter(c for hand in h for c in hand) for h in self._then_and_now())
        return now == before

    def _least_kept(self) -> int:
        now, before = self._then_and_now()
        pairs = zip(map(Counter, now), map(Counter, before), strict=True)
        return min((mine & first).total() for mine, first in pairs)

    def _then_and_now(self) -> tuple[Sequence[Sequence[Card]], Sequence[Sequence[Card]]]:
        return self.hand.deck.hands, self._first_hands

    # Names

    def _by_name(self, row: Sequence[Json]) -> dict[str, Json]:
        return dict(zip(self.names, row, strict=True))

    def _listed(self, names: Json) -> list[str]:
        """Players in a list; raises ``UnknownName``."""
        return [self.names[self.given.seat(name)] for name in items(names, "players")]

    def _seated(self, names: Json) -> list[str]:
        return sorted(self._listed(names), key=self.names.index)


def deck_facts(ranks: Ranker) -> dict[str, Json]:
    """The composition of the deck of 76 and its checksums (section 1)."""
    values = ranks.values
    copies = {DECK.count(card) for card in KINDS if card.character}
    return {
        "count": len(DECK),
        "numbered": sum(card.numbered for card in DECK),
        "ranked": sum(not (card.numbered or card.character) for card in DECK),
        "characters": sum(card.character for card in DECK),
        "suits": len({card.suit for card in DECK if card.suit}),
        "copies_of_each_character": copies.pop() if len(copies) == 1 else sorted(copies),
        "sum": sum(values[card.id] for card in DECK),
        "characters_sum_of_eight_kinds": sum(
            values[card.id] for card in KINDS if card.rank in CHARACTERS
        ),
    }
