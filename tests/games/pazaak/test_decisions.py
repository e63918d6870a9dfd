"""The values of a seat's actions: positions that a player can check, and exact relations."""

import pytest

from arena.core.chance.seeding import generator
from arena.games.pazaak.engine.rules import undrawn
from arena.games.pazaak.engine.stages import ACT, PLAYED
from arena.games.pazaak.parts.decisions import OwnHand
from tests.games.pazaak.table import PAZAAK, Table

UNBOUND = "standard(main_deck=infinite)"
LAST = {"sets": (2, 2)}


def values(a, b, hand="", rules="standard", phase=ACT, stands=False, **situation):
    """By text, the values of seat 0's actions in the position."""
    table = Table(
        rules, a, b, hands=(hand, ""), act=phase == ACT, standing=(False, stands), **situation
    )
    found = OwnHand(table.rules).of(table.state)
    return {action.text: value for action, value in found.items()}


def best(*position, **situation):
    found = values(*position, **situation)
    return max(found, key=found.get)


@pytest.mark.parametrize(
    ("a", "b", "hand", "stands", "action"),
    [
        ("10 2", "10 8", "", True, "end turn"),  # standing at 12 loses to 18
        ("10 9", "10 8", "", True, "stand"),  # 19 has won already
        ("10 9", "10 2", "", False, "stand"),  # nearly every card busts
        ("10 1", "10 2", "", False, "end turn"),  # no card busts
        ("10 7", "10 9", "±3", True, "play ±3 as +3"),  # makes 20 and wins the match
        ("10 4 10", "10 8", "±4 -6", True, "play ±4 as -4"),  # saves the set with 20
        ("10 5", "10 8", "+2 +4", True, "play +4"),  # 19 wins, 17 does not
    ],
)
def test_the_best_action_is_what_a_player_does(a, b, hand, stands, action):
    assert best(a, b, hand, stands=stands, **LAST) == action


def test_mistakes_that_anybody_sees_cost_a_lot():
    stood = values("10 2", "10 8", stands=True, **LAST)
    assert stood["stand"] == pytest.approx(-1)
    assert stood["end turn"] > -0.5
    missed = values("10 7", "10 9", "±3", stands=True, **LAST)
    assert missed["play ±3 as +3"] == pytest.approx(1)
    assert missed["stand"] == pytest.approx(-1)
    assert values("10 4 10", "10 8", "-6", stands=True, **LAST)["end turn"] == pytest.approx(-1)


def test_a_card_is_worth_keeping_while_more_sets_may_come():
    # A total of 18 stands well; +2 makes it 20, which pays in the last set alone.
    early, late = (values("10 8", "10 2", "+2", sets=sets) for sets in ((0, 0), (2, 2)))
    assert late["play +2"] - late["stand"] > 0.1
    assert early["play +2"] - early["stand"] < 0.03
    # A card that wins nothing is wasted: the set is won without it.
    won = values("10 9", "10 8", "±1", stands=True, sets=(0, 0))
    assert won["stand"] > won["play ±1 as +1"] + 0.02


def test_a_card_that_saves_a_total_makes_it_safe_to_go_on():
    for hand, action in (("", "stand"), ("±6 ±5", "end turn")):
        assert best("10 6", "9 2", hand, **LAST) == action


def test_the_value_of_waiting_is_the_mean_over_the_cards():
    """Of an unbound deck, where the rival stands."""
    rng = generator(5)
    for _ in range(6):
        own, rival = rng.randrange(4, 11), rng.randrange(8, 11)
        ended = values(f"{own}", f"{rival} 7", "±3 +2", UNBOUND, stands=True)["end turn"]
        mean = 0.0
        for card in range(1, 11):
            after = values(f"{own} {card}", f"{rival} 7", "±3 +2", UNBOUND, stands=True)
            mean += max(after.values()) / 10
        assert ended == pytest.approx(mean, abs=1e-6)


def test_the_next_card_is_counted_from_the_deck():
    tens = "10 10 5", "10 10"
    deck = undrawn(PAZAAK.ruleset(), Table(a=tens[0], b=tens[1]).state.tables, 0, ())
    assert 10 not in deck
    counted = values("10 1", "10 10", stands=True, **LAST)["end turn"]
    unbound = values("10 1", "10 10", rules=UNBOUND, stands=True, **LAST)["end turn"]
    assert counted != unbound


def test_values_follow_from_what_the_seat_knows():
    tables = {"a": "10 4", "b": "9 3", "act": True}
    evaluator = OwnHand(PAZAAK.ruleset())
    first, second = (Table(hands=("±3 +2", rival), **tables).state for rival in ("", "±1 ±2 ±6"))
    assert evaluator.of(first) == evaluator.of(second)


def test_after_a_card_the_turn_is_ended_one_way_or_the_other():
    assert {*values("10 7", "10", "+1", phase=ACT)} == {"end turn", "stand", "play +1"}
    played = PAZAAK.positions.state(PAZAAK.ruleset(), tables=((10, (3, "±3")), (9,)), phase=PLAYED)
    assert {action.text for action in OwnHand(PAZAAK.ruleset()).of(played)} == {"end turn", "stand"}


@pytest.mark.parametrize(
    ("a", "b", "hand", "rules"),
    [
        ("10 4", "9", "2&4", "standard"),
        ("10 4", "9", "D +1", "standard"),
        ("1 1 1 2 2 3 3", "9 4", "+1", "standard"),
        ("10 4", "9", "+1", "standard(max_sets=3)"),
    ],
)
def test_what_the_solved_game_leaves_out_is_not_judged(a, b, hand, rules):
    assert values(a, b, hand, rules) == {}
    assert values("10 4", "9", "+1") != {}


def test_the_first_card_of_a_set_belongs_to_whoever_the_rules_say():
    """Under ``fixed`` the seat that starts always does: that is worth something to the other."""
    for rules in ("kotor1", "console", "table", "standard(next_set=random)"):
        found = values("10 4", "9 3", "+1", rules)
        assert all(-1 <= value <= 1 for value in found.values())
        assert len(found) == 3
