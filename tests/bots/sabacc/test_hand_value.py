"""Values of final hands for the bots that count odds."""

from collections import Counter

import pytest
from arena_bots.sabacc.draw_counts import whole_deck
from arena_bots.sabacc.hand_value import TRIES, hand_value

from arena.games.sabacc.cards.cards import card_named
from arena.games.sabacc.cards.ranking import ranker
from tests.bots.sabacc.play import SABACC, named

RISING = [
    "Ace of Coins, Ace of Flasks, Ace of Staves, 2 of Coins",
    "2 of Coins",
    "10 of Coins, 4 of Flasks",
    "10 of Coins, 10 of Staves, 2 of Coins",
    "Jedi Master, Jedi Knight, 4 of Sabers",
    "Idiot, 2 of Coins, 3 of Coins",
    "Ace of Coins, 8 of Staves",
]


def odds(ruleset, rivals, text):
    rules = SABACC.ruleset(ruleset)
    hand = tuple(map(card_named, named(text)))
    code = sum(map(ranker(rules, rules.row).codes.__getitem__, hand))
    return hand_value(ranker(rules, rules.row), rivals).of(code, hand)


@pytest.mark.parametrize("rivals", [1, 5])
def test_better_hands_have_better_odds(rivals):
    row = [odds("old_republic", rivals, hand) for hand in RISING]
    assert row[0] == 0
    assert row == sorted(row)
    assert len(set(row)) == len(row)
    assert row[-1] < 1


@pytest.mark.parametrize("rivals", [1, 3])
def test_players_of_one_strength_share_all_hands_that_somebody_wins(rivals):
    rules = SABACC.ruleset()
    ranks = ranker(rules, rules.row)
    value = hand_value(ranks, rivals)
    counts = whole_deck(ranks, 4)[4]
    share: dict[tuple[int, ...], float] = {}
    ways: Counter[tuple[int, ...]] = Counter()
    for code, number in counts.ways.items():
        key = ranks.value(code).key
        share[key] = value.of(code, counts.example[code])
        ways[key] += number
    below = 0
    total = everybody_loses = 0.0
    for key in sorted(ways):
        above = below + ways[key]
        odds_of_key = (above / counts.total) ** TRIES - (below / counts.total) ** TRIES
        total += odds_of_key * share[key]
        if not below:
            everybody_loses = odds_of_key ** (rivals + 1)
        below = above
    assert total == pytest.approx((1 - everybody_loses) / (rivals + 1))


def test_in_points_play_a_hand_is_worth_its_points():
    bomb = "Ace of Coins, Ace of Flasks, Ace of Staves, Ace of Sabers, Master of Coins"
    assert odds("old_republic(mode=points)", 1, bomb) == 74 - 46
    assert odds("old_republic(mode=points)", 4, "10 of Coins, 9 of Flasks") == 19
    assert odds("old_republic(mode=points,points_over_46=zero)", 1, bomb) == 0


def test_a_bonus_for_the_winner_is_worth_its_odds():
    hand = "10 of Coins, 10 of Staves, 2 of Coins"
    points = odds("old_republic(mode=points,bonus=winner)", 2, hand)
    assert points == pytest.approx(22 + 10 * odds("old_republic", 2, hand))


def test_the_order_of_the_ruleset_decides():
    pure, idiot = RISING[-1], RISING[-2]
    upset = "old_republic(idiot_upset=always)"
    assert odds(upset, 1, idiot) > odds(upset, 1, pure)
