"""The search bot: it knows the core contract alone."""

import pytest
from bot_play import GAME, seen, started
from three_piles import ThreePiles

from arena.core.bot import MatchContext
from arena.games.pazaak.actions import STAND, play
from arena.games.pazaak.cards import card_named
from bots.search.information_set_mcts import InformationSetMcts


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
