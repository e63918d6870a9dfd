"""Section 3, 1, 2 and 6: who plays, the deal, the dealer; dealing by seat streams."""

import pytest

from arena.core.chance.dealer import SeatStreams
from tests.games.sabacc.play import SABACC, SIX, TEN, TWENTY, TWO, Table, match, one_hand, situation
from tests.games.sabacc.ranking import rules_with


def streamed(seats, seed=7, **options):
    return Table(SABACC.new_state(rules_with(**options), [b""] * seats, SeatStreams(seed)))


@pytest.mark.parametrize("seats", SABACC.seats)
def test_s3_1_two_to_six_players_get_three_cards_each(seats):
    table = streamed(seats)
    assert table.state.hand.deck.hand_sizes == (3,) * seats
    assert table.state.hand.deck.left() == 76 - 3 * seats


def test_s3_1_turns_go_round_from_the_dealers_left():
    table = match(3, TWENTY, TEN, SIX)
    assert table.state.hand.match.button == 2
    assert [sorted(table.hand(seat)) for seat in range(3)] == [
        sorted(cards.split(", ")) for cards in (TWENTY, TEN, SIX)
    ]
    assert table.to_act() == 0
    assert [table.do("pass").to_act() for _ in range(5)] == [1, 2, 0, 1, 2]


def test_s3_6_the_dealer_moves_left_every_hand():
    table = streamed(3, hands=4)
    dealers, first = [], []
    while not table.state.is_terminal():
        dealers.append(table.state.hand.match.button)
        first.append(table.to_act())
        table.finish_hand()
    assert dealers == [2, 0, 1, 2]
    assert first == [0, 1, 2, 0]


def test_s3_6_who_sits_out_does_not_deal():
    table = situation(
        "",
        TEN,
        TWENTY,
        SIX,
        draws=f"{TEN}, {TWENTY}",
        button=3,
        amounts=(0, 90, 0, 110),
        staked=(0, 1, 1, 1),
        active=(False, True, True, True),
        options={"mode": "chips", "hands": 5},
    )
    table.state.hand.match.out_since = (1, 0, 0, 0)
    table.do("pass", "pass", "pass")  # second draw next: nobody drew
    table.do("fold", "fold")  # seat 3 takes the pot
    assert table.state.hand.match.hand_number == 2
    assert table.state.hand.match.button == 1
    assert table.to_act() == 3
    assert table.state.hand.match.active == (False, True, False, True)


def test_s3_5_discards_are_out_until_the_hand_ends():
    table = match(2, TWENTY, TEN, "7 of Coins, 8 of Coins", SIX, TWO, hands=2)
    table.do("pass", "pass", "pass", "pass", "exchange 1 2")
    assert table.state.hand.deck.gone == 2
    assert table.state.hand.deck.left() == 76 - 6 - 2
    table.do("keep")
    assert table.state.hand.match.hand_number == 2
    assert (table.state.hand.deck.gone, table.state.hand.deck.left()) == (0, 70)


def choosing(table, drawers):
    """Plays the match; those seats take every card they may. Cards of each hand, by seat."""
    state, dealt = table.state, []
    while not state.is_terminal():
        number, hand = state.hand.match.hand_number, {}
        while not state.is_terminal() and state.hand.match.hand_number == number:
            player = state.current_player()
            for seat in range(state.hand.match.seats):
                if state.hand.stage < 3:  # draws are not over
                    hand[seat] = state.hand.deck.memory[seat]
            want = "draw" if player in drawers and "draw" in table.legal() else "pass"
            table.do(want if want in table.legal() else "keep")
        dealt.append(hand)
    return dealt


@pytest.mark.parametrize("seats", SABACC.seats)
def test_streams_a_seat_that_draws_never_shifts_anothers_cards(seats):
    few = choosing(streamed(seats, hands=5), {1})
    many = choosing(streamed(seats, hands=5), {0, 1})
    assert [hand[1] for hand in few] == [hand[1] for hand in many]
    assert all(len(hand[1]) >= 4 for hand in few)
    for seat in range(seats):
        assert [hand[seat][:3] for hand in few] == [hand[seat][:3] for hand in many]
    assert [hand[0] for hand in few] != [hand[0] for hand in many]


@pytest.mark.parametrize("seats", SABACC.seats)
def test_streams_rotated_players_get_the_same_cards_in_each_seat(seats):
    every = [choosing(streamed(seats, hands=4), {drawer}) for drawer in range(seats)]
    for seat in range(seats):
        first = [[hand[seat][:3] for hand in dealt] for dealt in every]
        assert all(cards == first[0] for cards in first)


def test_streams_a_fold_with_dice_does_not_shift_anothers_cards():
    def second_hand(*texts):
        table = streamed(3, **one_hand(hands=2, dice=True, tick_every=1000))
        table.do(*texts)
        table.finish_hand()
        assert table.state.hand.match.hand_number == 2
        return table.state.hand.deck.memory

    assert second_hand("put 1", "put 1", "put 1", "draw") == second_hand("fold")
