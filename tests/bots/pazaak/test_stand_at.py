"""The threshold player."""

import pytest
from arena_bots.pazaak.stand_at import StandAt

from arena.core.errors import ParseError
from arena.games.pazaak.engine.actions import END_TURN, STAND
from tests.bots.play import seen, started


@pytest.mark.parametrize(
    ("cards", "action"), [([9, 7], END_TURN), ([9, 8], STAND), ([9, 9], STAND)]
)
def test_it_stands_from_17_on(cards, action):
    assert started(StandAt()).act(seen(tables=(cards, ()))) is action


def test_it_plays_no_card_even_to_reach_20():
    assert started(StandAt()).act(seen(tables=([9, 9], ()), hands=("+2", ""))) is STAND


def test_the_total_is_a_parameter():
    assert started(StandAt(at=15)).act(seen(tables=([9, 6], ()))) is STAND


@pytest.mark.parametrize("at", [0, 21])
def test_a_total_out_of_reach_is_refused_by_name(at):
    with pytest.raises(ParseError, match=rf"stand\(at={at}\)"):
        StandAt(at=at)
