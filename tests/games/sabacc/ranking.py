"""Helpers for tests of Sabacc's hands: short notations, and a slow ranker to compare with.

The slow ranker is written from the text of section 4 alone: it tries every value of every five
and every choice of cards for a combination.
"""

from functools import cmp_to_key
from itertools import permutations, product
from typing import get_args, get_type_hints

from hypothesis import strategies as st

from arena.core.text.parsing import format_call
from arena.games.sabacc.cards.cards import DECK, KINDS, card_named
from arena.games.sabacc.cards.ranking import ranker
from arena.games.sabacc.cards.rulesets import SabaccRules
from arena.games.sabacc.cards.variants import VARIANTS

STANDARD = VARIANTS["old_republic"]

IDIOT = "Idiot, 2 of Coins, 3 of Flasks"
JEDI = "Jedi Master, Jedi Knight, 7 of Sabers"
FOUR_TALL_FLASKS = "Ace of Flasks, Master of Flasks, Mistress of Flasks, Commander of Flasks"


def rules_with(**options):
    return SabaccRules(name=format_call("test", options), source="a test", **options)


def hand_of(text):
    """``"Ace of Coins, 5 of Flasks, Idiot"``."""
    return [card_named(name) for name in text.split(",")]


def rank(text, variant=STANDARD, **options):
    return ranker(rules_with(**options), variant).rank(hand_of(text))


def shown(value):
    return value.category, value.total, value.strength


RANKING_OPTIONS = {
    "wild_five": (True, False),
    "five_in_idiot": (False, True),
    "character_in_idiot": (False, True),
    **{
        field: get_args(get_type_hints(SabaccRules)[field])
        for field in (
            "combo_match",
            "suited_combo_cards",
            "combo_vs_bomb",
            "idiot_upset",
            "negative_strength",
            "sign_tie",
            "reduced_tie",
            "zero_total",
        )
    },
}

all_rules = st.fixed_dictionaries(
    {name: st.sampled_from(choices) for name, choices in RANKING_OPTIONS.items()}
).map(lambda options: rules_with(**options))
variants = st.sampled_from(list(VARIANTS.values()))

FIVES = [card for card in KINDS if card.rank == "5"]
MATTERING = [
    card
    for card in DECK
    if card.character or card.rank in ("2", "3", "5", "Ace", "Commander") or card.suit == "Flasks"
]


@st.composite
def hands(draw, most=7):
    """Hands where something happens: combinations and up to three fives; copies are possible."""
    pool = st.sampled_from(draw(st.sampled_from([MATTERING, DECK])))
    cards = draw(st.lists(pool, min_size=1, max_size=most))
    cards += draw(st.sampled_from([[], [card_named("Idiot"), card_named("2 of Coins")]]))
    fives = [card for card in cards if card in FIVES]
    return [card for card in cards if card not in fives[3:]]


ORDER = ["bomb", "points", "sabacc", "double", "combo", "idiot", "pure"]


def face(variant, card):
    return variant.values[KINDS.index(card) - 60] if card.character else card.value


def holds(cards, wants):
    """True if different cards of the hand satisfy the conditions, one each."""
    return any(
        all(want(card) for want, card in zip(wants, chosen, strict=True))
        for chosen in permutations(cards, len(wants))
    )


def idiot_wants(rules, variant):
    def is_a(number):
        def want(card):
            return (
                (card.numbered and card.rank == str(number))
                or (rules.five_in_idiot and rules.wild_five and card in FIVES)
                or (rules.character_in_idiot and card.character and face(variant, card) == number)
            )

        return want

    return [lambda card: card.rank == "Idiot", is_a(2), is_a(3)]


def combo_wants(rules, variant):
    def is_a(what):
        def want(card):
            if card.suit == what:
                return card.numbered or rules.suited_combo_cards == "numbered_and_ranked"
            return card.rank == what

        return want

    return [is_a(what) for what, number in variant.needs for _ in range(number)]


def every_total(rules, variant, cards):
    either = [*range(-11, 0), *range(1, 12)]
    choices = (
        either if rules.wild_five and card in FIVES else [face(variant, card)] for card in cards
    )
    return {sum(chosen) for chosen in product(*choices)}


def category_of(rules, total):
    if total > 46 or total < -23 or (total == 0 and rules.zero_total == "bust"):
        return "bomb"
    return {23: "pure", 46: "double", -23: "sabacc"}.get(total, "points")


def strength_of(category, total):
    if category == "bomb":
        return 0
    if category != "points":
        return 23
    return -total if total < 0 else total - 23 if total > 23 else total


def compare(rules, one, other):
    """Above 0 if the first of two (category, total) is better."""
    order = [*ORDER[:-2], "pure", "idiot"] if rules.idiot_upset == "always" else ORDER
    if one[0] != other[0]:
        return order.index(one[0]) - order.index(other[0])
    if one[0] != "points":
        return 0
    negative = [total < 0 for _, total in (one, other)]
    if rules.negative_strength == "below_positive" and negative[0] != negative[1]:
        return negative[1] - negative[0]
    strengths = [strength_of(*each) for each in (one, other)]
    if strengths[0] != strengths[1]:
        return strengths[0] - strengths[1]
    if rules.sign_tie == "positive_wins" and negative[0] != negative[1]:
        return negative[1] - negative[0]
    reduced = [total > 23 for _, total in (one, other)]
    if rules.reduced_tie == "natural_wins":
        return reduced[1] - reduced[0]
    return 0


def slow_rank(rules, variant, cards):
    """Category, total and strength by trying everything."""
    totals = every_total(rules, variant, cards)
    readings = [(category_of(rules, total), total) for total in totals]
    allowed = rules.combo_vs_bomb == "combo_first" or any(-23 <= each <= 46 for each in totals)
    for category, wants in (
        ("idiot", idiot_wants(rules, variant)),
        ("combo", combo_wants(rules, variant)),
    ):
        whole = rules.combo_match == "contains" or len(cards) == len(wants)
        if allowed and whole and holds(cards, wants):
            readings.append((category, None))
    better = cmp_to_key(lambda one, other: compare(rules, one, other))
    best = max(readings, key=better)
    equal = [reading for reading in readings if compare(rules, reading, best) == 0]
    if best[0] == "points":
        best = min(equal, key=lambda reading: (reading[1] < 0, reading[1] > 23))
    if best[0] == "bomb":
        best = min(equal, key=lambda reading: abs(reading[1] - 11))
    return (*best, strength_of(*best))
