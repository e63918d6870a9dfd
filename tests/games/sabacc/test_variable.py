"""Section 6 with B17: the variant changes by slips."""

from collections import Counter

import pytest

from arena.core.state import CHANCE, TERMINAL
from arena.games.sabacc.cards.variants import VARIANTS
from arena.games.sabacc.engine.stages import EXCHANGE
from tests.games.sabacc.play import PURE, SIX, TEN, TWENTY, match, one_hand, situation

FIVE_CARDS = "1 of Coins, 2 of Flasks, 3 of Staves, 4 of Sabers, 6 of Coins"
OTHER_FIVE = "1 of Flasks, 2 of Coins, 4 of Staves, 6 of Sabers, 7 of Coins"


def exchanging(draws="", *, tick_every=1, hands=(FIVE_CARDS, OTHER_FIVE), **described):
    options = {"variable": True, "tick_every": tick_every, "hands": 1}
    return situation(*hands, draws=draws, stage=EXCHANGE, options=options, **described)


def sizes(table):
    return sorted({a.count for a in table.state.legal_actions()})


def test_b17_play_starts_with_the_old_republic():
    assert match(2, TEN, TWENTY, variable=True).state.hand.match.variant is VARIANTS["old_republic"]


def test_s6_the_decision_that_fills_the_clock_follows_the_old_variant():
    table = exchanging("8 of Coins, slip imperial")
    assert sizes(table) == [0, 1, 2]
    table.do("exchange 1")
    assert table.state.hand.match.variant is VARIANTS["imperial"]
    assert sizes(table) == [0, 2]
    assert table.events("exchange", "slip") == [("exchange", 0, 1), ("slip", 1, 3)]


def test_s6_a_slip_is_shown_to_everybody():
    table = exchanging("slip mos_eisley").do("keep")
    for seat in range(2):
        assert table.state.observation(seat).variant is VARIANTS["mos_eisley"]
        assert str(table.state.observation(seat).events[-1]) == "seat 1: draws the slip Mos Eisley"


def test_s6_a_slip_due_before_the_showdown_binds_all_hands():
    # Jedi Master 3 + 10 + 10 is 23 for the Old Republic, 10 + 10 - 9 = 11 for the Empire.
    hands = ("Jedi Master, 10 of Coins, 10 of Flasks", TWENTY)
    old = exchanging(hands=hands, tick_every=9).do("keep", "keep")
    assert old.state.scores() == (1, 0)
    new = exchanging("slip imperial", hands=hands, tick_every=2).do("keep", "keep")
    assert new.events("slip", "reveal")[0][0] == "slip"
    assert new.state.scores() == (0, 1)


def test_s6_points_are_counted_under_the_newly_drawn_variant():
    hands = ("Jedi Master, 10 of Coins, 9 of Flasks", TWENTY)
    options = {"mode": "points", "target": 0, "hands": 1, "variable": True, "tick_every": 2}
    table = situation(*hands, draws="slip imperial", stage=EXCHANGE, options=options)
    table.do("keep", "keep")
    assert table.state.scores() == (10, 20)


def test_s6_the_variant_is_kept_in_the_next_hand():
    table = match(2, TEN, TWENTY, "slip corellian", PURE, SIX, variable=True, hands=2)
    table.do("pass", "pass", "pass", "pass", "keep", "keep")
    assert table.state.hand.match.hand_number == 2
    assert table.state.hand.match.variant is VARIANTS["corellian"]


def test_s6_a_shown_card_allows_nothing_under_a_variant_without_it():
    hands = ("Smuggler, 2 of Flasks, 3 of Staves", "Jedi Master, 2 of Coins, 3 of Coins")
    table = exchanging("slip mos_eisley", hands=hands).do("keep")
    assert "show Jedi Master" not in table.legal()


def drawn_slips(number, **options):
    """Draws slips until so many are out; the odds before each."""
    table = situation(TEN, TWENTY, options={"variable": True, "tick_every": 1, **options})
    state, odds, order = table.state, [], []
    state.hand.match.dealer = None
    while len(odds) < number:
        if state.current_player() == CHANCE:
            outcomes = state.chance_outcomes()
            if outcomes[0][0].text.startswith("slip"):
                odds.append(len(outcomes))
                assert len({chance for _, chance in outcomes}) == 1
                order.append(outcomes[-1][0].text)
                state.apply_action(outcomes[-1][0])
            else:
                state.apply_action(outcomes[0][0])
        else:
            table.do("pass" if "pass" in table.legal() else "keep")
    return odds, order


@pytest.mark.parametrize(("slips", "number"), [("nine", 9), ("eight", 8)])
def test_b17_nine_slips_or_eight_put_back_after_each_draw(slips, number):
    odds, order = drawn_slips(12, slips=slips)
    assert odds == [number] * 12
    assert len(set(order)) == 1


def test_b17_the_eight_leave_out_the_standard():
    table = exchanging()
    table.state.hand.match.dealer = None
    assert "slip old_republic" in table.do("keep").legal()
    options = {"variable": True, "tick_every": 1, "slips": "eight"}
    table = situation(FIVE_CARDS, OTHER_FIVE, stage=EXCHANGE, options=options)
    table.state.hand.match.dealer = None
    assert table.do("keep").legal() == [f"slip {name}" for name in VARIANTS][1:]


@pytest.mark.parametrize(("slips", "number"), [("nine", 9), ("eight", 8)])
def test_b17_kept_out_slips_come_back_when_all_are_drawn(slips, number):
    odds, order = drawn_slips(2 * number, slips=slips, slip_return="kept_out")
    assert odds == [*range(number, 0, -1)] * 2
    assert set(Counter(order).values()) == {2}


def test_s6_chips_and_slips_the_pot_is_won_under_the_new_variant():
    hands = ("Jedi Master, 10 of Coins, 10 of Flasks", TWENTY)
    table = situation(
        *hands,
        draws="slip imperial",
        stage=EXCHANGE,
        staked=(5, 5),
        options=one_hand(variable=True, tick_every=6),
    )
    table.do("keep", "keep", "put 1", "put 1", "put 1")
    assert table.state.hand.match.variant is VARIANTS["old_republic"]
    table.do("put 1")
    assert table.to_act() == TERMINAL
    assert table.events("win") == [("win", 1, 14)]
