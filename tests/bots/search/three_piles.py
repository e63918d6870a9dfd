"""A tiny open game for three seats: one after the other takes 1, 2 or 3 counters; who
has most, alone, wins.

The first seat has no choice but 1, so that a decision without alternatives occurs, and the last
can take 2 at most, so that the second has one winning choice.
"""

from arena.core.actions import Action
from arena.core.game import Game
from arena.core.observation import Observation
from arena.core.outcome import Outcome
from arena.core.state import TERMINAL, State

TAKES = tuple(Action(id=number, text=f"take {number}") for number in (1, 2, 3))


class PilesState(State):
    def __init__(self, taken=()) -> None:
        self.taken = tuple(taken)

    def current_player(self):
        return len(self.taken) if len(self.taken) < 3 else TERMINAL

    def legal_actions(self):
        return TAKES[: (1, 3, 2)[len(self.taken)]] if len(self.taken) < 3 else ()

    def chance_outcomes(self):
        return ()

    def apply_action(self, action):
        assert action in self.legal_actions()
        self.taken += (action.id,)

    def outcome(self):
        most = max(self.taken)
        shared = self.taken.count(most) > 1
        returns = tuple(1.0 if own == most and not shared else -1.0 for own in self.taken)
        return Outcome(returns, self.scores())

    def scores(self):
        return (*self.taken, 0, 0, 0)[:3]

    def observation(self, seat):
        legal = self.legal_actions() if seat == self.current_player() else ()
        return Observation(seat, legal, bytes(self.taken))

    def clone(self, dealer=None):
        return PilesState(self.taken)


class ThreePiles(Game):
    name = "three-piles"
    summary = "most counters win"
    version = "1"
    seats = range(3, 4)
    rulesets = {}
    notation = None

    def new_state(self, ruleset, loadouts, dealer=None):
        return PilesState()

    def resample(self, observation, rng):
        return PilesState(observation.history)

    def render(self, observation):
        return str(list(observation.history))
