"""The set without hand cards, against the figures of the rule book, section 6."""

import pytest

from arena.games.pazaak.parts.solver import SetSolver, margin, solver

THREE = 3
"""Cards on a table in mid-set: far from nine."""


@pytest.fixture(scope="module")
def solved() -> SetSolver:
    fresh = SetSolver()
    fresh.drawing(0, 0, 0, 0, False)
    return fresh


def test_section_6_the_starter_wins_41_2_and_loses_45_9_percent(solved):
    won, lost = solved.drawing(0, 0, 0, 0, False)
    assert round(won, 3) == 0.412
    assert round(lost, 3) == 0.459
    assert round(1 - won - lost, 3) == 0.129


def test_section_6_the_set_is_worth_minus_0_0473_to_its_starter(solved):
    assert margin(solved.drawing(0, 0, 0, 0, False)) == pytest.approx(-0.047307, abs=5e-7)


def test_a_set_can_reach_12775_states(solved):
    assert len(solved) == 12_775


def test_section_6_nine_cards_change_none_of_the_figures_to_four_digits(solved):
    with_fill = solved.drawing(0, 0, 0, 0, False)
    without = SetSolver(fill_wins=False).drawing(0, 0, 0, 0, False)
    assert without == pytest.approx(with_fill, abs=5e-5)
    assert without != with_fill


@pytest.mark.parametrize(
    ("total", "stands_up_to"), [(15, -1), (16, 11), (17, 15), (18, 17), (19, 18)]
)
def test_section_6_the_best_stand_rule_against_a_rival_still_drawing(solved, total, stands_up_to):
    for rival in range(20):  # a rival on 20 stands by rule
        assert solved.stands(total, THREE, rival, THREE, False) == (rival <= stands_up_to)


@pytest.mark.parametrize("rival", range(10, 21))
def test_section_6_behind_a_stood_rival_draw_and_accept_equal_from_15(solved, rival):
    for total in range(10, 20):
        stands = solved.stands(total, THREE, rival, THREE, True)
        assert stands == (total > rival or (total == rival and total >= 15))


def test_s26_an_eighth_card_near_nine_draws_against_a_stood_twenty(solved):
    won, lost = solved.drawing(12, 8, 20, 3, True)
    assert (won, lost) == pytest.approx((0.8, 0.2))
    assert SetSolver(fill_wins=False).drawing(12, 8, 20, 3, True)[0] == 0


def test_a_counted_deck_gives_the_odds_of_the_next_card_exactly():
    only_twos = [0, 4, 0, 0, 0, 0, 0, 0, 0, 0]
    assert solver(True).ahead(17, THREE, 18, THREE, True, only_twos) == (1.0, 0.0)
    twos_and_tens = [0, 3, 0, 0, 0, 0, 0, 0, 0, 1]
    assert solver(True).ahead(17, THREE, 18, THREE, True, twos_and_tens) == (0.75, 0.25)


def test_the_process_shares_one_solver():
    assert solver(True) is solver(True)
    assert solver(False) is not solver(True)
