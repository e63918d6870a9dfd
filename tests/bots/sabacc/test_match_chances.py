"""The chance to win a match for chips, and the bettor that plays by it."""

from functools import partial
from itertools import pairwise

import pytest
from arena_bots.sabacc.equity_bettor import EquityBettor
from arena_bots.sabacc.match_chances import ahead, chances, lead_is_safe
from hypothesis import given
from hypothesis import strategies as st

from arena.games.sabacc.engine.actions import FOLD
from arena.games.sabacc.engine.stages import BET, FIRST_DRAW, OPEN_BETTING, RAISING
from tests.bots.sabacc.play import (
    ALTERNATING,
    CHIPS,
    POKER,
    SABACC,
    STRONG,
    WEAK,
    choice,
    play,
    seen,
)

ALL_IN = "old_republic(mode=chips,short_stack=all_in)"
WAYS = [(CHIPS, BET), (ALL_IN, BET), (POKER, BET), (ALTERNATING, OPEN_BETTING)]
CHIPS_ONLY = partial(EquityBettor, match=False)


def late(ruleset, hand, mine, theirs, hand_number=10, **described):
    """The first bet of a hand, when both have put an entry of 1."""
    described = {"staked": (1, 1), **described}
    return seen(ruleset, hand, amounts=(mine, theirs), hand_number=hand_number, **described)


@pytest.mark.parametrize(("ruleset", "stage"), WAYS)
def test_it_folds_the_best_hand_on_a_safe_lead(ruleset, stage):
    # Two hands follow; folding all three makes it 101 to 99.
    safe = late(ruleset, STRONG, 103, 95, stage=stage)
    assert choice(EquityBettor(), safe) == "fold"
    assert choice(CHIPS_ONLY(), safe) != "fold"
    level = late(ruleset, STRONG, 102, 96, stage=stage)  # 100 to 100
    assert choice(EquityBettor(), level) != "fold"


@pytest.mark.parametrize("ruleset", [ruleset for ruleset, _ in WAYS])
def test_it_folds_at_a_draw_too(ruleset):
    assert choice(EquityBettor(), late(ruleset, WEAK, 103, 95, stage=FIRST_DRAW)) == "fold"


def test_at_a_table_a_lead_is_safe_with_more_than_half_of_all_chips():
    def observation_with(mine):
        rest = 297 - mine
        amounts = (mine, rest // 2, rest - rest // 2)
        hands = (STRONG, WEAK, WEAK)
        described = {"amounts": amounts, "staked": (1, 1, 1), "hand_number": 12}
        return seen(CHIPS, *hands, stage=BET, **described)

    assert not lead_is_safe(observation_with(150))  # all others together could draw level
    assert lead_is_safe(observation_with(151))
    assert choice(EquityBettor(), observation_with(151)) == "fold"


def test_chips_of_seats_that_are_out_of_the_match_are_no_danger():
    state = SABACC.positions.state(
        SABACC.ruleset("old_republic(mode=chips,ante=5,stack=50)"),
        hands=[STRONG.split(", "), WEAK.split(", "), WEAK.split(", ")],
        amounts=(74, 70, 4),
        hand_number=12,
    )
    assert not lead_is_safe(state.observation(0))  # half of 148
    state.hand.match.out_since = (0, 0, 3)
    assert lead_is_safe(state.observation(0))


@pytest.mark.parametrize("mode", ["showdown", "points"])
def test_no_lead_is_safe_where_chips_are_not_played_for(mode):
    observation = seen(f"old_republic(mode={mode})", STRONG, amounts=(900, 0), hand_number=12)
    assert not lead_is_safe(observation)


@pytest.mark.parametrize(
    "ruleset", [CHIPS, ALL_IN, POKER, ALTERNATING], ids=["chips", "all in", "poker", "alternating"]
)
@pytest.mark.thorough("other ways to bet", everyday=["chips"])
def test_a_wrapper_that_folds_on_a_safe_lead_changes_none_of_its_decisions(ruleset):
    """An author's wrapper that folds as soon as the lead exceeds what folding costs."""
    folds = []

    class Wrapped(EquityBettor):
        def act(self, observation):
            own = super().act(observation)
            rival = observation.amounts[1 - observation.seat] + observation.pot
            lead = observation.amounts[observation.seat] - rival - observation.carried
            if lead > 2 * observation.ante * observation.hands_left:
                folds.append(own)
            return own

    for seed in range(2):
        play((partial(Wrapped, samples=4), partial(CHIPS_ONLY, samples=4)), seed, ruleset)
    assert folds
    assert {*folds} == {FOLD}


def test_in_the_last_hand_it_does_not_fold_for_a_pot_that_wins_the_match():
    # Whoever wins these 60 chips has won the match.
    situation = {"stage": RAISING, "staked": (30, 30), "last_stake": 20, "hand_number": 12}
    hand = "9 of Coins, 1 of Flasks, 3 of Staves"
    last = seen(CHIPS, hand, amounts=(70, 70), **situation)
    assert choice(CHIPS_ONLY(), last) == "fold"
    assert choice(EquityBettor(), last) == "put 20"


def test_in_the_last_hand_it_puts_what_it_takes():
    situation = {"stage": RAISING, "staked": (10, 10), "last_stake": 1, "hand_number": 12}
    # 75 and a pot of 20 against 105: with 6 more from each, 101 to 99.
    behind = seen(CHIPS, "11 of Coins, 8 of Flasks", amounts=(75, 105), **situation)
    stake = int(choice(EquityBettor(), behind).split()[1])
    assert stake >= 6
    assert int(choice(CHIPS_ONLY(), behind).split()[1]) < 6


RULES = [SABACC.ruleset(ruleset) for ruleset in (CHIPS, ALL_IN, "old_republic(mode=chips,cap=1)")]
LARGE = SABACC.ruleset("old_republic(mode=chips,stack=1000000,cap=0,hands=1000)")


@given(st.sampled_from([*RULES, LARGE]), st.integers(1, 1000), st.integers(2, 6))
def test_the_chance_rises_with_the_lead_from_0_to_1(rules, hands, seats):
    stack = rules.stack
    row = [ahead(rules, lead * stack // 4, hands, seats) for lead in range(-4, 5)]
    assert all(0 <= chance <= 1 + 1e-9 for chance in row)
    assert all(low <= high + 1e-9 for low, high in pairwise(row))


def test_the_chance_meets_certainty_where_folding_costs_the_lead():
    rules = RULES[0]
    assert ahead(rules, 23, 11, 2) == 1
    assert 0.98 < ahead(rules, 22, 11, 2) < 1
    assert ahead(rules, 0, 11, 2) > 0.5  # who can stop is the favourite
    assert ahead(rules, 0, 11, 3) == 0.5


def test_a_seat_without_chips_beats_seats_that_lost_theirs_before():
    observation = seen(CHIPS, STRONG, WEAK, WEAK, stage=BET, staked=(1, 1, 1))
    assert chances(observation, (0, 200, 100)) == 0
    assert chances(observation, (150, 150, 0)) > 0.5
    assert chances(observation, (300, 0, 0)) == 1
    last = seen(CHIPS, STRONG, WEAK, WEAK, stage=BET, staked=(1, 1, 1), hand_number=12)
    assert chances(last, (100, 99, 101)) == 0.5
    assert chances(last, (100, 100, 100)) == 0.5
