"""Section 8 of the rule book, I3, I7, I8, I9, and the fives of its last paragraph."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.sabacc.cards.points import hand_points
from arena.games.sabacc.cards.ranking import ranker
from arena.games.sabacc.cards.variants import VARIANTS
from tests.games.sabacc.ranking import (
    IDIOT,
    JEDI,
    STANDARD,
    every_total,
    hand_of,
    hands,
    rules_with,
    variants,
)

TALL = "Ace of Coins, Ace of Flasks, Ace of Sabers, Ace of Staves, Master of Coins"  # 74


def points(text, variant=STANDARD, *, dealt=False, won=False, **options):
    return hand_points(ranker(rules_with(**options), variant), hand_of(text), dealt=dealt, won=won)


@pytest.mark.parametrize(
    ("text", "scored"),
    [
        ("11 of Coins, 4 of Flasks", 15),
        ("Idiot", 0),
        ("Ace of Coins, 7 of Flasks, 1 of Staves", 23),  # SB-141
        ("Ace of Coins, Ace of Flasks, Ace of Sabers, 1 of Staves", 23),  # SB-139
        ("Dark Jedi, Dark Jedi, 4 of Coins, 1 of Coins", 23),
        (f"{IDIOT}, 1 of Coins", 23),
        (f"{JEDI}, 4 of Coins", 23),  # SB-135
        (f"{JEDI}, Ace of Coins, Ace of Flasks, 4 of Coins", 23),  # 47: still a combination
        ("Dark Jedi, Dark Jedi, 2 of Coins", 0),  # SB-138: -26
    ],
)
def test_s8_what_a_hand_scores(text, scored):
    assert points(text) == scored


def test_s8_every_variants_combination_scores_23():
    assert points("Smuggler, Smuggler, 4 of Coins, 1 of Staves", VARIANTS["corellian"]) == 23
    assert points("Smuggler, Smuggler, 4 of Coins, 1 of Staves") == 2  # 25 in the Old Republic


@pytest.mark.parametrize(("option", "scored"), [("minus_46", 2), ("zero", 0), ("penalty", -2)])
def test_i3_above_46(option, scored):
    text = "Ace of Coins, Ace of Flasks, Ace of Sabers, 3 of Staves"
    assert points(text, points_over_46=option) == scored


@pytest.mark.parametrize(("option", "scored"), [("minus_46", 28), ("zero", 0)])
def test_i3_the_exploit_is_kept_and_can_be_closed(option, scored):
    assert points(TALL, points_over_46=option) == scored  # SB-143, SB-144


@pytest.mark.parametrize(
    ("text", "reduced", "raw"),
    [
        ("Ace of Coins, Master of Coins", 6, 29),
        ("Ace of Coins, 9 of Coins", 1, 24),
        ("Ace of Coins, Ace of Flasks, Ace of Sabers", 22, 45),
        ("Ace of Coins, Ace of Flasks, Ace of Sabers, 1 of Staves", 23, 23),
        ("Ace of Coins, 7 of Coins", 22, 22),
    ],
)
def test_i7_24_to_45(text, reduced, raw):
    assert points(text) == reduced
    assert points(text, points_24_45="raw") == raw


@pytest.mark.parametrize(("option", "scored"), [("absolute", 15), ("signed", -15), ("zero", 0)])
def test_i8_minus_points(option, scored):
    text = "Dark Jedi, Dark Jedi, Mistress of Coins"
    assert points(text, points_negative=option) == scored


@pytest.mark.parametrize("option", ["absolute", "signed", "zero"])
def test_i8_minus_23_is_sabacc_and_beyond_it_zero(option):
    fool, beyond = "Dark Jedi, Dark Jedi, 4 of Coins, 1 of Coins", "Dark Jedi, Dark Jedi"
    assert points(fool, points_negative=option) == 23
    assert points(beyond, points_negative=option) == 0


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        ("old_republic", "Ace of Coins, 7 of Flasks, 1 of Staves"),
        ("old_republic", "Dark Jedi, 1 of Coins, 5 of Flasks"),  # -23
        ("old_republic", IDIOT),
        ("old_republic", JEDI),
        ("corellian", "Smuggler, Smuggler, 4 of Coins"),
    ],
)
def test_i9_a_dealt_sabacc_scores_ten_more(variant, text):
    row = VARIANTS[variant]
    assert points(text, row) == 23
    assert points(text, row, dealt=True) == 33
    assert points(text, row, dealt=True, won=True) == 33
    assert points(text, row, dealt=True, bonus="off") == 23
    assert points(text, row, dealt=True, bonus="winner") == 23


def test_i9_other_dealt_hands_score_no_bonus():
    assert points("11 of Coins, 4 of Flasks, Idiot", dealt=True) == 15


def test_i9_the_bonus_may_be_the_winners():
    assert points("11 of Coins, 4 of Flasks", won=True, bonus="winner") == 25
    assert points("11 of Coins, 4 of Flasks", won=True) == 15
    assert points("11 of Coins, 4 of Flasks", won=True, bonus="off") == 15
    assert points(IDIOT, won=True, bonus="winner") == 33


@pytest.mark.parametrize(
    ("text", "scored"),
    [
        ("Commander of Sabers, 2 of Staves, 5 of Flasks", 23),
        ("1 of Coins, 2 of Flasks, 5 of Staves", 14),
        ("Ace of Coins, 8 of Flasks, 5 of Sabers", 22),
        ("Ace of Coins, Ace of Flasks, Ace of Sabers, Ace of Staves, 5 of Coins", 25),  # 71 - 46
    ],
)
def test_a_five_takes_the_value_that_scores_most(text, scored):
    assert points(text) == scored


def test_a_five_scores_most_on_every_reading_of_the_options():
    lost = "Ace of Coins, Ace of Flasks, Ace of Sabers, Ace of Staves, 5 of Coins"
    assert points(lost, points_over_46="penalty") == -3  # 49
    assert points(lost, points_over_46="zero") == 0
    tall = "Ace of Coins, Ace of Flasks, 5 of Staves"
    assert points(tall, points_24_45="raw") == 41
    assert points(tall, points_24_45="raw", dealt=True) == 41  # one value for score and bonus
    assert points("Ace of Coins, 8 of Flasks, 5 of Sabers", wild_five=False) == 5


def test_b4_a_combination_that_loses_scores_as_a_lost_hand():
    text = f"{JEDI}, Ace of Coins, Ace of Flasks, 5 of Coins"  # 43 and a five
    assert points(text, combo_vs_bomb="bomb_first") == 23
    tall = f"{JEDI}, Ace of Coins, Ace of Flasks, Ace of Staves"
    assert points(tall) == 23
    assert points(tall, combo_vs_bomb="bomb_first") == 58 - 46


@given(variants, hands(), st.booleans())
def test_s8_a_hand_scores_the_best_of_its_totals(variant, cards, dealt):
    def score(total):
        if total > 46:
            return total - 46
        if total in (23, -23):
            return 33 if dealt else 23
        if total == 46:
            return 23
        if total > 23:
            return total - 23
        return abs(total) if total > -23 else 0

    rules = rules_with()
    ranks = ranker(rules, variant)
    category = ranks.rank(cards).category
    # A combination scores as one where a five makes the hand pure, too; totals above 69 score more.
    combination = category in ("idiot", "combo") or (category == "pure" and ranks.combines(cards))
    best = max(map(score, every_total(rules, variant, cards)))
    expected = (33 if dealt else 23) if combination else best
    assert hand_points(ranks, cards, dealt=dealt, won=False) == expected


FIVES_AND_SMUGGLERS = "5 of Staves, Smuggler, Bounty Hunter, Smuggler, 7 of Coins"


def test_s14_a_combination_that_a_five_makes_pure_too_scores_23():
    """Two Smugglers and Coins; with the five as 5 also 23, with the five as 11 it were 29."""
    corellian = VARIANTS["corellian"]
    assert ranker(rules_with(), corellian).rank(hand_of(FIVES_AND_SMUGGLERS)).category == "pure"
    assert points(FIVES_AND_SMUGGLERS, corellian, points_24_45="raw") == 23
    assert points(FIVES_AND_SMUGGLERS, corellian) == 23


def test_s14_the_idiot_combination_scores_so_too():
    assert points(f"{IDIOT}, 5 of Coins, 11 of Flasks", points_24_45="raw") == 23


@pytest.mark.parametrize(
    ("text", "options", "scored"),
    [
        (FIVES_AND_SMUGGLERS, {"combo_match": "exact"}, 29),  # no combination
        ("5 of Staves, 11 of Flasks, 7 of Coins", {}, 29),
        ("5 of Staves, Ace of Flasks, Ace of Coins, 7 of Coins", {}, 45),
    ],
)
def test_i7_raw_a_five_without_a_combination_counts_what_scores_most(text, options, scored):
    assert points(text, VARIANTS["corellian"], points_24_45="raw", **options) == scored
