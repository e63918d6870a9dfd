"""I11 ``alternating``, I12, and the seed's example hand (004:310-322)."""

import pytest

from arena.core.errors import IllegalAction
from arena.core.state import TERMINAL
from arena.games.sabacc.engine.stages import EXCHANGE, FIRST_DRAW, OPEN_BETTING, SECOND_DRAW
from tests.games.sabacc.play import PURE, SIX, TEN, TWENTY, match, one_hand, situation

ALTERNATING = one_hand(betting="alternating")


def opened(*hands, **options):
    """Open betting is about to begin."""
    return situation(*hands, stage=OPEN_BETTING, options={**ALTERNATING, **options})


def test_i12_the_draws_come_before_the_betting():
    table = match(2, TEN, TWENTY, **ALTERNATING)
    assert table.state.hand.stage == FIRST_DRAW
    assert table.do("pass", "pass").state.hand.stage == SECOND_DRAW
    assert table.do("pass", "pass").state.hand.stage == OPEN_BETTING


def test_s7_the_seeds_example_hand_move_by_move():
    table = match(2, TEN, TWENTY, "8 of Coins", **ALTERNATING)
    assert table.state.hand.betting.staked == (1, 1)
    table.do("pass", "draw", "pass", "pass")  # the fourth card is asked by B alone
    table.do("put 3", "put 3")
    table.do("put 4", "put 5")  # B raises
    table.do("put 5 and demand the exchange", "keep", "keep")
    table.do("put 5")
    table.do("put 7")
    assert table.state.hand.betting.staked == (20, 14)
    assert table.state.hand.betting.pot == 34
    table.do("fold")
    assert table.to_act() == TERMINAL
    assert table.events("win") == [("win", 0, 34)]
    assert table.state.hand.match.amounts == (114, 86)


def test_i11_puts_go_round_until_an_orbit_passes_without_a_raise():
    table = opened(PURE, TEN, SIX).do("put 1", "put 1")
    assert table.do("put 2").to_act() == 0
    table.do("put 2", "put 2")
    assert table.do("put 2").to_act() == TERMINAL


def test_i11_orbits_have_no_limit_but_the_cap():
    table = opened(PURE, TEN, cap=9)
    for chips in range(2, 10):
        assert table.do(f"put {chips}").to_act() == 1
        table.do(f"put {chips}")
    assert table.do("put 9", "put 9").to_act() == TERMINAL


def test_i11_without_a_demand_there_is_no_exchange():
    table = opened(PURE, TEN).do("put 1", "put 1")
    assert table.to_act() == TERMINAL
    assert table.events("exchange") == []


def test_i11_any_player_may_demand_the_exchange_once():
    table = opened(TEN, PURE, SIX).do("put 1")
    assert "put 1 and demand the exchange" in table.legal()
    table.do("put 1 and demand the exchange")
    assert (table.state.hand.stage, table.to_act()) == (EXCHANGE, 0)
    table.do("keep", "keep", "keep")
    assert (table.state.hand.stage, table.to_act()) == (OPEN_BETTING, 2)
    assert not [text for text in table.legal() if "demand" in text]
    with pytest.raises(IllegalAction):
        table.do("put 1 and demand the exchange")


def test_i11_betting_continues_left_of_the_demander_for_a_whole_orbit():
    table = opened(TEN, PURE, SIX).do("put 1 and demand the exchange", "keep", "keep", "keep")
    assert table.to_act() == 1
    assert table.do("put 1").to_act() == 2
    assert table.do("put 1").to_act() == 0
    assert table.do("put 1").to_act() == TERMINAL


def test_i11_a_demand_may_raise_and_binds_those_after_it():
    table = opened(TEN, PURE).do("put 6 and demand the exchange", "keep", "keep")
    assert table.legal()[0] == "put 6"
    assert not [text for text in table.legal() if text in ("put 5", "put 1")]


def test_i11_a_fold_in_the_exchange_can_end_the_hand():
    table = opened(TEN, PURE).do("put 1 and demand the exchange", "fold")
    assert table.to_act() == TERMINAL
    assert table.events("win") == [("win", 1, 1)]


def test_i11_betting_continues_after_the_demander_has_folded():
    table = opened(TEN, PURE, SIX).do("put 1 and demand the exchange", "fold", "keep", "keep")
    assert table.to_act() == 1
    assert table.do("put 1", "put 1").to_act() == TERMINAL


def test_i11_all_others_all_in_ends_the_betting():
    table = opened(TEN, PURE, short_stack="all_in")
    table.state.hand.match.amounts = (3, 100)
    table.state.hand.ask_seat(0)
    table.do("put 3", "put 3")
    assert table.to_act() == TERMINAL


def test_s14_the_demand_begins_an_orbit_that_answers_its_raise():
    """Seat 2 had no decision in the first orbit; after the exchange all three are, seat 1 last."""
    table = opened(TEN, PURE, SIX).do("put 1", "put 6 and demand the exchange")
    table.do("keep", "keep", "keep")
    assert not table.state.hand.betting.raised
    assert [table.to_act(), table.do("put 6").to_act(), table.do("put 6").to_act()] == [2, 0, 1]
    assert table.do("put 6").to_act() == TERMINAL


def test_s14_a_raise_in_the_orbit_before_the_demand_is_answered_there_too():
    table = opened(TEN, PURE).do("put 4", "put 4 and demand the exchange", "keep", "keep")
    assert table.do("put 4", "put 4").to_act() == TERMINAL
