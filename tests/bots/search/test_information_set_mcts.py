"""The search bot: it knows the core contract alone."""

from functools import cached_property

import pytest
from arena_bots.pazaak.stand_at import StandAt
from arena_bots.search.information_set_mcts import InformationSetMcts, playout

from arena.core.actions import Action
from arena.core.bot import MatchContext
from arena.core.chance.seeding import generator
from arena.core.observation import Observation
from arena.core.outcome import Outcome, estimated_utilities
from arena.core.parts import Search
from arena.core.state import TERMINAL
from arena.games.pazaak.engine.actions import STAND, play
from arena.games.pazaak.engine.cards import card_named
from tests.bots.play import GAME, score, seen, started
from tests.bots.search.three_piles import TAKES, PilesState, ThreePiles
from tests.broken_game import with_parts


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


def test_it_plays_a_game_of_three_seats_that_is_not_installed():
    assert GAME.name != ThreePiles.name
    bot = InformationSetMcts(iterations=400, worlds=1, depth=10)
    bot.start(MatchContext(ThreePiles(), "plain", 1, 3, 9))
    state = ThreePiles().new_state(None, (b"", b"", b""))
    state.apply_action(state.legal_actions()[0])
    assert bot.act(state.observation(1)).text == "take 3"


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
    game, world = ThreePiles(), Winnings()
    rewards = playout(game, world, depth, generator(1))
    assert world.passes == passes
    assert rewards == estimated_utilities(world.scores()) == game.search.evaluate(world)


class TakesTheMost(Search):
    def playout_action(self, state, rng):
        return state.legal_actions()[-1]

    def evaluate(self, state):
        return -1.0, -1.0, 2.0


class ThirdTakesTwo(ThreePiles):
    """The rule of the game lets everybody take the most, and it values nothing but the third."""

    search = cached_property(TakesTheMost)


def test_a_playout_follows_the_rule_of_the_game():
    world = PilesState()
    playout(ThirdTakesTwo(), world, 1, generator(1))
    assert world.taken == (1,)
    worlds = [PilesState((1,)) for _ in range(20)]
    for world in worlds:
        playout(ThirdTakesTwo(), world, 1, generator(1))
    assert {world.taken for world in worlds} == {(1, 3)}


def test_the_game_evaluates_an_unfinished_playout():
    assert playout(ThirdTakesTwo(), PilesState((1,)), 1, generator(1)) == (-1.0, -1.0, 2.0)


FULL = "±1 ±2 ±3 ±4"


@pytest.mark.parametrize(
    ("situation", "wanted"),
    [
        # The set is won as it lies: the card would be spent for nothing.
        (
            {
                "tables": ([10, 9], [10, 8]),
                "hands": ("+1 +2 +3", "±1 ±2"),
                "standing": (False, True),
            },
            "stand",
        ),
        # 17 will do against an average table; a card more is not worth a card less later.
        ({"tables": ([10, 7], [10, 2]), "hands": ("+1 +2", "±1")}, "stand"),
        # Nothing can bust yet.
        ({"tables": ([10], [9]), "hands": ("±1 ±2 +3 +4", FULL)}, "end turn"),
        ({"tables": ([5], [9]), "hands": ("±1 ±2 +3 +4", FULL)}, "end turn"),
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_it_keeps_its_cards_where_they_gain_nothing(situation, wanted, seed):
    assert started(InformationSetMcts(), seed=seed).act(seen(**situation)).text == wanted


@pytest.mark.thorough("test_house_bots.py has it beat another")
def test_it_beats_the_threshold_player_by_far():
    assert score(InformationSetMcts, StandAt, pairs=12) > 0.75


MANY = [Action(id=number, text=f"put {number}") for number in range(3000)]


class Stakes(PilesState):
    """One decision of one seat, in which a single action wins; the clones are counted."""

    clones = 0

    def __init__(self, taken=(), legal=MANY, winner=MANY[-1].id) -> None:
        super().__init__(taken)
        self.legal, self.winner = legal, winner

    def current_player(self):
        return TERMINAL if self.taken else 0

    def legal_actions(self):
        return () if self.taken else self.legal

    def outcome(self):
        lead = 1.0 if self.taken[0] == self.winner else -1.0
        return Outcome((lead, -lead), (0, 0))

    def clone(self, dealer=None):
        Stakes.clones += 1
        return Stakes(self.taken, self.legal, self.winner)


class ManyStakes(with_parts(ThreePiles, search_playout_action=lambda self, state, rng: MANY[-1])):
    def resample(self, observation, rng):
        return Stakes()


def test_of_thousands_of_stakes_the_games_own_and_a_sample_are_played_out():
    bot = InformationSetMcts(iterations=96)
    bot.start(MatchContext(ManyStakes(), "plain", 0, 2, 9))
    assert bot.act(Observation(0, MANY, b"")) is MANY[-1]
    assert 48 <= Stakes.clones <= 100


class NothingMatters(
    with_parts(ThreePiles, search_playout_action=lambda self, state, rng: TAKES[1])
):
    """All three actions are worth the same; the rule of the game takes the second."""

    def resample(self, observation, rng):
        return Stakes(legal=TAKES, winner=0)


def test_of_equal_actions_it_takes_the_games_own():
    bot = InformationSetMcts()
    bot.start(MatchContext(NothingMatters(), "plain", 0, 2, 9))
    assert bot.act(Observation(0, TAKES, b"")) is TAKES[1]
