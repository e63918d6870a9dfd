"""Section 8 with I3, I9 and B16, through whole hands of a match."""

import pytest

from arena.core.outcome import Termination
from arena.core.state import TERMINAL
from arena.games.sabacc.engine.stages import EXCHANGE
from tests.games.sabacc.play import OTHER_BOMB, PURE, SIX, TEN, TWENTY, match, situation

SAME_TWENTY = "10 of Flasks, 8 of Staves, 2 of Flasks"
SEVENTY_FOUR = "Ace of Coins, Ace of Flasks, Ace of Sabers, Ace of Staves, Master of Coins"


def hand(*hands, draws="", **options):
    """One hand of points play, ready for the exchange."""
    options = {"mode": "points", "target": 0, "hands": 1, **options}
    table = situation(*hands, draws=draws, stage=EXCHANGE, options=options)
    return table.do(*["keep"] * len(hands))


def to_target(*hands, amounts, draws="", **options):
    options = {"mode": "points", "target": 100, **options}
    table = situation(*hands, draws=draws, amounts=amounts, stage=EXCHANGE, options=options)
    return table.do(*["keep"] * len(hands))


def test_b16_everyone_scores_not_only_the_winner():
    assert hand(TWENTY, TEN, SIX).state.scores() == (20, 10, 6)


def test_b16_losing_hands_score_what_the_rules_give_them():
    assert hand(SEVENTY_FOUR, OTHER_BOMB).state.scores() == (28, 0)
    assert hand(SEVENTY_FOUR, TEN, points_over_46="zero").state.scores() == (0, 10)
    assert hand(SEVENTY_FOUR, TEN, points_over_46="penalty").state.scores() == (-28, 10)


def test_i9_the_bonus_is_for_a_sabacc_dealt_and_left_alone():
    table = match(2, PURE, TEN, mode="points", target=0, hands=1).finish_hand()
    assert table.state.scores() == (33, 10)


@pytest.mark.parametrize("touch", ["draw", "exchange"])
def test_i9_no_bonus_for_a_sabacc_that_was_made(touch):
    # 16 with the 1 of Staves; the Idiot or the seven that comes makes or leaves 23.
    if touch == "draw":
        table = match(2, PURE, TEN, "Idiot", mode="points", target=0, hands=1)
        table.do("draw").finish_hand()
    else:
        table = match(2, PURE, TEN, "7 of Sabers", mode="points", target=0, hands=1)
        table.do(*["pass"] * 4)
        place = table.hand(0).index("7 of Flasks") + 1
        table.do(f"exchange {place}", "keep")
    assert table.state.scores() == (23, 10)


def test_i9_no_bonus_after_a_shuffle_that_returns_the_own_card():
    table = situation(
        PURE,
        TEN,
        draws="die 2, 1 of Staves, 4 of Coins, 1 of Staves, 4 of Coins",
        stage=EXCHANGE,
        options={"mode": "points", "target": 0, "hands": 1, "dice": True, "tick_every": 1},
    )
    table.do("keep", "keep")
    assert table.state.scores() == (23, 10)


def test_i9_the_winner_of_the_hand_gets_ten():
    assert hand(TWENTY, TEN, bonus="winner").state.scores() == (30, 10)
    assert hand(TWENTY, PURE, bonus="winner").state.scores() == (20, 33)
    assert hand(TWENTY, PURE, bonus="off").state.scores() == (20, 23)


def test_i9_winner_a_tie_is_broken_but_the_extra_card_scores_nothing():
    table = hand(TWENTY, SAME_TWENTY, draws="1 of Coins, 2 of Sabers", bonus="winner")
    assert table.state.scores() == (20, 30)


def test_i9_winner_an_unbroken_tie_scores_no_bonus():
    table = hand(TWENTY, SAME_TWENTY, draws=", ".join(["Idiot, Idiot"] * 5), bonus="winner")
    assert table.state.scores() == (20, 20)


@pytest.mark.parametrize("bonus", ["dealt", "off"])
def test_s8_a_tie_without_consequence_gets_no_extra_cards(bonus):
    table = hand(TWENTY, SAME_TWENTY, bonus=bonus)
    assert table.events("extra") == []
    assert table.state.scores() == (20, 20)


def test_s8_the_match_ends_when_one_alone_is_highest_with_the_target():
    table = to_target(TWENTY, TEN, amounts=(80, 20))
    assert table.to_act() == TERMINAL
    assert table.state.scores() == (100, 30)
    assert table.state.outcome().termination is Termination.RULES
    assert table.state.returns() == (1.0, -1.0)


def test_s8_below_the_target_another_hand_is_played():
    table = to_target(TWENTY, TEN, amounts=(79, 20), draws=f"{TEN}, {SIX}")
    assert (table.state.hand.match.hand_number, table.state.scores()) == (2, (99, 30))


def test_b16_two_reach_the_target_and_the_highest_total_wins():
    table = to_target(TWENTY, TEN, SIX, amounts=(81, 95, 20))
    assert table.to_act() == TERMINAL
    assert table.state.scores() == (101, 105, 26)
    assert table.state.returns() == (0.0, 1.0, -1.0)


def test_b16_equal_at_the_target_one_more_hand():
    table = to_target(TWENTY, TEN, amounts=(80, 90), draws=f"{SIX}, {TEN}")
    assert (table.state.hand.match.hand_number, table.state.scores()) == (2, (100, 100))
    table.finish_hand()
    assert table.to_act() == TERMINAL
    assert sum(table.state.returns()) == 0
    assert table.state.returns() in ((1.0, -1.0), (-1.0, 1.0))


def test_b16_a_tie_below_the_leader_does_not_matter():
    table = to_target(TWENTY, TEN, TEN, amounts=(90, 20, 20))
    assert table.to_act() == TERMINAL
    assert table.state.returns() == (1.0, -0.5, -0.5)


def test_s8_a_match_that_does_not_reach_its_target_is_capped():
    table = to_target(TWENTY, TEN, amounts=(0, 0), max_hands=1)
    assert table.to_act() == TERMINAL
    assert table.state.outcome().termination is Termination.CAP
    assert table.state.returns() == (1.0, -1.0)


def test_b16_a_tie_at_the_target_is_capped_too():
    table = to_target(TWENTY, TEN, amounts=(80, 90), max_hands=1)
    assert table.state.outcome().termination is Termination.CAP
    assert table.state.returns() == (0.0, 0.0)


def test_s8_the_target_in_the_last_allowed_hand_is_no_cap():
    table = to_target(TWENTY, TEN, amounts=(80, 20), max_hands=1)
    assert table.state.outcome().termination is Termination.RULES


def test_s8_without_a_target_so_many_hands_are_played():
    table = match(2, TWENTY, TEN, SIX, TEN, mode="points", target=0, hands=2).finish_hand()
    assert table.state.hand.match.hand_number == 2
    table.finish_hand()
    assert table.to_act() == TERMINAL
    assert table.state.scores() == (30, 16)
