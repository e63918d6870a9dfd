"""The search bot: it knows the core contract alone."""

from itertools import pairwise

import pytest
from bot_play import GAME, seen, started
from hypothesis import given
from hypothesis import strategies as st
from three_piles import TAKES, PilesState, ThreePiles

from arena.core.bot import MatchContext
from arena.core.seeding import generator
from arena.games.pazaak.actions import STAND, play
from arena.games.pazaak.cards import card_named
from bots.search.information_set_mcts import InformationSetMcts, judged, playout


def test_it_finds_the_card_that_wins_the_match():
    winning = seen(tables=([10, 8], [10, 9]), hands=("+2", ""), sets=(2, 2), standing=(False, True))
    assert started(InformationSetMcts()).act(winning) is play(card_named("+2"))


def test_it_stands_on_a_total_that_has_won():
    won = seen(tables=([10, 9], [10, 8]), sets=(2, 2), standing=(False, True))
    assert started(InformationSetMcts()).act(won) is STAND


def test_one_legal_action_is_taken_without_a_search():
    class OneChoice(InformationSetMcts):
        iterations = property(lambda self: pytest.fail("it searched"), lambda self, value: None)

    state = ThreePiles().new_state(None, (b"", b"", b""))
    only = state.observation(0)
    bot = started(OneChoice())
    assert bot.act(only) is only.legal_actions[0]


def test_it_plays_a_game_of_three_seats_that_it_has_never_heard_of():
    assert GAME.name != ThreePiles.name
    bot = InformationSetMcts(iterations=400, worlds=1, depth=10)
    bot.start(MatchContext(ThreePiles(), "plain", 1, 3, 9))
    state = ThreePiles().new_state(None, (b"", b"", b""))
    state.apply_action(state.legal_actions()[0])
    assert bot.act(state.observation(1)).text == "take 3"


@given(st.lists(st.integers(-500, 500), min_size=2, max_size=6))
def test_an_unfinished_match_is_judged_by_its_leads(scores):
    rewards = judged(scores)
    assert sum(rewards) == pytest.approx(0)
    assert all(-1 <= reward <= 1 for reward in rewards)
    order = sorted(range(len(scores)), key=scores.__getitem__)
    for lower, higher in pairwise(order):
        assert rewards[lower] <= rewards[higher] + 1e-12
        assert (scores[lower] == scores[higher]) == (rewards[lower] == rewards[higher])


class Winnings(PilesState):
    """Two seats that pass for ever; the first pays at every pass, and wins at the fifth."""

    passes = 0

    def current_player(self):
        return self.passes % 2

    def legal_actions(self):
        return TAKES[:1]

    def apply_action(self, action):
        self.passes += 1

    def scores(self):
        return (-self.passes, 0) if self.passes < 5 else (3, 0)


@pytest.mark.parametrize(("depth", "passes"), [(3, 3), (50, 5)])
def test_a_playout_ends_when_somebody_has_won_something_or_at_its_depth(depth, passes):
    world = Winnings()
    rewards = playout(world, depth, generator(1))
    assert world.passes == passes
    assert rewards == judged(world.scores())
