"""The value of a match without hand cards: the solved set, exact means, luck of mean zero."""

from math import fsum
from statistics import fmean, stdev, variance

import pytest
from arena_bots.pazaak.hand_saver import HandSaver
from arena_bots.pazaak.stand_at import StandAt
from hypothesis import given, settings

from arena.core.chance.seeding import derive_seed, generator
from arena.core.parts.value import ValueFunction
from arena.core.state import CHANCE
from arena.games.pazaak.engine.actions import END_TURN, STAND, play
from arena.games.pazaak.engine.cards import card_named
from arena.games.pazaak.engine.history import ACTED, WON
from arena.games.pazaak.parts.solver import margin, solver
from arena.games.pazaak.parts.value import NoHands, no_hands
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.match.luck import luck_by_seat
from arena.testing.scripted import RandomBot
from tests.games.pazaak.table import PAZAAK
from tests.games.pazaak.test_properties import RULES, SEEDS
from tests.sizes import volume

STANDARD = PAZAAK.ruleset()
VALUES = no_hands(STANDARD)
HASH = "20696f27caad54e3343573662c834b1bd594e5174c7c035f322cb5db56583ec1"


def states_with_chance(ruleset, seed, kinds=None):
    """The states of a random match in which chance is a player, from the deals on.

    Seats often stand on 17; side decks have cards of these kinds.
    """
    rng = generator(seed)
    kinds = [*(kinds or ruleset.kinds)]
    decks = [PAZAAK.loadouts.accept(ruleset, rng.sample(kinds * 10, 10)) for _ in range(2)]
    state = PAZAAK.new_state(ruleset, decks)
    while True:
        yield state
        if state.is_terminal():
            return
        legal, total = state.legal_actions(), state.totals[state.turn]
        sensible = STAND if 17 <= total <= 20 else END_TURN
        plain = sensible in legal and rng.random() < 0.6 and total != 19
        state.apply_action(sensible if plain else rng.choice(legal))


def test_the_set_is_worth_to_its_first_mover_what_is_published():
    # vectors of ratings, pazaak_no_hand_dp: "dynamic programming: infinite 1..10 deck, no hand
    # cards, optimal, value +1/0/-1 to first mover".
    assert round(margin(solver(True).drawing(0, 0, 0, 0, False)), 5) == -0.04731


@settings(max_examples=volume(15))
@given(RULES, SEEDS)
def test_the_mean_over_what_may_come_is_exact_under_any_rules(ruleset, seed):
    values = no_hands(ruleset)
    for state in states_with_chance(ruleset, seed):
        if state.current_player() == CHANCE and len(state.legal_actions()) < 50:
            plain = ValueFunction.expectation(values, state)
            assert values.expectation(state) == pytest.approx(plain, abs=1e-12)


TYING = [card_named(name) for name in ("±1T", "±1T", "±2")]


def luck_of_nodes(states, values):
    """The luck of seat 0 by every chance node, and the last state."""
    luck, before = 0.0, None
    for state in states:
        if before is not None:
            luck += values.value(state)[0] - before
        chance = state.current_player() == CHANCE
        before = values.expectation(state)[0] if chance else None
    return luck, state


@settings(max_examples=volume(40))
@given(RULES, SEEDS)
def test_luck_from_events_is_that_of_chance_nodes_under_any_rules(ruleset, seed):
    values = no_hands(ruleset)
    adding = [card for card in ruleset.kinds if card.values]
    luck, end = luck_of_nodes(states_with_chance(ruleset, seed, adding), values)
    found = values.luck_until(end)
    assert found is None or found == pytest.approx((luck, -luck), abs=1e-12)


@pytest.mark.parametrize(
    "row", ["standard", "standard(tiebreaker_both=last_played)", "wiki(fill=full_table_stands)"]
)
def test_luck_is_read_off_the_events_where_tiebreakers_decide(row):
    ruleset = PAZAAK.ruleset(row)
    values, breaking = no_hands(ruleset), 0
    for seed in range(60):
        luck, end = luck_of_nodes(states_with_chance(ruleset, seed, TYING), values)
        assert values.luck_until(end) == pytest.approx((luck, -luck), abs=1e-12)
        breaking += sum(map(end.history.count, WON["tiebreaker"]))
    assert breaking > 4


def test_luck_is_not_read_off_the_events_where_a_card_does_more_than_add():
    *_, end = states_with_chance(STANDARD, 1, [card_named("D")])
    assert ACTED[0][play(card_named("D")).id] in end.history
    assert VALUES.luck_until(end) is None


@settings(max_examples=volume(15))
@given(RULES, SEEDS)
def test_values_sum_to_0_within_1_and_end_with_the_result(ruleset, seed):
    values = no_hands(ruleset)
    for state in states_with_chance(ruleset, seed):
        first, second = values.value(state)
        assert -1 <= first <= 1
        assert first + second == 0
    assert (first, second) == state.outcome().returns


def test_a_hand_is_worth_the_same_whatever_is_dealt():
    state = PAZAAK.new_state(STANDARD, [PAZAAK.loadouts.accept(STANDARD, None)] * 2)
    assert VALUES.expectation(state) == VALUES.value(state) == pytest.approx((0, 0))
    assert ValueFunction.expectation(VALUES, state) == pytest.approx((0, 0))


def test_any_cap_of_sets_has_values():
    rules = PAZAAK.ruleset("standard(max_sets=999999)")
    *_, last = states_with_chance(rules, 1)
    *_, same = states_with_chance(STANDARD, 1)
    assert no_hands(rules).luck_until(last) == pytest.approx(VALUES.luck_until(same))


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


@pytest.mark.thorough("values are compared with exact ones")
@pytest.mark.parametrize(
    ("one", "other", "pairs", "factor"),
    [
        (lambda: StandAt(17), lambda: StandAt(16), 400, 35),
        (lambda: HandSaver(0.8), lambda: HandSaver(0.6), 200, 2.5),
        (RandomBot, lambda: StandAt(17), 200, 1.2),
    ],
    ids=["threshold", "hand cards", "random"],
)
def test_luck_has_mean_0_in_pairs_and_results_vary_less_without_it(one, other, pairs, factor):
    found = adjusted_pairs(one, other, pairs)
    luck = [fsum(by_leg) / 2 for _, by_leg in found]
    assert abs(fmean(luck)) < 3 * stdev(luck) / pairs**0.5
    single = variance([result for results, _ in found for result in results])
    without = [fsum(results) / 2 - own for (results, _), own in zip(found, luck, strict=True)]
    assert single / (2 * variance(without)) > factor
