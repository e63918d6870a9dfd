"""B13: chips of pots without a winner, with the side pots of B14."""

import pytest

from arena.core.state import TERMINAL
from arena.games.sabacc.engine.stages import BET, RAISING
from tests.games.sabacc.play import BOMB, OTHER_BOMB, PURE, SIX, TEN, TWENTY, one_hand, situation

THIRD_BOMB = "Master of Sabers, Master of Flasks, Master of Staves, Mistress of Sabers"
POKER_ALL_IN = one_hand(betting="poker", short_stack="all_in", cap=0)
LOSING = {
    "stage": RAISING,
    "amounts": (50, 50, 50),
    "staked": (5, 8, 3),
    "active": (True, True, False),
}


def all_lose(rule, hands, **described):
    table = situation(
        BOMB,
        OTHER_BOMB,
        SIX,
        draws=f"{PURE}, {TEN}, {SIX}",
        **{**LOSING, **described},
        options=one_hand(all_bomb=rule, hands=hands),
    )
    return table.do("put 1", "put 1")


def test_b13_carry_over_waits_for_the_winner_of_the_next_hand():
    table = all_lose("carry_over", 2)
    assert table.state.hand.match.hand_number == 2
    assert table.state.hand.match.carried == 18
    assert table.events("carry", "win", "share") == [("carry", 2, 18)]
    assert table.to_act() == 1  # the deal moved on to seat 0
    table.do("put 2", "fold", "fold")
    assert table.events("win") == [("win", 1, 18 + 3 + 2)]
    assert table.state.hand.match.carried == 0


def test_b13_carry_over_is_split_in_the_last_hand():
    table = all_lose("carry_over", 1)
    assert table.events("carry", "share") == [("share", 0, 9), ("share", 1, 9)]
    assert table.state.hand.match.amounts == (58, 58, 50)


@pytest.mark.parametrize("hands", [1, 2])
def test_b13_split_shares_with_the_odd_chip_nearest_dealers_left(hands):
    table = all_lose("split", hands, staked=(5, 8, 4))
    assert table.events("carry", "share") == [("share", 0, 10), ("share", 1, 9)]


@pytest.mark.parametrize("hands", [1, 2])
def test_b13_refund_gives_stakes_back_and_splits_those_of_folded(hands):
    table = all_lose("refund", hands)
    assert table.events("carry", "share") == [("share", 0, 6 + 2), ("share", 1, 9 + 1)]


def test_b13_refund_gives_the_own_stakes_back_from_side_pots_too():
    table = situation(
        BOMB,
        OTHER_BOMB,
        THIRD_BOMB,
        stage=BET,
        amounts=(4, 40, 40),
        staked=(1, 1, 1),
        options={**POKER_ALL_IN, "all_bomb": "refund"},
    )
    table.do("check", "bet 9", "call", "all in").finish_hand()
    assert table.state.hand.match.amounts == (5, 41, 41)


def test_b13_a_side_pot_that_all_lose_is_carried_alone():
    table = situation(
        PURE,
        OTHER_BOMB,
        THIRD_BOMB,
        draws=f"{TEN}, {SIX}, {TWENTY}",
        stage=BET,
        amounts=(4, 40, 40),
        staked=(1, 1, 1),
        options={**POKER_ALL_IN, "hands": 2},
    )
    table.do("check", "bet 9", "call", "all in").finish_hand()
    assert table.events("win", "carry") == [("win", 0, 15), ("carry", 2, 10)]
    assert table.state.hand.match.carried == 10


def test_b13_chips_refunded_to_a_seat_let_the_pot_be_carried():
    # Seats 0 and 1 lose everything they can; but 20 chips come back to seat 1, and seat 2 has some.
    table = situation(
        BOMB,
        OTHER_BOMB,
        SIX,
        draws=f"{PURE}, {TEN}",
        stage=BET,
        amounts=(4, 25, 50),
        staked=(1, 1, 1),
        options={**POKER_ALL_IN, "hands": 2},
    )
    table.do("check", "bet 25", "fold", "all in").finish_hand()
    assert table.events("win", "carry", "share") == [("win", 1, 21), ("carry", 2, 11)]
    assert table.state.hand.match.hand_number == 2


def test_b13_a_pot_is_split_when_no_seat_has_chips_to_play_on():
    table = situation(
        BOMB,
        OTHER_BOMB,
        draws=f"{PURE}, {TEN}",
        stage=BET,
        amounts=(4, 4),
        staked=(1, 1),
        options={**POKER_ALL_IN, "hands": 2},
    )
    table.do("bet 4", "call").finish_hand()
    assert table.events("carry", "share") == [("share", 0, 5), ("share", 1, 5)]
    assert table.state.hand.match.amounts == (4, 4)  # and both have entered the next hand


def test_b13_a_carried_pot_belongs_to_the_main_pot_alone():
    table = situation(
        TWENTY, PURE, TEN, stage=BET, amounts=(4, 40, 40), staked=(1, 1, 1), options=POKER_ALL_IN
    )
    table.state.hand.match.carried = 7
    table.do("check", "bet 10", "call", "all in").finish_hand()
    assert table.events("win") == [("win", 1, 15 + 7), ("win", 1, 12)]


def test_b13_the_last_seat_left_takes_a_carried_pot():
    table = all_lose("carry_over", 2)
    table.state.expel(1)
    table.state.expel(0)
    assert table.to_act() == TERMINAL
    assert table.events("win") == [("win", 2, 18 + 3)]
