"""The set and the match: who wins, who starts, and when it is over."""

import pytest

from arena.core.errors import IllegalAction
from arena.core.outcome import Termination
from arena.core.state import CHANCE, TERMINAL
from arena.games.pazaak.engine.actions import DRAWS, STARTS
from arena.games.pazaak.engine.stages import DRAW, OPENING, START
from tests.games.pazaak.table import PAZAAK, Table


def decided(winner, rules="standard", starter=0, **situation: object):
    """A set that just ended, won by that seat (``None``: a tie)."""
    a, b = {0: ("10 9", "10 8"), 1: ("10 8", "10 9"), None: ("10 8", "10 8")}[winner]
    more = {"act": True, "starter": starter, "standing": (False, True), **situation}
    return Table(rules, a=a, b=b, **more).do("stand")


def match_to_the_opening(rules="standard"):
    ruleset = PAZAAK.ruleset(rules)
    state = PAZAAK.new_state(ruleset, [PAZAAK.loadouts.accept(ruleset, None)] * 2)
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    return state


def test_s1_nearer_to_twenty_wins():
    assert decided(0).result == (0, "outscore")
    assert decided(1).result == (1, "outscore")


def test_s2_two_seats():
    assert list(PAZAAK.seats) == [2]


def test_s3_c13_three_sets_win_the_match():
    table = decided(0, sets=(2, 2))
    assert table.state.current_player() == TERMINAL
    outcome = table.state.outcome()
    assert (outcome.returns, outcome.scores) == ((1.0, -1.0), (3, 2))
    assert outcome.termination is Termination.RULES


def test_s3_two_sets_do_not():
    assert decided(0, sets=(1, 2)).state.current_player() == CHANCE


def test_s3_nothing_is_legal_after_the_match():
    state = decided(0, sets=(2, 2)).state
    assert state.legal_actions() == ()
    with pytest.raises(IllegalAction, match="the match is over"):
        state.apply_action(PAZAAK.notation.action("stand"))


def test_s4_c13_a_tie_scores_nothing_and_another_set_is_played():
    table = decided(None, sets=(2, 2))
    assert table.state.sets == [2, 2]
    assert table.next_set().state.set_number == 6


def test_s7_a_fresh_deck_each_set():
    table = decided(0).next_set()
    odds = table.state.chance_outcomes()
    assert len({odd for _, odd in odds}) == 1
    assert len(odds) == 10
    assert table.totals == (0, 0)
    assert table.state.standing == [False, False]


def test_s11_c1_the_hand_lasts_the_match():
    table = decided(0, hands=("+1 D", "-2")).next_set()
    assert [card.name for card in table.state.hands[0]] == ["+1", "D"]


def test_s12_c1_hand_scope_set_deals_four_anew():
    deck = PAZAAK.ruleset("standard(deck=average)").fixed_deck
    table = decided(0, "standard(hand_scope=set)", hands=("+1", ""), side_decks=(deck, deck))
    table.next_set()
    for seat in (0, 1):
        assert table.state.turn == seat
        table.state.apply_action(table.state.legal_actions()[0])
    assert [len(hand) for hand in table.state.hands] == [4, 4]
    assert [len(hands) for hands in table.state.dealt] == [2, 2]
    assert table.state.phase == DRAW


def test_s14_the_higher_opening_card_starts():
    for first, second, starter in ((9, 4, 0), (4, 9, 1)):
        state = match_to_the_opening()
        assert state.phase == OPENING
        for value in (first, second):
            state.apply_action(DRAWS[value - 1])
        assert (state.starter, state.set_number, state.turn) == (starter, 1, starter)


def test_a2_equal_opening_cards_are_drawn_anew_and_go_back():
    state = match_to_the_opening()
    for value in (7, 7, 2, 5):
        assert state.phase == OPENING
        state.apply_action(DRAWS[value - 1])
    assert state.starter == 1
    assert len({odd for _, odd in state.chance_outcomes()}) == 1


def test_a2_the_second_opening_card_comes_from_the_same_shuffle():
    state = match_to_the_opening()
    state.apply_action(DRAWS[6])
    odds = {action.value: odd for action, odd in state.chance_outcomes()}
    assert odds[7] * 39 == 3
    assert odds[1] * 39 == 4


def test_a2_burnt_cards_are_out_of_the_first_set_only():
    state = match_to_the_opening("standard(opening_cards=burn)")
    for value in (7, 7, 7, 7):
        state.apply_action(DRAWS[value - 1])
    assert 7 not in {action.value for action, _ in state.chance_outcomes()}
    for value in (9, 8):
        state.apply_action(DRAWS[value - 1])
    assert len(state.chance_outcomes()) == 9
    for text, value in (("stand", 3), ("stand", 4)):
        state.apply_action(DRAWS[value - 1])
        state.apply_action(PAZAAK.notation.action(text))
    state.apply_action(STARTS[state.next_starters()[0]])
    assert len(state.chance_outcomes()) == 10


