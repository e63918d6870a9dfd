"""I11 ``poker``: rounds of check, bet, call, raise and fold, with bets equalised."""

import pytest

from arena.core.errors import IllegalAction
from arena.core.state import TERMINAL
from arena.games.sabacc.stages import BET, BET_IF_DRAWN, EXCHANGE, FIRST_DRAW, SECOND_DRAW
from tests.games.sabacc.play import PURE, SIX, TEN, TWENTY, lying, match, playing

POKER = playing(betting="poker")


def match_of(*hands, draws="", **options):
    return match(len(hands), *hands, draws, **{**POKER, **options})


def bets(word, first, last):
    return [f"{word} {chips}" for chips in range(first, last + 1)]


def test_i11_a_round_may_be_checked_through():
    table = match_of(TEN, TWENTY, SIX)
    assert table.may() == ["check", *bets("bet", 1, 20), "fold"]
    table.do("check", "check", "check")
    assert table.state.hand.stage == FIRST_DRAW
    assert table.state.hand.betting.pot == 3


def test_i11_a_bet_must_be_met_by_all():
    table = match_of(TEN, TWENTY, SIX).do("check", "bet 4")
    assert table.asked() == 2
    assert table.may() == ["call", *bets("raise", 4, 20), "fold"]
    assert table.do("call").asked() == 0
    assert table.do("call").state.hand.stage == FIRST_DRAW
    assert table.state.hand.betting.staked == (5, 5, 5)


def test_i11_a_raise_asks_everybody_again():
    table = match_of(TEN, TWENTY, SIX).do("bet 2", "raise 3", "fold")
    assert table.asked() == 0
    assert table.state.observation(0).owed == 3
    table.do("call")
    assert table.state.hand.betting.staked == (6, 6, 1)
    assert table.told("raise", "call") == [("raise", 1, 5), ("call", 0, 3)]
    assert table.state.hand.stage == FIRST_DRAW


def test_i11_a_raise_is_at_least_the_last_bet_or_raise():
    table = match_of(TEN, TWENTY).do("bet 2", "raise 5")
    assert table.may() == ["call", *bets("raise", 5, 20), "fold"]
    with pytest.raises(IllegalAction, match="raise 4 is not one of: call, raise 5"):
        table.do("raise 4")


def test_i11_every_round_begins_at_the_ante():
    table = match_of(TEN, TWENTY, draws="8 of Coins", ante=2).do("bet 9", "call", "draw", "pass")
    assert table.state.hand.stage == BET_IF_DRAWN
    assert table.may() == ["check", *bets("bet", 2, 20), "fold"]


def test_i11_raises_of_a_round_are_limited():
    table = match_of(TEN, TWENTY, max_raises=2).do("bet 1", "raise 1", "raise 1")
    assert table.may() == ["call", "fold"]


def test_b15_the_cap_bounds_a_bet_and_a_raise():
    table = match_of(TEN, TWENTY, cap=6)
    assert table.may() == ["check", *bets("bet", 1, 6), "fold"]
    assert table.do("bet 6").may() == ["call", "raise 6", "fold"]


def test_b14_a_bet_is_at_most_the_stack_and_a_raise_what_the_call_leaves():
    table = match_of(TEN, TWENTY, stack=11).do("bet 4")
    assert table.may() == ["call", *bets("raise", 4, 6), "fold"]
    assert match_of(TEN, TWENTY, stack=11).may()[-2] == "bet 10"


def test_b14_fold_who_cannot_call_can_only_leave():
    table = lying(TEN, TWENTY, stage=BET, amounts=(20, 3), staked=(1, 1), options=POKER)
    assert table.do("bet 5").may() == ["fold"]


def test_b14_all_in_who_cannot_call_may_put_what_is_left():
    options = {**POKER, "short_stack": "all_in"}
    table = lying(TEN, TWENTY, stage=BET, amounts=(20, 3), staked=(1, 1), options=options)
    assert table.do("bet 5").may() == ["all in", "fold"]
    table.do("all in")
    assert table.told("all in") == [("all in", 1, 3)]
    assert table.state.hand.betting.all_in == (False, True)
    assert table.state.hand.stage == FIRST_DRAW


def test_b14_nobody_left_to_answer_a_raise():
    options = {**POKER, "short_stack": "all_in"}
    table = lying(TEN, TWENTY, stage=BET, amounts=(20, 8), staked=(1, 1), options=options)
    table.do("check", "bet 8")
    assert table.may() == ["call", "fold"]


def test_i11_the_stages_are_those_of_staged_betting_without_the_sixth():
    table = match_of(TEN, TWENTY, draws="8 of Coins, 9 of Coins")
    bet, draws = ["check", "check"], [["draw", "pass"], ["pass", "draw"]]
    asked = []
    for text in [*bet, *draws[0], *bet, *draws[1], *bet, "keep", "keep", *bet]:
        asked.append((table.state.hand.stage, table.asked()))
        table.do(text)
    stages = (BET, FIRST_DRAW, BET_IF_DRAWN, SECOND_DRAW, BET_IF_DRAWN, EXCHANGE, BET)
    assert asked == [(stage, seat) for stage in stages for seat in (0, 1)]
    assert table.asked() == TERMINAL


def test_i11_nobody_drew_so_no_round_follows():
    table = match_of(TEN, TWENTY).do("check", "check", "pass", "pass")
    assert table.state.hand.stage == SECOND_DRAW


def test_i11_who_called_and_who_checked_see_the_same_showdown():
    table = match_of(PURE, TWENTY).do("bet 3", "call").rest()
    assert table.asked() == TERMINAL
    assert table.state.hand.match.amounts == (104, 96)
