"""Positions: states from a description, reachable or not, for tests and puzzles."""

from __future__ import annotations

from typing import Any, Generic

from arena.core.errors import BadInput
from arena.core.parts.part import Part, RulesetT, StateT


class Positions(Part, Generic[RulesetT, StateT]):
    """Makes states from descriptions; unless a game has its own there are none."""

    def state(self, *ruleset: Any, **situation: Any) -> StateT:  # noqa: ANN401 - see below
        """Returns the state of a described situation.

        Called as ``state(ruleset, **situation)``. Each game takes keywords of its own, such as
        ``hands`` and ``turn``, which its override declares and documents.

        Raises:
            BadInput: There is no such situation, or the game describes none.
        """
        raise BadInput(f"{self.game.name} has no position function, which describes situations")
