"""Section 12 of the rule book: every hand of three cards, counted twice, and of four."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from arena.games.sabacc.cards.cards import DECK
from arena.games.sabacc.cards.enumeration import classify
from arena.games.sabacc.cards.ranking import CATEGORIES, ranker
from arena.games.sabacc.cards.variants import VARIANTS
from tests.games.sabacc.ranking import STANDARD, rules_with

# Losing, points, -23, 46, combination, Idiot, pure: all 70,300 hands of three cards. Section 12
# and the shared cases SB-170 to SB-177 give six of these rows; the others were counted by trying
# everything (``sabacc_hands.slow_rank``).
WITH_WILD_FIVES = {
    "old_republic": (22, 60126, 96, 0, 60, 32, 9964),
    "rebel_alliance": (0, 60392, 16, 0, 4, 32, 9856),
    "new_republic": (0, 60422, 16, 0, 8, 32, 9822),
    "imperial": (0, 60666, 16, 0, 32, 32, 9554),
    "cloud_city": (0, 60268, 16, 0, 2, 32, 9982),
    "mos_eisley": (0, 60170, 16, 0, 0, 32, 10082),
    "corellian": (10, 60284, 70, 0, 14, 32, 9890),
    "corporate_sector": (0, 60321, 16, 0, 15, 32, 9916),
    "crseih_station": (0, 60286, 16, 0, 0, 32, 9966),
}
WITHOUT = {
    "old_republic": (22, 66862, 4, 0, 60, 32, 3320),
    "rebel_alliance": (0, 66956, 0, 0, 4, 32, 3308),
    "new_republic": (0, 66990, 0, 0, 8, 32, 3270),
    "imperial": (0, 67042, 0, 0, 32, 32, 3194),
    "cloud_city": (0, 66820, 0, 0, 2, 32, 3446),
    "mos_eisley": (0, 66806, 0, 0, 0, 32, 3462),
    "corellian": (10, 67012, 6, 0, 14, 32, 3226),
    "corporate_sector": (0, 66797, 0, 0, 15, 32, 3456),
    "crseih_station": (0, 66794, 0, 0, 0, 32, 3474),
}


def walked(rules, variant, cards):
    rank = ranker(rules, variant).rank
    found = Counter(rank(hand).category for hand in combinations(DECK, cards))
    return {category: found[category] for category in CATEGORIES}


@pytest.mark.parametrize("wild_five", [True, False])
@pytest.mark.parametrize("name", WITH_WILD_FIVES)
def test_s12_all_hands_of_three_cards(name, wild_five):
    rules, variant = rules_with(wild_five=wild_five), VARIANTS[name]
    expected = (WITH_WILD_FIVES if wild_five else WITHOUT)[name]
    assert tuple(walked(rules, variant, 3).values()) == expected
    assert tuple(classify(rules, variant, 3).values()) == expected


def test_s12_all_hands_of_four_cards():
    counts = classify(rules_with(), STANDARD, 4)
    assert sum(counts.values()) == 1_282_975
    assert counts == {
        "pure": 224285,
        "idiot": 2224,
        "combo": 3372,
        "double": 26232,
        "sabacc": 1270,
        "points": 993283,
        "bomb": 32309,
    }


@pytest.mark.parametrize(
    "options",
    [
        {"combo_match": "exact", "five_in_idiot": True},
        {"character_in_idiot": True, "zero_total": "bust"},
        {"suited_combo_cards": "numbered_only", "combo_vs_bomb": "bomb_first"},
    ],
)
def test_counting_codes_counts_hands_under_every_option(options):
    rules = rules_with(**options)
    assert classify(rules, STANDARD, 3) == walked(rules, STANDARD, 3)
    assert classify(rules, STANDARD, 3) != classify(rules_with(), STANDARD, 3)


@pytest.mark.parametrize("cards", range(7))
def test_every_hand_is_counted_once(cards):
    assert sum(classify(rules_with(), STANDARD, cards).values()) == comb(76, cards)
