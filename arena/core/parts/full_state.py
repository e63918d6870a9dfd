"""Full states: facts of a position, hidden cards too, from which a value function is learned."""

from __future__ import annotations

from typing import Generic

from arena.core.parts.full_state_facts import FullStateFacts, SceneFacts
from arena.core.parts.part import Part, RulesetT, StateT


class FullState(Part, Generic[RulesetT, StateT]):
    """Gives the facts of positions; a game's own can be cheaper, and say more."""

    def facts(self, ruleset: RulesetT) -> FullStateFacts[StateT]:
        """Returns the facts of positions under a ruleset: of its scenes, or of all observations."""
        return SceneFacts(self.game.board.scene, self.game.wire.describe)
