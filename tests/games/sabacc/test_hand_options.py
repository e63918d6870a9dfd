"""The effect of each option on the value of a hand: I4, I5, I6 and B1 to B7."""

import pytest

from arena.games.sabacc.cards.variants import VARIANTS
from tests.games.sabacc.ranking import FOUR_TALL_FLASKS, IDIOT, JEDI, rank, shown


def test_i4_a_five_that_is_not_wild_is_a_five():
    value = rank("Ace of Coins, 8 of Flasks, 5 of Sabers", wild_five=False)
    assert shown(value) == ("points", 28, 5)  # SB-014


@pytest.mark.parametrize("category", ["idiot", "combo"])
def test_b1_a_combination_is_within_the_hand_or_the_whole_hand(category):
    exact = {"idiot": IDIOT, "combo": JEDI}[category]
    more = f"{exact}, Ace of Coins"
    assert rank(exact).category == rank(more).category == category
    assert rank(exact, combo_match="exact").category == category
    assert rank(more, combo_match="exact").category == "points"


def test_b1_the_exact_combination_of_four_cards_is_four_cards():
    gangster = "Smuggler, Bounty Hunter, Bounty Hunter, 3 of Coins"
    variant = VARIANTS["mos_eisley"]
    assert rank(gangster, variant, combo_match="exact").category == "combo"
    assert rank(f"{gangster}, 1 of Coins", variant, combo_match="exact").category == "points"


@pytest.mark.parametrize(
    ("variant", "ranked", "numbered"),
    [
        ("old_republic", "Jedi Master, Jedi Knight, Ace of Sabers", "1 of Sabers"),  # SB-043
        ("corporate_sector", "Bounty Hunter, Bounty Hunter, Ace of Coins", "11 of Coins"),
        ("crseih_station", FOUR_TALL_FLASKS, "1 of Flasks, 3 of Flasks, 8 of Flasks, 10 of Flasks"),
    ],
)
def test_b2_ranked_cards_may_not_count_as_cards_of_a_suit(variant, ranked, numbered):
    row, only = VARIANTS[variant], {"suited_combo_cards": "numbered_only"}
    assert rank(ranked, row).category == "combo"
    assert rank(ranked, row, **only).category in ("points", "bomb")
    assert rank(f"{ranked}, {numbered}", row, **only).category == "combo"


def test_b2_a_named_rank_is_no_card_of_a_suit():
    sith = "Lord of the Sith, Commander of Coins, Ace of Flasks"
    value = rank(sith, VARIANTS["imperial"], suited_combo_cards="numbered_only")
    assert value.category == "combo"


@pytest.mark.parametrize("suited", ["numbered_and_ranked", "numbered_only"])
def test_b3_a_five_keeps_its_suit_and_is_numbered(suited):
    # SB-044; 3 + 3 + 11 is only 17
    value = rank("Jedi Master, Jedi Knight, 5 of Sabers", suited_combo_cards=suited)
    assert value.category == "combo"


def test_b3_a_five_may_stand_for_the_two_or_the_three():
    with_three, both = "Idiot, 5 of Coins, 3 of Flasks", "Idiot, 5 of Coins, 5 of Flasks"
    assert rank(with_three).category == rank(both).category == "points"
    assert rank(with_three, five_in_idiot=True).category == "idiot"
    assert rank("Idiot, 2 of Coins, 5 of Flasks", five_in_idiot=True).category == "idiot"
    assert rank(both, five_in_idiot=True).category == "idiot"
    assert rank("Idiot, 5 of Coins, 4 of Flasks", five_in_idiot=True).category == "points"
    assert rank("5 of Staves, 2 of Coins, 3 of Coins", five_in_idiot=True).category == "points"


def test_b3_only_a_wild_five_stands_for_anything():
    value = rank("Idiot, 5 of Coins, 3 of Flasks", five_in_idiot=True, wild_five=False)
    assert value.category == "points"


def test_b3_a_character_may_be_the_three_where_it_is_worth_3():
    text = "Idiot, 2 of Coins, Jedi Master"
    assert rank(text).category == "points"
    assert rank(text, character_in_idiot=True).category == "idiot"
    assert rank(text, VARIANTS["imperial"], character_in_idiot=True).category == "points"


