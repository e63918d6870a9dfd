"""Section 1.6: what each kind of card does, and sections 3-4 on them."""

import pytest

from arena.core.errors import IllegalAction, ParseError
from arena.games.pazaak.engine.cards import CATALOGUE, card_named
from tests.games.pazaak.table import Table


def played(card, a="10", rules="standard", drawn=4, **situation: object):
    name = card.removeprefix("play ").split(" as ")[0]
    return Table(rules, a=a, hands=(name, ""), **situation).draw(drawn).do(f"play {card}")


def test_s10_c18_there_are_23_kinds_with_values_to_6():
    assert len(CATALOGUE) == 23
    values = [value for card in CATALOGUE for value in card.values]
    assert (min(values), max(values)) == (-6, 6)


@pytest.mark.parametrize("n", range(1, 7))
def test_blue_adds_red_subtracts(n):
    assert played(f"+{n}", a="1").totals[0] == 5 + n
    assert played(f"-{n}", a="1").totals[0] == 5 - n


@pytest.mark.parametrize("n", range(1, 7))
def test_plus_minus_is_chosen_when_played(n):
    assert played(f"±{n} as +{n}", a="1").totals[0] == 5 + n
    assert played(f"±{n} as -{n}", a="1").totals[0] == 5 - n


@pytest.mark.parametrize("value", ["+1", "-1", "+2", "-2"])
def test_one_or_two_has_four_values(value):
    assert played(f"±1/2 as {value}", a="1").totals[0] == 5 + int(value)


def test_a_card_must_be_in_the_hand():
    with pytest.raises(IllegalAction):
        Table(a="4", hands=("+1", "")).draw(3).do("play -1")


def test_no_card_beyond_the_catalogue():
    for name in ("+7", "±7", "+0", "1&5", "5", "T"):
        with pytest.raises(ParseError, match="no card"):
            card_named(name)


def test_c9_toggle_turns_every_2_and_4_of_the_own_table():
    table = played("2&4", a="2 -2 4 -4 +4:4 ±2:-2 3")
    assert table.values(0) == [-2, 2, -4, 4, -4, 2, 3, -4, 0]


def test_c9_the_other_flip_turns_3_and_6():
    assert played("3&6", a="3 -6 2", drawn=1).values(0) == [-3, 6, 2, 1, 0]


def test_c12_a_laid_plus_minus_card_is_turned_too():
    assert played("3&6", a="±3:-3").values(0) == [3, 4, 0]


def test_c9_console_turns_deck_cards_now_and_later():
    table = Table("console", a="10 4 +2:2", b="4", hands=("2&4", "")).draw(2).do("play 2&4")
    assert table.values(0) == [10, -4, 2, -2, 0]
    table.do("end turn").draw(4).do("end turn").draw(4)
    assert table.values(0)[-1] == -4
    assert table.values(1) == [4, 4]


def test_c9_a_second_lasting_flip_does_nothing():
    table = Table("console", a="10 4", b="1", hands=("2&4 2&4", "")).draw(2).do("play 2&4")
    table.do("end turn").draw(1).do("end turn").draw(3).do("play 2&4")
    assert table.values(0) == [10, -4, -2, 0, 3, 0]


def test_c9_negate_positive_turns_side_cards_but_no_negative_ones():
    table = played("2&4", a="2 -2 +4:4", rules="standard(flip=negate_positive)", drawn=1)
    assert table.values(0) == [-2, -2, -4, 1, 0]


def test_a8_by_default_a_flip_turns_the_own_table():
    assert played("2&4", b="2 4").values(1) == [2, 4]
    assert played("2&4", b="2 4", rules="standard(flip_scope=both)").values(1) == [-2, -4]


def test_a8_a_lasting_flip_of_both_tables_marks_both_seats():
    rules = "console(flip_scope=both)"
    table = Table(rules, a="1", b="1", hands=("2&4", "")).draw(1).do("play 2&4", "end turn")
    assert table.draw(4).values(1) == [1, -4]


