"""The careful counter and the hand saver."""

from arena_bots.pazaak.careful_counter import CarefulCounter
from arena_bots.pazaak.counting import unseen
from arena_bots.pazaak.hand_saver import HandSaver

from arena.games.pazaak.engine.actions import END_TURN, STAND, play
from arena.games.pazaak.engine.cards import card_named
from tests.bots.play import seen, started


def test_s7_the_cards_of_this_set_are_counted_out_of_four_of_each():
    left = unseen(seen(tables=([9, 9, (1, "+1")], [9, 3])), own_draw=True)
    assert left == [4, 4, 3, 4, 4, 4, 4, 4, 1, 4]


def test_c4_a_deck_each_counts_the_drawers_own_table_alone():
    observation = seen("standard(main_deck=forty_each)", tables=([9, 9], [3]))
    assert unseen(observation, own_draw=True)[8] == 2
    assert unseen(observation, own_draw=False) == [4, 4, 3, 4, 4, 4, 4, 4, 4, 4]


def test_c4_an_unbound_deck_is_never_used_up():
    assert unseen(seen("table", tables=([9, 9], [9])), own_draw=True) == [1] * 10


def test_the_counter_draws_at_17_when_only_low_cards_are_left():
    tight = seen(tables=([7, 10], [10, 7]), standing=(False, True))
    assert started(CarefulCounter()).act(tight) is STAND
    low = [4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10]
    squares = seen(tables=([7, 10], [*low, 17 - sum(low)]), standing=(False, True))
    assert started(CarefulCounter()).act(squares) is END_TURN


def test_both_rescue_a_bust_that_the_match_hangs_on():
    hopeless = seen(tables=([10, 4, 9], [10, 8]), hands=("-3", ""), sets=(0, 2))
    for bot in (CarefulCounter(), HandSaver()):
        assert started(bot).act(hopeless) is play(card_named("-3"))


def test_the_saver_keeps_the_card_that_the_counter_spends():
    small_gain = seen(tables=([10, 8], [10, 4]), hands=("+2", "±3"), sets=(0, 0))
    assert started(CarefulCounter()).act(small_gain) is play(card_named("+2"))
    assert started(HandSaver()).act(small_gain) is STAND


def test_the_price_falls_as_sets_are_won_and_rises_as_cards_are_spent():
    saver = HandSaver()
    start = saver.price(seen(tables=([5], ()), hands=("+1 +2 +3 +4", "")))
    ahead = saver.price(seen(tables=([5], ()), hands=("+1 +2 +3 +4", ""), sets=(2, 0)))
    spent = saver.price(seen(tables=([5], ()), hands=("+1", "")))
    assert ahead < start < spent


def test_a_new_hand_each_set_is_not_saved():
    fresh = seen("standard(hand_scope=set)", tables=([5], ()), hands=("+1", ""))
    assert HandSaver().price(fresh) == HandSaver().last
