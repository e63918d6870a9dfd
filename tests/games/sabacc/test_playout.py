"""The quick rule for search bots."""

from random import Random

import pytest

from arena.games.sabacc.engine.stages import BET, EXCHANGE, FIRST_DRAW, RAISING
from tests.games.sabacc.play import BOMB, PURE, SABACC, TEN, TWENTY

CHIPS = "old_republic(mode=chips)"
ALTERNATING = "old_republic(mode=chips,betting=alternating)"
POKER = "old_republic(mode=chips,betting=poker)"


def choice(hand, stage, ruleset="old_republic", **given):
    hands = [name.split(", ") for name in (hand, TEN)]
    rules = SABACC.ruleset(ruleset)
    state = SABACC.positions.state(rules, hands=hands, stage=stage, turn=0, **given)
    return SABACC.search.playout_action(state, Random(1)).text


@pytest.mark.parametrize(
    ("hand", "stage", "action"),
    [
        (TEN, FIRST_DRAW, "draw"),
        (BOMB, FIRST_DRAW, "draw"),
        (TWENTY, FIRST_DRAW, "pass"),
        (PURE, FIRST_DRAW, "pass"),
        (PURE, EXCHANGE, "keep"),
        (TWENTY, EXCHANGE, "keep"),
        ("9 of Coins, 10 of Coins, 11 of Coins", EXCHANGE, "exchange 2 3"),  # 9 + 2 * 7 = 23
        ("1 of Coins, 2 of Coins, 9 of Coins", EXCHANGE, "exchange 1 2"),  # 9 + 2 * 7 = 23
        ("2 of Coins, 4 of Coins, 10 of Coins", EXCHANGE, "exchange 1 2"),  # 10 + 2 * 7 = 24
    ],
)
def test_it_draws_and_exchanges_below_18(hand, stage, action):
    assert choice(hand, stage) == action


@pytest.mark.parametrize("hand", [TEN, BOMB, PURE])
def test_it_puts_the_least_and_folds_nothing(hand):
    assert choice(hand, BET, CHIPS, last_stake=3) == "put 3"
    assert choice(hand, RAISING, CHIPS, last_stake=5) == "put 5"
    assert choice(hand, BET, POKER) == "check"


def test_it_folds_only_where_nothing_else_is_legal():
    assert choice(TEN, BET, CHIPS, last_stake=9, amounts=(5, 90)) == "fold"
