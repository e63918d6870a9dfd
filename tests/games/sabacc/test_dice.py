"""Section 5 with B18-B20: card exchange by dice."""

from fractions import Fraction

import pytest

from arena.core.errors import IllegalAction
from arena.core.state import CHANCE, TERMINAL
from arena.games.sabacc.engine.stages import FIRST_DRAW, RAISING, ROLL_DUE
from tests.games.sabacc.play import BOMB, PURE, SIX, TEN, TWENTY, match, one_hand, situation

DICE = {"dice": True, "tick_every": 1}


def rolled(face, *hands, draws="", **described):
    """Seat 0 passes, and seat 1, about to decide, rolls; what comes then is asked of chance."""
    options = {**DICE, **described.pop("options", {})}
    table = situation(*(hands or (TEN, TWENTY, SIX)), options=options, **described)
    table.state.hand.match.dealer = None
    table.do("pass")
    return table.chance(f"die {face}")


def shuffle(table, *moves):
    """An even roll: each (seat, the card it gives, the card it gets), whatever the order."""
    for way in (1, 2):
        for _ in moves:
            table.chance(next(move[way] for move in moves if move[0] == table.state.hand.turn))
    return table


@pytest.mark.parametrize("face", [1, 3, 5])
def test_s5_odd_the_roller_swaps_a_card_of_his_choice(face):
    table = rolled(face)
    assert table.to_act() == 1
    assert table.legal() == ["exchange 1", "exchange 2", "exchange 3"]
    before = table.hand(0), table.hand(2)
    table.do("exchange 2").chance("Ace of Coins")
    assert table.hand(1) == ["2 of Staves", "10 of Coins", "Ace of Coins"]
    assert (table.hand(0), table.hand(2)) == before
    assert table.state.hand.deck.discards[1][0].name == "8 of Flasks"
    assert (table.to_act(), table.legal()) == (1, ["draw", "pass"])


@pytest.mark.parametrize("text", ["keep", "pass", "exchange 1 2", "draw"])
def test_b18_the_swap_is_compulsory_and_is_of_one_card(text):
    table = rolled(1)
    with pytest.raises(IllegalAction):
        table.do(text)
    assert table.state.hand.swapping


def test_s5_the_swap_is_not_the_one_exchange_of_the_hand():
    table = rolled(1).do("exchange 1").chance("Ace of Coins")
    assert table.state.hand.stage == FIRST_DRAW
    assert table.events("exchange", "swap") == [("swap", 1, 0)]


@pytest.mark.parametrize("face", [2, 4, 6])
def test_s5_even_one_card_of_every_hand_is_shuffled_and_one_comes_back(face):
    table = rolled(face)
    state = table.state
    union = sorted(card.id for hand in state.hand.deck.hands for card in hand)
    assert (table.to_act(), state.hand.turn) == (CHANCE, 0)  # round from seat 0, whoever rolled
    assert {a.text for a in state.legal_actions()} == {f"card {name}" for name in table.hand(0)}
    table.chance("4 of Coins")
    assert state.hand.turn == 1
    table.chance("2 of Staves, 3 of Sabers")
    assert state.hand.deck.hand_sizes == (2, 2, 2)
    assert [card.name for card in state.hand.deck.pool] == [
        "4 of Coins",
        "2 of Staves",
        "3 of Sabers",
    ]
    assert [odds for _, odds in state.chance_outcomes()] == [Fraction(1, 3)] * 3
    back = {0: "4 of Coins", 1: "3 of Sabers", 2: "2 of Staves"}  # seat 0 gets its own
    for _ in range(3):
        table.chance(back[state.hand.turn])
    assert state.hand.deck.hand_sizes == (3, 3, 3)
    assert "3 of Sabers" in table.hand(1)
    assert "2 of Staves" in table.hand(2)
    assert sorted(card.id for hand in state.hand.deck.hands for card in hand) == union
    assert (table.to_act(), table.legal()) == (1, ["draw", "pass"])


def test_b19_two_players_both_give_one_card():
    table = rolled(2, TEN, TWENTY)
    shuffle(table, (1, "10 of Coins", "4 of Coins"), (0, "4 of Coins", "10 of Coins"))
    assert "4 of Coins" in table.hand(1)
    assert "10 of Coins" in table.hand(0)


def test_s5_what_was_given_and_got_is_seen_by_its_owner_alone():
    mine = (1, "2 of Staves", "2 of Staves")
    one = shuffle(
        rolled(2), mine, (2, "3 of Sabers", "4 of Coins"), (0, "4 of Coins", "3 of Sabers")
    )
    other = shuffle(
        rolled(2), mine, (2, "2 of Coins", "2 of Coins"), (0, "3 of Flasks", "3 of Flasks")
    )
    assert one.state.observation(1) == other.state.observation(1)
    assert one.state.observation(0) != other.state.observation(0)


