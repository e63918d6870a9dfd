"""The bettor by equity and pot odds."""

import pytest
from sabacc_bot_play import ALTERNATING, CHIPS, POKER, SABACC, STRONG, WEAK, choice, seen

from arena.core.errors import BadSpelling
from arena.core.seeding import generator
from arena.games.sabacc.stages import BET, OPEN_BETTING, RAISING
from bots.sabacc.equity_bettor import EquityBettor
from bots.sabacc.stakes import answering
from bots.sabacc.worlds import equity

BOMB = "Ace of Coins, Ace of Flasks, Ace of Staves, Ace of Sabers"


def share(observation, samples=200):
    return equity(observation, SABACC, generator(5), samples)


def test_equity_rises_with_the_hand_and_falls_with_the_rivals_stakes():
    cheap = {"staked": (2, 2), "stage": RAISING}
    assert share(seen(CHIPS, BOMB, **cheap)) == 0
    weak, strong = (share(seen(CHIPS, hand, **cheap)) for hand in (WEAK, STRONG))
    assert weak < 0.4 < 0.75 < strong < 1
    dear = share(seen(CHIPS, "10 of Coins, 11 of Flasks", stage=RAISING, staked=(40, 40)))
    assert dear < share(seen(CHIPS, "10 of Coins, 11 of Flasks", **cheap)) - 0.1


def test_before_the_exchange_a_weak_hand_may_still_grow():
    assert share(seen(CHIPS, BOMB, stage=BET)) > 0.1
    assert share(seen(CHIPS, STRONG, stage=BET)) > 0.65


def test_one_world_is_enough():
    assert share(seen(CHIPS, STRONG, staked=(40, 40), stage=RAISING), samples=1) in (0, 0.5, 1)


@pytest.mark.parametrize(
    ("ruleset", "stage", "word"),
    [
        (CHIPS, BET, "put"),
        (CHIPS, RAISING, "put"),
        (POKER, BET, "bet"),
        (ALTERNATING, OPEN_BETTING, "put"),
    ],
)
def test_it_raises_a_good_pot_with_a_strong_hand(ruleset, stage, word):
    told = seen(ruleset, STRONG, stage=stage, staked=(9, 9))
    chosen, chips = choice(EquityBettor(), told).split()
    assert chosen == word
    assert 2 <= int(chips) <= 11


def test_it_stays_cheaply_with_a_middling_hand_and_leaves_when_it_is_dear():
    hand = "10 of Coins, 6 of Flasks"
    cheap = seen(CHIPS, hand, stage=RAISING, staked=(9, 9), last_stake=1)
    dear = seen(CHIPS, hand, stage=RAISING, staked=(30, 30), last_stake=50)
    assert choice(EquityBettor(), cheap) == "put 1"
    assert choice(EquityBettor(), dear) == "fold"


@pytest.mark.parametrize("ruleset", [CHIPS, POKER, ALTERNATING])
def test_a_stake_that_no_rival_can_put_takes_the_pot(ruleset):
    stage = OPEN_BETTING if ruleset == ALTERNATING else BET
    told = seen(ruleset, BOMB, stage=stage, amounts=(15, 7))
    assert choice(EquityBettor(), told) in ("put 8", "bet 8")


def test_it_is_no_use_against_who_can_go_all_in():
    told = seen(f"{CHIPS[:-1]},short_stack=all_in)", BOMB, stage=RAISING, amounts=(100, 7))
    assert choice(EquityBettor(), told) == "fold"


def test_only_those_who_decide_later_answer_the_last_raise():
    last = {"stage": RAISING, "button": 0, "turn": 0, "staked": (9, 9, 9)}
    told = seen(f"{CHIPS[:-1]},max_raises=1)", STRONG, WEAK, WEAK, **last)
    assert answering(told) == ()
    assert choice(EquityBettor(), told) == "put 1"
    more = seen(CHIPS, STRONG, WEAK, WEAK, **last)
    assert answering(more) == (1, 2)
    assert choice(EquityBettor(), more) != "put 1"


@pytest.mark.parametrize(
    "parameter", [{"samples": 0}, {"edge": -0.1}, {"edge": 1.5}, {"size": -1.0}]
)
def test_a_number_out_of_range_is_refused_by_name(parameter):
    ((name, value),) = parameter.items()
    with pytest.raises(BadSpelling, match=rf"equity-bettor\({name}={value}\): {name} must be"):
        EquityBettor(**parameter)
