"""Plays like the careful counter and budgets its four hand cards over the match.

A set needs to be won three times, but the hand is dealt once (rule book S11). So the price of a
card follows from the sets still to be won and the cards left for them: cheap when there are
enough, dear when there are few, and low when the rival needs one more set, for a card saved in a
lost match is worth nothing.

Source: the test bot of the repository loopfz/pazaak spends every card at match point; the budget by
sets still needed is our own.
"""

from __future__ import annotations

from arena.games.pazaak.engine.observation import PazaakObservation
from arena.games.pazaak.engine.rulesets import SETS_TO_WIN
from arena_bots.pazaak.careful_counter import CarefulCounter


class HandSaver(CarefulCounter):
    """Counts cards like the careful counter, with a budget for hand cards.

    Args:
        gain: Price of a card when there is one left for each set still to be won.
        last: Price when the rival needs one more set.
    """

    def __init__(self, gain: float = 0.8, last: float = 0.25) -> None:
        super().__init__(gain)
        self.last = last

    def price(self, observation: PazaakObservation) -> float:
        needed = SETS_TO_WIN - observation.sets
        if observation.rival_sets == SETS_TO_WIN - 1 or observation.ruleset.hand_scope == "set":
            return self.last
        return self.gain * needed / max(len(observation.hand), 1)