def test_s5_every_face_is_equally_likely():
    table = situation(TEN, TWENTY, options=DICE)
    table.state.hand.match.dealer = None
    table.do("pass")
    assert table.legal() == [f"die {face}" for face in range(1, 7)]
    assert [odds for _, odds in table.state.chance_outcomes()] == [Fraction(1, 6)] * 6


def folding(draws, *hands, **options):
    table = situation(
        *(hands or (TEN, TWENTY, SIX)), draws=draws, options=one_hand(dice=True, **options)
    )
    return table.do("fold")


def test_s5_a_folding_seat_must_still_roll():
    table = folding("die 5")
    assert table.events("fold", "roll") == [("fold", 0, 0), ("roll", 0, 5)]


def test_b18_a_folded_rollers_odd_roll_does_nothing():
    table = folding("die 5")
    assert not table.state.hand.swapping
    assert table.to_act() == 1
    assert table.state.hand.deck.hand_sizes == (3, 3, 3)
    assert table.events("swap") == []


def test_s5_the_cards_of_a_folded_seat_are_not_in_the_shuffle():
    table = situation(TEN, TWENTY, SIX, options=one_hand(dice=True))
    table.state.hand.match.dealer = None
    table.do("fold").chance("die 2")
    before = table.hand(0)
    shuffle(table, (1, "2 of Staves", "3 of Sabers"), (2, "3 of Sabers", "2 of Staves"))
    assert table.hand(0) == before
    assert "3 of Sabers" in table.hand(1)
    assert "2 of Staves" in table.hand(2)
    assert table.to_act() == 1


def test_s5_a_fold_that_ends_the_hand_adds_no_roll():
    table = folding("", TEN, TWENTY)
    assert table.to_act() == TERMINAL
    assert table.events("roll") == []


def test_b20_a_fold_is_legal_when_a_swap_is_due():
    table = situation(TEN, TWENTY, SIX, draws="die 3, die 1", ticks=5, options=one_hand(dice=True))
    table.do("pass")
    assert table.state.hand.swapping
    assert table.legal()[-1] == "fold"
    table.do("fold")
    assert not table.state.hand.swapping
    assert table.events("fold", "roll") == [("roll", 1, 3), ("fold", 1, 0), ("roll", 1, 1)]
    assert table.to_act() == 2


def test_i9_a_shuffled_hand_is_not_a_dealt_one_even_with_the_same_cards():
    table = rolled(2, TEN, TWENTY)
    before = table.hand(0)
    shuffle(table, (1, "10 of Coins", "10 of Coins"), (0, "4 of Coins", "4 of Coins"))
    assert table.hand(0) == before
    assert table.state.hand.deck.untouched == (False, False)


def test_b18_an_odd_roll_with_no_card_left_to_draw_does_nothing():
    table = situation(TEN, TWENTY, options=DICE)
    state = table.state
    state.hand.match.dealer = None
    state.hand.deck.discards = (tuple(state.hand.deck.unseen()), ())
    state.hand.deck.gone, state.hand.deck.recycled = len(state.hand.deck.discards[0]), True
    table.do("pass").chance("die 3")
    assert not state.hand.swapping
    assert (table.to_act(), table.legal()) == (1, ["pass"])


def test_s5_a_roll_due_at_the_last_stake_changes_the_showdown():
    table = situation(
        PURE,
        TWENTY,
        draws="die 1, Ace of Flasks",
        stage=RAISING,
        due=ROLL_DUE,
        options=one_hand(dice=True, tick_every=100),
    )
    table.do("put 1")
    assert table.to_act() == 1
    place = table.hand(1).index("2 of Staves") + 1
    table.do(f"exchange {place}", "put 1")
    assert table.events("win") == [("win", 0, 2)]  # 33 counts 10


def test_s5_dice_go_on_with_hands_of_any_size():
    table = rolled(4, BOMB, TEN)
    shuffle(table, (1, "3 of Staves", "2 of Sabers"), (0, "2 of Sabers", "3 of Staves"))
    assert table.state.hand.deck.hand_sizes == (4, 3)


def test_s11_every_decision_a_roll_and_the_hand_still_ends():
    rolls = "die 1, 1 of Coins, die 3, 2 of Coins, die 5, 4 of Sabers, die 1, 6 of Coins, die 1"
    table = match(2, TEN, TWENTY, f"{rolls}, 7 of Coins", hands=1, **DICE)
    for text in ("pass", "pass", "pass", "pass", "keep"):
        table.do(text, "exchange 1")
    table.do("keep")
    assert table.to_act() == TERMINAL
