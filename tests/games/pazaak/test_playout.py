"""The playout rule for search bots, and its evaluation of an unfinished match."""

from random import Random
from statistics import fmean

import pytest
from arena_bots.pazaak.match_values import match_value

from tests.games.pazaak.table import PAZAAK, Table


@pytest.mark.parametrize(
    ("a", "b", "hand", "stood", "action"),
    [
        ("10 6", "10", "", False, "end turn"),
        ("10 7", "10", "", False, "stand"),
        ("10 6", "10", "+3 +4", False, "play +4"),  # to 20
        ("10 6", "10", "+2 +3", False, "end turn"),  # a card is not spent for less
        ("10 8", "10", "±2", False, "play ±2 as +2"),
        ("10 8 5", "10", "-2 -4 -6", False, "play -4"),  # back to 20 or less, as high as can be
        ("10 8 5", "10", "-2 +4", False, "end turn"),  # nothing helps
        ("10 5", "10 4", "", True, "stand"),  # won as it lies
        ("10 3", "10 4", "", True, "end turn"),
        ("10 3", "10 4", "+1 +2 +6", True, "play +6"),  # +1 would tie
        ("10 4", "10 4", "", True, "stand"),  # a tie loses nothing
        ("10 4", "10 4", "+3", True, "play +3"),
        ("10 8 5", "10 9", "-2 -6", True, "end turn"),  # 17 would lose to 19
        ("10 8 5", "10 9", "-4 -6", True, "play -4"),
        ("10 9", "10 10", "+1 +2", True, "play +1"),
        ("10 8", "10 9", "D 2&4", True, "end turn"),  # cards without a value stay in the hand
    ],
)
def test_the_rule_stands_from_17_and_plays_cards_for_20_or_the_win(a, b, hand, stood, action):
    table = Table(a=a, b=b, hands=(hand, "+1"), standing=(False, stood), act=True)
    assert PAZAAK.search.playout_action(table.state, Random(1)).text == action


def test_after_its_card_the_rule_stands_or_ends_the_turn():
    table = Table(a="10 6", b="10", hands=("+4 +1", ""), act=True).do("play +1")
    assert PAZAAK.search.playout_action(table.state, Random(1)).text == "stand"
    table = Table(a="10 4", b="10", hands=("+4 +1", ""), act=True).do("play +1")
    assert PAZAAK.search.playout_action(table.state, Random(1)).text == "end turn"


def test_a_card_kept_is_worth_a_set_won():
    def worth(sets, hands):
        return PAZAAK.search.evaluate(Table(a="10", sets=sets, hands=hands, act=True).state)

    assert worth((1, 1), ("+1 +2", "+3 +4")) == (0, 0)
    assert worth((0, 0), ("+1", "")) == worth((1, 0), ("", "")) == worth((2, 1), ("+1", "+2"))
    mine, rivals = worth((2, 1), ("+1 +2", "+2"))
    assert 0.7 < mine == -rivals < 0.8


def test_it_is_near_the_solved_match_on_average():
    errors = []
    for first, second in ((a, b) for a in range(3) for b in range(3)):
        for mine, row in enumerate(match_value(first, second)):
            for theirs, solved in enumerate(row):
                hands = ("+1 " * mine, "+1 " * theirs)
                state = Table(a="10", sets=(first, second), hands=hands, act=True).state
                errors.append(abs(PAZAAK.search.evaluate(state)[0] - solved))
    assert fmean(errors) < 0.08
