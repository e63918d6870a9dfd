"""The set with counted hand cards, and the prices of cards that the match puts on them."""

from itertools import pairwise, product

import pytest
from arena_bots.pazaak.match_values import KINDS, VALUES, flat, match_value, stakes
from arena_bots.pazaak.set_table import SAFE, Stakes, solve

from arena.games.pazaak.parts.solver import SetSolver, margin
from tests.bots.pazaak.deriving import derive


def opening(drawn):
    """The value of drawing the first card of a set, by cards left."""
    return [[sum(drawn[mine][its][0][1:11]) / 10 for its in range(5)] for mine in range(5)]


FOR_THE_SET = Stakes(flat(1.0), flat(0.0), flat(-1.0))


@pytest.fixture(scope="module")
def table():
    return solve(KINDS, FOR_THE_SET)[0]


def test_without_cards_it_is_the_solved_set_but_for_the_nine_squares(table):
    exact = SetSolver(fill_wins=False)
    for total, rival in product(range(1, 21), range(21)):
        value = margin(exact.standing(total, 0, rival, 0, False))
        if total < 20:
            value = max(value, margin(exact.ending(total, 0, rival, 0, False)))
        assert table.ended[0][0][rival][total] == pytest.approx(value, abs=2e-3)


def test_every_card_is_worth_something_and_each_less_than_the_one_before(table):
    worth = [sum(table.drawn[cards][2][0][1:11]) / 10 for cards in range(5)]
    gains = [more - less for less, more in pairwise(worth)]
    assert all(gain > 0 for gain in gains)
    assert gains == sorted(gains, reverse=True)


def test_c5_where_a_bust_is_immediate_no_card_rescues():
    table = solve(KINDS, FOR_THE_SET, rescue=False)[0]
    assert table.drawn[4][0][0][21] == -1.0
    assert table.chasing[4][0][18][21] == -1.0


def test_s27_a_rival_with_the_tiebreaker_is_worse_to_chase(table):
    for target, cards in product(range(17, 20), range(5)):
        plain, outdone = table.chasing[cards][0][target], table.outdoing[cards][0][target]
        assert cards or outdone[target] < plain[target]
        assert all(a <= b for a, b in zip(outdone, plain, strict=True))


def test_both_seats_see_one_game():
    first, second = solve(KINDS, stakes(2, 1, False, False))
    assert first.stakes.rivals() == second.stakes
    assert second.stakes.won[3][1] == -first.stakes.lost[1][3]


def test_below_eleven_cards_are_kept(table):
    assert SAFE == 10
    assert table.drawn[4][4][10][5] == table.ended[4][4][10][5]


def test_the_price_of_a_score_is_that_of_its_solved_set():
    """So is the rest of the list, score by score; each ends after four rounds of iteration."""
    first, second = solve(KINDS, stakes(2, 2, False, False))
    start, wait = (opening(seat.drawn) for seat in (first, second))
    for mine, its in product(range(5), range(5)):
        # Each seat begins one half of the sets.
        value = (start[mine][its] - wait[its][mine]) / 2
        assert value == pytest.approx(match_value(2, 2)[mine][its], abs=1e-2)


@pytest.mark.thorough("the price of one score is computed every day")
def test_the_price_list_is_what_derive_computes():
    assert derive() == VALUES


def test_a_match_is_zero_sum_in_scores_and_cards():
    for sets, rivals, mine, its in product(range(4), range(4), range(5), range(5)):
        if (sets, rivals) == (3, 3):
            continue
        here, there = match_value(sets, rivals)[mine][its], match_value(rivals, sets)[its][mine]
        assert here == -there


def test_c1_cards_cost_nothing_when_hands_are_dealt_anew():
    for grid in stakes(1, 1, last=False, refilled=True):
        assert len({cell for row in grid for cell in row}) == 1


def test_a18_in_the_last_set_the_score_decides():
    assert stakes(1, 1, last=True, refilled=False) == FOR_THE_SET
    assert stakes(2, 1, last=True, refilled=False).tied == flat(1.0)
    assert stakes(0, 1, last=True, refilled=False).won == flat(0.0)
