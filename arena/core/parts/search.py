"""Search: quick play and quick judgement, by which search bots look ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic

from arena.core.actions import Action
from arena.core.outcome import estimated_utilities
from arena.core.parts.part import Part, StateT

if TYPE_CHECKING:
    from random import Random


class Search(Part, Generic[StateT]):
    """Guides search bots; unless a game knows better they play at random."""

    def playout_action(self, state: StateT, rng: Random) -> Action:
        """Chooses one action of quick, plain play: the playout (rollout) policy of search bots.

        It runs for every move of every playout, so it must be cheap. The state, at a seat's
        decision, is a full world and stays as it is; but the answer depends only on what that seat
        knows, and on ``rng``.
        """
        legal = state.legal_actions()
        return legal[int(rng.random() * len(legal))]

    def evaluate(self, state: StateT) -> Sequence[float]:
        """Estimates the result of an unfinished match, which stays as it is, for each seat.

        The scores so far are judged, unless the game knows more of what a seat keeps for later.
        The numbers are within -1..1, and sum to 0.
        """
        return estimated_utilities(state.scores())
