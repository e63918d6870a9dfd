"""Section 7 and 11: entry, stakes and stages; staged betting; the seed's hand; folding."""

import pytest

from arena.core.errors import IllegalAction
from arena.core.state import TERMINAL
from arena.games.sabacc.engine.stages import (
    BET,
    BET_IF_DRAWN,
    EXCHANGE,
    FIRST_DRAW,
    RAISING,
    SECOND_DRAW,
)
from tests.games.sabacc.play import PURE, SIX, TEN, TWENTY, match, one_hand, situation


def puts(first, last):
    return [*(f"put {chips}" for chips in range(first, last + 1)), "fold"]


def test_b15_everybody_enters_with_the_ante_and_it_is_the_first_stake():
    table = match(3, TEN, TWENTY, SIX, **one_hand(ante=3))
    assert table.state.hand.match.amounts == (97, 97, 97)
    assert table.state.hand.betting.pot == 9
    assert table.events("ante") == [("ante", 0, 3), ("ante", 1, 3), ("ante", 2, 3)]
    assert table.legal() == puts(3, 20)


def test_s7_never_fewer_chips_than_the_last_stake():
    table = match(2, TEN, TWENTY, **one_hand()).do("put 5")
    with pytest.raises(IllegalAction, match="put 4 is not one of: put 5, put 6"):
        table.do("put 4")
    assert table.state.hand.match.amounts == (94, 99)
    assert table.state.observation(1).owed == 5
    assert table.do("put 5").state.hand.match.amounts == (94, 94)


def test_s7_there_is_no_free_check():
    table = match(2, TEN, TWENTY, **one_hand())
    with pytest.raises(IllegalAction):
        table.do("check")


@pytest.mark.parametrize(
    ("cap", "stack", "most"), [(20, 100, 20), (7, 100, 7), (0, 60, 59), (20, 12, 11)]
)
def test_b15_a_put_is_at_most_the_cap_and_the_stack(cap, stack, most):
    assert match(2, TEN, TWENTY, **one_hand(cap=cap, stack=stack)).legal() == puts(1, most)


def test_b14_a_seat_that_cannot_put_the_stake_can_only_fold():
    table = situation(TEN, TWENTY, stage=BET, amounts=(3, 20), last_stake=5, options=one_hand())
    assert table.legal() == ["fold"]


def test_s11_betting_follows_the_deal_the_draws_and_the_exchange():
    draws = "8 of Coins, 9 of Coins"
    table = match(2, TEN, TWENTY, draws, **one_hand())
    texts = [
        "put 1",
        "put 1",
        "draw",
        "pass",
        "put 1",
        "put 1",
        "pass",
        "draw",
        "put 1",
        "put 1",
        "keep",
        "keep",
        "put 1",
        "put 1",
        "put 1",
        "put 1",
    ]
    asked = []
    for text in texts:
        asked.append((table.state.hand.stage, table.to_act()))
        table.do(text)
    stages = (BET, FIRST_DRAW, BET_IF_DRAWN, SECOND_DRAW, BET_IF_DRAWN, EXCHANGE, BET, RAISING)
    assert asked == [(stage, seat) for stage in stages for seat in (0, 1)]
    assert table.to_act() == TERMINAL


def test_s11_no_betting_follows_a_round_without_draws():
    table = match(2, TEN, TWENTY, **one_hand()).do("put 1", "put 1", "pass", "pass")
    assert table.state.hand.stage == SECOND_DRAW
    assert table.do("pass", "pass").state.hand.stage == EXCHANGE


def test_s11_the_last_stake_stands_for_the_whole_hand():
    table = match(2, TEN, TWENTY, **one_hand()).do("put 4", "put 6", "pass", "pass", "pass", "pass")
    table.do("keep", "keep")
    assert (table.state.hand.stage, table.legal()[0]) == (BET, "put 6")


def test_s11_stages_before_the_sixth_are_one_orbit_even_after_a_raise():
    table = match(2, TEN, TWENTY, **one_hand()).do("put 1", "put 5")
    assert table.state.hand.stage == FIRST_DRAW


def raising(*stakes, **options):
    table = situation(PURE, TWENTY, stage=RAISING, options=one_hand(**options))
    for chips in stakes:
        assert table.state.hand.stage == RAISING
        table.do(f"put {chips}")
    return table


def test_s11_stage_6_ends_with_an_orbit_without_a_raise():
    assert raising(1, 1).to_act() == TERMINAL
    assert raising(1, 2).to_act() == 0
    assert raising(1, 2, 2, 2).to_act() == TERMINAL


def test_s11_stage_6_has_at_most_three_orbits():
    assert raising(2, 3, 4, 5, 6).to_act() == 1
    assert raising(2, 3, 4, 5, 6, 7).to_act() == TERMINAL
    assert raising(2, 3, max_raises=1).to_act() == TERMINAL


