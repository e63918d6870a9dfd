"""The optimal player, decision by decision."""

from itertools import product

import pytest
from arena_bots.pazaak.optimal import Optimal, _Decision

from arena.games.pazaak.engine.actions import END_TURN, STAND, play
from arena.games.pazaak.engine.cards import card_named
from arena.games.pazaak.engine.stages import Marks
from arena.games.pazaak.parts.solver import solver
from tests.bots.play import seen, started


def choice(ruleset="standard", **situation):
    return started(Optimal(), ruleset).act(seen(ruleset, **situation))


@pytest.mark.parametrize("stood", [False, True])
def test_with_empty_hands_every_decision_is_the_solved_sets(stood):
    for total, rival in product(range(11, 20), range(11, 20)):
        tables = ([1, 2, total - 3], [1, 2, rival - 3])
        stands = solver(True).stands(total, 3, rival, 3, stood)
        decided = choice("standard(main_deck=infinite)", tables=tables, standing=(False, stood))
        assert decided is (STAND if stands else END_TURN)


def test_the_next_card_is_counted_from_the_forty():
    stood = {"standing": (False, True)}
    assert choice(tables=([10, 5], [10, 5]), **stood) is STAND
    few_low = [6, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10]
    assert choice(tables=([10, 5], [*few_low, 15 - sum(few_low)]), **stood) is END_TURN


def test_a_card_to_20_wins_the_last_set_at_once():
    spend = choice(tables=([10, 8], [10, 9]), hands=("+2", ""), sets=(2, 2), standing=(False, True))
    assert spend is play(card_named("+2"))


def test_no_card_is_spent_on_a_set_already_won():
    assert choice(tables=([10, 9], [10, 8]), hands=("+1", ""), standing=(False, True)) is STAND


def test_a_card_is_dearer_early_than_when_the_match_hangs_on_it():
    surer = {"tables": ([10, 9], [8]), "hands": ("+1 +2 ±3 ±4", "+1 +2 +3 +4")}
    assert choice(**surer, sets=(2, 2)) is play(card_named("+1"))
    assert choice(**surer, sets=(0, 0)) is STAND


def test_of_two_cards_with_one_effect_the_less_useful_is_played():
    same = {"tables": ([10, 8], [10, 9]), "standing": (False, True), "sets": (2, 2)}
    assert choice(**same, hands=("+2 ±2 ±1/2", "")) is play(card_named("+2"))


def test_s27_the_tiebreaker_turns_a_tie_into_a_won_set():
    tie = {"tables": ([10, 9], [10, 10]), "standing": (False, True), "sets": (2, 2)}
    assert choice(**tie, hands=("+1 ±1T", "")) is play(card_named("±1T"), 1)
    assert choice(**tie, hands=("+1", "")) is play(card_named("+1"))


def test_s27_a_tiebreaker_laid_earlier_stands_on_the_rivals_total():
    laid = Marks(laid=(1, 0))
    tied = ([8, (1, "±1T"), 5], [10, 4])
    assert choice(tables=tied, standing=(False, True), marks=laid) is STAND
    assert choice(tables=([9, 5], [10, 4]), standing=(False, True)) is END_TURN


def test_s26_the_ninth_card_wins_the_set():
    filled = choice(
        tables=([1, 1, 1, 1, 2, 2, 2, 10], [10, 10]),
        hands=("-4", ""),
        standing=(False, True),
        sets=(2, 2),
    )
    assert filled is play(card_named("-4"))


def test_s26_with_eight_cards_low_enough_it_draws_against_20():
    eight = ([1, 1, 1, 1, 2, 2, 2, 2], [10, 10])
    assert choice(tables=eight, hands=("+1", ""), standing=(False, True)) is END_TURN


def test_c9_flips_and_the_double_count_what_they_make_of_the_table():
    last = {"sets": (2, 2), "standing": (False, True)}
    flip = choice(tables=([10, 2, 6, 6], [10, 8]), hands=("2&4", ""), **last)
    assert flip is play(card_named("2&4"))
    double = choice(tables=([10, 5], [10, 9]), hands=("D", ""), **last)
    assert double is play(card_named("D"))


def test_a18_in_the_last_set_allowed_no_card_is_saved():
    rescue = {"tables": ([10, 2, 9], [10, 6]), "hands": ("-4", "+1 +2 +3 +4"), "sets": (0, 0)}
    assert choice("standard(max_sets=1)", **rescue, set_number=1) is play(card_named("-4"))


def test_s26_a_rival_with_eight_cards_low_enough_beats_a_stood_20():
    eight = ([1, 1, 1, 1, 2, 2, 2, 2], [10])
    values = [
        _Decision(seen(tables=([10, 9], rival), hands=("+1", "+1"), sets=(2, 2))).settle(
            20, 0, 3, 0
        )[0]
        for rival in eight
    ]
    assert values[0] == -1.0  # whatever comes is within 20 and the ninth card
    assert values[1] > 0.5
