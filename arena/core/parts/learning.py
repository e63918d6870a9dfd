"""Learning: the facts of a position, from which a value function is learned."""

from __future__ import annotations

from typing import Generic

from arena.core.parts.features import Features, SceneFeatures
from arena.core.parts.part import Part, RulesetT, StateT


class Learning(Part, Generic[RulesetT, StateT]):
    """Gives the facts of positions; a game's own can be cheaper, and say more."""

    def features(self, ruleset: RulesetT) -> Features[StateT]:
        """Returns the facts of positions under a ruleset: of its scenes, or of all observations."""
        return SceneFeatures(self.game.board.scene, self.game.wire.describe)