def test_s7_the_last_one_left_takes_the_pot_unseen():
    table = match(3, TEN, TWENTY, SIX, **one_hand()).do("put 3", "fold", "put 4", "fold")
    assert table.to_act() == TERMINAL
    assert table.state.hand.match.amounts == (96, 99, 105)
    assert table.events("win") == [("win", 2, 10)]
    assert table.events("reveal") == []
    assert table.state.hand.laid == ((), (), ())


def test_s7_the_winner_of_the_showdown_takes_the_pot():
    table = raising(1, 1)
    assert table.state.hand.match.amounts == (101, 99)
    assert table.events("reveal", "win") == [("reveal", 0, 0), ("reveal", 1, 0), ("win", 0, 2)]


@pytest.mark.parametrize("before", range(8))
def test_b20_a_fold_is_legal_at_any_decision_of_a_chips_game(before):
    table = match(3, TEN, TWENTY, SIX, "8 of Coins, 9 of Coins, 11 of Coins", **one_hand())
    play = ["put 1"] * 3 + ["pass"] * 6 + ["keep"] * 3 + ["put 1"] * 6
    table.do(*play[: before * 2])
    seat = table.to_act()
    table.do("fold")
    assert not table.state.hand.match.active[seat]
    assert table.to_act() not in (seat, TERMINAL)


@pytest.mark.parametrize("mode", ["showdown", "points"])
def test_b20_there_is_no_fold_where_no_chips_are_played_for(mode):
    table = match(2, TEN, TWENTY, mode=mode)
    while table.state.hand.match.hand_number == 1:
        assert "fold" not in table.legal()
        table.do("pass" if "pass" in table.legal() else "keep")
        if table.state.hand.stage == EXCHANGE:
            break
    assert "fold" not in table.legal()


def test_b20_a_folded_seat_has_no_decision_and_gets_no_share():
    table = match(3, PURE, TWENTY, SIX, **one_hand()).do("fold")
    asked = set()
    while table.to_act() != TERMINAL:
        asked.add(table.to_act())
        legal = table.legal()
        table.do(next(text for text in ("pass", "keep", "put 1") if text in legal))
    assert asked == {1, 2}
    assert table.state.hand.match.amounts[0] == 99
    assert table.state.hand.match.amounts[1] > 100


def test_s9_4_a_folded_hand_is_not_revealed():
    def folded(hand):
        return match(3, hand, TWENTY, SIX, **one_hand()).do("fold").finish_hand().state

    one, other = folded(PURE), folded(TEN)
    assert [one.observation(s) for s in (1, 2)] == [other.observation(s) for s in (1, 2)]
    assert one.observation(0) != other.observation(0)


def short(*amounts, stage=RAISING, staked=81, **options):
    """Stake 20; who has less can only leave (B14 ``fold``)."""
    hands = (PURE, TWENTY, SIX, TEN)[: len(amounts)]
    return situation(
        *hands,
        stage=EXCHANGE,
        amounts=amounts,
        staked=(staked,) * len(amounts),
        last_stake=20,
        options=one_hand(**options),
    ).do(*["keep"] * len(amounts))


def test_s14_a_stake_that_no_seat_could_put_forces_no_fold():
    table = short(19, 19)
    assert table.to_act() == TERMINAL
    assert table.events("fold", "put", "reveal") == [("reveal", 0, 0), ("reveal", 1, 0)]
    assert table.events("win") == [("win", 0, 162)]


@pytest.mark.parametrize(("amounts", "asked"), [((19, 20), 0), ((20, 19), 0), ((19, 19, 50), 0)])
def test_b14_a_seat_that_cannot_put_the_stake_folds_where_another_could(amounts, asked):
    table = short(*amounts)
    assert (table.state.hand.stage, table.to_act()) == (BET, asked)
    assert (table.legal() == ["fold"]) == (amounts[0] == 19)


def test_s14_an_orbit_without_a_put_ends_when_the_last_seat_folded():
    table = short(50, 19, 19).do("fold")
    assert table.to_act() == TERMINAL
    assert table.events("fold", "reveal", "win") == [
        ("fold", 0, 0),
        ("reveal", 1, 0),
        ("reveal", 2, 0),
        ("win", 1, 243),
    ]


def test_s14_a_stake_that_was_put_has_to_be_met():
    table = short(20, 19, 19).do("put 20")
    assert table.legal() == ["fold"]
    table.do("fold", "fold")
    assert table.events("win") == [("win", 0, 263)]


def test_s14_no_chips_are_due_when_all_rivals_with_chips_have_folded():
    table = short(50, 0, 50, short_stack="all_in")
    table.state.hand.betting.all_in = (False, True, False)
    table.do("fold")
    assert table.to_act() == TERMINAL
    assert table.events("put") == []


def test_s14_the_orbit_of_a_seat_that_is_taken_out_ends_likewise():
    table = short(50, 19, 19)
    table.state.expel(0)
    assert table.to_act() == TERMINAL
    assert table.events("win") == [("win", 1, 243)]
    other = short(19, 50, 19)
    other.state.expel(1)
    assert other.to_act() == TERMINAL
    assert other.events("fold") == []
