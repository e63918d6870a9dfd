"""Expulsion: an offender is folded for the rest of the match and ranks last."""

from itertools import islice

import pytest

from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import generator
from arena.core.errors import IllegalAction
from arena.core.outcome import Termination, utilities
from arena.core.state import TERMINAL
from arena.games.sabacc.engine.stages import (
    BET,
    BET_IF_DRAWN,
    EXCHANGE,
    FIRST_DRAW,
    RAISING,
    SECOND_DRAW,
)
from tests.games.sabacc.play import (
    PURE,
    SABACC,
    SIX,
    TEN,
    TWENTY,
    TWO,
    Table,
    match,
    one_hand,
    play_random,
    situation,
)
from tests.games.sabacc.ranking import rules_with

MODES = {
    "showdown": {"hands": 2},
    "points": {"mode": "points", "target": 0, "hands": 2},
    "to_a_target": {"mode": "points", "target": 40},
    "chips": one_hand(hands=2),
    "alternating": one_hand(hands=2, betting="alternating"),
    "poker": one_hand(hands=2, betting="poker"),
    "all_in": one_hand(hands=2, betting="poker", short_stack="all_in", stack=9),
    "dice": {"hands": 2, "dice": True, "tick_every": 1},
    "dice_chips": one_hand(hands=2, dice=True, tick_every=2),
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
    state, offender = table.state, table.to_act()
    amount = state.hand.match.amounts[offender]
    state.expel(offender)
    assert not state.hand.match.active[offender]
    assert table.events("expel") == [("expel", offender, 0)]
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
def test_all_seats_but_one_may_be_expelled_before_the_first_decision(options):
    state = after(options, 1, seats=4).state
    for seat in (0, 2, 1):
        state.expel(seat)
    assert state.current_player() == TERMINAL
    assert state.returns() == utilities((4, 2, 3, 1))


@pytest.mark.parametrize("stage", [BET, FIRST_DRAW, BET_IF_DRAWN, SECOND_DRAW, EXCHANGE, RAISING])
def test_chips_an_expelled_stack_is_kept_and_the_last_seat_takes_the_pot(stage):
    table = situation(
        TEN, TWENTY, SIX, stage=stage, staked=(4, 5, 6), amounts=(90, 80, 70), options=one_hand()
    )
    table.state.expel(0)
    assert table.state.hand.match.amounts[0] == 90
    table.state.expel(1)
    assert table.to_act() == TERMINAL
    assert table.state.scores() == (90, 80, 85)
    assert table.state.returns() == utilities((3, 2, 1))
    assert table.events("win") == [("win", 2, 15)]


def test_the_offenders_stack_counts_for_nothing_in_the_order():
    table = situation(
        TEN, TWENTY, SIX, stage=RAISING, amounts=(500, 3, 1), staked=(1, 1, 1), options=one_hand()
    )
    table.state.expel(0)
    table.do("fold")
    assert table.state.scores() == (500, 3, 4)
    assert table.state.returns() == utilities((3, 2, 1))


def test_an_expelled_seat_adds_no_roll():
    table = match(3, TEN, TWENTY, SIX, **one_hand(dice=True))
    table.state.expel(0)
    assert table.events("roll") == []
    assert table.to_act() == 1


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
    assert table.to_act() == 2


def test_a_due_swap_lapses_when_its_seat_is_expelled():
    table = situation(TEN, TWENTY, SIX, draws="die 3", options={"dice": True}, ticks=5)
    table.do("pass")
    assert (table.to_act(), table.state.hand.swapping) == (1, True)
    table.state.expel(1)
    assert (table.to_act(), table.state.hand.swapping) == (2, False)
    assert table.legal() == ["draw", "pass"]


def test_another_seat_may_be_expelled_while_a_swap_is_due():
    table = situation(
        TEN, TWENTY, SIX, draws="die 3, Ace of Coins", options={"dice": True}, ticks=5
    )
    table.do("pass")
    table.state.expel(2)
    assert (table.to_act(), table.state.hand.swapping) == (1, True)
    table.do("exchange 1")
    assert table.events("swap", "exchange") == [("swap", 1, 0)]
    assert table.legal() == ["draw", "pass"]


def test_poker_no_raise_is_legal_after_the_last_rival_is_expelled():
    options = one_hand(betting="poker", short_stack="all_in", cap=0)
    table = situation(
        TEN, TWENTY, SIX, stage=BET, amounts=(3, 50, 50), staked=(1, 1, 1), options=options
    )
    table.do("bet 3")
    assert "raise 3" in table.legal()
    table.state.expel(2)
    assert (table.to_act(), table.legal()) == (1, ["call", "fold"])


def test_poker_an_expelled_better_leaves_his_bet_to_be_met():
    table = match(3, PURE, TWENTY, SIX, **one_hand(betting="poker")).do("bet 5")
    table.state.expel(0)
    assert table.legal()[:2] == ["call", "raise 5"]
    table.do("call", "call").finish_hand()
    assert table.events("win") == [("win", 1, 18)]


def test_alternating_a_demanded_exchange_continues_without_its_demander():
    table = match(3, PURE, TWENTY, SIX, **one_hand(betting="alternating"))
    table.do(*["pass"] * 6, "put 2 and demand the exchange")
    assert table.to_act() == 0
    table.state.expel(0)
    assert (table.state.hand.stage, table.to_act()) == (EXCHANGE, 1)
    table.do("keep", "keep")
    assert table.to_act() == 1
    assert table.legal()[0] == "put 2"


def test_points_an_expelled_leader_does_not_keep_the_match_from_ending():
    table = situation(
        TEN,
        TWENTY,
        SIX,
        stage=EXCHANGE,
        amounts=(105, 85, 20),
        options={"mode": "points", "target": 100},
    )
    table.state.expel(0)
    table.do("keep", "keep")
    assert table.to_act() == TERMINAL
    assert table.state.scores() == (105, 105, 26)
    assert table.state.returns() == utilities((3, 1, 2))


def test_an_expulsion_is_a_public_event():
    table = match(3, TEN, TWENTY, SIX)
    table.state.expel(0)
    for seat in range(3):
        seen = table.state.observation(seat)
        assert seen.expelled == (0,)
        assert str(seen.events[-1]) == "seat 0: is taken out of the match"
    assert len(table.state.observation(0).hand) == 3


def test_a_second_expulsion_or_one_after_the_end_is_refused():
    table = match(3, TEN, TWENTY, SIX, hands=1)
    table.state.expel(0)
    for seat in (0, 3, -1):
        with pytest.raises(IllegalAction, match=f"seat {seat} cannot be taken out"):
            table.state.expel(seat)
    table.state.expel(1)
    assert table.to_act() == TERMINAL
    with pytest.raises(IllegalAction, match="seat 2 cannot be taken out"):
        table.state.expel(2)
    assert table.state.hand.match.expelled == (0, 1)