def test_s15_the_winner_starts_and_after_a_tie_the_other():
    assert decided(0, starter=1).state.next_starters() == (0,)
    assert decided(1, starter=1).state.next_starters() == (1,)
    assert decided(None, starter=1).state.next_starters() == (0,)
    assert decided(None, starter=0).state.next_starters() == (1,)


@pytest.mark.parametrize(
    ("rule", "starter", "winner", "expected"),
    [
        ("loser", 0, 0, (1,)),
        ("loser", 0, 1, (0,)),
        ("loser", 0, None, (1,)),
        ("alternate", 0, 0, (1,)),
        ("alternate", 1, None, (0,)),
        ("fixed", 1, 0, (1,)),
        ("fixed", 0, None, (0,)),
        ("random", 0, 1, (0, 1)),
    ],
)
def test_s16_c2_other_ways_to_find_the_starter(rule, starter, winner, expected):
    table = decided(winner, f"standard(next_set={rule})", starter=starter)
    assert table.state.next_starters() == expected
    assert [action.value for action in table.state.legal_actions()] == list(expected)


def test_c2_in_the_first_game_seat_0_starts_every_set():
    assert decided(1, "kotor1", starter=1).state.next_starters() == (0,)
    assert match_to_the_opening("kotor1").starter == 0


def test_first_set_random_is_a_fair_lot():
    state = match_to_the_opening("standard(first_set=random)")
    assert state.phase == START
    assert [str(odd) for _, odd in state.chance_outcomes()] == ["1/2", "1/2"]


def test_s24_totals_below_zero_compare_too():
    table = Table(a="-4", b="1", standing=(False, True)).draw(2).do("stand")
    assert table.result == (1, "outscore")


def test_s27_the_tiebreaker_wins_an_equal_set():
    table = Table(a="10 7", b="10 8", hands=("±1T", ""), standing=(False, True), act=True)
    assert table.do("play ±1T as +1", "stand").result == (0, "tiebreaker")


def test_s27_a_tiebreaker_counts_only_in_its_own_set():
    table = Table(a="10", b="10 1", hands=("±1T", ""), standing=(False, True), act=True)
    table.do("play ±1T as +1", "stand")
    assert table.result == (0, "tiebreaker")
    table.next_set().draw(5).do("stand").draw(5).do("stand")
    assert table.result == (None, "tie")


def laid(order, rules):
    """Both lay a ±1T, in that order of seats, and tie."""
    table = Table(rules, a="8", b="8", hands=("±1T", "±1T"), turn=order[0])
    for seat in order:
        assert table.state.turn == seat
        table.draw(1).do("play ±1T as +1", "stand")
    return table.result


def test_a1_by_default_two_tiebreakers_cancel():
    assert laid((0, 1), "standard") == (None, "tie")
    for order in ((0, 1), (1, 0)):
        assert laid(order, "standard(tiebreaker_both=last_played)") == (order[1], "tiebreaker")
        assert laid(order, "standard(tiebreaker_both=first_played)") == (order[0], "tiebreaker")


def test_c11_last_card_requires_the_tiebreaker_to_be_the_last_card():
    rules = "standard(tiebreaker_scope=last_card)"
    layout = {"b": "10 8", "standing": (False, True), "act": True}
    assert Table(rules, a="10 7 ±1T:1", **layout).do("stand").result == (0, "tiebreaker")
    table = Table(rules, a="8 ±1T:1 9", **layout).do("stand")
    assert table.result == (None, "tie")


def test_a18_the_cap_decides_by_sets_won():
    table = decided(0, "standard(max_sets=3)", sets=(1, 0), set_number=3)
    outcome = table.state.outcome()
    assert (outcome.returns, outcome.termination) == ((1.0, -1.0), Termination.CAP)


def test_a18_equal_at_the_cap_is_a_drawn_match():
    returns = decided(None, "standard(max_sets=3)", sets=(1, 1), set_number=3).state.returns()
    assert [str(value) for value in returns] == ["0.0", "0.0"]


def test_a18_without_a_cap_ties_go_on():
    table = decided(None, "standard(max_sets=0)", set_number=1000)
    assert table.state.phase == START


def test_a8_a_stood_total_that_a_flip_takes_over_twenty_does_not_win():
    rules = "standard(flip_scope=both)"
    layout = {"a": "10 5", "b": "10 10 -2 -4", "hands": ("2&4", ""), "standing": (False, True)}
    table = Table(rules, **layout).draw(1).do("play 2&4", "stand")
    assert table.totals == (16, 26)
    assert table.result == (0, "outscore")


def test_a8_c5_with_immediate_bust_the_flip_itself_wins():
    rules = "standard(flip_scope=both,bust_check=immediate)"
    layout = {"a": "10 5", "b": "10 10 -2 -4", "hands": ("2&4", "")}
    assert Table(rules, **layout).draw(1).do("play 2&4").result == (0, "bust")
