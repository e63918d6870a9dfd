"""Winners of a showdown: sections 4.2, 4.4 and 4.5, I5 in its four readings, and B8."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.sabacc.cards.cards import card_named
from arena.games.sabacc.cards.ranking import ranker
from arena.games.sabacc.cards.showdown import everybody_loses, finishing, leaders, still_tied
from tests.games.sabacc.ranking import (
    IDIOT,
    JEDI,
    STANDARD,
    all_rules,
    hand_of,
    hands,
    rules_with,
    variants,
)

PURE = "Ace of Coins, 7 of Flasks, 1 of Staves"
OTHER_PURE = "Master of Coins, 9 of Flasks"
OTHER_IDIOT = "Idiot, 2 of Flasks, 3 of Staves"
DOUBLE = "Ace of Coins, Ace of Flasks, Ace of Sabers, 1 of Staves"
OVER = "Ace of Coins, Ace of Flasks, Ace of Sabers, 2 of Staves"
BELOW = "Dark Jedi, Dark Jedi, 4 of Coins"
TWENTY = "10 of Coins, 8 of Flasks, 2 of Staves"
OTHER_TWENTY = "10 of Flasks, 9 of Coins, 1 of Sabers"


def table(*texts):
    return {seat: hand_of(text) for seat, text in enumerate(texts)}


def leading(*texts, **options):
    return leaders(ranker(rules_with(**options), STANDARD), table(*texts))


@pytest.mark.parametrize(
    ("texts", "winner"),
    [
        ((PURE, IDIOT), 0),  # SB-071
        ((IDIOT, JEDI), 0),  # SB-072
        ((JEDI, DOUBLE), 0),  # SB-073
        (("10 of Coins, 4 of Flasks, 1 of Staves", "Dark Jedi, Dark Jedi, Mistress of Sabers"), 0),
        ((OVER, "1 of Coins, 2 of Flasks, 3 of Staves"), 1),  # SB-079
        (("Dark Jedi, Dark Jedi, 6 of Coins", "10 of Coins, 9 of Flasks, 2 of Staves"), 0),
    ],
)
def test_s42_the_best_hand_leads(texts, winner):
    assert leading(*texts) == ((winner,), "")


def test_s44_equal_hands_lead_together_in_the_order_from_the_dealers_left():
    cards = {3: hand_of(TWENTY), 0: hand_of(PURE), 5: hand_of(OTHER_PURE), 1: hand_of(IDIOT)}
    never = rules_with(idiot_upset="never")
    assert leaders(ranker(never, STANDARD), cards) == ((0, 5), "")
    backwards = dict(reversed(cards.items()))
    assert leaders(ranker(never, STANDARD), backwards) == ((5, 0), "")


@pytest.mark.parametrize(
    ("option", "one_pure", "two_pures", "two_idiots"),
    [
        ("tied_pure", (0,), (2,), (0,)),
        ("two_idiots", (0,), (0, 1), (1, 2)),
        ("never", (0,), (0, 1), (0,)),
        ("always", (1,), (2,), (1, 2)),
    ],
)
def test_i5_when_the_idiot_combination_beats_pure_sabacc(option, one_pure, two_pures, two_idiots):
    for texts, expected in (
        ((PURE, IDIOT, JEDI), one_pure),
        ((PURE, OTHER_PURE, IDIOT), two_pures),
        ((PURE, IDIOT, OTHER_IDIOT), two_idiots),
    ):
        seats, rule = leading(*texts, idiot_upset=option)
        assert seats == expected
        assert rule == ("idiot_upset" if "Idiot" in texts[seats[0]] else "")


@pytest.mark.parametrize("option", ["tied_pure", "two_idiots", "never", "always"])
def test_i5_no_upset_is_named_when_no_pure_hand_is_beaten(option):
    assert leading(IDIOT, JEDI, TWENTY, idiot_upset=option) == ((0,), "")
    assert leading(IDIOT, OTHER_IDIOT, idiot_upset=option) == ((0, 1), "")
    assert leading(PURE, OTHER_PURE, idiot_upset=option) == ((0, 1), "")


def test_i5_several_idiot_combinations_beat_tied_pure_hands_together():
    assert leading(IDIOT, PURE, OTHER_IDIOT, OTHER_PURE) == ((0, 2), "idiot_upset")


def test_i5_always_lets_a_pure_hand_count_as_its_idiot_combination():
    both = f"{IDIOT}, 10 of Coins, 8 of Coins"
    assert leading(both, OTHER_IDIOT, idiot_upset="always") == ((0, 1), "")
    assert leading(both, OTHER_IDIOT, idiot_upset="tied_pure") == ((0,), "")


def test_s43_everybody_loses():
    rules = rules_with()
    assert everybody_loses(ranker(rules, STANDARD), table(OVER, BELOW))  # SB-080
    assert not everybody_loses(ranker(rules, STANDARD), table(OVER, "Idiot", BELOW))
    assert everybody_loses(
        ranker(rules_with(zero_total="bust"), STANDARD), table(OVER, "Idiot", BELOW)
    )
    assert leaders(ranker(rules, STANDARD), table(OVER, BELOW)) == ((0, 1), "")


def after(texts, extra, **options):
    """The tied hands with one more card each."""
    cards = {seat: card_named(name) for seat, name in enumerate(extra)}
    grown = {seat: [*hand, cards[seat]] for seat, hand in table(*texts).items()}
    return still_tied(ranker(rules_with(**options), STANDARD), grown, cards)


def test_b8_the_extra_cards_count_within_the_whole_hands():
    assert after((TWENTY, OTHER_TWENTY), ("2 of Coins", "1 of Coins")) == (0,)
    assert after((TWENTY, OTHER_TWENTY), ("4 of Coins", "1 of Coins")) == (1,)  # 24 against 21


def test_b8_equal_extra_cards_are_followed_by_another_round():
    texts, extra = (TWENTY, OTHER_TWENTY), ("1 of Flasks", "1 of Coins")
    assert after(texts, extra) == (0, 1)
    texts = tuple(f"{text}, {card}" for text, card in zip(texts, extra, strict=True))
    assert after(texts, ("2 of Sabers", "1 of Sabers")) == (0,)  # SB-088: 23 against 22


def test_b8_the_extra_cards_break_ties_of_equal_hands():
    assert after((IDIOT, OTHER_IDIOT), ("Ace of Coins", "9 of Coins")) == (0,)
    assert after((IDIOT, OTHER_IDIOT), ("Dark Jedi", "Idiot")) == (1,)  # the sign counts
    assert after((IDIOT, OTHER_IDIOT), ("Rancor", "9 of Coins")) == (0, 1)


def test_b8_a_five_alone_counts_11():
    assert after((IDIOT, OTHER_IDIOT), ("5 of Coins", "10 of Coins")) == (0,)
    assert after((IDIOT, OTHER_IDIOT), ("5 of Coins", "11 of Coins")) == (0, 1)
    assert after((IDIOT, OTHER_IDIOT), ("5 of Coins", "Commander of Coins")) == (1,)


def test_b8_a_five_that_is_not_wild_counts_5_alone():
    extra = ("5 of Coins", "6 of Coins")
    assert after((IDIOT, OTHER_IDIOT), extra, wild_five=False) == (1,)


def test_b8_only_the_best_of_the_tied_hands_go_on():
    texts = (TWENTY, OTHER_TWENTY, "11 of Staves, 9 of Staves")
    # 21, 21 and 27, which counts 4: the best extra card does not save the third hand.
    assert after(texts, ("1 of Coins", "1 of Staves", "7 of Coins")) == (0, 1)


def test_b8_when_all_lose_the_extra_cards_decide():
    tall = ("Ace of Coins, Ace of Flasks, 4 of Coins, Ace of Sabers", OVER)  # 49 and 47
    assert after(tall, ("2 of Coins", "9 of Coins")) == (1,)
    assert after(tall, ("9 of Flasks", "9 of Coins")) == (0, 1)


def test_b8_a_hand_that_does_not_lose_beats_those_that_do():
    assert after((TWENTY, OVER), ("Ace of Staves", "Ace of Staves")) == (0,)


def test_finishing_puts_the_winners_first_and_groups_equal_hands():
    cards = table(TWENTY, OVER, JEDI, OTHER_TWENTY, BELOW)
    assert finishing(ranker(rules_with(), STANDARD), cards, (2,)) == ((2,), (0, 3), (1, 4))


def test_finishing_keeps_those_who_lost_a_tie_above_lower_hands():
    cards = table(TWENTY, OTHER_TWENTY, "1 of Coins", "9 of Coins, 11 of Coins")
    assert finishing(ranker(rules_with(), STANDARD), cards, (1,)) == ((1,), (0, 3), (2,))
    assert finishing(ranker(rules_with(), STANDARD), cards, (0, 3)) == ((0, 3), (1,), (2,))


def test_finishing_ranks_by_the_upset_that_decided():
    cards = table(PURE, IDIOT, JEDI, OTHER_PURE, OTHER_IDIOT)
    assert finishing(ranker(rules_with(), STANDARD), cards, (4,)) == ((4,), (1,), (0, 3), (2,))
    never = rules_with(idiot_upset="never")
    assert finishing(ranker(never, STANDARD), cards, (0,)) == ((0,), (3,), (1, 4), (2,))


def test_finishing_without_a_winner_is_one_group():
    assert finishing(ranker(rules_with(), STANDARD), table(OVER, BELOW), ()) == ((0, 1),)


tables = st.lists(hands(most=5), min_size=2, max_size=6).map(lambda held: dict(enumerate(held)))


@given(all_rules, variants, tables)
def test_every_seat_finishes_once_and_the_leaders_first(rules, variant, held):
    first, _ = leaders(ranker(rules, variant), held)
    groups = finishing(ranker(rules, variant), held, first)
    assert groups[0] == first
    assert sorted(seat for group in groups for seat in group) == sorted(held)
    rank = ranker(rules, variant).rank
    for group in groups:
        assert len({rank(held[seat]).key for seat in group}) == 1


@given(all_rules, variants, tables)
def test_the_seating_does_not_change_the_leading_hands(rules, variant, held):
    turned = dict(reversed(held.items()))
    seats, rule = leaders(ranker(rules, variant), held)
    assert leaders(ranker(rules, variant), turned) == (seats[::-1], rule)


@given(all_rules, variants, tables)
def test_a_losing_hand_leads_only_when_everybody_loses(rules, variant, held):
    rank = ranker(rules, variant).rank
    seats, _ = leaders(ranker(rules, variant), held)
    assert rank(held[seats[0]]).bomb == everybody_loses(ranker(rules, variant), held)
