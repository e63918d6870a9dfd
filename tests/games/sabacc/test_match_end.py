"""Item 3: the full finishing order, the amounts, and when a match is over."""

import pytest

from arena.core.errors import IllegalAction
from arena.core.outcome import Termination, utilities
from arena.core.state import TERMINAL
from arena.games.sabacc.engine.stages import EXCHANGE, RAISING
from tests.games.sabacc.play import PURE, SIX, TEN, TWENTY, TWO, match, one_hand, situation

SAME_TWENTY = "10 of Flasks, 8 of Staves, 2 of Flasks"


def last_hand(*hands, amounts, **options):
    table = situation(*hands, stage=EXCHANGE, amounts=amounts, options={"hands": 1, **options})
    return table.do(*["keep"] * len(hands))


def test_a_match_of_showdowns_lasts_so_many_hands_and_counts_those_won():
    table = match(2, PURE, TEN, TWENTY, SIX, TEN, TWO, hands=3)
    for hand in range(1, 4):
        assert table.state.hand.match.hand_number == hand
        table.finish_hand()
    assert table.to_act() == TERMINAL
    # seat 0 wins the first; the second is dealt from seat 1, and the third from seat 0 again
    assert table.state.scores() == (2, 1)
    assert table.state.returns() == (1.0, -1.0)


def test_the_finishing_order_is_that_of_the_hands_won():
    table = last_hand(PURE, TEN, SIX, TWO, amounts=(1, 5, 2, 0))
    assert table.state.scores() == (2, 5, 2, 0)
    assert table.state.returns() == utilities((2, 1, 2, 3))
    assert table.state.outcome().termination is Termination.RULES


def test_a_tie_that_nothing_breaks_is_a_hand_won_by_each():
    table = situation(
        TWENTY,
        SAME_TWENTY,
        TEN,
        draws=", ".join(["Idiot, Idiot"] * 5),
        stage=EXCHANGE,
        options={"hands": 1},
    )
    table.do("keep", "keep", "keep")
    assert table.state.scores() == (1, 1, 0)


def test_b13_a_hand_that_all_lose_counts_for_no_seat():
    table = last_hand(
        "Dark Jedi, Dark Jedi, 4 of Coins", "Dark Jedi, Dark Jedi, 3 of Coins", amounts=(0, 0)
    )
    assert table.state.scores() == (0, 0)
    assert table.events("win", "extra") == []
    assert table.state.returns() == (0.0, 0.0)


def test_s7_a_match_with_chips_lasts_so_many_hands():
    table = match(2, TEN, TWENTY, PURE, SIX, **one_hand(hands=2))
    table.do("fold")
    assert table.state.hand.match.hand_number == 2
    table.do("fold")
    assert table.to_act() == TERMINAL
    assert table.state.scores() == (100, 100)
    assert table.state.returns() == (0.0, 0.0)


def broke(*, later):
    """Seat 0 loses its last chips; then, or in the same hand, seat 1 does."""
    table = situation(
        TEN,
        TWENTY,
        PURE,
        draws=f"{PURE}, {TEN}",
        stage=RAISING,
        amounts=(2, 2, 50),
        staked=(1, 1, 1),
        options=one_hand(hands=9, stack=19, short_stack="all_in"),
    )
    table.do("put 2", "fold" if later else "put 2", "put 2")
    if later:
        assert table.state.hand.match.hand_number == 2
        assert table.state.hand.match.active == (False, True, True)
        table.do("put 1", "put 1").finish_hand()
    return table


def test_s7_the_match_is_over_when_one_alone_has_chips():
    table = broke(later=False)
    assert table.to_act() == TERMINAL
    assert table.state.scores() == (0, 0, 57)


def test_seats_eliminated_in_the_same_hand_share_the_place():
    assert broke(later=False).state.returns() == utilities((2, 2, 1))


def test_a_seat_eliminated_later_finishes_higher():
    table = broke(later=True)
    assert table.to_act() == TERMINAL
    assert table.state.scores() == (0, 0, 57)
    assert table.state.returns() == utilities((3, 2, 1))


def test_a_seat_that_sits_out_with_a_few_chips_ranks_by_them():
    table = situation(
        TEN,
        TWENTY,
        PURE,
        "",
        stage=RAISING,
        amounts=(5, 20, 20, 2),
        staked=(3, 3, 3, 0),
        active=(True, True, True, False),
        options=one_hand(ante=3, stack=14),
    )
    table.state.hand.match.out_since = (0, 0, 0, 1)
    table.do("fold", "fold")
    assert table.state.scores() == (5, 20, 29, 2)
    assert table.state.returns() == utilities((3, 2, 1, 4))


@pytest.mark.parametrize("mode", ["showdown", "chips", "points"])
def test_the_outcome_is_known_only_at_the_end(mode):
    options = {"mode": mode, "hands": 1, **({"target": 0} if mode == "points" else {})}
    table = match(2, TEN, TWENTY, **options)
    with pytest.raises(IllegalAction, match="not over"):
        table.state.outcome()
    while table.to_act() != TERMINAL:
        table.finish_hand()
    assert table.legal() == []
    assert table.state.chance_outcomes() == ()
    with pytest.raises(IllegalAction, match="the match is over"):
        table.do("pass")
    assert table.state.outcome().scores == table.state.scores()
    assert [table.state.observation(seat).legal_actions for seat in range(2)] == [(), ()]


@pytest.mark.parametrize(
    ("options", "left", "target"),
    [
        ({"hands": 3}, 2, 0),
        (one_hand(hands=5), 4, 0),
        ({"mode": "points", "target": 0, "hands": 7}, 6, 0),
        ({"mode": "points", "target": 60, "max_hands": 9}, 8, 60),
        ({"mode": "points"}, 499, 1000),
    ],
    ids=str,
)
def test_a_seat_sees_how_long_the_match_may_last(options, left, target):
    table = match(2, TEN, TWENTY, PURE, SIX, **options)
    seen = table.state.observation(0)
    assert (seen.hands_left, seen.target) == (left, target)
    table.finish_hand()
    assert table.state.observation(1).hands_left == left - 1


def test_the_last_hand_leaves_none_and_an_entry_is_seen():
    table = match(2, TEN, TWENTY, **one_hand(hands=1, ante=3))
    assert (table.state.observation(1).hands_left, table.state.observation(1).ante) == (0, 3)
    assert table.finish_hand().to_act() == TERMINAL
    assert match(2, TEN, TWENTY).state.observation(0).ante == 0
