"""The solver of sets against a rival whose turns were seen."""

import numpy as np
import pytest

from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import generator
from arena.games.pazaak.engine.actions import END_TURN, STAND
from arena.games.pazaak.parts.response import Response
from arena.games.pazaak.parts.rivals import STANDS, ObservedRival
from tests.games.pazaak.table import PAZAAK, Table

ONE_SET = "standard(max_sets=1, main_deck=infinite, auto_stand=off)"


def stands_from(state, at):
    return STAND if state.totals[state.player] >= at else END_TURN


def seen_to_stand(rules, at, matches=150):
    """Decisions of seat 1, which stands from a total on, while seat 0 plays at random."""
    seen = []
    for match in range(matches):
        decks = (PAZAAK.loadouts.accept(rules, None),) * 2
        state, rng = PAZAAK.new_state(rules, decks, SeatStreams(match)), generator(match)
        while not state.is_terminal():
            if state.player == 1:
                action = stands_from(state, at)
                seen.append((state.clone(), action))
            else:
                action = state.legal[int(rng.random() * 2)]
            state.apply_action(action)
    return seen


@pytest.fixture(scope="module")
def response():
    rules = PAZAAK.ruleset(ONE_SET)
    return Response(rules, seen_to_stand(rules, 15))


def values(response, a, b, hand="", **situation):
    table = Table(ONE_SET, a, b, hands=(hand, "+1"), act=True, **situation)
    return {action.text: value for action, value in response.of(table.state).items()}


def test_it_knows_where_the_rival_stands(response):
    """A rival on 10 that stands from 15 on: 15 to 20 with one card by 6 of 10, never over 20."""
    found = values(response, "10 8", "10")
    wins = losses = 0.0
    reach = {10: 1.0}  # the rival's total before a draw
    for total in range(10, 15):
        for card in range(1, 11):
            share, after = reach.get(total, 0) / 10, total + card
            if after < 15:
                reach[after] = reach.get(after, 0) + share
            elif after > 20 or after < 18:
                wins += share
            elif after > 18:
                losses += share
    assert found["stand"] == pytest.approx(wins - losses, abs=0.02)


def test_a_tie_goes_to_the_seat_with_a_tiebreaker(response):
    standing = {"standing": (False, True)}
    plain = values(response, "10 7", "10 8", "+1", **standing)
    laid = values(response, "10 7", "10 8", "±1T", **standing)
    assert plain["play +1"] == pytest.approx(0)
    assert laid["play ±1T as +1"] == pytest.approx(1)


def test_the_hidden_hand_makes_no_difference(response):
    one, other = (
        Table(ONE_SET, "10 6", "10 3", hands=("±2 +1", hand), act=True).state
        for hand in ("±4 +3", "-6 -6")
    )
    assert response.of(one) == response.of(other) != {}


def test_what_it_cannot_value_it_leaves_open(response):
    assert values(response, "10 6", "10 3", "D") == {}


def test_odds_of_a_rival_sum_to_one():
    turns = np.ones((2, 21, 31, 85))
    turns[:, :, :, STANDS:] = 2
    odds = ObservedRival(turns).standing()
    assert odds.sum(-1) == pytest.approx(1)
