"""Section 4 of the rule book and its options, hand by hand; the whole ranker against a slow one."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.sabacc.cards.cards import DECK, card_named
from arena.games.sabacc.cards.ranking import CATEGORIES, ranker
from arena.games.sabacc.cards.variants import VARIANTS
from tests.games.sabacc.ranking import (
    FOUR_TALL_FLASKS,
    IDIOT,
    JEDI,
    all_rules,
    compare,
    hand_of,
    hands,
    rank,
    rules_with,
    shown,
    slow_rank,
    variants,
)

# 4.1 the wild five


def test_s41_the_example_of_the_source_is_pure_sabacc():
    assert shown(rank("Commander of Sabers, 2 of Staves, 5 of Flasks")) == ("pure", 23, 23)


@pytest.mark.parametrize(
    ("text", "category", "total", "strength"),
    [
        ("Ace of Coins, 8 of Flasks, 5 of Sabers, 5 of Staves", "pure", 23, 23),  # SB-013
        ("Ace of Coins, Ace of Flasks, 5 of Staves", "pure", 23, 23),  # SB-021: the five as -7
        ("1 of Coins, 2 of Flasks, 5 of Staves", "points", 14, 14),  # as 11
        ("Dark Jedi, 1 of Coins, 5 of Staves", "sabacc", -23, 23),  # as -10
        ("Ace of Coins, 8 of Flasks, 5 of Sabers", "points", 22, 22),  # as -1: 0 is not available
        ("Ace of Coins, Ace of Flasks, 5 of Coins, 5 of Sabers", "pure", 23, 23),
        ("Ace of Coins, Ace of Flasks, Ace of Staves, 5 of Coins", "double", 46, 23),
        ("Ace of Coins, Ace of Flasks, Ace of Staves, Ace of Sabers, 5 of Coins", "bomb", 49, 0),
    ],
)
def test_s41_a_five_takes_the_value_best_for_its_owner(text, category, total, strength):
    assert shown(rank(text)) == (category, total, strength)


@pytest.mark.parametrize("rest", range(-14, 36))
def test_s41_one_five_makes_23_of_12_to_22_and_24_to_34_only(rest):
    tall = [card_named(f"{rank} of Coins") for rank in ("Commander", "Mistress", "Ace")]
    low = [card_named(f"{number} of Staves") for number in range(1, 12) if number != 5]
    dark = [card_named("Dark Jedi")]
    ranks = ranker(rules_with(), VARIANTS["old_republic"])
    others = next(
        cards
        for count in range(1, 5)
        for cards in itertools.combinations(tall + low + dark, count)
        if sum(ranks.values[card.id] for card in cards) == rest
    )
    value = ranks.rank([*others, card_named("5 of Flasks")])
    assert (value.category == "pure") == (12 <= rest <= 34 and rest != 23)
    if rest == 23:
        assert value.total == 22


# 4.2 the categories


def test_s42_the_categories_in_the_order_of_the_source():
    falling = [
        rank("Ace of Coins, 7 of Flasks, 1 of Staves"),
        rank(IDIOT),
        rank(JEDI),
        rank("Ace of Coins, Ace of Flasks, Ace of Sabers, 1 of Staves"),
        rank("Dark Jedi, Dark Jedi, 5 of Coins, 4 of Coins"),
        rank("Ace of Coins, 7 of Flasks"),
        rank("Dark Jedi, Dark Jedi"),
    ]
    assert [value.category for value in falling] == list(reversed(CATEGORIES))
    keys = [value.key for value in falling]
    assert sorted(keys, reverse=True) == keys
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    ("variant", "text", "category"),
    [
        ("old_republic", "Jedi Master, Jedi Knight, Ace of Sabers", "combo"),  # SB-042
        ("old_republic", "Jedi Master, Jedi Knight, 7 of Coins", "points"),
        ("old_republic", "Jedi Master, Jedi Master, 7 of Sabers", "points"),
        ("rebel_alliance", "Jedi Knight, Jedi Knight, Ace of Coins", "combo"),
        ("rebel_alliance", "Jedi Knight, Jedi Knight, Master of Coins", "points"),
        ("new_republic", "Jedi Knight, Jedi Master, Smuggler", "combo"),  # SB-052
        ("imperial", "Lord of the Sith, Commander of Coins, Ace of Flasks", "combo"),  # SB-053
        ("imperial", "Lord of the Sith, Mistress of Coins, Ace of Flasks", "points"),  # SB-054
        ("imperial", "Jedi Master, Jedi Knight, 7 of Sabers", "points"),  # SB-048
        ("cloud_city", "Smuggler, Smuggler, Jedi Knight", "combo"),
        ("cloud_city", "Smuggler, Jedi Knight, Jedi Knight", "points"),
        ("mos_eisley", "Smuggler, Bounty Hunter, Bounty Hunter, 3 of Coins", "combo"),  # SB-056
        ("mos_eisley", "Smuggler, Bounty Hunter, 3 of Coins", "points"),  # SB-057
        ("mos_eisley", "Smuggler, Bounty Hunter, Bounty Hunter, 3 of Sabers", "points"),
        ("corellian", "Smuggler, Smuggler, 1 of Coins", "combo"),
        ("corporate_sector", "Bounty Hunter, Bounty Hunter, Ace of Coins", "combo"),
        ("crseih_station", "2 of Flasks, 3 of Flasks, 4 of Flasks, 6 of Flasks", "combo"),
        ("crseih_station", "2 of Flasks, 3 of Flasks, 4 of Flasks, 6 of Coins", "points"),
        ("crseih_station", FOUR_TALL_FLASKS, "combo"),  # SB-062
    ],
)
def test_i13_each_variant_has_its_own_combination(variant, text, category):
    assert rank(text, VARIANTS[variant]).category == category


@pytest.mark.parametrize(
    ("variant", "text", "category"),
    [
        ("mos_eisley", "Smuggler, Bounty Hunter, Bounty Hunter, 7 of Coins", "pure"),  # SB-058
        ("corellian", "Smuggler, Smuggler, Ace of Coins", "pure"),  # SB-060
        ("crseih_station", "2 of Flasks, 3 of Flasks, 4 of Flasks, Master of Flasks", "pure"),
        (
            "crseih_station",  # SB-065: 46
            "Ace of Flasks, Master of Flasks, Mistress of Flasks, 4 of Flasks",
            "combo",
        ),
        ("old_republic", f"{IDIOT}, {JEDI}, 1 of Coins", "idiot"),
        ("old_republic", f"{IDIOT}, 10 of Coins, 8 of Coins", "pure"),
    ],
)
def test_s42_a_hand_counts_as_its_best_category(variant, text, category):
    assert rank(text, VARIANTS[variant]).category == category


def test_s42_a_combination_has_no_total():
    assert shown(rank(IDIOT)) == ("idiot", None, 23)
    assert shown(rank(JEDI)) == ("combo", None, 23)


@pytest.mark.parametrize(
    "text",
    ["Idiot, 2 of Coins, 4 of Flasks", "Idiot, 3 of Coins, 3 of Flasks", "2 of Coins, 3 of Coins"],
)
def test_s42_the_idiot_combination_takes_a_two_a_three_and_an_idiot(text):
    assert rank(text).category == "points"


# 4.3 points hands


@pytest.mark.parametrize(
    ("text", "total", "strength"),
    [
        ("Ace of Coins, 9 of Flasks, Idiot", 24, 1),  # SB-024
        ("Ace of Coins, Master of Coins", 29, 6),  # 004:114
        ("Ace of Coins, Master of Coins, Master of Flasks", 43, 20),  # 004:126
        ("Ace of Coins, Ace of Flasks, Ace of Sabers", 45, 22),  # SB-025
        ("Idiot", 0, 0),
        ("Ace of Coins, 7 of Flasks", 22, 22),
        ("Dark Jedi, 8 of Coins, 9 of Coins, Dark Jedi", -11, 11),
        ("Dark Jedi, Dark Jedi, 6 of Coins", -22, 22),
    ],
)
def test_s43_what_a_total_counts(text, total, strength):
    assert shown(rank(text)) == ("points", total, strength)


def test_s43_the_worked_example_of_the_source():
    solo = rank("Ace of Coins, Master of Coins, Master of Flasks")  # 43
    calrissian = rank("Dark Jedi, Dark Jedi, Mistress of Coins")  # -15
    chewie = rank("Ace of Coins, 6 of Coins")  # 21
    assert chewie.key > solo.key > calrissian.key


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("Ace of Coins, Ace of Flasks, Ace of Sabers, 2 of Coins", 47),
        ("Dark Jedi, Dark Jedi, 4 of Coins", -24),  # SB-017
        ("Dark Jedi, Dark Jedi, 2 of Coins", -26),  # SB-018
    ],
)
def test_s43_above_46_and_below_minus_23_lose(text, total):
    value = rank(text)
    assert shown(value) == ("bomb", total, 0)
    assert value.bomb


def test_s43_46_and_minus_23_do_not_lose():
    assert not rank("Ace of Coins, Ace of Flasks, Ace of Sabers, 1 of Staves").bomb  # SB-019
    assert not rank("Dark Jedi, Dark Jedi, 4 of Coins, 1 of Coins").bomb


def test_s43_all_losing_hands_are_equal():
    over = rank("Ace of Coins, Ace of Flasks, Ace of Sabers, 2 of Coins")
    assert over.key == rank("Dark Jedi, Dark Jedi, 2 of Coins").key


def test_the_total_of_a_losing_hand_is_the_one_nearest_to_the_legal_range():
    low = "Dark Jedi, Dark Jedi, Dark Jedi, 5 of Coins"  # -42, described with a copy too many
    high = "Ace of Coins, Ace of Flasks, Ace of Sabers, Ace of Staves, 5 of Coins, 1 of Coins"
    assert (rank(low).total, rank(high).total) == (-31, 50)


# The ranker


def test_values_are_the_variants_own_and_a_five_its_printed_5():
    values = ranker(rules_with(), VARIANTS["imperial"]).values
    assert values[card_named("Jedi Knight").id] == 15
    assert values[card_named("Idiot").id] == 0
    assert values[card_named("5 of Coins").id] == 5
    assert sum(values[card.id] for card in DECK) == 540


def test_one_ranker_for_equal_rules_and_another_for_others():
    standard = VARIANTS["old_republic"]
    assert ranker(rules_with(), standard) is ranker(rules_with(), standard)
    assert ranker(rules_with(sign_tie="tie"), standard) is not ranker(rules_with(), standard)
    assert ranker(rules_with(), VARIANTS["imperial"]) is not ranker(rules_with(), standard)


def test_a_hands_code_is_the_sum_of_its_cards_codes():
    ranks = ranker(rules_with(), VARIANTS["old_republic"])
    cards = hand_of(JEDI)
    assert ranks.value(sum(ranks.codes[card] for card in cards)) == ranks.rank(cards)


def test_totals_are_all_that_the_fives_can_give_natural_ones_first():
    ranks = ranker(rules_with(), VARIANTS["old_republic"])
    totals = ranks.totals(hand_of("2 of Coins, 5 of Coins"))
    assert totals == [0, 1, *range(3, 14), *range(-1, -10, -1)]
    assert ranks.totals(hand_of("2 of Coins")) == [2]


@given(all_rules, variants, hands())
def test_the_ranker_agrees_with_trying_everything(rules, variant, cards):
    assert shown(ranker(rules, variant).rank(cards)) == slow_rank(rules, variant, cards)


@given(all_rules, variants, hands(), hands())
def test_keys_order_hands_as_the_rules_do(rules, variant, one, other):
    first, second = (ranker(rules, variant).rank(cards) for cards in (one, other))
    by_rule = compare(rules, (first.category, first.total), (second.category, second.total))
    by_key = (first.key > second.key) - (first.key < second.key)
    assert by_key == (by_rule > 0) - (by_rule < 0)


@given(all_rules, variants, hands(), st.randoms(use_true_random=False))
def test_the_order_of_the_cards_does_not_matter(rules, variant, cards, rng):
    rank_of = ranker(rules, variant).rank
    before = rank_of(cards)
    rng.shuffle(cards)
    assert rank_of(cards) == before


@given(variants, hands())
def test_a_wild_five_is_never_worse_than_its_printed_value(variant, cards):
    printed = ranker(rules_with(wild_five=False), variant).rank(cards)
    assert ranker(rules_with(), variant).rank(cards).key >= printed.key
