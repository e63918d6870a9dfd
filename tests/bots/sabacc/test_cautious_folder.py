"""The player that leaves weak hands early."""

import pytest
from arena_bots.sabacc.cautious_folder import CautiousFolder

from arena.core.errors import ParseError
from arena.games.sabacc.engine.stages import BET, FIRST_DRAW, RAISING
from tests.bots.sabacc.play import CHIPS, MIDDLING, POKER, STRONG, WEAK, choice, seen

FEEBLE = "4 of Coins, 1 of Flasks"


@pytest.mark.parametrize(
    ("hand", "stage", "action"),
    [
        (FEEBLE, BET, "fold"),
        (MIDDLING, BET, "put 1"),
        (MIDDLING, RAISING, "fold"),
        (STRONG, RAISING, "put 1"),
        (FEEBLE, FIRST_DRAW, "draw"),
    ],
)
def test_its_bar_is_lower_before_the_exchange(hand, stage, action):
    assert choice(CautiousFolder(), seen(CHIPS, hand, stage=stage)) == action


def test_it_does_not_fold_where_playing_on_is_free():
    assert choice(CautiousFolder(), seen(POKER, FEEBLE, stage=BET)) == "check"


def test_its_bars_are_parameters():
    weak = seen(CHIPS, WEAK, stage=BET)
    assert choice(CautiousFolder(early=9), weak) == "fold"
    assert choice(CautiousFolder(early=8), weak) == "put 1"
    late = seen(CHIPS, MIDDLING, stage=RAISING)
    assert choice(CautiousFolder(late=12), late) == "put 1"


@pytest.mark.parametrize(("name", "bar"), [("early", -1), ("late", 24)])
def test_a_bar_out_of_reach_is_refused_by_name(name, bar):
    with pytest.raises(ParseError, match=rf"cautious-folder\({name}={bar}\)"):
        CautiousFolder(**{name: bar})