def test_a9_by_default_the_present_value_is_flipped():
    layout = {"a": "5", "b": "1", "hands": ("D 2&4", "")}

    def doubled_then_flipped(rules):
        table = Table(rules, **layout).draw(4).do("play D", "end turn").draw(2).do("end turn")
        return table.draw(6).do("play 2&4").values(0)

    assert doubled_then_flipped("wiki") == [5, 8, 0, 6, 0]
    assert doubled_then_flipped("wiki(flip_by=printed)") == [5, -8, 0, 6, 0]
    assert doubled_then_flipped("standard") == [5, -4, -4, 6, 0]


def test_a10_by_default_a_flip_without_target_is_legal():
    assert played("3&6", a="5").values(0) == [5, 4, 0]
    table = Table("standard(flip_without_target=illegal)", a="5", hands=("3&6 2&4", "")).draw(4)
    assert table.choices == ["end turn", "stand", "play 2&4"]


def test_a10_with_both_tables_the_target_may_lie_on_either():
    rules = "standard(flip_without_target=illegal,flip_scope=both)"
    assert "play 3&6" in Table(rules, a="5", b="6", hands=("3&6", "")).draw(4).choices


def test_a10_a_second_flip_toggles_back():
    table = Table(a="2", b="1", hands=("2&4 2&4", "")).draw(1).do("play 2&4", "end turn")
    table.draw(1).do("end turn").draw(1).do("play 2&4")
    assert table.values(0) == [2, 1, 0, 1, 0]


@pytest.mark.parametrize(("lasts", "value"), [("set", 4), ("match", -4)])
def test_a11_how_long_a_lasting_flip_lasts(lasts, value):
    table = Table(f"console(flip_lasts={lasts})", a="1", b="10", hands=("2&4", ""))
    table.draw(1).do("play 2&4", "stand").draw(5).do("stand").next_set()
    assert table.state.turn == 1
    table.draw(4).do("end turn").draw(4)
    assert (table.values(0), table.values(1)) == ([value], [4])


def test_c10_duplicate_adds_a_card_of_the_same_value():
    assert played("D", a="2", drawn=9).values(0) == [2, 9, 9]


def test_c10_in_place_doubles_the_card_itself():
    table = played("D", a="2", rules="wiki", drawn=9)
    assert table.values(0) == [2, 18, 0]
    assert table.state.standing[0]


def test_c10_in_place_a_doubled_1_is_a_2_for_the_flip():
    table = Table("wiki", a="5", b="1", hands=("D 2&4", "")).draw(1).do("play D", "end turn")
    table.draw(2).do("end turn").draw(6).do("play 2&4")
    assert table.values(0) == [5, -2, 0, 6, 0]


def test_a12_the_double_always_finds_a_deck_card_or_is_refused():
    assert Table(a="", hands=("D", ""), act=True).choices == ["end turn", "stand"]


@pytest.mark.parametrize(
    ("rules", "value"), [("console", -4), ("console(double_of_negated=positive)", 4)]
)
def test_a13_double_of_a_card_that_a_lasting_flip_turned(rules, value):
    table = Table(rules, a="1", b="1", hands=("2&4 D", "")).draw(1).do("play 2&4", "end turn")
    table.draw(1).do("end turn").draw(4).do("play D")
    assert table.values(0)[-2:] == [-4, value]


def test_the_tiebreaker_is_plus_or_minus_one():
    assert played("±1T as +1", a="1").totals[0] == 6
    assert played("±1T as -1", a="1").totals[0] == 4


def test_a7_flip_and_double_occupy_squares():
    assert played("2&4", a="1 1 1 1 1 1 1").result == (0, "fill")
    assert played("D", a="1 1 1 1 1 1 1").result == (0, "fill")


def test_c15_a_kind_that_the_ruleset_lacks_cannot_be_played():
    assert Table("table", a="5", hands=("D +1", "")).draw(1).choices[2:] == ["play +1"]
    assert Table("console", a="5", hands=("±1/2", "")).draw(1).choices == ["end turn", "stand"]
