"""What bad input gets: an offender is folded for the rest of the match and ranks last."""

from itertools import islice

import pytest

from arena.core.dealer import SeatStreams
from arena.core.errors import IllegalAction
from arena.core.outcome import Termination, utilities
from arena.core.seeding import generator
from arena.core.state import TERMINAL
from arena.games.sabacc.stages import BET, BET_IF_DRAWN, EXCHANGE, FIRST_DRAW, RAISING, SECOND_DRAW
from tests.games.sabacc.play import (
    PURE,
    SABACC,
    SIX,
    TEN,
    TWENTY,
    TWO,
    Table,
    lying,
    match,
    play_random,
    playing,
)
from tests.games.sabacc.ranking import rules_with

MODES = {
    "showdown": {"hands": 2},
    "points": {"mode": "points", "target": 0, "hands": 2},
    "to_a_target": {"mode": "points", "target": 40},
    "chips": playing(hands=2),
    "alternating": playing(hands=2, betting="alternating"),
    "poker": playing(hands=2, betting="poker"),
    "all_in": playing(hands=2, betting="poker", short_stack="all_in", stack=9),
    "dice": {"hands": 2, "dice": True, "tick_every": 1},
    "dice_chips": playing(hands=2, dice=True, tick_every=2),
    "variable": {"hands": 2, "variable": True, "tick_every": 1},
}


def after(options, decisions, seats=4, seed=1):
    """A match after so many random decisions, or fewer if they would end it."""
    state = SABACC.new_state(rules_with(**options), [b""] * seats, SeatStreams(seed))
    before = state.clone()
    for node in islice(play_random(state, generator(seed), fold=0.0), decisions):
        before = before if node.is_terminal() else node.clone(SeatStreams(seed))
    return Table(before)


@pytest.mark.parametrize("decisions", range(1, 26, 3))
@pytest.mark.parametrize("options", MODES.values(), ids=[*MODES])
def test_in_every_mode_and_phase_the_others_play_on(options, decisions):
    table = after(options, decisions)
    state, offender = table.state, table.asked()
    amount = state.hand.match.amounts[offender]
    state.expel(offender)
    assert not state.hand.match.active[offender]
    assert table.told("expel") == [("expel", offender, 0)]
    for node in play_random(state, generator(2)):
        assert node.current_player() != offender
        if state.hand.match.chips:
            assert (
                sum(state.hand.match.amounts) + state.hand.betting.pot + state.hand.match.carried
                == 4 * state.hand.match.rules.stack
            )
    assert state.hand.match.amounts[offender] == amount
    returns = state.returns()
    assert returns[offender] == -1.0
    assert returns.count(-1.0) == 1
    assert sum(returns) == pytest.approx(0)


@pytest.mark.parametrize("options", MODES.values(), ids=[*MODES])
def test_the_first_offender_ranks_last_of_all(options):
    state = after(options, 2).state
    first = state.current_player()
    state.expel(first)
    second = state.current_player()
    state.expel(second)
    for _ in play_random(state, generator(3)):
        pass
    assert state.returns()[first] == -1.0
    assert state.returns()[second] == pytest.approx(-1 / 3)
    assert min(set(state.returns()) - {state.returns()[first], state.returns()[second]}) > -1 / 3


@pytest.mark.parametrize("options", MODES.values(), ids=[*MODES])
@pytest.mark.parametrize("seat", [0, 1])
def test_of_two_seats_the_match_is_over_at_once(options, seat):
    state = after(options, 1, seats=2).state
    state.expel(seat)
    assert state.current_player() == TERMINAL
    assert state.returns() == ((-1.0, 1.0) if seat == 0 else (1.0, -1.0))
    assert state.outcome().termination is Termination.RULES


@pytest.mark.parametrize("options", MODES.values(), ids=[*MODES])
def test_before_the_first_decision_all_but_one_may_go(options):
    state = after(options, 1, seats=4).state
    for seat in (0, 2, 1):
        state.expel(seat)
    assert state.current_player() == TERMINAL
    assert state.returns() == utilities((4, 2, 3, 1))


@pytest.mark.parametrize("stage", [BET, FIRST_DRAW, BET_IF_DRAWN, SECOND_DRAW, EXCHANGE, RAISING])
def test_chips_the_stack_stays_and_the_pot_goes_to_who_is_left(stage):
    table = lying(
        TEN, TWENTY, SIX, stage=stage, staked=(4, 5, 6), amounts=(90, 80, 70), options=playing()
    )
    table.state.expel(0)
    assert table.state.hand.match.amounts[0] == 90
    table.state.expel(1)
    assert table.asked() == TERMINAL
    assert table.state.scores() == (90, 80, 85)
    assert table.state.returns() == utilities((3, 2, 1))
    assert table.told("win") == [("win", 2, 15)]


