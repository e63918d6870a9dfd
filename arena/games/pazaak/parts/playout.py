"""Quick play and quick judgement of Pazaak for search bots."""

from __future__ import annotations

from math import tanh
from typing import TYPE_CHECKING

from arena.core.parts import Search
from arena.games.pazaak.engine.actions import END_TURN, STAND, PazaakAction
from arena.games.pazaak.engine.rulesets import LIMIT
from arena.games.pazaak.engine.state import PazaakState

if TYPE_CHECKING:
    from random import Random

STAND_FROM = 17
"""The total on which it stands while the rival still plays, as the dealer of blackjack does."""


class PazaakSearch(Search[PazaakState]):
    """Plays by the totals, and judges by sets and hand cards."""

    def playout_action(self, state: PazaakState, rng: Random) -> PazaakAction:
        """Stands from 17 on; plays a hand card to reach 20, to get back to 20 or less, or to win.

        Against a rival who stands it draws until it has as much, and plays a card that gives more.
        It looks at the own hand and the tables only.
        """
        seat = state.player
        total, rival = state.totals[seat], 1 - seat
        # A rival may stand on more than 20 where a flip turns both tables (A8).
        beat = state.totals[rival] if state.standing[rival] else 0
        target, wanted = STAND_FROM, LIMIT
        if 0 < beat <= LIMIT:
            target, wanted = beat, min(beat + 1, LIMIT)
        if total > LIMIT:
            wanted = target if beat else 1
        if not wanted <= total <= LIMIT and len(state.legal) > 2:
            best = wanted - 1
            choice = None
            for action in state.legal:
                if action.value and best < total + action.value <= LIMIT:
                    best, choice = total + action.value, action
            if choice is not None:
                return choice
        return STAND if target <= total <= LIMIT else END_TURN

    def evaluate(self, state: PazaakState) -> tuple[float, float]:
        """A hand card is worth as much as a set won.

        That is what the solved match says (``arena_bots.pazaak.match_values``): the hyperbolic
        tangent of half of both leads together is 0.08 away from it on average.
        """
        (first, second), (mine, theirs) = state.sets, state.hands
        value = tanh((first + len(mine) - second - len(theirs)) / 2)
        return value, -value
