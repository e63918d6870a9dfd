"""Section 11: the clock that counts decisions; when dice and slips are due."""

import pytest

from arena.games.sabacc.engine.stages import EXCHANGE, RAISING, ROLL_DUE, SECOND_DRAW
from tests.games.sabacc.play import PURE, SIX, TEN, TWENTY, match, one_hand, situation

TEN_SLIPS = ", ".join(["slip imperial"] * 10)


def slips_after(seats, texts, draws="", **options):
    """The number of slips drawn after each decision."""
    hands = [TEN, TWENTY, SIX][:seats]
    script = [*hands, *([draws] if draws else []), TEN_SLIPS]
    table = match(seats, *script, variable=True, **{"hands": 1, **options})
    return [table.do(text).state.hand.match.slips_drawn for text in texts]


SIX_DECISIONS = ["pass", "pass", "pass", "pass", "keep", "keep"]


def test_s11_six_decisions_are_two_minutes():
    assert slips_after(2, SIX_DECISIONS) == [0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("every", "drawn"), [(1, [1, 2, 3, 4, 5, 6]), (2, [0, 1, 1, 2, 2, 3]), (4, [0, 0, 0, 1, 1, 1])]
)
def test_s11_tick_every_so_many_decisions(every, drawn):
    assert slips_after(2, SIX_DECISIONS, tick_every=every) == drawn


def test_s11_tick_every_orbit_is_one_decision_of_every_active_player():
    assert slips_after(3, ["pass"] * 6, tick_every="orbit") == [0, 0, 1, 1, 1, 2]


def test_s11_tick_every_orbit_a_folded_seat_does_not_count():
    chips = one_hand(tick_every="orbit")
    assert slips_after(3, ["fold", "put 1", "put 1", "pass", "pass"], **chips) == [0, 0, 1, 1, 2]
    assert slips_after(3, ["put 1", "fold", "put 1", "pass", "pass"], **chips) == [0, 0, 1, 1, 2]
    assert slips_after(3, ["put 1", "put 1", "fold", "pass", "pass"], **chips) == [0, 0, 1, 1, 2]


def test_s11_tick_every_phase_is_every_change_of_phase():
    assert slips_after(2, SIX_DECISIONS, tick_every="phase") == [0, 1, 1, 2, 2, 3]


def test_s11_tick_every_phase_counts_a_demanded_exchange_as_a_phase():
    options = one_hand(betting="alternating", tick_every="phase")
    texts = ["pass"] * 4 + ["put 1", "put 1 and demand the exchange", "keep", "keep"]
    assert slips_after(2, texts, **options) == [0, 1, 1, 2, 2, 3, 3, 4]


def test_s11_the_clock_runs_across_hands():
    table = match(2, TEN, TWENTY, PURE, SIX, "slip imperial", variable=True, tick_every=8, hands=2)
    table.do(*SIX_DECISIONS)
    assert (table.state.hand.match.hand_number, table.state.hand.match.ticks) == (2, 6)
    assert table.do("pass").state.hand.match.slips_drawn == 0
    assert table.do("pass").state.hand.match.slips_drawn == 1
    assert table.state.hand.match.ticks == 0


def test_s11_showing_a_card_is_no_decision_of_its_own():
    table = situation(
        "Jedi Master, 2 of Flasks, 3 of Staves",
        TWENTY,
        stage=EXCHANGE,
        options={"variable": True, "tick_every": 3},
    )
    assert table.do("show Jedi Master").state.hand.match.ticks == 0
    assert table.do("keep").state.hand.match.ticks == 1


def test_s11_the_card_that_an_odd_roll_costs_is_no_decision_for_the_clock():
    table = match(2, TEN, TWENTY, "die 3, 8 of Coins", dice=True, tick_every=2)
    table.do("pass", "pass")
    assert table.state.hand.swapping
    assert table.do("exchange 1").state.hand.match.ticks == 0
    assert table.to_act() == 0