def test_b4_a_combination_above_46_may_be_a_losing_hand():
    tall = "Jedi Master, Jedi Knight, Ace of Sabers, Ace of Coins, Ace of Flasks"  # 51, SB-047
    idiots = f"{IDIOT}, Ace of Coins, Ace of Flasks, Ace of Sabers"  # 50
    assert rank(tall).category == "combo"
    assert rank(idiots).category == "idiot"
    assert shown(rank(tall, combo_vs_bomb="bomb_first")) == ("bomb", 51, 0)
    assert shown(rank(idiots, combo_vs_bomb="bomb_first")) == ("bomb", 50, 0)


def test_b4_a_five_can_save_a_combination():
    saved = "Jedi Master, Jedi Knight, 5 of Sabers, Ace of Coins, Ace of Flasks, Ace of Staves"
    assert rank(saved, combo_vs_bomb="bomb_first").category == "combo"  # 51 - 5 = 46


def test_i6_negative_totals_by_their_size_or_below_every_positive_one():
    low, high = "Dark Jedi, Dark Jedi, 6 of Coins", "10 of Coins, 9 of Flasks, 2 of Staves"
    assert rank(low).key > rank(high).key  # -22 against 21
    option = {"negative_strength": "below_positive"}
    assert rank(low, **option).key < rank(high, **option).key  # SB-077
    assert rank(low, **option).key < rank("Idiot", **option).key
    assert rank(low, **option).key > rank("Dark Jedi", **option).key  # closest to -23
    assert rank("Dark Jedi, 9 of Coins, 5 of Coins", **option).total == 6


def test_b5_15_against_minus_15():
    high, low = "10 of Coins, 4 of Flasks, 1 of Staves", "Dark Jedi, Dark Jedi, Mistress of Sabers"
    assert rank(high).strength == rank(low).strength == 15  # SB-078
    assert rank(high).key > rank(low).key
    assert rank("Ace of Coins, Ace of Flasks, 8 of Coins").key > rank(low).key  # 38 is positive
    assert rank(high, sign_tie="tie").key == rank(low, sign_tie="tie").key


def test_b6_43_against_20():
    reduced, natural = "Ace of Coins, Master of Coins, Master of Flasks", "11 of Coins, 9 of Coins"
    assert rank(reduced).key == rank(natural).key
    option = {"reduced_tie": "natural_wins"}
    assert rank(reduced, **option).key < rank(natural, **option).key
    assert rank(reduced, **option).key > rank("11 of Coins, 8 of Coins", **option).key


@pytest.mark.parametrize("sign_tie", ["positive_wins", "tie"])
def test_b5_and_b6_together_leave_minus_20_its_place(sign_tie):
    options = {"sign_tie": sign_tie, "reduced_tie": "natural_wins"}
    natural, reduced, negative = (
        rank(text, **options).key
        for text in (
            "11 of Coins, 9 of Coins",
            "Ace of Coins, Master of Coins, Master of Flasks",
            "Dark Jedi, Dark Jedi, 8 of Coins",
        )
    )
    assert natural > reduced
    assert negative == natural if sign_tie == "tie" else negative < reduced


def test_b7_zero_may_lose():
    zero = "Dark Jedi, Master of Coins"
    assert shown(rank(zero)) == ("points", 0, 0)
    assert shown(rank(zero, zero_total="bust")) == ("bomb", 0, 0)
    assert not rank(f"{zero}, 5 of Coins", zero_total="bust").bomb
    assert rank(f"{zero}, {IDIOT}, Dark Jedi, 9 of Coins", zero_total="bust").category == "idiot"


def test_i5_always_puts_the_idiot_combination_first():
    both = f"{IDIOT}, 10 of Coins, 8 of Coins"
    assert rank(both).category == "pure"
    assert rank(both, idiot_upset="always").category == "idiot"
    pure = rank("Ace of Coins, 8 of Coins", idiot_upset="always")
    assert rank(IDIOT, idiot_upset="always").key > pure.key
    assert rank(IDIOT).key < pure.key
