"""The value of a match without hand cards: the solved set, exact means, luck of mean zero."""

from math import fsum
from statistics import fmean, stdev, variance

import pytest
from arena_bots.pazaak.hand_saver import HandSaver
from arena_bots.pazaak.stand_at import StandAt
from hypothesis import given, settings

from arena.core.seeding import derive_seed, generator
from arena.core.state import CHANCE
from arena.core.value import ValueFunction
from arena.games.pazaak.solver import margin, solver
from arena.games.pazaak.value import NoHands, no_hands
from arena.host.inline import play_inline
from arena.match.clock import Limits
from arena.match.luck import luck_by_seat
from arena.testing.scripted import RandomBot
from tests.games.pazaak.table import PAZAAK
from tests.games.pazaak.test_properties import RULES, SEEDS

STANDARD = PAZAAK.ruleset()
VALUES = no_hands(STANDARD)
HASH = "20696f27caad54e3343573662c834b1bd594e5174c7c035f322cb5db56583ec1"


def states_with_chance(ruleset, seed):
    """The states of a random match in which chance is a player, from the deals on."""
    rng = generator(seed)
    decks = [PAZAAK.accept_loadout(ruleset, rng.sample([*ruleset.kinds] * 2, 10)) for _ in range(2)]
    state = PAZAAK.new_state(ruleset, decks)
    while True:
        yield state
        if state.is_terminal():
            return
        state.apply_action(rng.choice(state.legal_actions()))


def test_the_set_is_worth_to_its_first_mover_what_is_published():
    # vectors of ratings, pazaak_no_hand_dp: "dynamic programming: infinite 1..10 deck, no hand
    # cards, optimal, value +1/0/-1 to first mover".
    assert round(margin(solver(True).drawing(0, 0, 0, 0, False)), 5) == -0.04731


@settings(max_examples=15)
@given(RULES, SEEDS)
def test_the_mean_over_what_may_come_is_exact_under_any_rules(ruleset, seed):
    values = no_hands(ruleset)
    for state in states_with_chance(ruleset, seed):
        if state.current_player() == CHANCE and len(state.legal_actions()) < 50:
            plain = ValueFunction.expectation(values, state)
            assert values.expectation(state) == pytest.approx(plain, abs=1e-12)


@settings(max_examples=15)
@given(RULES, SEEDS)
def test_values_sum_to_0_within_1_and_end_with_the_result(ruleset, seed):
    values = no_hands(ruleset)
    for state in states_with_chance(ruleset, seed):
        first, second = values.value(state)
        assert -1 <= first <= 1
        assert first + second == 0
    assert (first, second) == state.outcome().returns


def test_a_hand_is_worth_the_same_whatever_is_dealt():
    state = PAZAAK.new_state(STANDARD, [PAZAAK.accept_loadout(STANDARD, None)] * 2)
    assert VALUES.expectation(state) == VALUES.value(state) == pytest.approx((0, 0))
    assert ValueFunction.expectation(VALUES, state) == pytest.approx((0, 0))


def test_the_hash_covers_the_coefficients():
    assert NoHands(STANDARD).hash == VALUES.hash == HASH
    assert no_hands(PAZAAK.ruleset("standard(flip=negate_positive)")).hash == HASH
    others = {no_hands(PAZAAK.ruleset(row)).hash for row in ("console", "kotor1", "table")}
    assert len(others | {HASH}) == 4


def adjusted_pairs(one, other, pairs):
    """By mirrored pair: the results of the first bot in both matches, and its luck in them."""
    found = []
    for number in range(pairs):
        deal = derive_seed(3, "deal", number)
        results, luck = [], []
        for leg, makers in enumerate(((one, other), (other, one))):
            private = derive_seed(3, "bots", number, leg)
            record, _ = play_inline(PAZAAK, STANDARD, deal, private, makers, "ab", Limits())
            results.append(record.outcome.returns[leg])
            luck.append(luck_by_seat(PAZAAK, record, VALUES)[leg])
        found.append((results, luck))
    return found


@pytest.mark.parametrize(
    ("one", "other", "pairs", "factor"),
    [
        (lambda: StandAt(17), lambda: StandAt(16), 400, 35),
        (lambda: HandSaver(0.8), lambda: HandSaver(0.6), 200, 2.5),
        (RandomBot, lambda: StandAt(17), 200, 1.2),
    ],
    ids=["threshold", "hand cards", "random"],
)
def test_luck_has_mean_0_in_mirrored_pairs_and_results_vary_less_without_it(
    one, other, pairs, factor
):
    found = adjusted_pairs(one, other, pairs)
    luck = [fsum(by_leg) / 2 for _, by_leg in found]
    assert abs(fmean(luck)) < 3 * stdev(luck) / pairs**0.5
    single = variance([result for results, _ in found for result in results])
    without = [fsum(results) / 2 - own for (results, _), own in zip(found, luck, strict=True)]
    assert single / (2 * variance(without)) > factor
