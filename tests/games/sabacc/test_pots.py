"""Section 7, B8 and B14: the division of chips: side pots, ties, odd chips."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.state import TERMINAL
from arena.games.sabacc.cards.pots import pots, shares
from arena.games.sabacc.engine.stages import BET, RAISING
from tests.games.sabacc.play import BOMB, PURE, SIX, TEN, TWENTY, TWO, match, one_hand, situation


def summed(made):
    return [(sum(puts), can_win) for puts, can_win in made]


SAME_TWENTY = "10 of Flasks, 8 of Staves, 2 of Flasks"


@pytest.mark.parametrize(
    ("staked", "all_in", "expected"),
    [
        ((5, 5), (), [(10, (0, 1))]),
        ((20, 14), (), [(34, (0, 1))]),  # stakes are not equalised: no side pot
        ((5, 10, 10), (0,), [(15, (0, 1, 2)), (10, (1, 2))]),
        ((5, 15, 25, 25), (0, 1), [(20, (0, 1, 2, 3)), (30, (1, 2, 3)), (20, (2, 3))]),
        ((5, 5, 10), (0, 1), [(15, (0, 1, 2)), (5, (2,))]),
        ((5, 10), (0, 1), [(10, (0, 1)), (5, (1,))]),
        ((7, 7, 7), (0, 1, 2), [(21, (0, 1, 2))]),
    ],
)
def test_b14_side_pots(staked, all_in, expected):
    seats = range(len(staked))
    made = pots(staked, [*seats], [seat in all_in for seat in seats])
    assert summed(made) == expected


def test_b14_folded_chips_beyond_the_last_level_join_the_last_pot():
    made = pots((5, 8, 20), (0, 1), (True, True, False))
    assert summed(made) == [(15, (0, 1)), (18, (1,))]
    assert summed(pots((5, 20), (0,), (True, False))) == [(25, (0,))]


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.booleans(), st.booleans()), min_size=2, max_size=6
    ).filter(lambda seats: any(stays for _, stays, _ in seats))
)
def test_b14_the_pots_hold_all_chips_and_all_in_wins_what_it_put(seats):
    staked = [chips for chips, _, _ in seats]
    order = [seat for seat, (_, stays, _) in enumerate(seats) if stays]
    all_in = [stays and broke for _, stays, broke in seats]
    made = pots(staked, order, all_in)
    assert [sum(puts) for puts in zip(*(puts for puts, _ in made), strict=True)] == staked
    assert made[0][1] == tuple(order)
    deepest = max(staked[seat] for seat in order)
    for seat in order:
        if all_in[seat] and staked[seat] < deepest:
            winnable = sum(sum(puts) for puts, can_win in made if seat in can_win)
            assert winnable == sum(min(put, staked[seat]) for put in staked)


def test_odd_chips_go_nearest_the_dealers_left():
    assert shares(11, (2, 0, 1)) == {2: 4, 0: 4, 1: 3}


POKER_ALL_IN = one_hand(betting="poker", short_stack="all_in", cap=0)


def four_way(*hands, amounts=(5, 15, 30, 30)):
    """Seat 0 all in with 5, seat 1 with 15, seats 2 and 3 call and go on to 25."""
    table = situation(*hands, stage=BET, amounts=amounts, staked=(0,) * 4, options=POKER_ALL_IN)
    table.do("bet 5", "raise 10", "raise 10", "call")
    assert table.state.hand.betting.all_in == (True, True, False, False)
    assert table.state.hand.betting.pot == 70
    return table.finish_hand().state.hand.match.amounts


def test_b14_the_best_hand_takes_the_pots_it_is_in():
    # main 4 * 5, side 3 * 10, last 2 * 10; 5 chips stay with seats 2 and 3
    assert four_way(PURE, TWENTY, TEN, SIX) == (20, 30, 25, 5)
    assert four_way(TWENTY, PURE, TEN, SIX) == (0, 50, 25, 5)
    assert four_way(TEN, TWENTY, PURE, SIX) == (0, 0, 75, 5)
    assert four_way(TEN, TWENTY, SIX, PURE) == (0, 0, 5, 75)
    assert four_way(TWENTY, SIX, TEN, TWO) == (20, 0, 55, 5)


def test_b14_three_way_with_a_side_pot():
    table = situation(
        PURE, TWENTY, TEN, stage=BET, amounts=(4, 40, 40), staked=(1, 1, 1), options=POKER_ALL_IN
    )
    table.do("check", "bet 10", "call", "all in").finish_hand()
    assert table.events("win") == [("win", 0, 15), ("win", 1, 12)]
    assert table.state.hand.match.amounts == (15, 42, 30)


def test_b14_chips_that_no_other_seat_can_win_are_returned():
    table = situation(TWENTY, BOMB, stage=BET, amounts=(6, 40), staked=(1, 1), options=POKER_ALL_IN)
    table.do("check", "bet 20", "all in").finish_hand()
    assert table.state.hand.match.amounts == (14, 20 + 14)


def test_b14_staged_an_all_in_seat_wins_from_each_what_it_put_itself():
    table = situation(
        PURE,
        TWENTY,
        TEN,
        stage=RAISING,
        amounts=(2, 50, 50),
        staked=(3, 3, 3),
        last_stake=6,
        options=one_hand(short_stack="all_in", max_raises=1),
    )
    assert table.legal() == ["all in", "fold"]
    table.do("all in", "put 6", "put 8")
    assert table.to_act() == TERMINAL
    assert table.events("win") == [("win", 0, 15), ("win", 1, 10)]
    assert table.state.hand.match.amounts == (15, 54, 42)


def test_b14_a_seat_with_exactly_the_stake_puts_it_and_is_all_in():
    options = one_hand(short_stack="all_in")
    table = situation(TEN, TWENTY, stage=RAISING, amounts=(6, 50), last_stake=6, options=options)
    assert table.legal() == ["put 6", "fold"]
    assert table.do("put 6").state.hand.betting.all_in == (True, False)


def test_b14_an_all_in_seat_plays_on_with_cards_but_not_with_chips():
    table = match(3, TEN, TWENTY, SIX, "8 of Coins", **one_hand(stack=4, short_stack="all_in"))
    table.do("put 3", "put 3", "put 3", "draw", "pass", "pass")
    assert table.state.hand.betting.all_in == (True, True, True)
    table.finish_hand()
    assert table.to_act() == TERMINAL
    assert len(table.events("put")) == 3
    assert table.events("exchange") == [("exchange", seat, 0) for seat in range(3)]


def next_entry(short_stack):
    """Seat 1 has a single chip left for an entry of 3."""
    table = situation(
        PURE,
        TWENTY,
        SIX,
        draws=f"{TEN}, {TWENTY}, {SIX}",
        stage=RAISING,
        amounts=(50, 1, 40),
        staked=(4, 4, 4),
        last_stake=2,
        options=one_hand(hands=2, short_stack=short_stack, ante=3, stack=40),
    )
    return table.do("put 3", "fold", "fold")


def test_b14_all_in_enters_with_less_than_the_ante():
    table = next_entry("all_in")
    assert table.events("ante") == [("ante", 1, 1), ("ante", 2, 3), ("ante", 0, 3)]
    assert table.state.hand.betting.all_in == (False, True, False)
    assert table.to_act() == 2


def test_b14_fold_a_seat_that_cannot_pay_the_entry_sits_out():
    table = next_entry("fold")
    assert table.events("ante") == [("ante", 2, 3), ("ante", 0, 3)]
    assert table.state.hand.match.active == (True, False, True)
    assert table.state.hand.match.amounts[1] == 1


def tie(*draws, staked=(4, 4, 4)):
    table = situation(
        TWENTY,
        SAME_TWENTY,
        TEN,
        draws=", ".join(draws),
        stage=RAISING,
        staked=staked,
        amounts=(50, 50, 50),
        options=one_hand(),
    )
    return table.do("put 1", "put 1", "put 1")


def test_s4_4_a_tie_for_the_pot_is_broken_by_one_card_each():
    table = tie("1 of Coins, 2 of Sabers")
    assert table.events("extra", "win") == [("extra", 0, 0), ("extra", 1, 0), ("win", 1, 15)]
    assert table.state.hand.deck.hand_sizes == (4, 4, 3)


def test_b8_after_five_rounds_split_odd_chip_nearest_dealers_left():
    fives = ", ".join(["Idiot, Idiot"] * 5)
    table = tie(fives)
    assert len(table.events("extra")) == 10
    assert table.events("win") == [("win", 0, 8), ("win", 1, 7)]


def test_b8_equal_hands_then_the_extra_cards_count():
    # 20 and 20; with 3 both are pure; with the fives both are pure again, and a five counts 11
    table = tie("3 of Coins, 5 of Sabers")
    assert table.events("win") == [("win", 1, 15)]
