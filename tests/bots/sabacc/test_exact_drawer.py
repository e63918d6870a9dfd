"""The drawer by exact odds."""

from itertools import combinations

import pytest
from arena_bots.sabacc.exact_drawer import ExactDrawer
from arena_bots.sabacc.hand_value import hand_value

from arena.games.sabacc.cards.cards import DECK, card_named
from arena.games.sabacc.cards.ranking import ranker
from arena.games.sabacc.engine.stages import EXCHANGE, OPEN_BETTING, RAISING
from tests.bots.sabacc.play import (
    ALTERNATING,
    CHIPS,
    POINTS,
    SABACC,
    STRONG,
    WEAK,
    choice,
    named,
    seen,
)

BIG = "Ace of Coins, Ace of Flasks, Ace of Staves, Ace of Sabers, Master of Coins"


def counted(ruleset, hand, sizes):
    """The best exchange by counting every hand that can come, one after the other."""
    rules = SABACC.ruleset(ruleset)
    ranks = ranker(rules, rules.row)
    codes, value = ranks.codes, hand_value(ranks, 1)
    deck = list(DECK)
    for card in hand:
        deck.remove(card)
    best = {}
    for size in sizes:
        for given in combinations(range(len(hand)), size):
            kept = tuple(card for place, card in enumerate(hand) if place not in given)
            draws = [kept + new for new in combinations(deck, size)]
            mean = sum(value.of(sum(map(codes.__getitem__, got)), got) for got in draws)
            text = "exchange " + " ".join(str(place + 1) for place in given) if given else "keep"
            best[text] = mean / len(draws)
    return max(best, key=best.__getitem__)


@pytest.mark.parametrize(
    ("ruleset", "hand", "sizes"),
    [
        ("old_republic", "10 of Coins, 7 of Flasks, Commander of Staves", (0, 1, 2)),
        ("old_republic", "Idiot, 2 of Coins, 9 of Sabers, Ace of Coins", (0, 1, 2)),
        ("old_republic", "5 of Coins, 11 of Sabers, 1 of Coins", (0, 1, 2)),
        ("rebel_alliance", "Lord of the Sith, 2 of Coins, 9 of Sabers", (0, 1, 2, 3)),
        ("imperial", "Jedi Master, 2 of Coins, 9 of Sabers, 1 of Flasks", (0, 2)),
        ("crseih_station", "2 of Flasks, 9 of Flasks, 1 of Flasks, 8 of Coins", (0, 1, 2)),
    ],
)
def test_its_exchange_is_the_one_that_counting_every_hand_gives(ruleset, hand, sizes):
    observation = seen(ruleset, hand, stage=EXCHANGE)
    assert choice(ExactDrawer(), observation) == counted(ruleset, observation.hand, sizes)


@pytest.mark.parametrize(("hand", "action"), [(STRONG, "pass"), (WEAK, "draw")])
def test_it_draws_when_a_card_more_is_worth_more(hand, action):
    assert choice(ExactDrawer(), seen("old_republic", hand)) == action


def test_it_keeps_what_the_mode_counts():
    assert choice(ExactDrawer(), seen(POINTS, BIG, stage=EXCHANGE)) == "keep"
    assert choice(ExactDrawer(), seen("old_republic", BIG, stage=EXCHANGE)) != "keep"
    zero = "old_republic(mode=points,points_over_46=zero)"
    assert choice(ExactDrawer(), seen(zero, BIG, stage=EXCHANGE)) != "keep"


def test_the_variant_in_force_decides():
    hand = "10 of Coins, Jedi Knight, Smuggler"  # 23 in the Old Republic, 24 on Corellia
    assert choice(ExactDrawer(), seen("old_republic", hand, stage=EXCHANGE)) == "keep"
    slip = seen("variable", hand, stage=EXCHANGE, variant="corellian")
    assert choice(ExactDrawer(), slip) != "keep"


def test_it_shows_a_card_when_the_larger_exchange_is_worth_more():
    hand = "9 of Staves, 3 of Sabers, Jedi Master, Bounty Hunter"
    observation = seen("old_republic", hand, stage=EXCHANGE)
    assert choice(ExactDrawer(), observation) == "show Jedi Master"
    shown = seen("old_republic", hand, stage=EXCHANGE, shown=(("Jedi Master",), ()))
    assert len(choice(ExactDrawer(), shown).split()) > 3  # more than two cards


def test_a_shown_card_that_must_be_kept_is_not_exchanged():
    ruleset = "old_republic(reveal=kept)"
    hand = "9 of Staves, 3 of Sabers, Jedi Master, Bounty Hunter"
    shown = seen(ruleset, hand, stage=EXCHANGE, shown=(("Jedi Master",), ()))
    place = shown.hand.index(card_named("Jedi Master")) + 1
    assert str(place) not in choice(ExactDrawer(), shown).split()


@pytest.mark.parametrize(
    ("hand", "stake", "action"), [(WEAK, 20, "fold"), (STRONG, 20, "put 20"), (WEAK, 1, "put 1")]
)
def test_it_leaves_when_the_odds_do_not_pay_for_the_stake(hand, stake, action):
    observation = seen(CHIPS, hand, stage=RAISING, staked=(10, 10), last_stake=stake)
    assert choice(ExactDrawer(), observation) == action


@pytest.mark.parametrize(
    ("hand", "action"), [(WEAK, "put 1 and demand the exchange"), (STRONG, "put 1")]
)
def test_it_demands_the_exchange_that_does_its_hand_good(hand, action):
    observation = seen(ALTERNATING, hand, stage=OPEN_BETTING, staked=(5, 5))
    assert choice(ExactDrawer(), observation) == action


def test_three_dealt_cards_are_kept_for_their_bonus():
    names = named("Ace of Coins, 8 of Flasks, Idiot")
    observation = seen(POINTS, ", ".join(names))
    assert choice(ExactDrawer(), observation) == "pass"
