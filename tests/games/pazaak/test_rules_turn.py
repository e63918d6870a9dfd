"""Sections 1.3 and 1.4 of the rule book: the turn, and what ends it."""

import pytest

from arena.core.errors import IllegalAction
from arena.core.state import CHANCE
from tests.games.pazaak.table import Table


def test_s17_a_turn_begins_with_a_deck_card_without_a_decision():
    table = Table(a="4")
    assert table.state.current_player() == CHANCE
    assert next(action.text for action, _ in table.state.chance_outcomes()) == "deck card 1"
    assert table.draw(6).values(0) == [4, 6]


def test_s18_one_hand_card_a_turn():
    table = Table(a="4", hands=("+1 +2", "")).draw(3).do("play +1")
    assert table.choices == ["end turn", "stand"]
    with pytest.raises(IllegalAction, match=r"play \+2 is not one of: end turn, stand"):
        table.do("play +2")
    assert table.totals == (8, 0)


def test_s18_a_hand_card_is_never_compulsory():
    assert Table(a="4", hands=("+1", "")).draw(3).do("end turn").state.hands[0]


def test_s18_the_next_turn_allows_another_card():
    table = Table(a="4", b="1", hands=("+1 +2", "")).draw(3).do("play +1", "end turn")
    table.draw(2).do("end turn").draw(1)
    assert "play +2" in table.choices


def test_c16_a_card_and_then_end_or_stand():
    assert Table(a="4", hands=("+1", "")).draw(3).do("play +1").do("stand").state.standing[0]


def test_s19_end_turn_passes_play_and_binds_to_the_next_draw():
    table = Table(a="4", b="5").draw(3).do("end turn")
    assert table.state.turn == 1
    assert not table.state.standing[0]
    table.draw(2).do("end turn")
    assert table.state.turn == 0
    assert table.state.current_player() == CHANCE


def test_s20_a_standing_seat_keeps_its_total_and_the_other_plays_on():
    table = Table(a="10 8", b="5", hands=("+1", "")).draw(1).do("stand")
    for value in (2, 3, 4):
        assert table.state.turn == 1
        table.draw(value).do("end turn")
    assert table.totals == (19, 14)


def test_s21_twenty_stands_at_once():
    table = Table(a="10 4", b="9").draw(6)
    assert table.state.standing == [True, False]
    assert table.state.turn == 1


def test_s21_twenty_by_a_hand_card_stands_too():
    assert Table(a="10 4", b="9", hands=("+1", "")).draw(5).do("play +1").state.standing[0]


@pytest.mark.parametrize("seat", [0, 1])
def test_s21_both_on_twenty_tie(seat):
    tables = {"a": "10 4", "b": "10 10"} if seat == 0 else {"a": "10 10", "b": "10 4"}
    table = Table(**tables, turn=seat, standing=(seat == 1, seat == 0)).draw(6)
    assert table.result == (None, "tie")


def test_s22_over_twenty_is_fine_while_a_card_saves():
    table = Table(a="10 6", b="9", hands=("-3", "")).draw(6).do("play -3", "end turn")
    assert table.result is None
    assert table.totals == (19, 9)


def test_s23_standing_on_a_losing_total_is_legal():
    table = Table(a="10 6", b="9", hands=("-3", "")).draw(6).do("stand")
    assert table.result == (1, "bust")
    assert len(table.state.hands[0]) == 1


def test_s25_ending_a_turn_over_twenty_loses_the_set():
    table = Table(a="10 6", b="9").draw(5)
    assert table.result is None
    assert table.do("end turn").result == (1, "bust")
    assert table.state.sets == [0, 1]


def test_c5_immediate_bust_leaves_no_time_for_a_rescue():
    table = Table("standard(bust_check=immediate)", a="10 6", b="9", hands=("-3", "")).draw(6)
    assert table.result == (1, "bust")


def test_c5_immediate_bust_applies_to_a_hand_card_too():
    table = Table("standard(bust_check=immediate)", a="10 6", b="9", hands=("+5", "")).draw(1)
    assert table.do("play +5").result == (1, "bust")


def test_c6_off_leaves_the_twenty_to_the_player():
    table = Table("standard(auto_stand=off)", a="10 4", b="9").draw(6)
    assert table.choices == ["end turn", "stand"]
    assert not table.do("end turn").state.standing[0]


def test_c6_end_of_turn_stands_when_the_turn_ends():
    table = Table("standard(auto_stand=end_of_turn)", a="10 4", b="9").draw(6)
    assert not table.state.standing[0]
    assert table.do("end turn").state.standing[0]
    assert [event.kind for event in table.state.observation(0).events][-1] == "auto stand"