def test_s11_the_player_about_to_decide_rolls_first():
    table = match(3, TEN, TWENTY, SIX, "die 1, 8 of Coins", dice=True, tick_every=4)
    table.do("pass", "pass", "pass")
    assert table.events("roll") == []
    table.do("pass")
    assert table.events("roll") == [("roll", 1, 1)]
    assert (table.to_act(), table.state.hand.swapping) == (1, True)
    table.do("exchange 1")
    assert (table.to_act(), table.state.hand.stage) == (1, SECOND_DRAW)
    assert table.legal() == ["draw", "pass"]


def test_s11_a_roll_that_is_due_when_the_hand_ends_is_made_in_the_next():
    table = match(
        2,
        PURE,
        TWENTY,
        TEN,
        SIX,
        "die 2, 1 of Flasks, 4 of Coins, 4 of Coins",
        "1 of Flasks",
        dice=True,
        tick_every=6,
        hands=2,
    )
    table.do(*SIX_DECISIONS)
    assert table.state.hand.match.hand_number == 2
    assert table.events("roll") == [("roll", 1, 2)]


def test_s11_a_fold_counts_and_adds_its_own_roll_to_the_one_that_is_due():
    table = match(3, TEN, TWENTY, SIX, "die 1, die 3", **one_hand(dice=True, tick_every=1))
    table.do("fold")
    assert table.events("fold", "roll") == [("fold", 0, 0), ("roll", 0, 1), ("roll", 1, 3)]


def test_s11_dice_and_slips_have_one_clock():
    table = match(2, TEN, TWENTY, "slip imperial, die 3", dice=True, variable=True, tick_every=1)
    table.do("pass")
    assert table.events("slip", "roll") == [("slip", 1, 3), ("roll", 1, 3)]


def test_s11_nothing_ticks_without_dice_or_slips():
    table = match(2, TEN, TWENTY, PURE, SIX, hands=2)
    table.do(*SIX_DECISIONS)
    assert table.events("slip", "roll") == []


def test_s11_a_hand_won_by_a_fold_leaves_the_slip_for_the_next_hand():
    table = match(
        2, TEN, TWENTY, PURE, SIX, "slip imperial", **one_hand(hands=2, variable=True, tick_every=1)
    )
    table.do("fold")
    assert table.events("win", "hand", "slip")[-3:] == [
        ("win", 1, 2),
        ("hand", 0, 0),
        ("slip", 1, 3),
    ]


def test_s11_a_described_clock_continues_from_its_count():
    table = situation(
        TEN,
        TWENTY,
        draws="die 6, 3 of Flasks, 8 of Flasks, 3 of Flasks, 8 of Flasks",
        ticks=5,
        options={"dice": True},
    )
    table.do("pass")
    assert table.events("roll") == [("roll", 1, 6)]
    late = situation(
        TEN, TWENTY, draws="die 5", due=ROLL_DUE, stage=RAISING, options=one_hand(dice=True)
    )
    late.do("put 1")
    assert late.events("roll") == [("roll", 1, 5)]


def test_s14_a_fold_is_no_tick_of_an_orbit_but_may_complete_it():
    """Seats 0 and 1 have decided; when seat 2 leaves, everybody in the hand has."""
    chips = one_hand(tick_every="orbit")
    assert slips_after(3, ["put 1", "put 1", "fold"], **chips) == [0, 0, 1]
    assert slips_after(3, ["put 1", "fold"], **chips) == [0, 0]


def test_s14_a_seat_taken_out_completes_an_orbit_with_the_next_decision():
    table = match(3, TEN, TWENTY, SIX, TEN_SLIPS, **one_hand(variable=True, tick_every="orbit")).do(
        "put 1", "put 1"
    )
    table.state.expel(2)
    assert table.state.hand.match.slips_drawn == 0
    assert table.do("pass").state.hand.match.slips_drawn == 1


def test_s14_the_slip_is_drawn_at_the_dealers_left_even_if_folded():
    table = situation(
        TEN,
        TWENTY,
        SIX,
        draws="slip imperial",
        stage=RAISING,
        turn=1,
        active=(False, True, True),
        ticks=4,
        options=one_hand(variable=True, max_raises=1),
    )
    table.do("put 1", "put 1")
    assert table.events("slip") == [("slip", 0, 3)]
    assert not table.state.hand.match.active[0]
