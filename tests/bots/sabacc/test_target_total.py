"""The threshold player of Sabacc."""

import pytest
from arena_bots.sabacc.target_total import TargetTotal

from arena.core.chance.dealer import Scripted
from arena.core.errors import ParseError
from arena.games.sabacc.engine.actions import FACES, PASS
from arena.games.sabacc.engine.stages import BET, EXCHANGE, OPEN_BETTING
from tests.bots.sabacc.play import (
    ALTERNATING,
    CHIPS,
    POKER,
    SABACC,
    STRONG,
    WEAK,
    choice,
    named,
    seen,
)


@pytest.mark.parametrize(
    ("hand", "action"),
    [
        ("10 of Coins, 7 of Flasks", "draw"),
        ("10 of Coins, 8 of Flasks", "pass"),
        ("11 of Coins, Commander of Flasks", "pass"),
        ("Ace of Coins, Ace of Flasks, 11 of Coins", "pass"),  # 41 counts 18
        ("Ace of Coins, Ace of Flasks, 10 of Coins", "draw"),
    ],
)
def test_it_draws_below_18_and_not_from_18_on(hand, action):
    assert choice(TargetTotal(), seen("old_republic", hand)) == action


def test_the_target_is_a_parameter():
    hand = seen("old_republic", "10 of Coins, 7 of Flasks")
    assert choice(TargetTotal(at=17), hand) == "pass"


@pytest.mark.parametrize("at", [0, 24])
def test_a_target_out_of_reach_is_refused_by_name(at):
    with pytest.raises(ParseError, match=rf"target-total\(at={at}\)"):
        TargetTotal(at=at)


@pytest.mark.parametrize(
    ("hand", "action"),
    [
        (STRONG, "keep"),
        # 30 with 7 in place of the Master is 23; places are those of the hand in order.
        ("Ace of Staves, Master of Coins, 1 of Flasks", "exchange 3"),
        # -28 and 1: without the two Dark Jedi, 1 + 14 is nearest.
        ("1 of Coins, Dark Jedi, Dark Jedi", "exchange 2 3"),
    ],
)
def test_it_exchanges_the_cards_that_lower_its_value(hand, action):
    assert choice(TargetTotal(), seen("old_republic", hand, stage=EXCHANGE)) == action


def test_after_an_odd_roll_it_swaps_the_worst_card():
    state = SABACC.positions.state(
        SABACC.ruleset("card_exchange"),
        hands=[named("10 of Coins, 7 of Flasks, Dark Jedi"), named(WEAK)],
        button=0,
        ticks=5,
        dealer=Scripted(FACES[:1]),
    )
    state.apply_action(PASS)
    assert choice(TargetTotal(), state.observation(0)) == "exchange 3"


@pytest.mark.parametrize(("last_stake", "action"), [(1, "put 1"), (7, "put 7"), (101, "fold")])
def test_it_puts_the_least_stake_with_any_hand(last_stake, action):
    assert choice(TargetTotal(), seen(CHIPS, WEAK, stage=BET, last_stake=last_stake)) == action


def test_in_poker_it_checks():
    assert choice(TargetTotal(), seen(POKER, STRONG, stage=BET)) == "check"


@pytest.mark.parametrize(
    ("hand", "action"), [(WEAK, "put 1 and demand the exchange"), (STRONG, "put 1")]
)
def test_a_hand_below_the_target_demands_the_exchange(hand, action):
    assert choice(TargetTotal(), seen(ALTERNATING, hand, stage=OPEN_BETTING)) == action