def test_the_offenders_stack_counts_for_nothing_in_the_order():
    table = lying(
        TEN,
        TWENTY,
        SIX,
        stage=RAISING,
        amounts=(500, 3, 1),
        staked=(1, 1, 1),
        options=playing(),
    )
    table.state.expel(0)
    table.do("fold")
    assert table.state.scores() == (500, 3, 4)
    assert table.state.returns() == utilities((3, 2, 1))


def test_an_expelled_seat_adds_no_roll():
    table = match(3, TEN, TWENTY, SIX, **playing(dice=True))
    table.state.expel(0)
    assert table.told("roll") == []
    assert table.asked() == 1


def test_s11_an_expulsion_is_no_decision_for_the_clock():
    table = match(3, TEN, TWENTY, SIX, variable=True)
    table.state.expel(0)
    assert table.state.hand.match.ticks == 0


def test_an_expelled_seat_does_not_deal_and_is_not_dealt_to():
    table = match(3, TEN, TWENTY, SIX, PURE, TWO, hands=3)
    table.state.expel(0)
    table.do(*["pass"] * 4, "keep", "keep")
    assert table.state.hand.match.hand_number == 2
    assert table.state.hand.match.button == 1  # seat 0 would have dealt
    assert table.state.hand.deck.hand_sizes == (0, 3, 3)
    assert table.asked() == 2


def test_who_was_to_swap_a_card_goes_without_it():
    table = lying(TEN, TWENTY, SIX, draws="die 3", options={"dice": True}, ticks=5)
    table.do("pass")
    assert (table.asked(), table.state.hand.swapping) == (1, True)
    table.state.expel(1)
    assert (table.asked(), table.state.hand.swapping) == (2, False)
    assert table.may() == ["draw", "pass"]


def test_another_seat_may_go_while_one_is_to_swap_a_card():
    table = lying(TEN, TWENTY, SIX, draws="die 3, Ace of Coins", options={"dice": True}, ticks=5)
    table.do("pass")
    table.state.expel(2)
    assert (table.asked(), table.state.hand.swapping) == (1, True)
    table.do("exchange 1")
    assert table.told("swap", "exchange") == [("swap", 1, 0)]
    assert table.may() == ["draw", "pass"]


def test_poker_with_the_last_rival_gone_there_is_no_raise():
    options = playing(betting="poker", short_stack="all_in", cap=0)
    table = lying(
        TEN, TWENTY, SIX, stage=BET, amounts=(3, 50, 50), staked=(1, 1, 1), options=options
    )
    table.do("bet 3")
    assert "raise 3" in table.may()
    table.state.expel(2)
    assert (table.asked(), table.may()) == (1, ["call", "fold"])


def test_poker_an_expelled_better_leaves_his_bet_to_be_met():
    table = match(3, PURE, TWENTY, SIX, **playing(betting="poker")).do("bet 5")
    table.state.expel(0)
    assert table.may()[:2] == ["call", "raise 5"]
    table.do("call", "call").rest()
    assert table.told("win") == [("win", 1, 18)]


def test_alternating_a_demanded_exchange_goes_on_without_who_demanded_it():
    table = match(3, PURE, TWENTY, SIX, **playing(betting="alternating"))
    table.do(*["pass"] * 6, "put 2 and demand the exchange")
    assert table.asked() == 0
    table.state.expel(0)
    assert (table.state.hand.stage, table.asked()) == (EXCHANGE, 1)
    table.do("keep", "keep")
    assert table.asked() == 1
    assert table.may()[0] == "put 2"


def test_points_an_expelled_leader_does_not_keep_the_match_from_ending():
    table = lying(
        TEN,
        TWENTY,
        SIX,
        stage=EXCHANGE,
        amounts=(105, 85, 20),
        options={"mode": "points", "target": 100},
    )
    table.state.expel(0)
    table.do("keep", "keep")
    assert table.asked() == TERMINAL
    assert table.state.scores() == (105, 105, 26)
    assert table.state.returns() == utilities((3, 1, 2))


def test_the_others_see_it():
    table = match(3, TEN, TWENTY, SIX)
    table.state.expel(0)
    for seat in range(3):
        seen = table.state.observation(seat)
        assert seen.expelled == (0,)
        assert str(seen.events[-1]) == "seat 0: is taken out of the match"
    assert len(table.state.observation(0).hand) == 3


def test_nobody_is_taken_out_twice_or_from_a_match_that_is_over():
    table = match(3, TEN, TWENTY, SIX, hands=1)
    table.state.expel(0)
    for seat in (0, 3, -1):
        with pytest.raises(IllegalAction, match=f"seat {seat} cannot be taken out"):
            table.state.expel(seat)
    table.state.expel(1)
    assert table.asked() == TERMINAL
    with pytest.raises(IllegalAction, match="seat 2 cannot be taken out"):
        table.state.expel(2)
    assert table.state.hand.match.expelled == (0, 1)
