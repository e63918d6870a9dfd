"""I11 ``poker``: rounds of check, bet, call, raise and fold, with bets equalised."""

import pytest

from arena.core.errors import IllegalAction
from arena.core.state import TERMINAL
from arena.games.sabacc.engine.stages import BET, BET_IF_DRAWN, EXCHANGE, FIRST_DRAW, SECOND_DRAW
from tests.games.sabacc.play import PURE, SIX, TEN, TWENTY, match, one_hand, situation

POKER = one_hand(betting="poker")


def match_of(*hands, draws="", **options):
    return match(len(hands), *hands, draws, **{**POKER, **options})


def bets(word, first, last):
    return [f"{word} {chips}" for chips in range(first, last + 1)]


def test_i11_a_round_may_be_checked_through():
    table = match_of(TEN, TWENTY, SIX)
    assert table.legal() == ["check", *bets("bet", 1, 20), "fold"]
    table.do("check", "check", "check")
    assert table.state.hand.stage == FIRST_DRAW
    assert table.state.hand.betting.pot == 3


def test_i11_a_bet_must_be_met_by_all():
    table = match_of(TEN, TWENTY, SIX).do("check", "bet 4")
    assert table.to_act() == 2
    assert table.legal() == ["call", *bets("raise", 4, 20), "fold"]
    assert table.do("call").to_act() == 0
    assert table.do("call").state.hand.stage == FIRST_DRAW
    assert table.state.hand.betting.staked == (5, 5, 5)


def test_i11_after_a_raise_every_other_seat_decides_again():
    table = match_of(TEN, TWENTY, SIX).do("bet 2", "raise 3", "fold")
    assert table.to_act() == 0
    assert table.state.observation(0).owed == 3
    table.do("call")
    assert table.state.hand.betting.staked == (6, 6, 1)
    assert table.events("raise", "call") == [("raise", 1, 5), ("call", 0, 3)]
    assert table.state.hand.stage == FIRST_DRAW


def test_i11_a_raise_is_at_least_the_last_bet_or_raise():
    table = match_of(TEN, TWENTY).do("bet 2", "raise 5")
    assert table.legal() == ["call", *bets("raise", 5, 20), "fold"]
    with pytest.raises(IllegalAction, match="raise 4 is not one of: call, raise 5"):
        table.do("raise 4")


def test_i11_every_round_begins_at_the_ante():
    table = match_of(TEN, TWENTY, draws="8 of Coins", ante=2).do("bet 9", "call", "draw", "pass")
    assert table.state.hand.stage == BET_IF_DRAWN
    assert table.legal() == ["check", *bets("bet", 2, 20), "fold"]


def test_i11_raises_of_a_round_are_limited():
    table = match_of(TEN, TWENTY, max_raises=2).do("bet 1", "raise 1", "raise 1")
    assert table.legal() == ["call", "fold"]


def test_b15_the_cap_bounds_a_bet_and_a_raise():
    table = match_of(TEN, TWENTY, cap=6)
    assert table.legal() == ["check", *bets("bet", 1, 6), "fold"]
    assert table.do("bet 6").legal() == ["call", "raise 6", "fold"]


def test_b14_a_bet_is_at_most_the_stack_and_a_raise_what_the_call_leaves():
    table = match_of(TEN, TWENTY, stack=11).do("bet 4")
    assert table.legal() == ["call", *bets("raise", 4, 6), "fold"]
    assert match_of(TEN, TWENTY, stack=11).legal()[-2] == "bet 10"


def test_b14_fold_a_seat_that_cannot_call_can_only_fold():
    table = situation(TEN, TWENTY, stage=BET, amounts=(20, 3), staked=(1, 1), options=POKER)
    assert table.do("bet 5").legal() == ["fold"]


def test_b14_all_in_a_seat_that_cannot_call_may_put_the_rest():
    options = {**POKER, "short_stack": "all_in"}
    table = situation(TEN, TWENTY, stage=BET, amounts=(20, 3), staked=(1, 1), options=options)
    assert table.do("bet 5").legal() == ["all in", "fold"]
    table.do("all in")
    assert table.events("all in") == [("all in", 1, 3)]
    assert table.state.hand.betting.all_in == (False, True)
    assert table.state.hand.stage == FIRST_DRAW


def test_b14_no_raise_is_legal_without_a_seat_that_could_answer():
    options = {**POKER, "short_stack": "all_in"}
    table = situation(TEN, TWENTY, stage=BET, amounts=(20, 8), staked=(1, 1), options=options)
    table.do("check", "bet 8")
    assert table.legal() == ["call", "fold"]


def test_i11_the_stages_are_those_of_staged_betting_without_the_sixth():
    table = match_of(TEN, TWENTY, draws="8 of Coins, 9 of Coins")
    bet, draws = ["check", "check"], [["draw", "pass"], ["pass", "draw"]]
    asked = []
    for text in [*bet, *draws[0], *bet, *draws[1], *bet, "keep", "keep", *bet]:
        asked.append((table.state.hand.stage, table.to_act()))
        table.do(text)
    stages = (BET, FIRST_DRAW, BET_IF_DRAWN, SECOND_DRAW, BET_IF_DRAWN, EXCHANGE, BET)
    assert asked == [(stage, seat) for stage in stages for seat in (0, 1)]
    assert table.to_act() == TERMINAL


def test_i11_no_betting_round_follows_a_round_without_draws():
    table = match_of(TEN, TWENTY).do("check", "check", "pass", "pass")
    assert table.state.hand.stage == SECOND_DRAW


def test_i11_called_and_checked_hands_have_the_same_showdown():
    table = match_of(PURE, TWENTY).do("bet 3", "call").finish_hand()
    assert table.to_act() == TERMINAL
    assert table.state.hand.match.amounts == (104, 96)