def test_c6_a_described_twenty_stands_at_the_end_of_its_turn():
    table = Table(a="10 10", b="9", act=True).do("end turn")
    assert table.state.standing[0]


def test_a3_immediate_allows_no_card_on_twenty_but_end_of_turn_does():
    assert Table(a="10 4", hands=("-1", "")).draw(6).state.turn == 1
    table = Table("standard(auto_stand=end_of_turn)", a="10 4", hands=("-1", "")).draw(6)
    assert table.do("play -1", "end turn").totals == (19, 0)


def test_c17_a_rescue_to_exactly_twenty_is_no_bust():
    table = Table(a="10 6", b="9", hands=("-2", "")).draw(6).do("play -2")
    assert table.state.standing[0]
    assert table.result is None


def test_a16_no_stand_is_legal_before_the_first_draw():
    with pytest.raises(IllegalAction):
        Table().do("stand")


def test_a20_only_the_seat_to_move_sees_choices():
    state = Table(a="4", b="5", hands=("+1", "+2")).draw(3).state
    assert state.observation(0).legal_actions
    assert state.observation(1).legal_actions == ()


def test_s26_nine_cards_within_twenty_win_at_once():
    table = Table(a="2 2 2 2 1 1 1 1", b="10 10", standing=(False, True)).draw(3)
    assert table.result == (0, "fill")


def test_s26_a_hand_card_may_be_the_ninth():
    table = Table(a="2 2 2 1 1 1 1", b="10 9", hands=("+1", "")).draw(3).do("play +1")
    assert table.result == (0, "fill")


def test_s26_seat_1_fills_as_well_as_seat_0():
    assert Table(a="9", b="2 2 2 2 1 1 1 1", turn=1).draw(3).result == (1, "fill")


def test_a4_by_default_the_fill_comes_before_the_stand():
    layout = {"a": "2 2 2 2 2 2 2 2", "b": "10 10", "standing": (False, True)}
    assert Table(**layout).draw(4).result == (0, "fill")
    with_option = Table("standard(ninth_on_twenty=stand)", **layout).draw(4)
    assert with_option.result == (None, "tie")


def test_a5_a_ninth_card_over_twenty_leaves_no_square():
    table = Table(a="3 3 3 3 2 2 1 1", b="9", hands=("-4", "")).draw(6)
    assert table.choices == ["end turn", "stand"]
    assert table.do("stand").result == (1, "bust")


def test_a5_allow_tenth_lets_the_card_save_and_fill():
    table = Table("standard(fill_overflow=allow_tenth)", a="3 3 3 3 2 2 1 1", hands=("-4", ""))
    assert table.draw(6).do("play -4").result == (0, "fill")
    assert len(table.values(0)) == 10


def test_a6_by_default_an_overshoot_does_not_spoil_the_fill():
    layout = {"a": "10 6 -2 1 1 1 1", "b": "9", "hands": ("-5", "")}
    assert Table(**layout).draw(6).do("play -5").result == (0, "fill")
    with_option = Table("standard(overshoot_spoils_fill=true)", **layout).draw(6).do("play -5")
    assert with_option.result is None
    assert with_option.state.standing[0]


def test_a6_the_overshoot_is_forgotten_with_its_set():
    table = Table("standard(overshoot_spoils_fill=true)", a="10 6", b="9").draw(6).do("stand")
    assert table.next_set().state.marks.overshot == (False, False)


def test_a7_by_default_special_cards_count_toward_nine():
    layout = {"a": "1 1 1 1 1 1 1", "b": "9", "hands": ("±1T", "")}
    assert Table(**layout).draw(2).do("play ±1T as -1").result == (0, "fill")
    with_option = Table("standard(specials_fill=false)", **layout).draw(2).do("play ±1T as -1")
    assert with_option.result is None
    assert with_option.do("end turn").draw(1).do("end turn").draw(1).result == (0, "fill")


def test_c7_c8_without_the_fill_a_full_table_merely_stands():
    table = Table("table", a="2 2 2 2 1 1 1 1", b="10 10", standing=(False, True)).draw(3)
    assert table.result == (1, "outscore")


def test_c8_a_full_table_stands_on_twenty_even_without_the_automatic_stand():
    rules = "standard(fill=full_table_stands,auto_stand=off)"
    table = Table(rules, a="2 2 2 2 2 2 2 2", b="10 9", standing=(False, True)).draw(4)
    assert table.result == (0, "outscore")
